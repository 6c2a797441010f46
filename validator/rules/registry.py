"""All rules by code, those of the parser and of the schemas included."""

from __future__ import annotations

from evalmark.validator.findings.severity import Severity
from evalmark.validator.rules.of_conversations import (
    CONFIG_RULES,
    DEFINITION_RULES,
    LOG_RULES,
    RESULT_RULES,
)
from evalmark.validator.rules.of_datastores import GATE_RULES, GATE_VERSION, PLACEMENT_RULES
from evalmark.validator.rules.of_records import RECORD_RULES
from evalmark.validator.rules.of_samples import FILE_RULES, ROW_RULES
from evalmark.validator.rules.of_suites import SUITE_RULES
from evalmark.validator.rules.rule import Rule
from evalmark.validator.rules.unchecked import FILE_PAGES, SHAPE_PAGES

_FILE_CODES = {
    "F001": "invalid-json",
    "F002": "invalid-utf8",
    "F003": "byte-order-mark",
    "F004": "wrong-encoding",
    "F005": "duplicate-key",
    "F006": "not-a-number",
    "F007": "number-too-large",
    "F008": "lone-surrogate",
    "F009": "nested-too-deep",
    "F010": "empty-file",
    "F011": "unreadable-file",
    "F012": "unknown-kind",
    "F013": "unknown-version",
    "F014": "invalid-yaml",
    "F015": "ambiguous-scalar",
    "F016": "beyond-json",
    "F017": "exploding-aliases",
    "F018": "line-too-long",
}

_SHAPE_CODES = {
    "101": "missing-key",
    "112": "wrong-type",
    "113": "unknown-value",
    "114": "unknown-key",
    "115": "too-short",
    "116": "out-of-range",
    "117": "wrong-form",
    "119": "schema-mismatch",
}

_RECORD_CODES = {
    "EE102": "wrong-version",
    "EE103": "unfit-old-record",
    "EE111": "unknown-source-type",
    "EE131": "levels-need-names",
    "EE132": "bounds-missing",
    "EE133": "interaction-needs",
}

#: Looked at over all files of a call.
_SAME_ID = "same-evaluation-id"

#: Code → rule, in the order of codes.
RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in sorted(
        (
            *(
                Rule(code, name, Severity.ERROR, FILE_PAGES[name])
                for code, name in _FILE_CODES.items()
            ),
            *(
                Rule(f"{family}{number}", name, Severity.ERROR, SHAPE_PAGES[name])
                for family in ("SG", "EE", "LT")
                for number, name in _SHAPE_CODES.items()
            ),
            *(
                Rule(code, name, Severity.ERROR, SHAPE_PAGES[name])
                for code, name in _RECORD_CODES.items()
            ),
            *SUITE_RULES,
            Rule("EE230", _SAME_ID, Severity.ERROR, SHAPE_PAGES[_SAME_ID]),
            *RECORD_RULES,
            *PLACEMENT_RULES,
            *GATE_RULES,
            GATE_VERSION,
            *DEFINITION_RULES,
            *RESULT_RULES,
            *CONFIG_RULES,
            *LOG_RULES.values(),
            *ROW_RULES,
            *FILE_RULES.values(),
        ),
        key=lambda rule: rule.code,
    )
}


def find_rules(word: str) -> list[Rule]:
    """The rules with this code or name, in the order of codes."""
    code = RULES.get(word.upper())
    return [code] if code else [rule for rule in RULES.values() if rule.name == word.lower()]
