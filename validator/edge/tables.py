"""Tables for the terminal and for notebooks."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from evalmark.validator.edge.escaping import shown
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text


class _PlainTable(Table):
    """A table whose cells are shown as they are: without markup, and escaped."""

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        texts = (Text(shown(cell)) if isinstance(cell, str) else cell for cell in cells)
        super().add_row(*texts, **options)


def plain_table(names: Sequence[str], numbers: Sequence[str]) -> Table:
    """A table without rows: columns of names, and columns of numbers."""
    table = _PlainTable(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name)
    for name in numbers:
        table.add_column(name, justify="right")
    return table


def print_table(table: Table) -> None:
    """Write it as wide as the terminal, or 120 columns where there is none."""
    Console(width=None if sys.stdout.isatty() else 120).print(table)


#: Rows that a table shows.
ROWS = 20
#: Characters of a cell.
_WIDTH = 300


def html_table(title: str, headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A title and a table of the first rows, with a line for how many there are besides."""
    found = list(rows)
    lines = [f"<p>{_text(title)}</p>"]
    if found:
        lines += ["<table>", f"<thead>{_row('th', headers)}</thead>", "<tbody>"]
        lines += [_row("td", row) for row in found[:ROWS]]
        lines += ["</tbody>", "</table>"]
    if len(found) > ROWS:
        lines.append(f"<p>and {len(found) - ROWS} more</p>")
    return "\n".join(lines)


def _row(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_text(cell)}</{tag}>' for cell in cells)}</tr>"


def _text(cell: object) -> str:
    text = str(cell)
    return escape(shown(text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…"))
