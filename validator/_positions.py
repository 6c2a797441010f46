"""From a JSON pointer to the characters of the file, without parsing the file again as a whole.

The scanner walks only towards the values that are asked for; everything beside the way is skipped
by the standard library's C scanner. With duplicate keys the last one counts, as for parsers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from json import JSONDecoder

from ._light import NamedTuple

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODE = JSONDecoder(strict=True).raw_decode


class Place(NamedTuple):
    """Offsets of a value and, in an object, of its key (quotes included); -1 without a key."""

    start: int
    end: int
    key_start: int = -1
    key_end: int = -1


def root(text: str) -> Place:
    """Where the value of a JSON text stands; only its start is looked for."""
    return Place(_skip(text, 0), len(text))


def members(text: str, start: int) -> Iterable[tuple[str | int, Place]]:
    """The children of the object or array that begins at ``start``, with their places."""
    opener = text[start]
    if opener not in "{[":
        return
    index, at = 0, _skip(text, start + 1)
    while text[at] not in "}]":
        key: str | int = index
        key_start = key_end = -1
        if opener == "{":
            key_start = at
            key, key_end = _DECODE(text, at)
            at = _skip(text, _skip(text, key_end) + 1)  # past the colon
        value_start, value_end = _value_span(text, at)
        yield key, Place(value_start, value_end, key_start, key_end)
        index += 1
        at = _skip(text, value_end)
        if text[at] == ",":
            at = _skip(text, at + 1)


def string_offset(text: str, start: int, index: int) -> int:
    r"""Offset in ``text`` of character ``index`` of the JSON string that begins at ``start``.

    Escapes are counted: character 1 of ``"\\u00e9x"`` stands seven characters after the quote.
    ``index`` may be the length of the string: that is its closing quote.
    """
    at = start + 1
    for _ in range(index):
        if text[at] != "\\":
            at += 1
        elif text[at + 1] != "u":
            at += 2
        else:
            pair = text[at + 6 : at + 8] == "\\u" and _is_pair(text, at)
            at += 12 if pair else 6
    return at


def _is_pair(text: str, at: int) -> bool:
    high, low = int(text[at + 2 : at + 6], 16), int(text[at + 8 : at + 12], 16)
    return 0xD800 <= high < 0xDC00 <= low < 0xE000


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match
    return match.end()


def _value_span(text: str, at: int) -> tuple[int, int]:
    return at, _DECODE(text, at)[1]
