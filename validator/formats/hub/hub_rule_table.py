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
    ("HF209", "no-source", _WARNING, e.no_source),
    ("HF210", "dataset-id", _ERROR, e.dataset_id),
    ("HF211", "verify-token", _WARNING, e.verify_token),
    ("HF212", "blank-notes", _WARNING, e.blank_notes),
    ("HF213", "placeholder", _ERROR, e.placeholder),
    ("HF214", "revision-form", _WARNING, e.revision_form),
    ("HF215", "unread-key", _WARNING, e.unread_key),
    ("HF216", "not-a-list", _ERROR, e.not_a_list),
    ("HF217", "results-file-name", _WARNING, e.file_name),
    optional=("HF209",),
)

#: Rules on the description of a benchmark.
BENCHMARK_RULES: tuple[Rule, ...] = checked_rules(
    ("HF301", "repeated-task", _ERROR, b.repeated_task),
    ("HF302", "task-without-id", _WARNING, b.task_without_id),
    ("HF303", "task-data", _WARNING, b.task_data),
    ("HF304", "no-framework", _WARNING, b.no_framework),
    ("HF305", "unlisted-framework", _WARNING, b.unlisted_framework),
    ("HF306", "unread-task-key", _WARNING, b.unread_task_key),
)

#: Pages of the rules that are not functions: what, why, bad, good.
_CALL_PAGES: dict[str, str] = {
    "task-not-in-benchmark": """A task is one that the `eval.yaml` of its data set has.

    Checked where both are files of one call, and the path of `eval.yaml` ends in
    `owner/name/eval.yaml` or lies in the cache of the Hub's client.

    Bad: `task_id: hle-text` where `eval.yaml` has the task `hle`
    Good: `task_id: hle`
    """,
    "entry-in-another-file": """No other file of the model has the same result.

    Bad: the same result in `.eval_results/hle.yaml` and in `.eval_results/all.yaml`
    Good: in one of them
    """,
    "conflicts-with-another-file": """No other file of the model has another value for a task.

    Results that differ in their date, in the revision of the data set or in their notes are
    different ones.

    Bad: `value: 22.1` in one file and `value: 44.9` in another
    Good: `notes: "With tools"` in one of them
    """,
    "other-framework": """The framework of a result is that of its benchmark.

    Otherwise the Hub does not show the result as verified. Checked as HF401 is.

    Bad: `evaluation_framework: hle` where `eval.yaml` has `inspect-ai`
    Good: `evaluation_framework: inspect-ai`
    """,
    "differs-from-record": """A value is that of the record of the same model and data set.

    Checked where both are files of one call, the folder of `.eval_results` has the name of the
    model, and the benchmark's scale is known. Values that are equal when rounded are equal.

    Bad: `value: 65.7` where the record has 0.612, from 0 to 1
    Good: `value: 61.2`
    """,
}

#: Rules on the files of one call, checked by ``same_model``.
CALL_RULES: dict[str, Rule] = {
    name: Rule(code, name, severity, _CALL_PAGES[name])
    for code, name, severity in (
        ("HF401", "task-not-in-benchmark", _ERROR),
        ("HF402", "entry-in-another-file", _WARNING),
        ("HF403", "conflicts-with-another-file", _ERROR),
        ("HF404", "other-framework", _WARNING),
        ("HF405", "differs-from-record", _WARNING),
    )
}
