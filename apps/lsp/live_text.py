"""The text of an open file, as edits of an editor leave it, and its positions.

Editors count lines and, in a line, units of UTF-8, UTF-16 or UTF-32. Findings count lines that end
with a line feed, and code points; fixes have offsets in code points.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from evalmark.validator.findings.finding import Edit, Span
from lsprotocol.types import Position, PositionEncodingKind, Range, TextEdit

#: A line with its end; editors know three ends.
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
#: Encoding -> the codec whose code units are counted, and the bytes of one.
_CODECS = {PositionEncodingKind.Utf8: ("utf-8", 1), PositionEncodingKind.Utf16: ("utf-16-le", 2)}


class LiveText:
    """A text that is edited; an edit costs the lines that it touches, not the whole text."""

    def __init__(
        self, text: str, encoding: PositionEncodingKind | str = PositionEncodingKind.Utf16
    ) -> None:
        self.encoding = encoding
        self._lines: list[str] = []
        self.replace_all(text)

    def replace_all(self, text: str) -> None:
        """Take another text."""
        self._lines = _LINES.findall(text)
        self._text: str | None = text
        self._starts: list[int] | None = None
        self._feeds: list[int] | None = None

    @property
    def text(self) -> str:
        """The whole text."""
        if self._text is None:
            self._text = "".join(self._lines)
        return self._text

    def edit(self, place: Range, text: str) -> None:
        """Replace what is at a place; a place beyond the end is the end."""
        (first, start), (last, end) = self._point(place.start), self._point(place.end)
        lines = self._lines
        if (last, end) < (first, start):
            last, end = first, start
        before = lines[first][:start] if first < len(lines) else ""
        after = lines[last][end:] if last < len(lines) else ""
        above = lines[first - 1] if first and not start else ""
        # A line feed may follow now, or the end of the last line.
        if above and (above[-1] == "\r" or (first == len(lines) and above[-1] != "\n")):
            first, before = first - 1, above
        lines[first : last + 1] = _LINES.findall(before + text + after)
        self._text = self._starts = self._feeds = None

    def offset(self, position: Position) -> int:
        """The offset of a position."""
        line, column = self._point(position)
        return self._line_starts[line] + column

    def position(self, offset: int) -> Position:
        """The position of an offset."""
        starts = self._line_starts
        line = min(bisect_right(starts, offset) - 1, max(len(self._lines) - 1, 0))
        content = self._lines[line] if self._lines else ""
        if offset - starts[line] >= len(content) and content.endswith(("\r", "\n")):
            return Position(line + 1, 0)
        return Position(line, self._units(content[: offset - starts[line]]))

    def range(self, start: int, end: int) -> Range:
        """The range between two offsets."""
        return Range(self.position(start), self.position(end))

    def range_of(self, span: Span | None) -> Range:
        """The range of a span of a finding; the first character for one without a place."""
        if span is None:
            return self.range(0, 0)
        start = self._span_offset(span.line, span.column)
        return self.range(start, max(start, self._span_offset(span.end_line, span.end_column)))

    def edit_of(self, edit: Edit) -> TextEdit:
        """The edit of a fix."""
        return TextEdit(self.range(edit.start, edit.end), edit.text)

    def _span_offset(self, line: int, column: int) -> int:
        feeds = self._feeds
        if feeds is None:
            ends = zip(self._line_starts[1:], self._lines, strict=False)
            feeds = self._feeds = [0, *(start for start, text in ends if text[-1] == "\n")]
        start = feeds[min(line, len(feeds)) - 1]
        return min(start + column - 1, self._line_starts[-1])

    @property
    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = list(accumulate(map(len, self._lines), initial=0))
        return self._starts

    def _point(self, position: Position) -> tuple[int, int]:
        """The line of a position, and the code points before it in the line."""
        if position.line >= len(self._lines):
            return len(self._lines), 0
        line = self._lines[position.line]
        content = line.rstrip("\r\n")
        if content.isascii() or self.encoding not in _CODECS:
            return position.line, min(position.character, len(content))
        codec, size = _CODECS[PositionEncodingKind(self.encoding)]
        raw = content.encode(codec, "surrogatepass")
        at = min(size * position.character, len(raw))
        while size == 1 and at < len(raw) and raw[at] & 0xC0 == 0x80:  # inside of a character
            at -= 1
        return position.line, len(raw[:at].decode(codec, "surrogatepass"))

    def _units(self, text: str) -> int:
        if text.isascii() or self.encoding not in _CODECS:
            return len(text)
        codec, size = _CODECS[PositionEncodingKind(self.encoding)]
        return len(text.encode(codec, "surrogatepass")) // size
