"""The meaning of a formula: its types, its truth, and its margin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalmark.validator.formula.tree import (
    Comparison,
    Logic,
    Node,
    Number,
    Offsets,
    Reference,
    Sum,
    children,
)

#: ``l = r`` holds when |l - r| <= ABSOLUTE + RELATIVE * |r|; not symmetric, as the reference
#: implementation has it (numpy.isclose).
ABSOLUTE_TOLERANCE = 1e-3
RELATIVE_TOLERANCE = 1e-5

ValueOf = Callable[[Reference], float]


@dataclass(frozen=True, slots=True)
class TypeProblem:
    """A truth value in place of a number, or the reverse."""

    message: str
    span: Offsets
    help: str


def type_problems(tree: Node) -> Iterator[TypeProblem]:
    """Where numbers and truth values are confused; a whole formula is a truth value."""
    if not _is_truth(tree):
        yield TypeProblem(
            "formula is a number, not true or false",
            tree.span,
            "compare it with another value: `… > 0`",
        )
    yield from _inner_problems(tree)


def _inner_problems(node: Node) -> Iterator[TypeProblem]:
    wants_truth = isinstance(node, Logic)
    for child in children(node):
        if wants_truth and not _is_truth(child):
            yield TypeProblem(
                "`&` and `|` join comparisons; this is a number",
                child.span,
                "compare it with another value, in parentheses",
            )
        elif not wants_truth and _is_truth(child):
            what = "added" if isinstance(node, Sum) else "compared"
            yield TypeProblem(
                f"a truth value cannot be {what}", child.span, "join truth values with `&` or `|`"
            )
        yield from _inner_problems(child)


def _is_truth(node: Node) -> bool:
    return isinstance(node, Comparison | Logic)


def evaluate(tree: Node, value_of: ValueOf) -> bool:
    """Whether a well-typed formula holds, given the value of each region reference.

    Every operand is evaluated, also where the first decides. Only operators are used that arrays
    have too, so that arrays of values give an array of truth values.
    """
    match tree:
        case Comparison():
            left, right = number(tree.left, value_of), number(tree.right, value_of)
            if tree.operator == "=":
                return abs(left - right) <= tolerance(right)
            return left < right if tree.operator == "<" else left > right
        case Logic():
            truth = evaluate(tree.first, value_of)
            for operator, operand in tree.rest:
                other = evaluate(operand, value_of)
                truth = truth & other if operator == "&" else truth | other
            return truth
    raise TypeError("formula is not a truth value")


def number(node: Node, value_of: ValueOf) -> float:
    """The value of an arithmetic part of a formula."""
    match node:
        case Number():
            return node.value
        case Reference():
            return value_of(node)
        case Sum():
            total = number(node.first, value_of)
            for operator, term in node.rest:
                value = number(term, value_of)
                total = total + value if operator == "+" else total - value
            return total
    raise TypeError("truth value in place of a number")


def margin(tree: Node, value_of: ValueOf) -> float:
    """By how much a formula holds (positive) or fails (negative), in the unit of the values.

    The least margin that must change for the truth to change: the minimum over ``&``, the maximum
    over ``|``.
    """
    match tree:
        case Comparison():
            left, right = number(tree.left, value_of), number(tree.right, value_of)
            if tree.operator == "=":
                return tolerance(right) - abs(left - right)
            return right - left if tree.operator == "<" else left - right
        case Logic():
            least = margin(tree.first, value_of)
            for operator, operand in tree.rest:
                least = (min if operator == "&" else max)(least, margin(operand, value_of))
            return least
    raise TypeError("formula is not a truth value")


def tolerance(right: float) -> float:
    """How far apart the two sides of ``=`` may be."""
    return ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * abs(right)


def same_meaning(one: Node, other: Node) -> bool:
    """Whether two trees are equal but for parentheses that left-to-right reading implies."""
    return _flat(one) == _flat(other)


def _flat(node: Node) -> Node:
    match node:
        case Sum() | Logic():
            first = _flat(node.first)
            rest = tuple((operator, _flat(operand)) for operator, operand in node.rest)
            if isinstance(first, type(node)):
                return type(node)(first.first, (*first.rest, *rest))
            return type(node)(first, rest)
        case Comparison():
            return Comparison(node.operator, _flat(node.left), _flat(node.right))
    return node
