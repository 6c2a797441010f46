"""Whether linear inequalities over non-negative unknowns have a solution, exactly.

By the simplex method over rational numbers (dictionary form, Bland's rule).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

#: A rational number.
Exact = int | Fraction

ZERO = Fraction(0)
ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Row:
    """Says: the sum of ``coefficient * unknown``, plus ``constant``, is at least (or above) 0."""

    coefficients: Mapping[int, Exact]
    constant: Exact
    strict: bool


def solvable(rows: Sequence[Row]) -> bool:
    """Whether some assignment of values >= 0 to the unknowns satisfies every row."""
    if any(hopeless(row) for row in rows):
        return False
    if len(rows) == 1:
        return True  # one row that is not hopeless holds for a large or a zero unknown
    left = _entangled(rows)
    return not left or _has_solution(left)


def hopeless(row: Row) -> bool:
    """Whether a row has no solution even alone."""
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


def _has_solution(rows: Sequence[Row]) -> bool:
    """Whether some assignment of values >= 0 to the unknowns satisfies every row.

    It maximizes a slack e <= 1 that every strict row must leave; there is a solution if e can be
    above 0.
    """
    columns = _columns(rows)
    # Row i says:  -sum(a * x) + s * e <= b;  x0 is the helper of phase one.
    slack = len(columns)
    table = _Dictionary(
        [
            [*(-column[i] for column in columns), ONE if row.strict else ZERO]
            for i, row in enumerate(rows)
        ]
        + [[ZERO] * slack + [ONE]],
        [Fraction(row.constant) for row in rows] + [ONE],
    )
    if not table.make_feasible():
        return False
    return not any(row.strict for row in rows) or table.maximize(slack) > 0


def _columns(rows: Sequence[Row]) -> list[tuple[Fraction, ...]]:
    """The distinct columns: unknowns that occur alike are one unknown for our question."""
    unknowns = sorted({unknown for row in rows for unknown in row.coefficients})
    return list(
        dict.fromkeys(
            tuple(Fraction(row.coefficients.get(unknown, 0)) for row in rows)
            for unknown in unknowns
        )
    )


class _Dictionary:
    """``basic = bound - sum(matrix * nonbasic)``, all variables >= 0."""

    def __init__(self, matrix: list[list[Fraction]], bounds: list[Fraction]) -> None:
        self.rows = matrix
        self.bounds = bounds
        width = len(matrix[0])
        self.nonbasic = list(range(width))
        self.basic = [width + 1 + i for i in range(len(matrix))]
        self.helper = width

    def make_feasible(self) -> bool:
        """Phase one: find a corner, with a helper variable that must go back to zero."""
        worst = min(range(len(self.bounds)), key=self.bounds.__getitem__)
        if self.bounds[worst] >= 0:
            return True
        for row in self.rows:
            row.append(-ONE)
        self.nonbasic.append(self.helper)
        self._pivot(worst, len(self.nonbasic) - 1)
        # Minimize the helper, that is, maximize its negative, until it is zero or cannot fall.
        while self.helper in self.basic:
            leaving = self.basic.index(self.helper)
            if self.bounds[leaving] == 0:
                column = next((j for j, a in enumerate(self.rows[leaving]) if a != 0), None)
                if column is None:
                    self._drop_row(leaving)
                    return True
                self._pivot(leaving, column)
                break
            column = self._entering(self.rows[leaving])
            if column is None:
                return False
            self._pivot(self._leaving(column, prefer=leaving), column)
        if self.helper in self.nonbasic:
            at = self.nonbasic.index(self.helper)
            del self.nonbasic[at]
            for row in self.rows:
                del row[at]
        return True

    def maximize(self, variable: int) -> Fraction:
        """Phase two: the greatest value of one (bounded) variable."""
        while True:
            if variable in self.basic:
                at = self.basic.index(variable)
                if self.bounds[at] > 0:
                    return self.bounds[at]
                # variable = bound - row * nonbasic: it grows with a negative coefficient.
                column = self._entering([-a for a in self.rows[at]])
                if column is None:
                    return self.bounds[at]
            else:
                column = self.nonbasic.index(variable)
            row = self._leaving(column)
            self._pivot(row, column)

    def _entering(self, gains: list[Fraction]) -> int | None:
        """Bland: of the columns that help, the one whose variable has the least index."""
        helpful = [j for j, gain in enumerate(gains) if gain > 0]
        return min(helpful, key=self.nonbasic.__getitem__, default=None)

    def _leaving(self, column: int, prefer: int | None = None) -> int:
        """The row that bounds the entering variable most; ties by least index."""
        best: tuple[Fraction, int] | None = None
        row = -1
        for i, coefficients in enumerate(self.rows):
            a = coefficients[column]
            if a > 0:
                key = (self.bounds[i] / a, -1 if i == prefer else self.basic[i])
                if best is None or key < best:
                    best, row = key, i
        assert row >= 0, "the objective is bounded"
        return row

    def _pivot(self, row: int, column: int) -> None:
        pivot_row = self.rows[row]
        pivot = pivot_row[column]
        self.basic[row], self.nonbasic[column] = self.nonbasic[column], self.basic[row]
        pivot_row[column] = ONE
        self.rows[row] = pivot_row = [a / pivot for a in pivot_row]
        self.bounds[row] /= pivot
        for i, other in enumerate(self.rows):
            factor = other[column]
            if i == row or factor == 0:
                continue
            other[column] = ZERO
            self.rows[i] = [a - factor * b for a, b in zip(other, pivot_row, strict=True)]
            self.bounds[i] -= factor * self.bounds[row]

    def _drop_row(self, row: int) -> None:
        del self.rows[row], self.bounds[row], self.basic[row]
