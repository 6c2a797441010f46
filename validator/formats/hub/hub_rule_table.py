"""The rules of community evals on the Hugging Face Hub: codes, names, severities."""

from __future__ import annotations

from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule, checked_rules
from evalmark.validator.formats.hub.rules import benchmark_rules as b
from evalmark.validator.formats.hub.rules import entry_rules as e

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

#: Rules on the results of a model.
ENTRY_RULES: tuple[Rule, ...] = checked_rules(
    ("HF201", "off-scale", _ERROR, e.off_scale),
    ("HF202", "share-or-percentage", _WARNING, e.share_or_percentage),
    ("HF203", "unknown-task", _WARNING, e.unknown_task),
    ("HF204", "not-an-iso-date", _ERROR, e.unreadable_date),
    ("HF205", "date-in-future", _WARNING, e.date_in_future),
    ("HF206", "duplicate-entry", _WARNING, e.duplicate_entry),
    ("HF207", "conflicting-entries", _ERROR, e.conflicting_entries),
    ("HF208", "source-url", _ERROR, e.source_url),
    ("HF210", "dataset-id", _ERROR, e.dataset_id),
    ("HF211", "verify-token", _WARNING, e.verify_token),
    ("HF213", "placeholder", _ERROR, e.placeholder),
    ("HF214", "revision-form", _WARNING, e.revision_form),
    ("HF216", "not-a-list", _ERROR, e.not_a_list),
    ("HF217", "results-file-name", _WARNING, e.file_name),
)

#: Rules on the description of a benchmark.
BENCHMARK_RULES: tuple[Rule, ...] = checked_rules(
    ("HF301", "repeated-task", _ERROR, b.repeated_task),
)
