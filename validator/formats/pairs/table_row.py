"""One row of a table, in which cells are found as values of a JSON object are."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO

from evalmark.schemas.errors import Rejected
from evalmark.validator.findings.finding import Finding, Span
from evalmark.validator.findings.hit import At, Hit, locate
from evalmark.validator.formats.pairs.pair_files import PairTable, TableLine
from evalmark.validator.formats.pairs.pair_rule_table import PAIR_SHAPES
from evalmark.validator.reading.pointer import parse_pointer
from evalmark.validator.reading.source import Source


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


def odd_cells(found: TableLine, table: PairTable, path: str) -> Finding:
    """The finding for a row with more or fewer cells than the table has columns."""
    count, columns = found.cells, len(table.header)
    hit = Hit(
        f"row has {count} cell{'s' if count != 1 else ''}, but the table has {columns} columns",
        At(""),
        helps=("write the cells that contain the delimiter in quotes",) if count > columns else (),
        fold="cells",
    )
    return locate(hit, PAIR_SHAPES["wrong-form"], path, TableRow(path, found.text, table))


def header_of(file: BinaryIO, path: str) -> list[str]:
    """The names of the columns of a table; none if it cannot be read. Rewinds the file."""
    header = []
    with suppress(Rejected):
        header = PairTable(file, path).header
    file.seek(0)
    return header
