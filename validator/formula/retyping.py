"""What to write for a formula that confuses numbers and truth values."""

from __future__ import annotations

import itertools

from evalmark.validator.formula.meaning import TypeProblem, is_truth, type_problems
from evalmark.validator.formula.parser import Formula
from evalmark.validator.formula.tree import (
    Comparison,
    Logic,
    Node,
    Number,
    Reference,
    Sum,
    children,
    unparse,
    walk,
)


def retyped(formula: Formula, problem: TypeProblem) -> str | None:
    """What to write in place of the part that a problem is about; None if that is unknown."""
    if formula.brackets:  # what is joined and what is compared is not what it looks like
        return None
    new = _retyped(formula.tree, problem.node)
    return None if new is None or any(type_problems(new)) else unparse(new)


def _retyped(tree: Node, node: Node) -> Node | None:
    if isinstance(node, Comparison):
        return _without_arithmetic(node)
    if isinstance(node, Sum) and any(map(is_truth, children(node))):
        return _moved(node) or _joined(node, "&")
    if node is not tree:
        return _like_its_neighbour(tree, node)
    is_difference = isinstance(node, Sum) and node.rest[-1][0] == "-"
    return Comparison(">", node, Number(0.0)) if is_difference else None


def grouped(node: Node, tight: bool = False) -> Node:
    """The same with parentheses where ``&`` and ``|`` are mixed: they are read from the left.

    With ``tight``, ``&`` is before ``|``, as in the languages from which an operator is.
    """
    match node:
        case Logic():
            terms = [(sign, grouped(part, tight)) for sign, part in [("", node.first), *node.rest]]
            first, rest = terms[0][1], terms[1:]
            if tight and len({sign for sign, _ in rest}) > 1:
                return _tightly(terms)
            while len({sign for sign, _ in rest}) > 1:
                count = next(i for i, (sign, _) in enumerate(rest) if sign != rest[0][0])
                first, rest = Logic(first, tuple(rest[:count])), rest[count:]
            return Logic(first, tuple(rest))
    return node


def _tightly(terms: list[tuple[str, Node]]) -> Node:
    groups: list[list[Node]] = []
    for sign, term in terms:
        if sign == "&":
            groups[-1].append(term)
        else:
            groups.append([term])
    first, *others = (_all_of(group) for group in groups)
    return Logic(first, tuple(("|", other) for other in others))


def _all_of(terms: list[Node]) -> Node:
    first, *others = terms
    return Logic(first, tuple(("&", other) for other in others)) if others else first


def _without_arithmetic(node: Comparison) -> Node | None:
    """The truth values that are added and compared with a number, without the numbers."""
    left, right = node.left, node.right
    if not isinstance(right, Number):
        return None
    if is_truth(left):
        is_true = {"=": right.value == 1, ">": 0 <= right.value < 1}
        return left if is_true.get(node.operator) else None
    if not isinstance(left, Sum):
        return None
    count = len(children(left))
    if {"=": right.value, ">": right.value + 1}.get(node.operator) == count:
        return _joined(left, "&")
    return _joined(left, "|" if (node.operator, right.value) == (">", 0) else "")


def _moved(node: Sum) -> Node | None:
    """``(a < b) + 1`` is written ``a < b + 1``."""
    first, rest = node.first, node.rest
    if not isinstance(first, Comparison) or any(is_truth(term) for _, term in rest):
        return None
    right = first.right
    if isinstance(right, Sum):
        return Comparison(first.operator, first.left, Sum(right.first, (*right.rest, *rest)))
    return Comparison(first.operator, first.left, Sum(right, rest))


def _joined(node: Sum, operator: str) -> Node | None:
    """Truth values that are added are joined."""
    if not operator or any(sign != "+" for sign, _ in node.rest):
        return None
    if not all(map(is_truth, children(node))):
        return None
    return Logic(node.first, tuple((operator, term) for _, term in node.rest))


def _like_its_neighbour(tree: Node, node: Node) -> Node | None:
    """``a > b & c`` is written ``a > b & a > c``, and ``a & b > c`` is ``a > c & b > c``."""
    if not isinstance(node, Reference | Sum):
        return None
    for parent in walk(tree):
        for one, other in itertools.pairwise(children(parent)):
            if other is node and isinstance(one, Comparison):
                return Comparison(one.operator, one.left, node)
            if one is node and isinstance(other, Comparison):
                return Comparison(other.operator, node, other.right)
    return None
