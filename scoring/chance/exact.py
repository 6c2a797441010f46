"""The probability of a design under independent Exp(1) unknowns, as a rational number.

The unknowns X, one for each column v of coefficients, add up to the vector of all left sides, the
sum of X v. Two of them, with columns p and q, are alike until the shorter has ended; so for every
w = (1 - t) p + t q between the two columns, X p + Y q has the distribution of

    X p + Z w   with probability 1 - t, and of   Z w + Y q   with probability t.

(The cone over p and q is cut at w, in parts of these volumes.) If p is positive and q negative in
an inequality, w can be chosen to be 0 there; repeated, this decides every inequality. It is a
triangulation of the solutions, in which parts of the same shape are computed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import gcd
from typing import TypeAlias

from evalmark.schemas.errors import Budget
from evalmark.scoring.chance.designs import Column, Design
from evalmark.scoring.chance.logic import FALSE, TRUE, Joint, Logic, joined, leaves, replaced, truth

#: Limits: different parts of a design with their coefficients, cuts one within another.
MAX_WORK = 40_000
PART = 8  # what a part costs besides its coefficients
MAX_CUTS = 200


def exact_probability(design: Design) -> Fraction:
    """The probability that a design holds.

    Raises:
        Budget: It has too many parts, or an inequality with a constant (then the probability is
            not rational).
    """
    if any(design.constants) or len(design.columns) * len(design.constants) > MAX_WORK:
        raise Budget
    return _Parts().probability(design.logic, Counter(design.columns))


#: Unknowns: a column of coefficients → how many unknowns have it.
_Columns: TypeAlias = Mapping[Column, int]


class _Parts:
    def __init__(self) -> None:
        self.known: dict[tuple[Logic, tuple[tuple[Column, int], ...]], Fraction] = {}
        self.work = 0
        self.cuts = 0  # one within another, at the moment

    def probability(self, logic: Logic, columns: _Columns) -> Fraction:
        """The probability of a formula over the left sides that the columns add up to."""
        logic = replaced(logic, _decided(logic, columns))
        if logic in (TRUE, FALSE):
            return Fraction(logic == TRUE)
        if not isinstance(logic, Joint):
            return self.entangled(logic, columns)
        # Parts without a common unknown are independent.
        is_all = logic.operator == "&"
        none_fails = Fraction(1)
        for part in _independent(logic, columns):
            probability = self.entangled(part, columns)
            none_fails *= probability if is_all else 1 - probability
        return none_fails if is_all else 1 - none_fails

    def entangled(self, logic: Logic, columns: _Columns) -> Fraction:
        """The same for a part that cannot be divided, by a cut."""
        logic, columns = _reduced(logic, columns)
        key = logic, tuple(columns.items())
        if key not in self.known:
            self.work += PART + len(columns) * len(next(iter(columns)))
            if self.work > MAX_WORK or self.cuts >= MAX_CUTS:
                raise Budget
            self.cuts += 1
            self.known[key] = self.cut(logic, columns)
            self.cuts -= 1
        return self.known[key]

    def cut(self, logic: Logic, columns: _Columns) -> Fraction:
        """The probability from both sides of a cut."""
        row, p, q = _where_to_cut(columns)
        above, below = p[row], -q[row]
        whole = above + below
        w = tuple(below * x + above * y for x, y in zip(p, q, strict=True))
        # Everything is multiplied by ``whole``, to remain an integer.
        scaled = {column: tuple(whole * x for x in column) for column in columns}
        left = Counter({scaled[column]: count for column, count in columns.items()})
        left[w] += 1
        left[scaled[q]] -= 1
        one = self.probability(logic, +left)
        left[scaled[q]] += 1
        left[scaled[p]] -= 1
        other = self.probability(logic, +left)
        return (above * one + below * other) / whole


def _decided(logic: Logic, columns: _Columns) -> dict[int, Logic]:
    """The inequalities to which no unknown, or every unknown, is opposed."""
    found: dict[int, Logic] = {}
    for row in set(leaves(logic)):
        least = min(column[row] for column in columns)
        if least >= 0 or max(column[row] for column in columns) <= 0:
            found[row] = truth(least >= 0)
    return found


def _independent(logic: Joint, columns: _Columns) -> list[Logic]:
    """The parts of a formula, those that share unknowns together."""
    groups: list[tuple[set[Column], list[Logic]]] = []
    for part in logic.parts:
        rows = set(leaves(part))
        unknowns = {column for column in columns if any(column[row] for row in rows)}
        together, apart = [part], []
        for others, parts in groups:
            if others & unknowns:
                unknowns |= others
                together = parts + together
            else:
                apart.append((others, parts))
        groups = [*apart, (unknowns, together)]
    return [joined(logic.operator, parts) for _, parts in groups]


def _reduced(logic: Logic, columns: _Columns) -> tuple[Logic, _Columns]:
    """The smallest equal design: used inequalities in small numbers, unknowns that matter."""
    rows = list(dict.fromkeys(leaves(logic)))
    if isinstance(logic, Joint) and all(isinstance(part, int) for part in logic.parts):
        rows.sort(key=lambda row: sorted(column[row] for column in columns))
        logic = Joint(logic.operator, tuple(range(len(rows))))
    else:
        logic = replaced(logic, {row: number for number, row in enumerate(rows)})
    factors = [gcd(*(column[row] for column in columns)) for row in rows]
    counts: Counter[Column] = Counter()
    for column, count in columns.items():
        counts[tuple(column[r] // factor for r, factor in zip(rows, factors, strict=True))] += count
    left = {column: counts[column] for column in sorted(counts) if any(column)}
    return logic, dict.fromkeys(left, 1) if _is_an_order(left) else left


def _is_an_order(columns: _Columns) -> bool:
    """Whether only values of equally many unknowns are compared, one with one.

    Their number does not matter then: an order has the same probability for all distributions.
    """
    return len(set(columns.values())) == 1 and all(
        sorted(column[row] for column in columns if column[row]) == [-1, 1]
        for row in range(len(next(iter(columns))))
    )


def _where_to_cut(columns: _Columns) -> tuple[int, Column, Column]:
    """The inequality that the fewest pairs of unknowns dispute, and the first such pair."""

    def disputed(row: int) -> int:
        above = sum(count for column, count in columns.items() if column[row] > 0)
        return above * sum(count for column, count in columns.items() if column[row] < 0)

    row = min(range(len(next(iter(columns)))), key=disputed)
    above = next(column for column in columns if column[row] > 0)
    below = next(column for column in columns if column[row] < 0)
    return row, above, below
