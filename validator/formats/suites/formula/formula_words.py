"""A formula as a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Logic,
    Node,
    Number,
    Reference,
    Sum,
    children,
)

#: Operator -> its meaning.
OPERATORS = {
    ">": "is more surprising than",
    "<": "is less surprising than",
    "=": "is as surprising as",
    "&": "and",
    "|": "or",
    "+": "plus",
    "-": "minus",
}


def in_words(node: Node, names: Mapping[str, str]) -> str:
    """The meaning of a formula, as a sentence without its full stop."""
    if isinstance(node, Number):
        return f"{node.value:g} bits"
    if isinstance(node, Reference):
        return region_in_words(node, names)
    if isinstance(node, Comparison):
        # Plainly, if a text is compared with a text; else with the numbers.
        sides = in_words(node.left, names), in_words(node.right, names)
        if isinstance(node.left, Reference) and isinstance(node.right, Reference):
            return f"{sides[0]} {OPERATORS[node.operator]} {sides[1]}"
        says = {"<": "is less than", ">": "is more than", "=": "equals"}[node.operator]
        left, right = (
            f"the surprisal of {side}" if isinstance(part, Reference) else side
            for side, part in zip(sides, (node.left, node.right), strict=True)
        )
        return f"{left} {says} {right}"
    first, *others = children(node)
    parts = [_part(first, node, names)]
    for (operator, _), operand in zip(node.rest, others, strict=True):
        parts += [OPERATORS[operator], _part(operand, node, names)]
    return " ".join(parts)


def _part(node: Node, whole: Node, names: Mapping[str, str]) -> str:
    text = in_words(node, names)
    nested = isinstance(node, Logic) if isinstance(whole, Logic) else isinstance(node, Sum)
    return f"({text})" if nested else text


def region_in_words(node: Reference, names: Mapping[str, str]) -> str:
    """A region of a condition, with its name."""
    if node.region is None:
        return f"the whole sentence of {node.condition}"
    name = names.get(str(node.region), "")
    return f"region {node.region}{f' ({name})' if name else ''} of {node.condition}"
