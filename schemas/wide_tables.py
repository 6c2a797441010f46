"""Wide tables of suites, by their columns: a sentence a row, a region a column."""

from __future__ import annotations

from collections.abc import Iterable

#: The first columns of a suite that is written as a wide table, in order.
FIRST_COLUMNS = ("item", "condition")


def is_wide_table(rows: object) -> bool:
    """True if parsed data is the rows of a wide table of a suite: a sentence a row."""
    return (
        isinstance(rows, list)
        and bool(rows)
        and all(isinstance(row, dict) and is_wide_header(row) for row in rows)
        and all(isinstance(cell, str) for row in rows for cell in row.values())
    )


def is_wide_header(names: Iterable[str]) -> bool:
    """True if columns are those of a wide table."""
    columns = tuple(names)
    count = len(FIRST_COLUMNS)
    return len(columns) > count and columns[:count] == FIRST_COLUMNS
