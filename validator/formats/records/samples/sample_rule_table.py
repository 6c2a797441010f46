"""The rules of sample files: those on one row, and those on a whole file."""

from __future__ import annotations

from evalmark.validator.findings.severity import Severity
from evalmark.validator.formats.records.samples import sample_row_rules as rows
from evalmark.validator.rules.row_pages import ROW_PAGES
from evalmark.validator.rules.rule import Rule, checked_rules

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
)

#: The rules that apply to a row that is not a conversation.
SINGLE_TURN_RULES: tuple[Rule, ...] = tuple(
    rule for rule in ROW_RULES if rule.code not in ("EE302", "EE303", "EE304", "EE308")
)

#: Rules on a whole file, checked by ``check_samples``.
FILE_RULES: dict[str, Rule] = {
    name: Rule(code, name, severity, ROW_PAGES[name])
    for code, name, severity in (
        ("EE311", "row-version", _ERROR),
        ("EE312", "row-count", _ERROR),
        ("EE313", "checksum", _ERROR),
        ("EE314", "row-evaluation-id", _ERROR),
        ("EE315", "row-model-id", _ERROR),
        ("EE316", "row-result", _ERROR),
        ("EE317", "duplicate-row", _WARNING),
        ("EE318", "aggregate-differs", _WARNING),
        ("EE319", "samples-missing", _WARNING),
        ("EE320", "blank-line", _WARNING),
        ("EE321", "samples-path", _ERROR),
        ("EE322", "row-name", _WARNING),
        ("EE323", "orphaned-samples", _WARNING),
    )
}
