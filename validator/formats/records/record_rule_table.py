"""The rules of records: codes, names, severities."""

from __future__ import annotations

from evalmark.validator.findings.severity import Severity
from evalmark.validator.formats.records import identity_rules as identity
from evalmark.validator.formats.records import score_rules as scores
from evalmark.validator.formats.records import secret_rules as secrets
from evalmark.validator.rules.rule import Rule, checked_rules

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

RECORD_RULES: tuple[Rule, ...] = checked_rules(
    ("EE201", "score-out-of-bounds", _ERROR, scores.score_out_of_bounds),
    ("EE202", "bounds-reversed", _ERROR, scores.bounds_reversed),
    ("EE203", "not-a-level", _ERROR, scores.not_a_level),
    ("EE204", "unknown-level", _ERROR, scores.unknown_level),
    ("EE205", "level-metadata-length", _WARNING, scores.level_metadata_length),
    ("EE206", "interval-reversed", _ERROR, scores.interval_reversed),
    ("EE207", "interval-misses-score", _WARNING, scores.interval_misses_score),
    ("EE208", "uncertainty-impossible", _ERROR, scores.uncertainty_impossible),
    ("EE209", "uncertainty-inconsistent", _WARNING, scores.uncertainty_inconsistent),
    ("EE210", "jury-weights", _WARNING, scores.jury_weights),
    ("EE211", "direction-contradicts-metric", _WARNING, scores.direction_contradicts_metric),
    ("EE221", "empty-identifier", _ERROR, identity.empty_identifier),
    ("EE222", "evaluation-id-form", _WARNING, identity.evaluation_id_form),
    ("EE223", "not-a-timestamp", _WARNING, identity.not_a_timestamp),
    ("EE224", "future-timestamp", _WARNING, identity.future_timestamp),
    ("EE225", "timestamps-backwards", _WARNING, identity.timestamps_backwards),
    ("EE226", "duplicate-result", _WARNING, identity.duplicate_result),
    ("EE227", "not-a-url", _WARNING, identity.not_a_url),
    ("EE228", "hf-repo-missing", _WARNING, identity.hf_repo_missing),
    ("EE229", "secret", _ERROR, secrets.secret),
    ("EE231", "unknown-split", _WARNING, identity.unknown_split),
    ("EE232", "no-results", _WARNING, identity.no_results),
    ("EE233", "evaluation-id-model", _WARNING, identity.evaluation_id_model),
)
