"""Legacy predictions in the shape of formulas, so that rules on formulas are rules on them too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evalmark.validator.formats.suites.condition_names import normal_name
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Formula,
    Offsets,
    Reference,
)

#: The keys of a legacy prediction.
TRIPLE = ("region_number", "l_operand", "relation", "r_operand")
#: The relation of a legacy prediction -> the operator of a formula.
RELATIONS = {"lessthan": "<", "equals": "=", "greaterthan": ">"}


def formula_of(triple: Mapping[str, Any]) -> Formula:
    """The formula with the meaning of a legacy prediction; any condition name can be in it."""
    region, operator = int(triple["region_number"]), RELATIONS[triple["relation"]]
    left = _reference(region, triple["l_operand"], 0)
    right = _reference(region, triple["r_operand"], left.span[1] + len(f" {operator} "))
    source = f"{_text(left)} {operator} {_text(right)}"
    return Formula(Comparison(operator, left, right, (0, len(source))), source, ())


def key_of(formula: Formula, span: Offsets) -> str | None:
    """The key of a legacy prediction from which a part of its formula was made; None: several."""
    tree = formula.tree
    assert isinstance(tree, Comparison)
    for key, side in (("l_operand", tree.left), ("r_operand", tree.right)):
        assert isinstance(side, Reference)
        if span == side.region_span:
            return "region_number"
        if span in (side.condition_span, side.span):
            return key
    return None


def _text(reference: Reference) -> str:
    return f"({reference.region};%{reference.condition}%)"


def _reference(region: int, condition: str, start: int) -> Reference:
    name = start + len(f"({region};%")
    condition = normal_name(condition)
    end = name + len(condition)
    return Reference(
        region, condition, (start, end + 2), (name, end), (start + 1, start + 1 + len(str(region)))
    )
