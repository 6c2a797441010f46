"""Whether linear inequalities over non-negative unknowns have a solution, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:  # loading it takes longer than checking a suite
    from fractions import Fraction

#: A rational number.
Exact: TypeAlias = "int | Fraction"


class Row(NamedTuple):
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
    if not left:
        return True
    from evalmark.validator.formats.suites.formula.simplex import has_solution

    return has_solution(left)


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
