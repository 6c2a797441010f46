"""The simplex method over rational numbers, for inequalities that are entangled.

Few suites need it, and it loads ``fractions``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

#: Coefficients of the unknowns, the constant, and whether it must be above 0; see ``meaning.Row``.
Row = tuple[Mapping[int, int | Fraction], int | Fraction, bool]


def has_solution(rows: Sequence[Row]) -> bool:
    """True if some assignment of values >= 0 to the unknowns satisfies every row.

    It maximizes a slack e <= 1 that every strict row must leave; there is a solution if e can be
    above 0. By the criss-cross method, which needs no corner to begin with: of the variables that
    are below 0 or raise e, the one of the least number changes its place with another of the least
    number (Terlaky's rule, under which it ends).
    """
    unknowns = {unknown for coefficients, *_ in rows for unknown in coefficients}
    # Unknowns that occur alike are one.
    columns = sorted({tuple(row[0].get(unknown, 0) for row in rows) for unknown in unknowns})
    # Each row is a variable, as a sum of the free ones and a constant. The last row is e itself.
    table = [
        [*(Fraction(column[i]) for column in columns), Fraction(-strict), Fraction(constant)]
        for i, (_, constant, strict) in enumerate(rows)
    ]
    none, unit = [Fraction(0)] * len(columns), Fraction(1)
    table += [[*none, -unit, unit], [*none, unit, Fraction(0)]]
    bound = list(range(len(rows) + 1))
    free = [len(bound) + column for column in range(len(columns) + 1)]
    while True:
        *held, best = table
        below = [(number, i, -1) for i, number in enumerate(bound) if held[i][-1] < 0]
        raising = [(number, -1, j) for j, number in enumerate(free) if best[j] > 0]
        if not below and (not raising or best[-1] > 0):
            return best[-1] > 0
        _, i, j = min(below + raising)
        if i >= 0:
            raised = (j for j in range(len(free)) if held[i][j] > 0)
            j = min(raised, key=free.__getitem__, default=-1)
        else:
            lowered = (i for i, row in enumerate(held) if row[j] < 0)
            i = min(lowered, key=bound.__getitem__, default=-1)
        if min(i, j) < 0:
            return False
        bound[i], free[j] = free[j], bound[i]
        _exchange(table, i, j)


def _exchange(table: list[list[Fraction]], at: int, column: int) -> None:
    """Solve a row for the variable of a column, and put it into the other rows."""
    pivot = table[at][column]
    solved = [-value / pivot for value in table[at]]
    solved[column] = 1 / pivot
    for i, row in enumerate(table):
        if factor := row[column]:
            row[column] = Fraction(0)
            table[i] = [value + factor * part for value, part in zip(row, solved, strict=True)]
    table[at] = solved
