"""The simplex method over rational numbers, for inequalities that are entangled.

In dictionary form, with Bland's rule. Few suites need it, and it loads ``fractions``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

ZERO = Fraction(0)
ONE = Fraction(1)

#: Coefficients of the unknowns, the constant, and whether it must be above 0; see ``meaning.Row``.
Row = tuple[Mapping[int, int | Fraction], int | Fraction, bool]


def has_solution(rows: Sequence[Row]) -> bool:
    """True if some assignment of values >= 0 to the unknowns satisfies every row.

    It maximizes a slack e <= 1 that every strict row must leave; there is a solution if e can be
    above 0.
    """
    columns = _columns(rows)
    # Row i says:  -sum(a * x) + s * e <= b;  x0 is the helper of phase one.
    slack = len(columns)
    table = _Dictionary(
        [
            [*(-column[i] for column in columns), ONE if strict else ZERO]
            for i, (_, _, strict) in enumerate(rows)
        ]
        + [[ZERO] * slack + [ONE]],
        [Fraction(constant) for _, constant, _ in rows] + [ONE],
    )
    if not table.make_feasible():
        return False
    return not any(strict for _, _, strict in rows) or table.maximize(slack) > 0


def _columns(rows: Sequence[Row]) -> list[tuple[Fraction, ...]]:
    """The distinct columns: unknowns that occur alike are one unknown for our question."""
    unknowns = sorted({unknown for coefficients, _, _ in rows for unknown in coefficients})
    return list(
        dict.fromkeys(
            tuple(Fraction(coefficients.get(unknown, 0)) for coefficients, _, _ in rows)
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
        for i, coefficients in enumerate(self.rows):
            factor = coefficients[column]
            if i == row or factor == 0:
                continue
            coefficients[column] = ZERO
            self.rows[i] = [a - factor * b for a, b in zip(coefficients, pivot_row, strict=True)]
            self.bounds[i] -= factor * self.bounds[row]

    def _drop_row(self, row: int) -> None:
        del self.rows[row], self.bounds[row], self.basic[row]
