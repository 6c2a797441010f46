"""The rules of community evals on the Hugging Face Hub: codes, names, severities."""

from __future__ import annotations

from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule, checked_rules
from evalmark.validator.formats.hub import hub_rules as hub

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

#: Rules on the results of a model.
ENTRY_RULES: tuple[Rule, ...] = checked_rules(
    ("HF201", "off-scale", _ERROR, hub.off_scale),
    ("HF202", "share-or-percentage", _WARNING, hub.share_or_percentage),
    ("HF203", "unknown-task", _WARNING, hub.unknown_task),
    ("HF204", "not-an-iso-date", _ERROR, hub.unreadable_date),
    ("HF205", "date-in-future", _WARNING, hub.date_in_future),
    ("HF206", "duplicate-entry", _WARNING, hub.duplicate_entry),
    ("HF207", "conflicting-entries", _ERROR, hub.conflicting_entries),
    ("HF208", "source-url", _ERROR, hub.source_url),
    ("HF210", "dataset-id", _ERROR, hub.dataset_id),
    ("HF211", "verify-token", _WARNING, hub.verify_token),
    ("HF213", "placeholder", _ERROR, hub.placeholder),
    ("HF214", "revision-form", _WARNING, hub.revision_form),
    ("HF216", "not-a-list", _ERROR, hub.not_a_list),
    ("HF217", "results-file-name", _WARNING, hub.file_name),
)

#: Rules on the description of a benchmark.
BENCHMARK_RULES: tuple[Rule, ...] = checked_rules(
    ("HF301", "repeated-task", _ERROR, hub.repeated_task),
)
