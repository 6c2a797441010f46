"""Data as a text of which the place of every value is known: findings about data get pointers.

Rules look places up in the text of a file. A page has data and no text, so the text is written
first, on one line, and what is found in it is led back to the values.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from evalmark.validator.findings.finding import Span
from evalmark.validator.reading.source import Place, Source, parse_pointer


class PointedSpan(NamedTuple):
    """A value, or characters inside a string.

    Attributes:
        pointer: Of the value.
        start: With ``end``, offsets in the string, in UTF-16 code units; None for the whole value.
        end: See ``start``.
        is_key: Whether the key of the member is meant, and not its value.
    """

    pointer: str
    start: int | None = None
    end: int | None = None
    is_key: bool = False

    def data(self) -> dict[str, Any]:
        """As the page gets it."""
        place: dict[str, Any] = {"pointer": self.pointer, "start": self.start, "end": self.end}
        return {**place, "key": True} if self.is_key else place


class _Value(NamedTuple):
    """A value, its pointer, and where it is."""

    pointer: str
    data: Any
    place: Place

    @property
    def first(self) -> int:
        """Where it begins, with its key if it has one."""
        return self.place.start if self.place.key_start < 0 else self.place.key_start


@dataclass(frozen=True)
class PlacedText(Source):
    """The text of data, in which the place of a value is found when a finding asks for it."""

    data: Any = None

    @staticmethod
    def of(path: str, data: Any) -> PlacedText:
        """Write data as text."""
        return PlacedText(path, _written(data), data)

    def place(self, pointer: str) -> Place | None:
        """Offsets of the value at a pointer; None if there is none."""
        value: _Value | None = self._root
        for token in parse_pointer(pointer):
            if value is None:
                return None
            value = self._members_of(value).get(token)
        return value and value.place

    def value_span(self, pointer: str) -> Span | None:
        """Span of the value at a pointer."""
        place = self.place(pointer)
        return None if place is None else self.span(place.start, place.end)

    def line_column(self, offset: int) -> tuple[int, int]:
        """There is one line."""
        return 1, offset + 1

    def pointed(self, span: Span) -> PointedSpan:
        """The innermost value that a span begins in."""
        start, end = span.column - 1, span.end_column - 1
        value = self._root
        while inner := self._member_before(value, start):
            value = inner
            if start < value.place.start:
                return PointedSpan(value.pointer, is_key=True)
        place = value.place
        inside = self.text[place.start] == '"' and place.start < start <= end < place.end
        if not inside:
            return PointedSpan(value.pointer)
        first = self._units(place.start, start)
        return PointedSpan(value.pointer, first, first + self._units(start - 1, end))

    def _units(self, start: int, end: int) -> int:
        """UTF-16 code units of the string characters between the one at ``start`` and ``end``."""
        return utf16(json.loads(f'"{self.text[start + 1 : end]}"'))

    @property
    def _root(self) -> _Value:
        return _Value("", self.data, Place(0, len(self.text), -1, -1))

    def _member_before(self, value: _Value, offset: int) -> _Value | None:
        """The last member of a value that begins before or at an offset."""
        members = list(self._members_of(value).values())
        at = bisect_right(members, offset, key=lambda member: member.first)
        return members[at - 1] if at else None

    @cached_property
    def _known(self) -> dict[str, dict[str, _Value]]:
        """Pointer -> the members of the value; findings tend to be close together."""
        return {}

    def _members_of(self, value: _Value) -> dict[str, _Value]:
        found = self._known.get(value.pointer)
        if found is None:
            found = self._known[value.pointer] = {one[0]: one[1] for one in self._placed(value)}
        return found

    def _placed(self, value: _Value) -> Iterator[tuple[str, _Value]]:
        """The members of an object or array with their places, by their tokens."""
        is_object = isinstance(value.data, dict)
        if not is_object and not isinstance(value.data, list):
            return
        at = value.place.start + 1
        last = len(value.data) - 1
        named = value.data.items() if is_object else enumerate(value.data)
        for index, (name, child) in enumerate(named):
            key_start, key_end = -1, -1
            if is_object:
                key_start, key_end = at, at + len(_written(name))
                at = key_end + len(": ")
            # The last one may be long, and ends where its object or array does.
            end = value.place.end - 1 if index == last else at + len(_written(child))
            token = str(name)
            escaped = token.replace("~", "~0").replace("/", "~1")
            place = Place(at, end, key_start, key_end)
            yield token, _Value(f"{value.pointer}/{escaped}", child, place)
            at = end + len(", ")


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def utf16(text: str) -> int:
    """The length of a text as JavaScript counts it."""
    return len(text) + sum(character > "\uffff" for character in text)
