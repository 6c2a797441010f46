"""All rules by code, those of the parser and of the schemas included."""

from __future__ import annotations

from evalmark.validator.findings.file_findings import FILE_CODES, SAME_ID
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

#: Code → rule, in the order of codes.
RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in sorted(
        (
            *(
                Rule(code, name, Severity.ERROR, FILE_PAGES[name])
                for code, name in FILE_CODES.items()
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
            Rule(SAME_ID.code, SAME_ID.name, SAME_ID.severity, SHAPE_PAGES[SAME_ID.name]),
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
