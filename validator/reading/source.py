"""The text of a file: its lines, JSON pointers, and the positions of JSON values in it.

A value is found without parsing the whole file again: the scanner walks only towards the values
that are needed; the standard library's C scanner skips the others. A text that has been parsed has
no duplicate keys.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, count
from json import JSONDecoder
from typing import Any, NamedTuple

from evalmark.validator.findings.finding import At, Change, Edit, Finding, Span
from evalmark.validator.findings.rule import file_finding
from evalmark.validator.io.opening import open_regular


def parse_pointer(pointer: str) -> list[str]:
    """The unescaped tokens of an RFC 6901 pointer."""
    if not pointer:
        return []
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def make_pointer(path: Iterable[str | int]) -> str:
    """The RFC 6901 pointer of a path."""
    pointer = ""
    for part in path:
        token = str(part)
        if "~" in token or "/" in token:
            token = token.replace("~", "~0").replace("/", "~1")
        pointer += f"/{token}"
    return pointer


def member(holder: object, token: str) -> Any:
    """The value under a key of an object, or at an index of an array; None if there is none."""
    if isinstance(holder, dict):
        return holder.get(token)
    if isinstance(holder, list) and token.isdecimal() and int(token) < len(holder):
        return holder[int(token)]
    return None


_SPACE = re.compile(r"[ \t\n\r]*")
_DECODE = JSONDecoder(strict=True).raw_decode


class Place(NamedTuple):
    """Offsets of a value and, in an object, of its key (quotes included); -1 without a key."""

    start: int
    end: int
    key_start: int = -1
    key_end: int = -1

    @property
    def first(self) -> int:
        """The offset of the key, or of a value without one."""
        return self.start if self.key_start < 0 else self.key_start


class Start(NamedTuple):
    """Offsets at which a member begins: its value, and its key as in ``Place``."""

    value: int
    key: int = -1
    key_end: int = -1


class Members:
    """The members of the object or array at an offset, scanned one by one as they are needed."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.is_object = text[start] == "{"
        self.starts: dict[str, Start] = {}
        self._pending = -1  # the value to be skipped next
        self._at = skip(text, start + 1) if text[start] in "{[" else -1

    def find(self, token: str) -> Start | None:
        """The beginning of the member of this key or index."""
        while token not in self.starts:
            if self.advance() is None:
                return None
        return self.starts[token]

    def advance(self) -> str | None:
        """Go to the next member; its key or index."""
        text, at = self.text, self._at
        if self._pending >= 0:
            at = skip(text, value_end(text, self._pending))
            at = skip(text, at + 1) if text[at] == "," else at
        if at < 0 or text[at] in "}]":
            self._at, self._pending = at, -1
            return None
        key = str(len(self.starts))
        start = Start(at)
        if self.is_object:
            key, end = _DECODE(text, at)
            start = Start(skip(text, skip(text, end) + 1), at, end)  # past the colon
        self.starts[key] = start
        self._pending = start.value
        return key


def root(text: str) -> int:
    """The offset at which the value of a JSON text begins."""
    return skip(text, 0)


def value_end(text: str, start: int) -> int:
    """The offset at which the value that begins at ``start`` ends."""
    return _DECODE(text, start)[1]


def json_members(text: str, start: int) -> Iterator[tuple[str, Place]]:
    """The keys or indices of an object or array, and the places of its values."""
    scanner = Members(text, start)
    while (key := scanner.advance()) is not None:
        at = scanner.starts[key]
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
    """The offset at which the space at an offset ends."""
    match = _SPACE.match(text, at)
    assert match
    return match.end()


#: Number of positions for which counting line ends is faster than building a table of them.
FEW = 16


@dataclass(eq=False)
class Source:
    """The text of one file and the name it is reported under."""

    path: str
    text: str

    @cached_property
    def _line_starts(self) -> list[int]:
        # Only line feeds end lines: U+2028 inside a string does not.
        lengths = [len(line) + 1 for line in self.text.split("\n")]
        return list(accumulate(lengths[:-1], initial=0))

    @cached_property
    def _calls(self) -> Iterator[int]:
        return count(1)

    def line_column(self, offset: int) -> tuple[int, int]:
        """1-based line and column (in code points) of a character."""
        if next(self._calls) <= FEW:
            line = self.text.count("\n", 0, offset) + 1
            return line, offset - self.text.rfind("\n", 0, offset)
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span of the characters ``start`` to ``end``."""
        return Span(*self.line_column(start), *self.line_column(max(start, end)))

    def finding(self, code: str, message: str, start: int, end: int, **details: Any) -> Finding:
        """A finding about the characters ``start`` to ``end``; see ``file_finding``."""
        span = self.span(start, min(end, len(self.text)))
        return file_finding(code, self.path, message, span=span, **details)

    def line(self, number: int) -> str:
        """The text of a 1-based line, without its end."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end == -1 else end].rstrip("\r")

    @cached_property
    def _members(self) -> dict[str, Members | None]:
        return {}

    def bracketed(self, pointer: str) -> str | None:  # noqa: ARG002
        """The text of a value that could be a string in another syntax: none in JSON."""
        return None

    def place(self, pointer: str) -> Place | None:
        """Offsets of the value at a pointer; None if there is none."""
        at = self._start(pointer)
        if at is None:
            return None
        return Place(at.value, value_end(self.text, at.value), at.key, at.key_end)

    def _start(self, pointer: str) -> Start | None:
        if not pointer:
            return Start(root(self.text))
        above, _, token = pointer.rpartition("/")
        if above not in self._members:
            start = self._start(above)
            self._members[above] = None if start is None else Members(self.text, start.value)
        members = self._members[above]
        return None if members is None else members.find(*parse_pointer(f"/{token}"))

    def span_of(self, at: At) -> Span | None:
        """The span of a place."""
        if at.key:
            return self.key_span(at.pointer)
        if at.start is not None and at.end is not None:
            return self.string_span(at.pointer, at.start, at.end)
        return self.value_span(at.pointer)

    def value_span(self, pointer: str) -> Span | None:
        """Span of the value at a pointer; of an object or array over several lines, its key."""
        place = self.place(pointer)
        if place is None:
            return None
        long = not pointer or "\n" in self.text[place.start : place.end]
        if long and self.text[place.start] in "{[":
            return self.key_span(pointer) or self.span(place.start, place.start + 1)
        return self.span(place.start, place.end)

    def key_span(self, pointer: str) -> Span | None:
        """Span of the key of an object's member; None for array members and the root."""
        place = self.place(pointer)
        if place is None or place.key_start < 0:
            return None
        return self.span(place.key_start, place.key_end)

    def string_span(self, pointer: str, start: int, end: int) -> Span | None:
        """Span of the characters ``start`` to ``end`` inside the string at a pointer."""
        place = self.place(pointer)
        if place is None:
            return None
        first = string_offset(self.text, place.start, start)
        return self.span(first, string_offset(self.text, first - 1, end - start))

    def edit_of(self, change: Change) -> Edit | None:
        """The edit that makes a change; None if there is none."""
        at, text = change.at, change.text
        if text is None:
            return self.removal(at.pointer)
        if change.adds:
            return self.addition(at.pointer, text)
        if not at.key and at.start is not None and at.end is not None:
            return self.string_edit(at.pointer, at.start, at.end, text)
        place = self.place(at.pointer)
        if place is None or (at.key and place.key_end <= 0):
            return None
        return Edit(*(place[2:] if at.key else place[:2]), text)

    def string_edit(self, pointer: str, start: int, end: int, text: str) -> Edit | None:
        """The edit that replaces characters inside the string at a pointer by JSON text."""
        place = self.place(pointer)
        if place is None:
            return None
        first = string_offset(self.text, place.start, start)
        return Edit(first, string_offset(self.text, first - 1, end - start), text)

    def removal(self, pointer: str) -> Edit | None:
        """The edit that removes the member at a pointer, with the comma that goes with it.

        That is the comma before it, so that edits of neighbors do not overlap.
        """
        place = self.place(pointer)
        if place is None or place.key_start < 0:
            return None
        before = place.key_start
        while self.text[before - 1] in " \t\n\r":
            before -= 1
        if self.text[before - 1] == ",":
            return Edit(before - 1, place.end, "")
        after = skip(self.text, place.end)
        if self.text[after] == ",":
            return Edit(place.key_start, skip(self.text, after + 1), "")
        return Edit(before, place.end, "")

    def addition(self, pointer: str, members: str) -> Edit | None:
        """The edit that adds members, as JSON, at the end of the object at a pointer."""
        place = self.place(pointer)
        if place is None or self.text[place.start] != "{":
            return None
        first = skip(self.text, place.start + 1)
        if self.text[first] == "}":
            return Edit(place.start + 1, first, members)
        at = place.end - 1
        while self.text[at - 1] in " \t\n\r":
            at -= 1
        # As the first member is set off from its bracket, so is a new one from the last.
        space = self.text[place.start + 1 : first] or " "
        return Edit(at, at, f",{space}{members}")


class Element(NamedTuple):
    """A value of a document, in which pointers begin at that value."""

    source: Source
    at: str  # pointer of the value

    def span_of(self, at: At) -> Span | None:
        """See ``Source``."""
        return self.source.span_of(at._replace(pointer=self.at + at.pointer))

    def edit_of(self, change: Change) -> Edit | None:
        """See ``Source``."""
        at = change.at._replace(pointer=self.at + change.at.pointer)
        return self.source.edit_of(change._replace(at=at))


class RowFile(Source):
    """A file of rows too large for memory: a line is read when it is needed."""

    def line(self, number: int) -> str:
        """The text of a 1-based line, without its end."""
        with open_regular(self.path) as file:
            for at, raw in enumerate(file, 1):
                if at == number:
                    return raw.decode("utf-8", "replace").rstrip("\r\n")
        return ""
