"""A formula while it is typed: what is wrong with it, and what it says in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Logic,
    Node,
    Number,
    Reference,
    Sum,
    children,
    read,
)
from evalmark.validator.formats.suites.formula.meaning import type_problems
from evalmark.workbench.page_check import check

#: Rules on a formula itself; the others are about the sentences, or about several formulas.
RULES = frozenset({"SG201", "SG202", "SG203", "SG204", "SG205", "SG208", "SG421"})
AT = "/predictions/0/formula"
#: A suggestion that says what to write.
_SUGGESTED = re.compile(r"^(?:write|did you mean) `([^`]+)`\??\Z")

#: Operator -> what it says.
_SAYS = {
    "<": "is less surprising than",
    ">": "is more surprising than",
    "=": "is as surprising as",
    "&": "and",
    "|": "or",
    "+": "plus",
    "-": "minus",
}


def look_at(
    formula: str,
    conditions: Sequence[str],
    regions: int,
    names: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Checks a formula as one of a suite: the first mistake in it, and its meaning in words.

    Args:
        formula: The formula.
        conditions: Names of the conditions of the suite.
        regions: How many regions it has.
        names: The number of a region, as text -> its name.
    """
    findings = check(_suite(formula, conditions, regions))["findings"]
    matches = [
        finding for finding in findings if finding["code"] in RULES and finding["pointer"] == AT
    ]
    errors = [finding for finding in matches if finding["severity"] == "error"]
    worst = next(iter(errors or matches), None)
    try:
        words = in_words(read(formula).tree, names or {})
    except FormulaSyntaxError:
        words = ""
    answer: dict[str, Any] = {"ok": not errors, "error": None, "warning": None, "words": words}
    if worst is not None:
        shown = ("code", "message", "start", "end", "notes", "suggestion")
        answer["error" if errors else "warning"] = {
            **{key: worst[key] for key in shown},
            "correction": _correction(formula, worst),
        }
    return answer


def _correction(formula: str, finding: Mapping[str, Any]) -> str:
    """The formula that a suggestion leads to; empty if it says none."""
    match = _SUGGESTED.search(finding["suggestion"])
    if match is None:
        return ""
    units = formula.encode("utf-16-le", "surrogatepass")
    before, after = units[: 2 * (finding["start"] or 0)], units[2 * (finding["end"] or 0) :]
    corrected = match[1].encode("utf-16-le", "surrogatepass").join((before, after))
    # What can be read is a whole formula; else it belongs where the mistake is.
    candidates = (match[1], corrected.decode("utf-16-le", "surrogatepass"))
    return next(filter(_is_formula, candidates), "")


def _is_formula(text: str) -> bool:
    try:
        return not any(type_problems(read(text).tree))
    except FormulaSyntaxError:
        return False


def _suite(formula: str, conditions: Sequence[str], regions: int) -> dict[str, Any]:
    """A suite with a formula, in which nothing else can be wrong with it."""
    numbers = range(1, regions + 1)
    return {
        "meta": {"name": "formula", "metric": "sum"},
        "region_meta": {str(number): "" for number in numbers},
        "predictions": [{"type": "formula", "formula": formula}],
        "items": [
            {
                "item_number": 1,
                "conditions": [
                    {
                        "condition_name": name,
                        "regions": [
                            {"region_number": number, "content": f"{place} {number}"}
                            for number in numbers
                        ],
                    }
                    for place, name in enumerate(conditions)
                ],
            }
        ],
    }


def in_words(node: Node, names: Mapping[str, str]) -> str:
    """The meaning of a formula, as a sentence without its full stop."""
    if isinstance(node, Number):
        return f"{node.value:g} bits"
    if isinstance(node, Reference):
        return _region(node, names)
    if isinstance(node, Comparison):
        return _comparison(node, names)
    first, *others = children(node)
    parts = [_part(first, node, names)]
    for (operator, _), operand in zip(node.rest, others, strict=True):
        parts += [_SAYS[operator], _part(operand, node, names)]
    return " ".join(parts)


def _part(node: Node, whole: Node, names: Mapping[str, str]) -> str:
    text = in_words(node, names)
    nested = isinstance(node, Logic) if isinstance(whole, Logic) else isinstance(node, Sum)
    return f"({text})" if nested else text


def _comparison(node: Comparison, names: Mapping[str, str]) -> str:
    """Plainly, if a text is compared with a text; else with the numbers."""
    sides = in_words(node.left, names), in_words(node.right, names)
    if isinstance(node.left, Reference) and isinstance(node.right, Reference):
        return f"{sides[0]} {_SAYS[node.operator]} {sides[1]}"
    says = {"<": "is less than", ">": "is more than", "=": "equals"}[node.operator]
    left, right = (
        f"the surprisal of {side}" if isinstance(part, Reference) else side
        for side, part in zip(sides, (node.left, node.right), strict=True)
    )
    return f"{left} {says} {right}"


def _region(node: Reference, names: Mapping[str, str]) -> str:
    if node.region is None:
        return f"the whole sentence of {node.condition}"
    name = names.get(str(node.region), "")
    return f"region {node.region}{f' ({name})' if name else ''} of {node.condition}"
