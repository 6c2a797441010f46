"""A JSON file whose one long list is read element by element, in bounded memory.

The list is the whole document, or one member of an object whose other members are small. What the
strict parser refuses is refused here too.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NoReturn

from evalmark.converters.sources.placed_values import Account, Node, Piece
from evalmark.schemas.errors import ConversionError, ParseRejected
from evalmark.validator.io.opening import open_regular
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import make_pointer
from evalmark.validator.reading.strict_json import parse

#: Bytes that are read at once.
_CHUNK = 1 << 18
#: Characters of an element; a longer one is refused, as a damaged one would be read to the end.
MAX_ELEMENT = 1 << 26
_SPACE = " \t\n\r"
_IN_NUMBERS = re.compile(r"[-+.eE0-9]*")
_LENIENT = json.JSONDecoder(strict=False)


def elements(
    path: Path, member: str | None, left_out: Account, others: dict[str, Node]
) -> Iterator[Node]:
    """The elements of the list in a file; the other members of the object are put into ``others``.

    Those after the list are there when all elements have been read. A ConversionError says where
    the file is damaged.
    """
    with open_regular(path) as file:
        yield from _Document(file, path.name, left_out).elements(member, others)


class _Document:
    """The part of a file that is in memory: what is before ``_start`` has been read."""

    def __init__(self, file: BinaryIO, name: str, left_out: Account) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8")()
        self._name = name
        self._left_out = left_out
        self._text = ""
        self._start = 0
        self._line, self._column = 1, 1
        self._ended = False

    def elements(self, member: str | None, others: dict[str, Node]) -> Iterator[Node]:
        if member is None:
            yield from self._list("")
        else:
            self._expect("{")
            is_present = False
            while self._next() != "}":
                key = self._value("").value
                if not isinstance(key, str):
                    self._fail("expected a key in double quotes")
                self._expect(":")
                if key in others or (is_present and key == member):
                    self._fail(f"duplicate key {json.dumps(key)}")
                if key == member:
                    is_present = True
                    yield from self._list(make_pointer((key,)))
                else:
                    others[key] = self._value(make_pointer((key,)))
                self._comma("}")
            self._expect("}")
            if not is_present:
                self._fail(f"`{member}` is missing")
        if self._next():
            self._fail("unexpected text after the JSON value")

    def _list(self, pointer: str) -> Iterator[Node]:
        self._expect("[")
        index = 0
        while self._next() != "]":
            yield self._value(f"{pointer}/{index}")
            self._comma("]")
            index += 1
        self._expect("]")

    def _comma(self, end: str) -> None:
        following = self._next()
        if following == end:
            return
        if following != ",":
            self._fail(f"expected `,` or `{end}`")
        self._advance(self._start + 1)
        if self._next() == end:
            self._fail("remove the comma before it")

    def _expect(self, character: str) -> None:
        if self._next() != character:
            self._fail(f"expected `{character}`")
        self._advance(self._start + 1)

    def _next(self) -> str:
        while True:
            at = self._start
            while at < len(self._text) and self._text[at] in _SPACE:
                at += 1
            self._advance(at)
            if at < len(self._text):
                return self._text[at]
            if not self._fill(_CHUNK):
                return ""

    def _value(self, pointer: str) -> Node:
        self._next()
        size = _CHUNK
        while True:
            try:
                _, end = _LENIENT.raw_decode(self._text, self._start)
            except (ValueError, RecursionError):
                end = None
            # A number at the end of what was read may continue: 0. is 0 until the 5 is there.
            if end is not None:
                number = _IN_NUMBERS.match(self._text, end)
                if self._ended or number is None or number.end() < len(self._text):
                    break
            if len(self._text) - self._start > MAX_ELEMENT or not self._fill(size):
                self._diagnose(self._text[self._start :])
            size *= 2
        text = self._text[self._start : end]
        try:
            data = parse(text)
        except ParseRejected:
            self._diagnose(text)
        origin = Piece(self._name, text, self._line, self._column, pointer, left_out=self._left_out)
        self._advance(end)
        return origin.holding(data) if pointer else Node(data, origin)

    def _fill(self, size: int) -> bool:
        if self._ended:
            return False
        raw = self._file.read(size)
        self._ended = not raw
        try:
            more = self._decode.decode(raw, final=self._ended)
        except UnicodeDecodeError:
            self._fail("not UTF-8 text in what follows")
        self._text = self._text[self._start :] + more
        self._start = 0
        return not self._ended

    def _advance(self, to: int) -> None:
        lines = self._text.count("\n", self._start, to)
        if lines:
            self._line += lines
            self._column = to - self._text.rfind("\n", self._start, to)
        else:
            self._column += to - self._start
        self._start = to

    def _diagnose(self, text: str) -> NoReturn:
        if len(text) > MAX_ELEMENT:
            self._fail(f"a value that does not end within {MAX_ELEMENT >> 20} MiB")
        findings = read(text.encode("utf-8", "surrogatepass"), "x.json").findings
        first = findings[0] if findings else None
        span = first.span if first else None
        if first is None or span is None:
            self._fail("not JSON")
        line = self._line + span.line - 1
        column = span.column + (self._column - 1 if span.line == 1 else 0)
        raise ConversionError(f"{self._name}:{line}:{column}: {first.code} {first.message}")

    def _fail(self, message: str) -> NoReturn:
        raise ConversionError(f"{self._name}:{self._line}:{self._column}: {message}")
