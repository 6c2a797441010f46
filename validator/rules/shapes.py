"""The rules that schemas check: their codes and names."""

from __future__ import annotations

from functools import cache

from evalmark.validator.findings.severity import Severity
from evalmark.validator.rules.pages import PAGES
from evalmark.validator.rules.rule import Rule

#: Number -> name of the rules of schemas, for each family of formats.
SHAPES = {
    "101": "missing-key",
    "112": "wrong-type",
    "113": "unknown-value",
    "114": "unknown-key",
    "115": "too-short",
    "116": "out-of-range",
    "117": "wrong-form",
    "119": "schema-mismatch",
}
#: Code -> name of those of records only.
RECORD_SHAPES = {
    "EE102": "wrong-version",
    "EE103": "unfit-old-record",
    "EE111": "unknown-source-type",
    "EE131": "levels-need-names",
    "EE132": "bounds-missing",
    "EE133": "interaction-needs",
}


@cache
def shape_rules(family: str) -> tuple[Rule, ...]:
    """The rules that the schemas of a family of formats check."""
    codes = {f"{family}{number}": name for number, name in SHAPES.items()}
    if family == "EE":
        codes |= RECORD_SHAPES
    return tuple(Rule(code, name, Severity.ERROR, PAGES[name]) for code, name in codes.items())


@cache
def shape_rule(name: str, family: str) -> Rule:
    """The rule with a name, or a code, for the formats of a family."""
    rules = {key: rule for rule in shape_rules(family) for key in (rule.code, rule.name)}
    is_of_records = name == "unknown-source-type" and family != "EE"
    return rules["unknown-value" if is_of_records else name]
