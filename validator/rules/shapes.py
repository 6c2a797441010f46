"""The rules that schemas check: their codes and names."""

from __future__ import annotations

from functools import cache

from evalmark.validator.findings.file_findings import FileRule

#: Number -> name of the rules of schemas for suites (SG), records (EE) and conversations (LT).
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
#: The rules of schemas, for each family of formats.
SHAPE_RULES = tuple(
    FileRule(f"{family}{code}", name)
    for family in ("SG", "EE", "LT", "MP", "MT", "HF")
    for code, name in SHAPES.items()
)


@cache
def shape_rule(name: str, family: str) -> FileRule:
    """The rule with a name, or a code, for the formats of a family."""
    rules = (*SHAPE_RULES, *(FileRule(*rule) for rule in RECORD_SHAPES.items()))
    of_family = (rule for rule in rules if rule.code.startswith(family))
    return next(rule for rule in of_family if name in (rule.code, rule.name))
