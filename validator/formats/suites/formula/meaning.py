"""The meaning of a formula: its types, its truth, and whether rounding could change it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import and_, or_

from evalmark.validator.formats.suites.formula.tree import (
    Comparison,
    Logic,
    Node,
    Number,
    Reference,
    Sum,
    children,
)

#: ``l = r`` holds when |l - r| <= ABSOLUTE + RELATIVE * |r|; not symmetric, as the reference
#: implementation has it (numpy.isclose).
ABSOLUTE_TOLERANCE = 1e-3
RELATIVE_TOLERANCE = 1e-5

ValueOf = Callable[[Reference], float]
ErrorOf = Callable[[Comparison], float]


@dataclass(frozen=True, slots=True)
class TypeProblem:
    """A truth value in place of a number, or the reverse.

    Attributes:
        message: What is confused.
        node: The smallest part of the formula that has to be rewritten.
        help: What can be done, where nobody can say what to write.
    """

    message: str
    node: Node
    help: str


def type_problems(tree: Node) -> Iterator[TypeProblem]:
    """The confusions of numbers and truth values; a whole formula is a truth value."""
    if not is_truth(tree) and not _holds_truth(tree):
        message = "formula is a number, not true or false"
        yield TypeProblem(message, tree, "compare it with another value: `… > 0`")
    yield from _inner_problems(tree)


def _inner_problems(node: Node) -> Iterator[TypeProblem]:
    join = "join truth values with `&` or `|`"
    match node:
        case Logic():
            for child in children(node):
                if not is_truth(child) and not _holds_truth(child):
                    yield TypeProblem(
                        "`&` and `|` join comparisons; this is a number",
                        child,
                        "compare it with another value, in parentheses",
                    )
        case Comparison():
            if any(_holds_truth(side) for side in children(node) if isinstance(side, Sum)):
                yield TypeProblem("a truth value cannot be added", node, join)
                return
            if any(map(is_truth, children(node))):
                yield TypeProblem("a truth value cannot be compared", node, join)
        case Sum() if _holds_truth(node):
            yield TypeProblem("a truth value cannot be added", node, join)
    for child in children(node):
        yield from _inner_problems(child)


def _holds_truth(node: Node) -> bool:
    return isinstance(node, Sum) and any(
        is_truth(child) or _holds_truth(child) for child in children(node)
    )


def is_truth(node: Node) -> bool:
    """True if a part of a formula is a truth value, and not a number."""
    return isinstance(node, Comparison | Logic)


def evaluate(tree: Node, value_of: ValueOf) -> bool:
    """The truth of a well-typed formula, given the value of each region reference.

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
                operand_truth = evaluate(operand, value_of)
                truth = truth & operand_truth if operator == "&" else truth | operand_truth
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


def is_close(tree: Node, value_of: ValueOf, error_of: ErrorOf) -> bool:
    """True if values that are slightly off could give another truth.

    ``error_of`` says by how much the two sides of a comparison may move, in total. A comparison
    with an error of 0 is never close.
    """
    return len(_possible(tree, value_of, error_of)) == 2


def _possible(tree: Node, value_of: ValueOf, error_of: ErrorOf) -> set[bool]:
    """The truths that a formula can have if values are slightly off."""
    match tree:
        case Comparison():
            left, right = number(tree.left, value_of), number(tree.right, value_of)
            away = tolerance(right) - abs(left - right) if tree.operator == "=" else left - right
            return {True, False} if abs(away) < error_of(tree) else {evaluate(tree, value_of)}
        case Logic():
            truths = _possible(tree.first, value_of, error_of)
            for operator, operand in tree.rest:
                joined = and_ if operator == "&" else or_
                others = _possible(operand, value_of, error_of)
                truths = {joined(truth, operand) for truth in truths for operand in others}
            return truths
    raise TypeError("formula is not a truth value")


def tolerance(right: float) -> float:
    """The distance that the two sides of ``=`` may have."""
    return ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * abs(right)


def same_meaning(left: Node, right: Node) -> bool:
    """True if two trees are equal except for parentheses that left-to-right reading implies."""
    return _flat(left) == _flat(right)


def plain(node: Node) -> Node:
    """The tree with every ``>`` turned round and implied parentheses dropped: equal meanings.

    Trees of the same meaning may still differ, for example in the order of ``&``.
    """
    return _turned(_flat(node))


def _turned(node: Node) -> Node:
    match node:
        case Logic():
            rest = tuple((operator, _turned(operand)) for operator, operand in node.rest)
            return Logic(_turned(node.first), rest)
        case Comparison(operator=">"):
            return Comparison("<", node.right, node.left)
    return node


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
