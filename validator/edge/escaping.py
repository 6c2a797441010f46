"""The edge for text that is shown: nothing in a file, a name or a reply can act on who reads it.

Control characters move a terminal's cursor, marks of direction reorder a line, a line feed makes a
second line, and GitHub takes some lines for commands. All of these are shown as escapes.
"""

from __future__ import annotations

import json
import math
from typing import Any

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
#: U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069.
_MARKS = frozenset((0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)))


def shown(text: str, *, keep: str = "") -> str:
    r"""A text as it can be shown in one line.

    >>> shown("a\x1b[31m\n\u202eb")
    'a\\x1b[31m\\n\\u202eb'

    Args:
        text: What may come from a file, a name or a server.
        keep: Characters that stay as they are.
    """
    if text.isprintable():
        return text
    return "".join(c if c in keep or not _acts(ord(c)) else _escape(c) for c in text)


def _acts(code: int) -> bool:
    """Whether a character is a control, a mark of direction, an end of a line or a surrogate."""
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


def json_text(data: Any, *, indent: int | None = None) -> str:
    """Data as strict JSON in which what ``shown`` escapes is escaped as JSON does it.

    Numbers that JSON does not have, NaN and the infinities, become null.
    """
    try:
        text = json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(data), indent=indent, ensure_ascii=False, allow_nan=False)
    if text.isprintable():
        return text
    # ``dumps`` has escaped line feeds within strings: what is left of them is layout.
    return "".join(f"\\u{ord(c):04x}" if c != "\n" and _acts(ord(c)) else c for c in text)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
