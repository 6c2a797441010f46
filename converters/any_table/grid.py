"""The cells of a table, before anything is known of its columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalmark.converters.workbooks import MAX_CELLS, MAX_ROWS
from evalmark.schemas.errors import ConversionError


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a table; all have the same number of cells.

    Attributes:
        rows: The cells of each row, without rows and columns that have no text.
        places: The number of each row in its file, from 1.
        header: Whether the first row names the columns; None if the source does not say so.
    """

    rows: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]
    header: bool | None = None

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.rows[0])


def grid_of(rows: Iterable[Sequence[str]], header: bool | None = None) -> Grid:
    """The grid of rows of any length.

    Raises:
        ConversionError: There is no text, or there are too many cells.
    """
    cells: list[tuple[int, list[str]]] = []
    width = 0
    for number, texts in enumerate(rows, 1):
        row = [" ".join(cell.split()) for cell in texts]
        if not any(row):
            continue
        cells.append((number, row))
        width = max(width, len(row))
        # Before the next row: a short text can be of rows that fill the memory.
        if len(cells) > MAX_ROWS or len(cells) * width > MAX_CELLS:
            raise ConversionError(
                f"the table has more than {MAX_ROWS:,} rows or {MAX_CELLS:,} cells"
            )
    if not width:
        raise ConversionError("there is no text")
    padded = [row + [""] * (width - len(row)) for _, row in cells]
    columns = [index for index in range(width) if any(row[index] for row in padded)]
    return Grid(
        tuple(tuple(row[index] for index in columns) for row in padded),
        tuple(number for number, _ in cells),
        header,
    )
