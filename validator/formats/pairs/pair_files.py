"""The rows of a file of minimal pairs, one after the other: JSON lines, a JSON list, or a table.

Cells of a table are found as values of a JSON object are.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, BinaryIO, NamedTuple

from evalmark.schemas.backend import Backend, acceptor
from evalmark.schemas.errors import Rejected
from evalmark.validator.findings.finding import Span
from evalmark.validator.formats.pairs.pair_items import PairItem, item_of
from evalmark.validator.reading.lines import MAX_LINE, lines
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import Source, parse_pointer

#: Ending of a table -> what separates its cells.
TABLES = {".csv": ",", ".tsv": "\t"}


class PairRow(NamedTuple):
    """A row, and where it is.

    Attributes:
        line: Its 1-based line; in a JSON list its 1-based position.
        item: Its view; None if it cannot be read, or is not what the schema wants.
    """

    line: int
    item: PairItem | None


def pair_rows(file: BinaryIO, path: str, backend: Backend = Backend.PURE) -> Iterator[PairRow]:
    """Read a file that ``check`` has found to be of pairs; blank lines are skipped.

    Raises:
        Rejected: It is a list or a table that cannot be read at all.
    """
    accepts = acceptor("pairs", backend)
    for number, (line, row) in enumerate(_rows(file, path, backend)):
        item = item_of(row, number, path) if accepts(row) else None
        yield PairRow(line, item)


def _rows(file: BinaryIO, path: str, backend: Backend) -> Iterator[tuple[int, Any]]:
    if path.endswith(".jsonl"):
        return _rows_of_lines(file, path, backend)
    if path.endswith(tuple(TABLES)):
        table = PairTable(file, path)
        columns = len(table.header)
        return ((entry.line, entry.row if entry.cells == columns else None) for entry in table)
    reading = read(file.read(), path, backend)
    if not reading.readable or not isinstance(reading.data, list | dict):
        raise Rejected("not a list of pairs")
    return enumerate(reading.data if isinstance(reading.data, list) else [reading.data], 1)


def _rows_of_lines(file: BinaryIO, path: str, backend: Backend) -> Iterator[tuple[int, Any]]:
    for number, line, whole in lines(file):
        if whole is not None and line.strip():
            yield number, read(line, path, backend).data if whole else None


class TableLine(NamedTuple):
    """A row of a table.

    Attributes:
        line: Its first 1-based line.
        row: Column -> cell; all cells are texts.
        cells: How many cells it has; there may be more or fewer than columns.
        text: Its lines as they are.
    """

    line: int
    row: dict[str, str]
    cells: int
    text: str


class PairTable:
    """A table in a text file, read row by row.

    Attributes:
        delimiter: What separates cells.
        line: The line that was read last.
        header: The names of the columns.
        header_text: The lines that have them.
    """

    def __init__(self, file: BinaryIO, path: str) -> None:
        """Read the header.

        Raises:
            Rejected: It is not UTF-8, or a quote is never closed.
        """
        self.delimiter = next((d for end, d in TABLES.items() if path.endswith(end)), ",")
        self.line = 0
        self._file = file
        self._lines: list[str] = []
        self._rows = csv.reader(self._kept(), delimiter=self.delimiter, strict=True)
        self.header: list[str] = next(self._read(), [])
        self.header_text = "".join(self._lines)

    def _kept(self) -> Iterator[str]:
        while raw := self._file.readline(MAX_LINE):
            self.line += 1
            if len(raw) == MAX_LINE:
                raise Rejected(f"line is longer than {MAX_LINE >> 20} MiB")
            line = raw.decode("utf-8-sig" if self.line == 1 else "utf-8")
            self._lines.append(line)
            yield line

    def _read(self) -> Iterator[list[str]]:
        try:
            for cells in self._rows:
                if cells:
                    yield cells
                self._lines.clear()
        except csv.Error as error:
            raise Rejected(f"not a table: {error}") from error
        except UnicodeDecodeError as error:
            raise Rejected(f"not UTF-8: {error.reason}") from error

    def __iter__(self) -> Iterator[TableLine]:
        """The rows.

        Raises:
            Rejected: It is not UTF-8, or a quote is never closed.
        """
        self._lines.clear()
        for cells in self._read():
            text, row = "".join(self._lines), dict(zip(self.header, cells, strict=False))
            yield TableLine(self.line - len(self._lines) + 1, row, len(cells), text)


@dataclass(frozen=True)
class TableRow:
    """The text of a row; lines are counted from its first.

    Attributes:
        path: The table.
        text: The lines of the row.
        table: The table.
    """

    path: str
    text: str
    table: PairTable

    @cached_property
    def _source(self) -> Source:
        return Source(self.path, self.text)

    @cached_property
    def _cells(self) -> list[tuple[int, int]]:
        """Start and end of each cell, quotes included."""
        cells, start, quoted = [], 0, False
        end = len(self.text.rstrip("\r\n"))
        for at, character in enumerate(self.text[:end]):
            if character == '"':
                quoted = not quoted
            elif character == self.table.delimiter and not quoted:
                cells.append((start, at))
                start = at + 1
        return [*cells, (start, end)]

    def _cell(self, pointer: str) -> tuple[int, int] | None:
        key = parse_pointer(pointer)[:1]
        if not key or key[0] not in self.table.header:
            return None
        column = self.table.header.index(key[0])
        return self._cells[column] if column < len(self._cells) else None

    def value_span(self, pointer: str) -> Span | None:
        """Span of a cell; of the whole row for the root."""
        cell = self._cell(pointer) or (0, len(self.text.rstrip("\r\n")))
        return self._source.span(*cell)

    def key_span(self, pointer: str) -> Span | None:
        """Span of a cell: its column has a name in the first line only."""
        return self.value_span(pointer)

    def string_span(self, pointer: str, start: int, end: int) -> Span | None:
        """Span of characters of a cell."""
        cell = self._cell(pointer)
        if cell is None:
            return None
        text = self.text[cell[0] : cell[1]]
        offsets = list(range(len(text)))
        if text[:1] == '"':
            inner = text[1:-1]
            offsets = [1 + at for at, c in enumerate(inner) if c != '"' or at in _second(inner)]
        offsets.append(offsets[-1] + 1 if offsets else 0)
        places = (cell[0] + offsets[min(at, len(offsets) - 1)] for at in (start, end))
        return self._source.span(*places)

    def string_edit(self, *_: object) -> None:
        """Tables are not edited."""

    def value_edit(self, *_: object) -> None:
        """Tables are not edited."""

    def removal(self, *_: object) -> None:
        """Tables are not edited."""


def _second(text: str) -> set[int]:
    """Places of the second of two quotes, which stand for one."""
    places, at = set(), text.find('""')
    while at >= 0:
        places.add(at + 1)
        at = text.find('""', at + 2)
    return places


def header_of(file: BinaryIO, path: str) -> list[str]:
    """The names of the columns of a table; none if it cannot be read. Rewinds the file."""
    header = []
    with suppress(Rejected):
        header = PairTable(file, path).header
    file.seek(0)
    return header
