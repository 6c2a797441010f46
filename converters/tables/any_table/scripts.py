"""Scripts of PCIbex as grids: an element with a label and a sentence is a row."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evalmark.converters.tables.any_table.grid import Grid, grid_of
from evalmark.schemas.errors import ConversionError
from evalmark.validator.findings.phrasing import shown

_STRING = r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
_QUOTED = re.compile(_STRING)
_STRING_OR_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*(?:.*?\*/|.*)", re.DOTALL)
#: The label of an element: a condition, and its item; and the beginning of one without an item.
_LABEL = re.compile(r"""\[\s*\[\s*(["'])([^"'\n]{1,200})\1\s*,\s*(\d{1,9})\s*\]""")
_OTHER = re.compile(rf"\[\s*({_STRING})\s*,\s*[\"'][A-Z]\w*[\"']\s*,\s*\{{")
#: The key of a sentence, where strings are masked, and its value: a text, or the list of its parts.
_KEY = re.compile(r"\bs\s*:\s*")
_VALUE = re.compile(rf"(?:({_STRING})|\[((?:\s|,|{_STRING})*)\])\s*[,}}]")
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))")
_SPACES = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f"}


def grid_of_script(text: str) -> Grid | None:
    """The sentences of a script; None if it has no element with a condition and an item.

    Raises:
        ConversionError: A sentence is not written as a text, or there is none.
    """
    text = _STRING_OR_COMMENT.sub(lambda found: found.group(1) or " ", text)
    masked = _QUOTED.sub(_mask, text)
    labels = [*_LABEL.finditer(text)]
    if not labels:
        return None
    elements = sorted([*labels, *_OTHER.finditer(text)], key=lambda one: one.start())
    ends = [*(one.start() for one in elements[1:]), len(text)]
    rows: list[tuple[str, str, list[str]]] = []
    unread = []
    for element, end in zip(elements, ends, strict=True):
        name = element.group()[1:].strip() if element.re is _LABEL else ""
        keys = [*_KEY.finditer(masked, element.end() - (not name), end)]
        if name and len(keys) == 1:
            rows.append((element[3], element[2], _parts(text, keys[0].end(), name)))
        elif name and keys:
            raise ConversionError(f"the element {name} has {len(keys)} sentences", "write one each")
        elif name or keys:
            unread.append(name or element[1])
    if not rows:
        raise ConversionError("the script has no element with a sentence `s`")
    notes = [f"elements without an item or a sentence are not read: {', '.join(unread)}"]
    glue = " | " if all(len(parts) > 1 for *_, parts in rows) else " "
    cells = ([item, condition, glue.join(parts)] for item, condition, parts in rows)
    return grid_of([["item", "condition", "sentence"], *cells], True, notes if unread else ())


def _mask(found: re.Match[str]) -> str:
    """A string without what could be a key in it, but a quoted key itself."""
    return " s " if found.group()[1:-1] == "s" else "_" * len(found.group())


def _parts(text: str, at: int, name: str) -> list[str]:
    """The parts of the sentence that is written at a place."""
    value = _VALUE.match(text, at)
    if value is None:
        raise ConversionError(
            f"the sentence of {name} is not one text: {shown(text[at : at + 40])}",
            "write it in one pair of quotes",
        )
    return [*_unquoted(value.group(1) or value.group(2))]


def _unquoted(literals: str) -> Iterator[str]:
    for literal in _QUOTED.findall(literals):
        text = _ESCAPE.sub(_character, literal[1:-1])
        try:  # two escapes can be the halves of one character
            yield text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            raise ConversionError(f"half a character is in {literal}") from None


def _character(escape: re.Match[str]) -> str:
    *codes, plain = escape.groups()
    code = next(filter(None, codes), None)
    if code is None:
        return _SPACES.get(plain, plain)
    return chr(min(int(code, 16), 0x10FFFF))
