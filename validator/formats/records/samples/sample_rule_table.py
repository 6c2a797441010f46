"""The rules of sample files: those on one row, and those on a whole file."""

from __future__ import annotations

from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule, checked_rules
from evalmark.validator.formats.records.samples import sample_row_rules as rows

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

ROW_RULES: tuple[Rule, ...] = checked_rules(
    ("EE301", "correct-against-score", _WARNING, rows.correct_against_score),
    ("EE302", "number-of-turns", _WARNING, rows.number_of_turns),
    ("EE303", "turn-indices", _WARNING, rows.turn_indices),
    ("EE304", "tool-call-references", _WARNING, rows.tool_call_references),
    ("EE305", "sample-hash", _WARNING, rows.sample_hash),
    ("EE306", "token-totals", _WARNING, rows.token_totals),
    ("EE307", "attribution-turn", _WARNING, rows.attribution_turn),
    ("EE308", "unknown-role", _WARNING, rows.unknown_role),
    ("EE309", "output-against-score", _ERROR, rows.output_against_score),
)

#: The rules that apply to a row that is not a conversation.
SINGLE_TURN_RULES: tuple[Rule, ...] = tuple(
    rule for rule in ROW_RULES if rule.code not in ("EE302", "EE303", "EE304", "EE308")
)

#: Code, name and severity of the rules on a whole file (see ``check_samples``) -> their pages.
_FILE_PAGES: dict[tuple[str, str, Severity], str] = {
    ("EE311", "row-version", _ERROR): """A row has another version than its record.

    Bad: rows of 0.2.2 with a record of 0.3.0
    Good: both of 0.3.0
    """,
    ("EE312", "row-count", _ERROR): """A sample file has more or fewer rows than its record states.

    If it has fewer, the file was probably truncated.

    Bad: `"total_rows": 100` with 99 rows
    Good: `"total_rows": 99`
    """,
    ("EE313", "checksum", _ERROR): """A sample file has another checksum than its record states.

    The checksum is the digest of the exact bytes of the file, computed with `hash_algorithm`.

    Bad: a file that was changed after its record was written
    Good: the unchanged file
    """,
    ("EE314", "row-evaluation-id", _ERROR): """A row has another evaluation id than its record.

    Bad: `"evaluation_id": "b"` in a row, `"a"` in the record
    Good: equal ids
    """,
    ("EE315", "row-model-id", _ERROR): """A row has another model than its record.

    Bad: `"model_id": "example/b"` in a row, `"id": "example/a"` in the record
    Good: equal ids
    """,
    ("EE316", "row-result", _ERROR): """A row belongs to no result of the record.

    Rows refer to it by `evaluation_result_id` if they have one, otherwise by `evaluation_name`.

    Bad: `"evaluation_name": "npi/3"` where the record has `npi/1` and `npi/2`
    Good: `"evaluation_name": "npi/2"`
    """,
    ("EE317", "duplicate-row", _WARNING): """A result has duplicate samples.

    Bad: the same `sample_id` twice for one result
    Good: one row for each sample and result
    """,
    (
        "EE318",
        "aggregate-differs",
        _ERROR,
    ): """The score of a result is not the mean of the scores of its rows.

    This is an error in records of what evalmark has scored, and for accuracy and exact match if the
    rows are all of the samples that the result states. Otherwise it is a warning, because the score
    may be no mean, or the rows a part. Rounding and percentages are allowed for.

    Bad: `"score": 0.76` with rows whose mean is 0.75
    Good: `"score": 0.75`
    """,
    ("EE319", "samples-missing", _WARNING): """The sample file that a record names does not exist.

    Its path is relative to the folder of the record, or to the folder that contains `data`.

    Bad: `"file_path": "samples.jsonl"` and no such file
    Good: the file next to the record
    """,
    ("EE320", "blank-line", _WARNING): """A sample file has blank lines.

    Bad: an empty line between two rows
    Good: one row a line
    """,
    (
        "EE321",
        "samples-path",
        _ERROR,
    ): """A record's sample file is not a regular file in its folder or datastore.

    The path must be relative and, after symbolic links are resolved, lead to a file in or below the
    folder of the record or the folder that contains `data`. A record can come from anyone, so
    evalmark opens no other file for it, and no hidden file, folder, device or pipe.

    Bad: `"file_path": "/home/me/samples.jsonl"`, or `"../../samples.jsonl"`
    Good: `"file_path": "samples.jsonl"`, with the file next to the record
    """,
    (
        "EE322",
        "row-name",
        _WARNING,
    ): """A row has the id of one result and the name of another.

    Tools that show or filter samples use the name.

    Bad: `"evaluation_result_id": "a", "evaluation_name": "npi/3"` where `"a"` is named `npi/2`
    Good: `"evaluation_result_id": "a", "evaluation_name": "npi/2"`
    """,
    ("EE323", "orphaned-samples", _WARNING): """No record names a sample file.

    This is checked with `--changed`, when a branch deletes a record, or changes the path in it.

    Bad: `f3a1.json` is deleted, and `f3a1_samples.jsonl` is not
    Good: both are deleted
    """,
    (
        "EE324",
        "sample-count",
        _WARNING,
    ): """A result has more or fewer rows in the sample file than samples.

    The number of samples is `num_samples` of its uncertainty.

    Bad: `"num_samples": 400` with 4 rows of this result
    Good: `"num_samples": 4`, or all 400 rows
    """,
}
FILE_RULES: dict[str, Rule] = {rule[1]: Rule(*rule, page) for rule, page in _FILE_PAGES.items()}
