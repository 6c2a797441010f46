"""What to write for a formula that confuses numbers and truth values."""

from __future__ import annotations

from typing import NamedTuple

from evalmark.validator.formats.suites.formula.meaning import TypeProblem, is_truth, type_problems
from evalmark.validator.formats.suites.formula.parser import Formula
from evalmark.validator.formats.suites.formula.tree import (
    Comparison,
    Logic,
    Node,
    Number,
    Sum,
    children,
    unparse,
    walk,
)


class Draft(NamedTuple):
    """A formula, or part of one, that may be meant, and in which case."""

    text: str
    when: str = ""


#: A part of a formula as it may be meant, and in which case.
Way = tuple[Node, str]


def retyped(formula: Formula, problem: TypeProblem) -> list[Draft]:
    """What to write in place of the part that a problem is about, in each way it can be meant."""
    if formula.brackets:  # what is joined and what is compared is not what it looks like
        return []
    ways = _retyped(formula.tree, problem.node)
    return [Draft(unparse(new), when) for new, when in ways if not any(type_problems(new))]


def _retyped(tree: Node, node: Node) -> list[Way]:
    if isinstance(node, Comparison):
        new = _without_arithmetic(node)
        return [(new, "")] if new else []
    if isinstance(node, Sum) and any(map(is_truth, children(node))):
        return _moved(node) or [
            (new, when)
            for sign, when in (("&", "if all of them must hold"), ("|", "if one of them is enough"))
            if (new := _joined(node, sign))
        ]
    if node is not tree:
        return _like_its_neighbour(tree, node)
    return _compared_with_zero(node, ("if it should be positive", "if it should be negative"))


def _compared_with_zero(node: Node, when: tuple[str, ...]) -> list[Way]:
    """A difference above 0, and below it."""
    if not isinstance(node, Sum) or node.rest[-1][0] != "-":
        return []
    zero = Number(0.0)
    return [(Comparison(sign, node, zero), why) for sign, why in zip("><", when, strict=False)]


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


def _moved(node: Sum) -> list[Way]:
    """``(a < b) + 1`` is written ``a < b + 1``."""
    first, rest = node.first, node.rest
    if not isinstance(first, Comparison) or any(is_truth(term) for _, term in rest):
        return []
    right = first.right
    total = Sum(right.first, (*right.rest, *rest)) if isinstance(right, Sum) else Sum(right, rest)
    return [
        (Comparison(first.operator, first.left, total), f"if it is added to `{unparse(right)}`")
    ]


def _joined(node: Sum, operator: str) -> Node | None:
    """Truth values that are added are joined."""
    if not operator or any(sign != "+" for sign, _ in node.rest):
        return None
    if not all(map(is_truth, children(node))):
        return None
    return Logic(node.first, tuple((operator, term) for _, term in node.rest))


def _like_its_neighbour(tree: Node, node: Node) -> list[Way]:
    """``a > b & c`` may be ``a > b & a > c``, and ``a & b > c`` may be ``a > c & b > c``.

    A difference may be compared with 0 too. Nothing is known where both neighbours are comparisons,
    or numbers: ``a & b > c & d`` may compare ``a`` with ``c``, and ``b`` with ``d``.
    """
    for parent in walk(tree):
        parts = children(parent)
        if not any(part is node for part in parts) or not isinstance(parent, Logic):
            continue
        at = next(i for i, part in enumerate(parts) if part is node)
        near = [part for part in parts[max(at - 1, 0) : at + 2] if isinstance(part, Comparison)]
        if len(near) != 1 or sum(not is_truth(part) for part in parts) > 1:
            return []
        return _completed(node, near[0], is_first=parts[at - 1] is not near[0] or at == 0)
    return []


def _completed(node: Node, near: Comparison, *, is_first: bool) -> list[Way]:
    """A number beside a comparison, compared as that is."""
    if isinstance(node, Number):
        if is_first or not isinstance(near.right, Number):
            return []
        new = Comparison(near.operator, near.left, node)
        return [(new, f"if `{unparse(near.left)}` is compared with it too")]
    if is_first or isinstance(near.right, Number):
        shared, new = near.right, Comparison(near.operator, node, near.right)
    else:
        shared, new = near.left, Comparison(near.operator, near.left, node)
    ways: list[Way] = [(new, f"if it is compared with `{unparse(shared)}` too")]
    if not isinstance(near.right, Number):
        ways += _compared_with_zero(node, ("if the difference should be positive",))
    return ways
