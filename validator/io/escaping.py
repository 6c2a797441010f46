"""Escape text that is shown: it cannot act on a terminal, and secrets are hidden.

Control characters move a terminal's cursor, marks of direction reorder a line, a line feed makes a
second line, and GitHub takes some lines for commands. All of these are shown as escapes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any, NamedTuple

from evalmark.validator.io.redaction import redacted

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
#: U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069.
_MARKS = frozenset((0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)))
#: The characters for which ``_acts`` is true, except line feeds.
_ACTING = "[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"


def shown(text: str, *, keep: str = "") -> str:
    r"""A text as it can be shown in one line, without secrets.

    >>> shown("a\x1b[31m\n\u202eb")
    'a\\x1b[31m\\n\\u202eb'

    Args:
        text: A text that may come from a file, a name or a server.
        keep: Characters that stay as they are.
    """
    text = redacted(text)
    if text.isprintable():
        return text
    return "".join(c if c in keep or not _acts(ord(c)) else _escape(c) for c in text)


def in_markdown(text: str) -> str:
    """``shown`` in a cell of a table of Markdown."""
    text = redacted(text.strip())  # before signs in a secret hide it
    return shown("".join(f"\\{c}" if c in "\\|`*_<[" else c for c in text))


def markdown_table(
    heads: Sequence[str], rows: Iterable[Iterable[str]], texts: int = 1
) -> Iterator[str]:
    """The lines of a table of Markdown; columns behind the first ``texts`` are numbers."""
    yield f"| {' | '.join(map(in_markdown, heads))} |"
    yield f"|{'---|' * texts}{'---:|' * (len(heads) - texts)}"
    for row in rows:
        yield f"| {' | '.join(map(in_markdown, row))} |"


def _acts(code: int) -> bool:
    """True if a character is a control, a mark of direction, an end of a line or a surrogate."""
    return code < 0x20 or 0x7F <= code < 0xA0 or code in _MARKS or 0xD800 <= code < 0xE000


def _escape(character: str) -> str:
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def shown_line(line: str) -> str:
    """``shown`` for a whole line, which GitHub's runner then does not take for a command.

    The runner looks for ``::`` at the beginning of a line, and for ``##[`` anywhere in it.
    """
    return no_command(shown(line))


def no_command(line: str) -> str:
    """A line that GitHub's runner does not take for a command."""
    if line.lstrip().startswith("::"):
        line = line.replace(":", "\\x3a", 1)
    return line.replace("##[", "#\\x23[")


def json_text(data: object, *, indent: int | None = None, whole: bool = False) -> str:
    """Data as strict JSON in which what ``shown`` escapes is escaped as JSON does it.

    NaN and the infinities become null. ``whole`` leaves the secrets of a document that its author
    edits.
    """
    try:
        text = _dumped(data, indent)
    except ValueError:
        text = _dumped(_finite(data), indent)
    text = text if whole else redacted(text)
    if text.isprintable():
        return text
    # Line feeds within strings are escaped already: what is left of them is layout.
    return re.sub(_ACTING, lambda match: f"\\u{ord(match[0]):04x}", text)


def _dumped(data: object, indent: int | None) -> str:
    import json  # which the list of commands does without

    if indent is None:
        return json.dumps(data, ensure_ascii=False, allow_nan=False)
    # ``dumps`` would first make a list of all tokens, which takes a dozen times as much memory.
    text = StringIO()
    json.dump(data, text, indent=indent, ensure_ascii=False, allow_nan=False)
    return text.getvalue()


def _finite(data: object) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


#: Rows that a table in a notebook shows.
ROWS = 20
#: What a number begins with; an empty cell may be one.
_DIGITS = ("", *"0123456789+-")
#: Characters of a cell.
_WIDTH = 300


class Painted(NamedTuple):
    """The text of a cell and its colour, a value of CSS."""

    text: str
    colour: str


def text_table(title: str, headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A title and a table as text, with numbers at the right of their columns."""
    cells = [[*headers], *([shown(str(cell)) for cell in row] for row in rows)]
    columns = [*zip(*cells, strict=True)]
    widths = [max(map(len, column)) for column in columns]
    is_number = [all(cell[:1] in _DIGITS for cell in column[1:]) for column in columns]
    lines = (
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, is_number, strict=True)
        )
        for line in cells
    )
    return "\n".join([shown(title), *(line.rstrip() for line in lines)])


def html_table(title: str, headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A title and a table of the first rows, with a line for how many there are besides."""
    all_rows = list(rows)
    lines = [f"<p>{_text(title)}</p>"]
    if all_rows:
        lines += ["<table>", f"<thead>{_row('th', headers)}</thead>", "<tbody>"]
        lines += [_row("td", row) for row in all_rows[:ROWS]]
        lines += ["</tbody>", "</table>"]
    if len(all_rows) > ROWS:
        lines.append(f"<p>and {len(all_rows) - ROWS} more</p>")
    return "\n".join(lines)


def _row(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_cell(cell)}</{tag}>' for cell in cells)}</tr>"


def _cell(cell: object) -> str:
    if isinstance(cell, Painted):
        return f'<b style="color:{cell.colour}">{_text(cell.text)}</b>'
    return _text(cell)


def _text(cell: object) -> str:
    from html import escape  # commands never need it

    text = shown(str(cell))
    return escape(text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…")


#: Spreadsheets take a cell that begins like this for a formula.
_COMPUTED = ("=", "+", "-", "@", "\t", "\r")


def is_computed(text: str) -> bool:
    """True if a text, or what follows its apostrophes, is a formula to a spreadsheet."""
    return text.lstrip("'").startswith(_COMPUTED)


def text_cell(text: str) -> str:
    """A text as a cell of CSV that no spreadsheet computes: it gets one apostrophe more.

    >>> text_cell("=1+1"), text_cell("'=1+1"), text_cell("a=1")
    ("'=1+1", "''=1+1", 'a=1')
    """
    return f"'{text}" if is_computed(text) else text
