"""All rules: their codes, names, severities, pages, and the functions that check.

A code is never reused. A name may belong to several codes (`wrong-type` is SG112 for suites and
EE112 for records); wherever a rule is named, code and name both serve.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .._finding import Severity
from .._hit import Hit, Remark
from . import formulas, provable, structure, text
from ._facts import SuiteFacts
from .pages import FILE_PAGES, SHAPE_PAGES

Check = Callable[[SuiteFacts], Iterator[Hit | Remark] | Iterator[Hit]]

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as users know it.

    Attributes:
        code: For example ``SG204``.
        name: For example ``unknown-condition``.
        severity: How bad a breach is.
        page: Its documentation: what, why, bad, good.
        check: The function that finds breaches; None where the parser or a schema does.
    """

    code: str
    name: str
    severity: Severity
    page: str
    check: Check | None = None

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.partition("\n")[0]


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
}

_SHAPE_CODES = {
    "101": "missing-key",
    "112": "wrong-type",
    "113": "unknown-value",
    "114": "unknown-key",
    "115": "too-short",
    "116": "out-of-range",
    "119": "schema-mismatch",
}

_RECORD_CODES = {
    "EE111": "unknown-source-type",
    "EE131": "levels-need-names",
    "EE132": "bounds-missing",
}

_SUITE_CHECKS: tuple[tuple[str, str, Severity, Check], ...] = (
    ("SG201", "formula-syntax", _ERROR, formulas.formula_syntax),
    ("SG202", "truth-value-expected", _ERROR, formulas.truth_value_expected),
    ("SG203", "unknown-region", _ERROR, formulas.unknown_region),
    ("SG204", "unknown-condition", _ERROR, formulas.unknown_condition),
    ("SG205", "mixed-operators", _WARNING, formulas.mixed_operators),
    ("SG206", "never-holds", _ERROR, provable.never_holds),
    ("SG207", "cannot-fail", _WARNING, provable.cannot_fail),
    ("SG208", "bracket-dialect", _WARNING, formulas.bracket_dialect),
    ("SG209", "string-predictions", _ERROR, formulas.string_predictions),
    ("SG301", "region-trailing-space", _WARNING, text.trailing_space),
    ("SG302", "region-leading-space", _WARNING, text.leading_space),
    ("SG401", "region-numbers", _ERROR, structure.region_numbers),
    ("SG402", "region-not-declared", _ERROR, structure.region_not_declared),
    ("SG403", "condition-sets", _ERROR, structure.condition_sets),
    ("SG404", "duplicate-item-number", _ERROR, structure.duplicate_item_number),
    ("SG405", "duplicate-condition", _ERROR, structure.duplicate_condition),
    ("SG406", "duplicate-region", _ERROR, structure.duplicate_region),
)


def _page(check: Check) -> str:
    assert check.__doc__, f"{check} is a rule without a page"
    return check.__doc__


#: Code → rule, in the order of codes.
RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in sorted(
        (
            *(Rule(code, name, _ERROR, FILE_PAGES[name]) for code, name in _FILE_CODES.items()),
            *(
                Rule(f"{family}{number}", name, _ERROR, SHAPE_PAGES[name])
                for family in ("SG", "EE")
                for number, name in _SHAPE_CODES.items()
            ),
            *(Rule(code, name, _ERROR, SHAPE_PAGES[name]) for code, name in _RECORD_CODES.items()),
            *(
                Rule(code, name, severity, _page(check), check)
                for code, name, severity, check in _SUITE_CHECKS
            ),
        ),
        key=lambda rule: rule.code,
    )
}

SUITE_RULES: tuple[Rule, ...] = tuple(rule for rule in RULES.values() if rule.check)


def find_rules(word: str) -> list[Rule]:
    """The rules with this code or name, in the order of codes."""
    code = RULES.get(word.upper())
    return [code] if code else [rule for rule in RULES.values() if rule.name == word.lower()]


__all__ = ["RULES", "SUITE_RULES", "Rule", "SuiteFacts", "find_rules"]
