"""The rules on what many records lack: metrics, levels, settings, judges, numbers of certainty.

They are loaded for the first record that has some of it; see ``RecordView.has_details``.
"""

from __future__ import annotations

from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule, checked_rules
from evalmark.validator.formats.records.rules import metric_rules as metrics
from evalmark.validator.formats.records.rules import party_rules as parties
from evalmark.validator.formats.records.rules import setting_rules as settings
from evalmark.validator.formats.records.rules import sibling_rules as siblings
from evalmark.validator.formats.records.rules import topic_rules as topics
from evalmark.validator.formats.records.rules.number_rules import NUMBER_RULES

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

DETAIL_RULES: tuple[Rule, ...] = (
    *NUMBER_RULES,
    *checked_rules(
        ("EE211", "direction-contradicts-metric", _WARNING, metrics.direction_contradicts_metric),
        ("EE257", "bounds-contradict-metric", _WARNING, metrics.bounds_contradict_metric),
        ("EE265", "metric-contradicts-itself", _WARNING, metrics.metric_contradicts_itself),
        asks=lambda record: record.has_metrics,
    ),
    *checked_rules(
        ("EE203", "not-a-level", _ERROR, metrics.not_a_level),
        ("EE204", "unknown-level", _ERROR, metrics.unknown_level),
        ("EE205", "level-metadata-length", _WARNING, metrics.level_metadata_length),
        ("EE259", "levels-contradict", _WARNING, metrics.levels_contradict),
        asks=lambda record: record.with_levels,
    ),
    *checked_rules(
        ("EE253", "setting-out-of-range", _WARNING, settings.setting_out_of_range),
        ("EE267", "command-contradicts", _WARNING, settings.command_contradicts),
        ("EE268", "details-contradict", _WARNING, settings.details_contradict),
        asks=lambda record: record.with_settings or record.with_details or record.with_judges,
    ),
    *checked_rules(
        ("EE210", "jury-weights", _WARNING, parties.jury_weights),
        ("EE263", "judges-contradict", _WARNING, parties.judges_contradict),
        asks=lambda record: record.with_judges,
    ),
    *checked_rules(
        ("EE226", "duplicate-result", _WARNING, siblings.duplicate_result),
        ("EE258", "scale-unlike-siblings", _WARNING, siblings.scale_unlike_siblings),
        ("EE269", "neighbours-contradict", _WARNING, siblings.neighbours_contradict),
        asks=lambda record: len(record.results) > 1,
    ),
    *checked_rules(
        ("EE271", "topic-contradicts", _WARNING, topics.topic_contradicts),
        asks=lambda record: record.has_hub_data or record.has_metrics or record.with_details,
    ),
    *checked_rules(
        ("EE212", "partial-run", _WARNING, metrics.partial_run),
        asks=lambda record: record.is_own,
    ),
)  # fmt: skip
