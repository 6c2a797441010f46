"""Small tables for notebooks: HTML without scripts and styles, in which all text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from evalmark.validator.edge.escaping import shown

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
