"""Tables on stdout: names on the left, numbers on the right, no lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from evalmark.validator.io.escaping import shown
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text


class _PlainTable(Table):
    """A table whose cells are shown as they are: without markup, and escaped."""

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        texts = (Text(shown(cell)) if isinstance(cell, str) else cell for cell in cells)
        super().add_row(*texts, **options)


#: Columns of a table where there is no terminal.
WITHOUT_TERMINAL = 120
#: Columns that names have at least.
NARROWEST = 14
ELLIPSIS = "…"


def plain_table(
    names: Sequence[str], numbers: Sequence[str], rows: Iterable[Sequence[str]] = ()
) -> Table:
    """A table: columns of names, and columns of numbers."""
    table = _PlainTable(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name)
    for name in numbers:
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(*row)
    return table


def print_table(table: Table, *narrower: Table) -> Table:
    """Write the first of these tables that fits the terminal, or ``WITHOUT_TERMINAL`` columns.

    If none fits, the names of the last are cut in its first column, so that no two look alike.
    Returns the table that was chosen.
    """
    console = Console(width=None if sys.stdout.isatty() else WITHOUT_TERMINAL)
    for fitting in (table, *narrower):
        excess = _width(console, fitting) - console.width
        if excess <= 0:
            break
    console.print(fitting if excess <= 0 else _cut_names(fitting, excess))
    return fitting


def _width(console: Console, table: Table) -> int:
    """Columns that a table takes if nothing is cut or wrapped."""
    return console.measure(table, options=console.options.update(max_width=10_000)).maximum


def _cut_names(table: Table, excess: int) -> Table:
    if not table.columns or table.columns[0].overflow == "fold":
        return table
    names, *others = [list(column.cells) for column in table.columns]
    texts = [str(name) for name in names]
    wide = list(dict.fromkeys(texts))
    width = max(max(map(cell_len, wide), default=0) - excess, NARROWEST)
    cut = dict(zip(wide, distinct(wide, width), strict=True))
    narrow = _PlainTable(box=None, pad_edge=False, header_style="bold")
    narrow.columns = [column.copy() for column in table.columns]
    for name, *cells in zip(texts, *others, strict=True):
        narrow.add_row(Text(cut[name]), *cells)
    return narrow


def distinct(names: Sequence[str], width: int) -> list[str]:
    """Names of at most this width, cut in the middle so that no two that differ look alike.

    Where the cut falls is chosen for all names together; if none tells all apart, those that look
    alike have the number of their place.
    """
    least = max(width, 4)
    several = len(set(names))
    for tail in sorted(range(least), key=lambda size: abs(size - least // 2)):
        cut = [_cut(name, least, tail) for name in names]
        if len(set(cut)) == several:
            return cut
    cut = [_cut(name, least, least // 2) for name in names]
    marks = [f"{ELLIPSIS}{place}" for place in range(1, len(names) + 1)]
    return [
        text if cut.count(text) == 1 else _clip(name, max(least - cell_len(mark), 0)) + mark
        for name, text, mark in zip(names, cut, marks, strict=True)
    ]


def _cut(name: str, width: int, tail: int) -> str:
    if cell_len(name) <= width:
        return name
    end = _clip(name[::-1], tail)[::-1]
    return f"{_clip(name, width - 1 - cell_len(end))}{ELLIPSIS}{end}"


def _clip(text: str, width: int) -> str:
    while cell_len(text) > width:
        text = text[: max(width, 0)] if len(text) > width else text[:-1]
    return text
