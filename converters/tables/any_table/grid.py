"""The cells of a table, before anything is known of its columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from evalmark.converters.tables.any_table.words import names_columns
from evalmark.schemas.errors import ConversionError
from evalmark.validator.findings.phrasing import cited
from evalmark.validator.reading.work_budget import WorkBudget

#: Rows that may be above the names of columns.
_TITLES = 10
#: The spaces between words; others, which do not break a line, are letters of a word.
_SPACES = re.compile(r"[ \t\r\n\f\v]+")


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a table; all have the same number of cells."""

    #: The cells of each row, without rows and columns that have no text.
    rows: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]  # the number of each row in its file, from 1
    #: Whether the first row names the columns; None if the source does not say so.
    header: bool | None = None
    notes: tuple[str, ...] = ()  # notes on the parts of the source that are not in the rows
    budget: WorkBudget = field(default_factory=WorkBudget, compare=False)  # that of its file

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.rows[0])


def grid_of(
    rows: Iterable[Sequence[str]],
    header: bool | None = None,
    notes: Sequence[str] = (),
    budget: WorkBudget | None = None,
) -> Grid:
    """The grid of rows of any length, without titles above the names of columns.

    Raises ConversionError if there is no text, or too much.
    """
    budget = budget or WorkBudget()
    cells: list[tuple[int, list[str]]] = []
    width = 0
    for number, texts in enumerate(rows, 1):
        row = [_SPACES.sub(" ", cell).strip(" ") if cell.strip() else "" for cell in texts]
        if not any(row):
            continue
        # Before the next row: a short text can be of rows that fill the memory.
        budget.take(cells=max(len(row), width) + max(len(row) - width, 0) * len(cells))
        cells.append((number, row))
        width = max(width, len(row))
    if not width:
        raise ConversionError("there is no text")
    padded = [(number, row + [""] * (width - len(row))) for number, row in cells]
    if header is None:
        padded, left_out = _without_titles(padded)
        notes = (*notes, *left_out)
    columns = [index for index in range(width) if any(row[index] for _, row in padded)]
    return Grid(
        tuple(tuple(row[index] for index in columns) for _, row in padded),
        tuple(number for number, _ in padded),
        header,
        tuple(notes),
        budget=budget,
    )


_Rows = list[tuple[int, list[str]]]


def _without_titles(rows: _Rows) -> tuple[_Rows, list[str]]:
    """Rows from the names of columns on, which come once, and a note on each other row."""
    top = next((at for at, (_, row) in enumerate(rows[:_TITLES]) if names_columns(row)), None)
    if top is None:
        return rows, []
    header = rows[top][1]
    most = sum(map(bool, header)) / 2
    if any(sum(map(bool, row)) > most for _, row in rows[:top]):
        return rows, []
    titles = [
        f"row {number} is above the table, and not read: {cited(' '.join(filter(None, row)))}"
        for number, row in rows[:top]
    ]
    again = {number for number, row in rows[top + 1 :] if row == header}
    if again:
        titles.append(f"row {min(again)} names the columns again, and is not read")
    return [(n, row) for n, row in rows[top:] if n not in again], titles
