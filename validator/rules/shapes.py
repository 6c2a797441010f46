"""The rules that schemas check: their codes and names."""

from __future__ import annotations

from functools import cache
from itertools import starmap

from evalmark.validator.findings.file_findings import FileRule

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
def shape_rules(family: str) -> tuple[FileRule, ...]:
    """The rules that the schemas of any family of formats check."""
    return tuple(FileRule(f"{family}{number}", name) for number, name in SHAPES.items())


@cache
def shape_rule(name: str, family: str) -> FileRule:
    """The rule with a name, or a code, for the formats of a family."""
    of_records = starmap(FileRule, RECORD_SHAPES.items() if family == "EE" else ())
    rules = (*shape_rules(family), *of_records)
    is_of_records = name == "unknown-source-type" and family != "EE"
    name = "unknown-value" if is_of_records else name
    return next(rule for rule in rules if name in (rule.code, rule.name))
