"""What can be proved about a formula for every left-to-right model.

The values of regions are linear forms over unknowns that are never negative: the surprisal that a
stretch of text adds. A formula is brought into disjunctive normal form; it can hold if one of the
conjunctions has a solution. It can fail if its negation can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from evalmark.schemas.errors import Budget
from evalmark.validator.formula.linear import Exact, Row, hopeless, solvable
from evalmark.validator.formula.tree import Comparison, Logic, Node, Number, Reference, Sum

#: A region's value: unknown → how often it counts.
Form = Mapping[int, int]
FormOf = Callable[[Reference], Form]

#: Limits: conjunctions of one formula, inequalities of one conjunction.
MAX_CONJUNCTIONS = 64
MAX_ROWS = 40

_Conjunction = tuple[Row, ...]
_Linear = tuple[dict[int, Exact], Exact]


def can_hold(tree: Node, form_of: FormOf) -> bool:
    """Whether some assignment to the unknowns makes a formula true; may raise ``Budget``."""
    return any(solvable(conjunction) for conjunction in _cases(tree, form_of, True))


def can_fail(tree: Node, form_of: FormOf) -> bool:
    """Whether some assignment to the unknowns makes a formula false; see ``can_hold``."""
    return any(solvable(conjunction) for conjunction in _cases(tree, form_of, False))


def _cases(tree: Node, form_of: FormOf, truth: bool) -> list[_Conjunction]:
    """The formula (or its negation) as a disjunction of conjunctions of inequalities."""
    match tree:
        case Comparison():
            return _comparison_cases(tree, form_of, truth)
        case Logic():
            cases = _promising(_cases(tree.first, form_of, truth))
            for operator, operand in tree.rest:
                others = _promising(_cases(operand, form_of, truth))
                # Not (a & b) is not-a | not-b.
                if (operator == "|") is truth:
                    cases = cases + others
                else:
                    if len(cases) * len(others) > MAX_CONJUNCTIONS:
                        raise Budget
                    cases = [one + other for one in cases for other in others]
                if len(cases) > MAX_CONJUNCTIONS or any(len(case) > MAX_ROWS for case in cases):
                    raise Budget
            return cases
    raise TypeError("formula is not a truth value")


def _promising(cases: list[_Conjunction]) -> list[_Conjunction]:
    """The conjunctions without an inequality that is false on its own."""
    return [case for case in cases if not any(map(hopeless, case))]


def _comparison_cases(tree: Comparison, form_of: FormOf, truth: bool) -> list[_Conjunction]:
    left, right = _linear(tree.left, form_of), _linear(tree.right, form_of)
    more = _combine(left, right, -1)  # l - r
    less = _combine(right, left, -1)  # r - l
    if tree.operator != "=":
        gap = less if tree.operator == "<" else more
        return [(_row(gap, strict=True) if truth else _row(_scale(gap, -1)),)]
    # Of ``l = r``: the tolerance is 1/1000 + |r|/100000.
    absolute, relative = Fraction(1, 1000), Fraction(1, 100_000)
    cases: list[_Conjunction] = []
    for sign in (1, -1):  # r >= 0, r <= 0: at 0 both say the same
        here = _row(_scale(right, sign))
        coefficients, constant = _scale(right, sign * relative)
        width = (coefficients, constant + absolute)
        if truth:
            within = (_row(_combine(width, more, -1)), _row(_combine(width, less, -1)))
            cases.append((here, *within))
        else:
            cases.append((here, _row(_combine(more, width, -1), strict=True)))
            cases.append((here, _row(_combine(less, width, -1), strict=True)))
    return cases


def _linear(node: Node, form_of: FormOf) -> _Linear:
    match node:
        case Number():
            whole = node.value.is_integer()
            return {}, int(node.value) if whole else Fraction(node.value)
        case Reference():
            return dict(form_of(node)), 0
        case Sum():
            total = _linear(node.first, form_of)
            for operator, term in node.rest:
                total = _combine(total, _linear(term, form_of), 1 if operator == "+" else -1)
            return total
    raise TypeError("truth value in place of a number")


def _combine(one: _Linear, other: _Linear, factor: int) -> _Linear:
    coefficients = dict(one[0])
    for unknown, value in other[0].items():
        coefficients[unknown] = coefficients.get(unknown, 0) + factor * value
    return coefficients, one[1] + factor * other[1]


def _scale(form: _Linear, factor: Exact) -> _Linear:
    return {unknown: value * factor for unknown, value in form[0].items()}, form[1] * factor


def _row(form: _Linear, *, strict: bool = False) -> Row:
    return Row({u: value for u, value in form[0].items() if value}, form[1], strict)
