"""Tables on stdout: names on the left, numbers on the right, no lines."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from evalmark.validator.io.escaping import shown
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


def plain_table(names: Sequence[str], numbers: Sequence[str]) -> Table:
    """A table without rows: columns of names, and columns of numbers."""
    table = _PlainTable(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name)
    for name in numbers:
        table.add_column(name, justify="right")
    return table


def print_table(table: Table) -> None:
    """Write it as wide as the terminal, or ``WITHOUT_TERMINAL`` columns."""
    Console(width=None if sys.stdout.isatty() else WITHOUT_TERMINAL).print(table)
