"""Tables of models by what they were scored on, however many: for a terminal, CSV and Markdown."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from evalmark.validator.io.escaping import shown
from evalmark.validator.io.plain_table import NARROWEST, WITHOUT_TERMINAL, distinct
from rich.cells import cell_len
from rich.console import Console

#: Columns of a terminal that the names of rows take at most.
WIDEST = 32
#: The least width of the head of a column; where there is no room, columns have numbers.
HEAD = 6
#: Spaces between columns, and between those that have numbers.
GAP, CLOSE = 2, 1


class CrossLabel(NamedTuple):
    """The name of a row or a column; a fixed one is never cut or replaced by a number."""

    name: str
    is_fixed: bool = False


class CrossCell(NamedTuple):
    """A cell."""

    full: str = "–"  # the number as text
    short: str = "–"  # the same in percent, where there is little room
    value: float | None = None  # the number; None for an empty cell


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A table of models by suites, sets, predictions or UIDs."""

    corner: str  # what the names of rows are, such as ``model``
    rows: tuple[CrossLabel, ...]  # the names of the rows
    columns: tuple[CrossLabel, ...]  # the names of the columns
    cells: tuple[tuple[CrossCell, ...], ...]  # for each row its cells
    unit: str = "accuracy"  # what the numbers are

    @property
    def heads(self) -> list[str]:
        """The heads of all columns."""
        return [self.corner, *(label.name for label in self.columns)]

    @property
    def lines(self) -> list[list[str]]:
        """The rows with whole names."""
        rows = zip(self.rows, self.cells, strict=True)
        return [[label.name, *(cell.full for cell in cells)] for label, cells in rows]

    def turned(self, corner: str) -> CrossTable:
        """The same with rows for columns, the fixed ones first."""
        rows = sorted(zip(self.rows, self.cells, strict=True), key=lambda row: not row[0].is_fixed)
        cells = tuple(zip(*(row for _, row in rows), strict=True))
        labels = tuple(label for label, _ in rows)
        return CrossTable(corner, self.columns, labels, cells, self.unit)


def text_lines(table: CrossTable, width: int, corner: str = "suite") -> Iterator[str]:
    """A table for people: the longer side goes down.

    If names do not fit above the columns, these have numbers, cells are in percent, and the names
    are listed; if the numbers do not fit either, the table continues below itself. ``corner`` is
    what the columns are, for a table that is turned.
    """
    if len(table.columns) > len(table.rows):
        table = table.turned(corner)
    columns = [shown(label.name) for label in table.columns]
    names = [shown(label.name) for label in table.rows]
    longest = min(max(map(cell_len, [*names, table.corner])), WIDEST)
    room = (width - longest) // max(len(columns), 1) - GAP
    widest = max((cell_len(cell.full) for row in table.cells for cell in row), default=0)
    if room >= max(widest, HEAD):
        heads = distinct(columns, room)
        texts = [[cell.full for cell in row] for row in table.cells]
        yield from _drawn([table.corner, *distinct(names, longest)], heads, texts, GAP)
        return
    numbers = _numbered(table.columns)
    texts = [[cell.short for cell in row] for row in table.cells]
    blocks = _blocks([max(map(cell_len, column)) for column in zip(numbers, *texts, strict=True)],
                     width - min(longest, NARROWEST))  # fmt: skip
    taken = max(sum(block.widths) for block in blocks)
    first = [table.corner, *distinct(names, min(longest, width - taken))]
    for block in blocks:
        part = slice(block.start, block.start + len(block.widths))
        yield from _drawn(first, numbers[part], [row[part] for row in texts], CLOSE)
        yield ""
    yield f"{table.unit} in percent; columns:"
    keys = [
        f"{number} {name}"
        for number, name, label in zip(numbers, columns, table.columns, strict=True)
        if not label.is_fixed
    ]
    yield from _listed(keys, width)


class _Block(NamedTuple):
    start: int
    widths: tuple[int, ...]


def _blocks(widths: Sequence[int], room: int) -> list[_Block]:
    blocks = [_Block(0, ())]
    for place, width in enumerate(widths):
        last = blocks[-1]
        if last.widths and sum(last.widths) + width + CLOSE > room:
            blocks.append(_Block(place, ()))
        blocks[-1] = _Block(blocks[-1].start, (*blocks[-1].widths, width + CLOSE))
    return blocks


def _numbered(labels: Sequence[CrossLabel]) -> list[str]:
    numbers = count(1)
    return [label.name if label.is_fixed else str(next(numbers)) for label in labels]


def _drawn(
    names: Sequence[str], heads: Sequence[str], texts: Sequence[Sequence[str]], gap: int
) -> Iterator[str]:
    left = max(map(cell_len, names))
    widths = [max(map(cell_len, column)) for column in zip(heads, *texts, strict=True)]
    for name, cells in zip(names, (heads, *texts), strict=True):
        numbers = (
            " " * (gap + width - cell_len(cell)) + cell
            for width, cell in zip(widths, cells, strict=True)
        )
        yield f"{name}{' ' * (left - cell_len(name))}{''.join(numbers)}".rstrip()


def _listed(entries: Sequence[str], width: int) -> Iterator[str]:
    room = min(max((cell_len(entry) for entry in entries), default=1) + GAP, width)
    entries = distinct(entries, width)
    per_line = max(width // room, 1)
    height = -(-len(entries) // per_line)
    for line in range(height):
        cells = entries[line::height]
        yield "".join(f"{cell}{' ' * (room - cell_len(cell))}" for cell in cells).rstrip()


def terminal_width() -> int:
    """Columns of the terminal, or ``WITHOUT_TERMINAL`` where there is none."""
    return Console(width=None if sys.stdout.isatty() else WITHOUT_TERMINAL).width
