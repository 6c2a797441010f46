"""The meaning of a formula: its types, its truth, and proofs that hold for every model.

In proofs, the values of regions are linear forms over unknowns that are never negative: the
surprisal that a stretch of text adds. A formula is brought into disjunctive normal form; it can
hold if one of the conjunctions has a solution. It can fail if its negation can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from operator import and_, or_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from evalmark.schemas.errors import Budget
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Logic,
    Node,
    Number,
    Offsets,
    Reference,
    Sum,
    children,
    nodes_of,
)

if TYPE_CHECKING:  # loading it takes longer than checking a suite
    from fractions import Fraction

#: ``l = r`` holds when |l - r| <= ABSOLUTE + RELATIVE * |r|; not symmetric, as the reference
#: implementation has it (numpy.isclose).
ABSOLUTE_TOLERANCE = 1e-3
RELATIVE_TOLERANCE = 1e-5

#: Operators that arrays have too.
JOINING: Mapping[str, Callable[[bool, bool], bool]] = {"&": and_, "|": or_}
T = TypeVar("T")
K = TypeVar("K")
ValueOf = Callable[[Reference], float]
ErrorOf = Callable[[Comparison], float]


class TypeProblem(NamedTuple):
    """A truth value in place of a number, or the reverse."""

    message: str  # what is confused
    node: Node  # the smallest part of the formula that has to be rewritten
    help: str  # what can be done, where nobody can say what to write


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

    Every operand is evaluated, also where the first decides, so that arrays of values give an array
    of truth values.
    """

    def truth(node: Comparison) -> bool:
        left, right = value_of_sum(node.left, value_of), value_of_sum(node.right, value_of)
        if node.operator == "=":
            return abs(left - right) <= tolerance(right)
        return left < right if node.operator == "<" else left > right

    return _joined(tree, truth, lambda operator, *both: JOINING[operator](*both))


def _joined(node: Node, leaf: Callable[[Comparison], T], join: Callable[[str, T, T], T]) -> T:
    """The answers of the comparisons of a formula, joined where ``&`` and ``|`` join them."""
    match node:
        case Comparison():
            return leaf(node)
        case Logic():
            whole = _joined(node.first, leaf, join)
            for operator, operand in node.rest:
                whole = join(operator, whole, _joined(operand, leaf, join))
            return whole
    raise TypeError("formula is not a truth value")


def value_of_sum(node: Node, value_of: ValueOf) -> float:
    """The value of an arithmetic part of a formula."""

    def value(part: Number | Reference) -> float:
        return part.value if isinstance(part, Number) else value_of(part)

    return _added_up(node, value, lambda total, term, sign: total + sign * term)


def _added_up(
    node: Node, value: Callable[[Number | Reference], T], add: Callable[[T, T, int], T]
) -> T:
    """The sum of the numbers and regions of an arithmetic part, from left to right."""
    match node:
        case Number() | Reference():
            return value(node)
        case Sum():
            total = _added_up(node.first, value, add)
            for operator, term in node.rest:
                total = add(total, _added_up(term, value, add), 1 if operator == "+" else -1)
            return total
    raise TypeError("truth value in place of a number")


def is_close(tree: Node, value_of: ValueOf, error_of: ErrorOf) -> bool:
    """True if values that are slightly off could give another truth.

    ``error_of`` says by how much the two sides of a comparison may move, in total. A comparison
    with an error of 0 is never close.
    """

    def truths(node: Comparison) -> set[bool]:
        left, right = value_of_sum(node.left, value_of), value_of_sum(node.right, value_of)
        away = tolerance(right) - abs(left - right) if node.operator == "=" else left - right
        return {True, False} if abs(away) < error_of(node) else {evaluate(node, value_of)}

    def joined(operator: str, first: set[bool], second: set[bool]) -> set[bool]:
        return {JOINING[operator](a, b) for a in first for b in second}

    return len(_joined(tree, truths, joined)) == 2


def tolerance(right: float) -> float:
    """The distance that the two sides of ``=`` may have."""
    return ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * abs(right)


#: A rational number.
Exact: TypeAlias = "int | Fraction"
#: A region's value: unknown → how often it counts.
Form = Mapping[int, int]
FormOf = Callable[[Reference], Form]
#: Limits: conjunctions of one formula, inequalities of one conjunction.
MAX_CONJUNCTIONS = 64
MAX_ROWS = 40
#: Comparisons of a formula, every small set of which is tried.
MAX_COMPARISONS = 12
LinearForm = tuple[dict[K, Exact], Exact]
#: An operator and what it joins or compares.
Meaning = tuple[str, frozenset[object]]


class Row(NamedTuple):
    """Says: the sum of ``coefficient * unknown``, plus ``constant``, is at least (or above) 0."""

    coefficients: Mapping[int, Exact]
    constant: Exact
    strict: bool


