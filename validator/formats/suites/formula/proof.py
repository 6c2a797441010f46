"""Proofs about formulas that hold for every left-to-right model.

The values of regions are linear forms over unknowns that are never negative: the surprisal that a
stretch of text adds. A formula is brought into disjunctive normal form; it can hold if one of the
conjunctions has a solution. It can fail if its negation can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from evalmark.schemas.errors import Budget
from evalmark.validator.formats.suites.formula.tree import (
    Comparison,
    Logic,
    Node,
    Number,
    Offsets,
    Reference,
    Sum,
    walk,
)

if TYPE_CHECKING:  # loading it takes longer than checking a suite
    from fractions import Fraction

#: A rational number.
Exact: TypeAlias = "int | Fraction"
#: A region's value: unknown → how often it counts.
Form = Mapping[int, int]
FormOf = Callable[[Reference], Form]
#: Limits: conjunctions of one formula, inequalities of one conjunction.
MAX_CONJUNCTIONS = 64
MAX_ROWS = 40
#: Comparisons of a formula of which every small set is tried.
MAX_COMPARISONS = 12
LinearForm = tuple[dict[int, Exact], Exact]


class Row(NamedTuple):
    """Says: the sum of ``coefficient * unknown``, plus ``constant``, is at least (or above) 0."""

    coefficients: Mapping[int, Exact]
    constant: Exact
    strict: bool


def solvable(rows: Sequence[Row]) -> bool:
    """True if some assignment of values >= 0 to the unknowns satisfies every row."""
    if any(hopeless(row) for row in rows):
        return False
    if len(rows) == 1:
        return True  # one row that is not hopeless holds for a large or a zero unknown
    left = _entangled(rows)
    if not left:
        return True
    from evalmark.validator.formats.suites.formula.simplex import has_solution

    return has_solution(left)


def hopeless(row: Row) -> bool:
    """True if a row has no solution even alone."""
    if any(coefficient > 0 for coefficient in row.coefficients.values()):
        return False
    return row.constant < 0 or (row.strict and row.constant == 0)


def _entangled(rows: Sequence[Row]) -> list[Row]:
    """The rows that remain after removing those that can always be satisfied last.

    Such a row has an unknown with a positive coefficient that harms none of the others: whatever
    satisfies these, that unknown can be made as large as the row needs.
    """
    left = list(rows)
    while True:
        harmful = {u for row in left for u, value in row.coefficients.items() if value < 0}
        kept = [
            row
            for row in left
            if not any(
                value > 0 and unknown not in harmful for unknown, value in row.coefficients.items()
            )
        ]
        if len(kept) in (0, len(left)):
            return kept
        left = kept


_Conjunction = tuple[Row, ...]


def can_hold(tree: Node, form_of: FormOf, among: Collection[Comparison] | None = None) -> bool:
    """True if some assignment to the unknowns makes a formula true; may raise ``Budget``.

    With ``among``, all other comparisons are taken to be true.
    """
    spans = None if among is None else {comparison.span for comparison in among}
    return any(solvable(conjunction) for conjunction in _cases(tree, form_of, True, spans))


def contradiction(tree: Node, form_of: FormOf) -> tuple[Comparison, ...]:
    """A smallest set of comparisons without which a formula that can never hold could hold.

    In long formulas it is a set of which none can be left out, which need not be the smallest.
    """
    comparisons = [node for node in walk(tree) if isinstance(node, Comparison)]
    for size in (1, 2, 3) if len(comparisons) <= MAX_COMPARISONS else (1,):
        for among in combinations(comparisons, size):
            if not can_hold(tree, form_of, among):
                return among
    left = comparisons
    for comparison in comparisons:
        fewer = [node for node in left if node is not comparison]
        if not can_hold(tree, form_of, fewer):
            left = fewer
    return tuple(left)


def can_fail(tree: Node, form_of: FormOf) -> bool:
    """True if some assignment to the unknowns makes a formula false; see ``can_hold``."""
    return any(solvable(conjunction) for conjunction in _cases(tree, form_of, False))


def _cases(
    tree: Node, form_of: FormOf, truth: bool, among: Collection[Offsets] | None = None
) -> list[_Conjunction]:
    """The formula (or its negation) as a disjunction of conjunctions of inequalities."""
    match tree:
        case Comparison():
            if among is not None and tree.span not in among:
                return [()]
            return _comparison_cases(tree, form_of, truth)
        case Logic():
            cases = _promising(_cases(tree.first, form_of, truth, among))
            for operator, operand in tree.rest:
                others = _promising(_cases(operand, form_of, truth, among))
                # Not (a & b) is not-a | not-b.
                if (operator == "|") is truth:
                    cases = cases + others
                else:
                    if len(cases) * len(others) > MAX_CONJUNCTIONS:
                        raise Budget
                    cases = [left + right for left in cases for right in others]
                if len(cases) > MAX_CONJUNCTIONS or any(len(case) > MAX_ROWS for case in cases):
                    raise Budget
            return cases
    raise TypeError("formula is not a truth value")


def _promising(cases: list[_Conjunction]) -> list[_Conjunction]:
    """The conjunctions without an inequality that is false on its own."""
    return [case for case in cases if not any(map(hopeless, case))]


def _comparison_cases(tree: Comparison, form_of: FormOf, truth: bool) -> list[_Conjunction]:
    left, right = linear_form(tree.left, form_of), linear_form(tree.right, form_of)
    more = combined(left, right, -1)  # l - r
    less = combined(right, left, -1)  # r - l
    if tree.operator != "=":
        gap = less if tree.operator == "<" else more
        return [(_row(gap, strict=True) if truth else _row(_scale(gap, -1)),)]
    # Of ``l = r``: the tolerance is 1/1000 + |r|/100000.
    from fractions import Fraction

    absolute, relative = Fraction(1, 1000), Fraction(1, 100_000)
    cases: list[_Conjunction] = []
    for sign in (1, -1):  # r >= 0, r <= 0: at 0 both say the same
        here = _row(_scale(right, sign))
        coefficients, constant = _scale(right, sign * relative)
        width = (coefficients, constant + absolute)
        if truth:
            within = (_row(combined(width, more, -1)), _row(combined(width, less, -1)))
            cases.append((here, *within))
        else:
            cases.append((here, _row(combined(more, width, -1), strict=True)))
            cases.append((here, _row(combined(less, width, -1), strict=True)))
    return cases


def linear_form(node: Node, form_of: FormOf) -> LinearForm:
    """A number of a formula, as coefficients of unknowns and a constant."""
    match node:
        case Number():
            if node.value.is_integer():
                return {}, int(node.value)
            from fractions import Fraction

            return {}, Fraction(node.value)
        case Reference():
            return dict(form_of(node)), 0
        case Sum():
            total = linear_form(node.first, form_of)
            for operator, term in node.rest:
                total = combined(total, linear_form(term, form_of), 1 if operator == "+" else -1)
            return total
    raise TypeError("truth value in place of a number")


def combined(left: LinearForm, right: LinearForm, factor: int) -> LinearForm:
    """The first, plus the other times a factor."""
    coefficients = dict(left[0])
    for unknown, value in right[0].items():
        coefficients[unknown] = coefficients.get(unknown, 0) + factor * value
    return coefficients, left[1] + factor * right[1]


def _scale(form: LinearForm, factor: Exact) -> LinearForm:
    return {unknown: value * factor for unknown, value in form[0].items()}, form[1] * factor


def _row(form: LinearForm, *, strict: bool = False) -> Row:
    return Row({u: value for u, value in form[0].items() if value}, form[1], strict)
