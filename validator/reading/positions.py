"""From a JSON pointer to the characters of the file, without parsing the whole file again.

The scanner walks only towards the values that are needed; the standard library's C scanner skips
the others. A text that has been parsed has no duplicate keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecoder

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODE = JSONDecoder(strict=True).raw_decode


@dataclass(frozen=True, slots=True)
class Place:
    """Offsets of a value and, in an object, of its key (quotes included); -1 without a key."""

    start: int
    end: int
    key_start: int = -1
    key_end: int = -1


@dataclass(frozen=True, slots=True)
class Start:
    """Where a member begins: its value, and its key as in ``Place``."""

    value: int
    key: int = -1
    key_end: int = -1


class Members:
    """The members of the object or array at an offset, found one by one as they are needed.

    Nothing after the last needed member is scanned.
    """

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.is_object = text[start] == "{"
        self.known: dict[str, Start] = {}
        self._pending = -1  # the value to be skipped next
        self._at = skip(text, start + 1) if text[start] in "{[" else -1

    def find(self, token: str) -> Start | None:
        """Where the member of this key or index begins."""
        while token not in self.known:
            if self.advance() is None:
                return None
        return self.known[token]

    def advance(self) -> str | None:
        """Go to the next member; its key or index."""
        text, at = self.text, self._at
        if self._pending >= 0:
            at = skip(text, value_end(text, self._pending))
            at = skip(text, at + 1) if text[at] == "," else at
        if at < 0 or text[at] in "}]":
            self._at, self._pending = at, -1
            return None
        key = str(len(self.known))
        start = Start(at)
        if self.is_object:
            key, end = _DECODE(text, at)
            start = Start(skip(text, skip(text, end) + 1), at, end)  # past the colon
        self.known[key] = start
        self._pending = start.value
        return key


def root(text: str) -> int:
    """Where the value of a JSON text begins."""
    return skip(text, 0)


def value_end(text: str, start: int) -> int:
    """Where the value that begins at ``start`` ends."""
    return _DECODE(text, start)[1]


def members(text: str, start: int) -> Iterator[tuple[str, Place]]:
    """The keys or indices of an object or array, and the places of its values."""
    found = Members(text, start)
    while (key := found.advance()) is not None:
        at = found.known[key]
        yield key, Place(at.value, value_end(text, at.value), at.key, at.key_end)


def string_offset(text: str, start: int, index: int) -> int:
    r"""Offset in ``text`` of character ``index`` of the JSON string that begins at ``start``.

    Escapes are counted: character 1 of ``"\\u00e9x"`` is seven characters after the quote.
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


def skip(text: str, at: int) -> int:
    """Where the space at an offset ends."""
    match = _SPACE.match(text, at)
    assert match
    return match.end()