def solvable(rows: Sequence[Row]) -> bool:
    """True if some assignment of values >= 0 to the unknowns satisfies every row."""
    if any(map(hopeless, rows)):
        return False
    left, kept = list[Row](), list(rows)
    while kept != left:
        # A row with an unknown that harms none of the others can be satisfied last: whatever
        # satisfies these, the unknown can be made as large as the row needs.
        left = kept
        harmful = {u for row in left for u, value in row.coefficients.items() if value < 0}
        kept = [r for r in left if all(v <= 0 or u in harmful for u, v in r.coefficients.items())]
    if len(left) < 2:
        return True
    from evalmark.validator.formats.suites.formula.simplex import has_solution

    return has_solution(left)


def hopeless(row: Row) -> bool:
    """True if a row has no solution even alone."""
    if any(coefficient > 0 for coefficient in row.coefficients.values()):
        return False
    return row.constant < 0 or (row.strict and row.constant == 0)


_Conjunction = tuple[Row, ...]


def can_hold(tree: Node, form_of: FormOf, among: Collection[Comparison] | None = None) -> bool:
    """True if some assignment to the unknowns makes a formula true; may raise ``Budget``.

    With ``among``, all other comparisons are taken to be true.
    """
    spans = None if among is None else {comparison.span for comparison in among}
    return any(solvable(conjunction) for conjunction in _cases(tree, form_of, True, spans))


def contradiction(tree: Node, form_of: FormOf) -> tuple[Comparison, ...]:
    """A smallest set of comparisons without which a formula that can never hold could hold.

    In long formulas no part of the set can be left out, but it need not be the smallest one.
    """
    comparisons = [node for node in nodes_of(tree) if isinstance(node, Comparison)]
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

    def cases(node: Comparison) -> list[_Conjunction]:
        if among is not None and node.span not in among:
            return [()]
        return _comparison_cases(node, form_of, truth)

    def joined(
        operator: str, first: list[_Conjunction], second: list[_Conjunction]
    ) -> list[_Conjunction]:
        first, second = (
            [case for case in side if not any(map(hopeless, case))] for side in (first, second)
        )
        # Not (a & b) is not-a | not-b.
        either = (operator == "|") is truth
        together = [*first, *second] if either else [a + b for a in first for b in second]
        if len(together) > MAX_CONJUNCTIONS or any(len(case) > MAX_ROWS for case in together):
            raise Budget
        return together

    return _joined(tree, cases, joined)


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


def linear_form(node: Node, form_of: Callable[[Reference], Mapping[K, int]]) -> LinearForm[K]:
    """A number of a formula, as coefficients of unknowns and a constant."""

    def form(part: Number | Reference) -> LinearForm[K]:
        if isinstance(part, Reference):
            return dict(form_of(part)), 0
        if part.value.is_integer():
            return {}, int(part.value)
        from fractions import Fraction

        return {}, Fraction(part.value)

    return _added_up(node, form, combined)


def difference_of(node: Comparison) -> LinearForm[Reference]:
    """The left side less the right one: how often each region is added, and the numbers."""
    left, right = (linear_form(side, lambda part: {part: 1}) for side in children(node))
    return combined(left, right, -1)


def meaning_of(node: Node) -> Meaning:
    """Equal for formulas that hold for the same values, whatever their order and parentheses.

    Raises:
        TypeError: A truth value is in place of a number, or a number in place of one.
    """

    def meaning(part: Comparison) -> Meaning:
        if part.operator == "=":  # its tolerance is that of the right side
            sides = (difference_of(Comparison("", side, Number(0.0))) for side in children(part))
            return "=", frozenset(enumerate(map(_terms, sides)))
        gap = difference_of(part)
        return ">", frozenset([_terms(gap if part.operator == ">" else _scale(gap, -1))])

    def joined(operator: str, *both: Meaning) -> Meaning:
        flat = (parts if sign == operator else {(sign, parts)} for sign, parts in both)
        return operator, frozenset[object]().union(*flat)

    return _joined(node, meaning, joined)


def _terms(form: LinearForm[Reference]) -> object:
    return frozenset((region, count) for region, count in form[0].items() if count), form[1]


def combined(left: LinearForm[K], right: LinearForm[K], factor: int) -> LinearForm[K]:
    """The first, plus the other times a factor."""
    coefficients = dict(left[0])
    for unknown, value in right[0].items():
        coefficients[unknown] = coefficients.get(unknown, 0) + factor * value
    return coefficients, left[1] + factor * right[1]


def _scale(form: LinearForm[K], factor: Exact) -> LinearForm[K]:
    return {unknown: value * factor for unknown, value in form[0].items()}, form[1] * factor


def _row(form: LinearForm[int], *, strict: bool = False) -> Row:
    return Row({u: value for u, value in form[0].items() if value}, form[1], strict)
