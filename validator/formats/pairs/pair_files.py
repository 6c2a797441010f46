"""The rows of a file of minimal pairs, one after the other: JSON lines, a JSON list, or a table.

Cells of a table are found as values of a JSON object are. Where columns are declared
(``reading/pair_columns.py``), the rows are those of the set that they become.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, BinaryIO, NamedTuple

from evalmark.schemas.backend import Backend, acceptor
from evalmark.schemas.errors import ParseRejected
from evalmark.validator.findings.finding import At, Change, Span
from evalmark.validator.formats.pairs.pair_items import PairItem, item_of
from evalmark.validator.formats.pairs.pair_sets import set_of
from evalmark.validator.reading.lines import MAX_LINE, fault_of_row, lines
from evalmark.validator.reading.other_formats import cells_of
from evalmark.validator.reading.pair_columns import (
    NO_TABLES,
    PRESETS,
    TABLES,
    PairColumns,
    Pairing,
    PairTables,
    RowRejected,
    preset_of,
)
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import Source, parse_pointer
from evalmark.validator.reading.work_budget import MAX_COLUMNS

#: Separators of the cells of a table, besides that of its ending.
_SEPARATORS = (";", "\t", ",")


#: The result of ``set_rows`` for a row without a partner.
ALONE: dict[str, Any] = {}


class PairRow(NamedTuple):
    """A row, and where it is."""

    line: int  # its 1-based line; in a JSON list its 1-based position
    item: PairItem | None  # its view; None if it cannot be read, or is not what the schema wants
    is_alone: bool = False  # has one sentence, and no row has the other; all such rows come last
    # the name of the preset by which it was read; empty if it has the keys of a set
    preset: str = ""


def pair_rows(
    file: BinaryIO, path: str, backend: Backend = Backend.PURE, tables: PairTables = NO_TABLES
) -> Iterator[PairRow]:
    """The rows of a file of pairs, but for blank lines; Rejected if it cannot be read at all."""
    accepts = acceptor("pairs", backend)
    for number, (line, row, preset) in enumerate(set_rows(file, path, backend, tables)):
        item = item_of(row, number, path) if accepts(row) else None
        yield PairRow(line, item, row is ALONE, preset)


def set_rows(
    file: BinaryIO, path: str, backend: Backend = Backend.PURE, tables: PairTables = NO_TABLES
) -> Iterator[tuple[int, Any, str]]:
    """The rows of a file as those of a set; None for one that cannot be read.

    Each has its line before it, and the name of the preset after it; it may be empty. Rows without
    a partner come last, as ``ALONE``.

    Raises:
        Rejected: The file cannot be read.
    """
    columns = tables.columns_for(path)
    if path.endswith(tuple(TABLES)):
        table = PairTable(file, path, tables)
        columns, width = table.columns, len(table.header)
        rows: Iterator[tuple[int, Any]]
        rows = ((entry.line, entry.row if entry.cells == width else None) for entry in table)
    else:
        rows = _rows_of_lines(file, path, backend)
        if not path.endswith(".jsonl"):
            rows = _rows_of_list(file, path, backend)
    pairing: Pairing[int] | None = None
    for number, row in rows:
        if pairing is None and isinstance(row, dict):
            columns = columns_of_row(row, columns)
            pairing = Pairing(columns) if columns else None
        if pairing is None or row is None:
            yield number, row, ""
            continue
        try:
            paired = pairing.add(row, number)
        except RowRejected:
            yield number, None, ""
            continue
        if paired is not None:
            yield min(paired.good, paired.bad), paired.made.row, pairing.columns.name
    yield from ((number, ALONE, "") for number in (pairing.unpaired() if pairing else ()))


def columns_of_row(row: object, declared: PairColumns | None) -> PairColumns | None:
    """The columns by which a row is read: the declared ones if it has them, or a preset's."""
    if not isinstance(row, dict):
        return declared
    if declared is not None and {*declared.needed} <= row.keys():
        return declared
    return None if set_of(row) is not None else declared or preset_of(row)


def _rows_of_list(file: BinaryIO, path: str, backend: Backend) -> Iterator[tuple[int, Any]]:
    reading = read(file.read(), path, backend)
    if not reading.readable or not isinstance(reading.data, list | dict):
        raise ParseRejected("not a list of pairs")
    yield from enumerate(reading.data if isinstance(reading.data, list) else [reading.data], 1)


def _rows_of_lines(file: BinaryIO, path: str, backend: Backend) -> Iterator[tuple[int, Any]]:
    for number, line, whole in lines(file):
        if whole is not None and line.strip():
            yield number, read(line, path, backend).data if whole else None


def columns_of_table(first: str, path: str, tables: PairTables) -> PairColumns | None:
    """The columns of a table by its first line; None if it has none, or those of a set."""
    if columns := tables.columns_for(path):
        return columns
    for preset in PRESETS.values():
        if preset.begins and path.endswith(".txt") and re.match(preset.begins, first):
            return preset
    usual = TABLES[path[path.rindex(".") :]]
    for separator in dict.fromkeys((usual, *_SEPARATORS)):
        header = cells_of(first, separator)
        columns = preset_of(header, "" if separator == usual else separator)
        if columns is not None and set_of(dict.fromkeys(header)) is None:
            return columns
        if separator != usual and (columns or set_of(dict.fromkeys(header)) is not None):
            return columns or PairColumns(separator=separator)
    return None


class TableLine(NamedTuple):
    """A row of a table."""

    line: int  # its first 1-based line
    row: dict[str, str]  # column -> cell; all cells are texts
    cells: int  # how many cells it has; there may be more or fewer than columns
    text: str  # its lines as they are


class PairTable:
    """A table in a text file, read row by row.

    ``header`` has the names of the columns, their numbers if the first line does not have them;
    ``header_text`` has the lines with them, empty if there are none.
    """

    def __init__(self, file: BinaryIO, path: str, tables: PairTables = NO_TABLES) -> None:
        """Read the header; ``ParseRejected`` if it is not UTF-8, or a quote is never closed."""
        # how its rows are pairs; None if it has the columns of a set
        self.columns = columns_of_table(_first_line(file), path, tables)
        usual = next((d for end, d in TABLES.items() if path.endswith(end)), ",")
        self.delimiter = (self.columns.separator if self.columns else "") or usual
        self.line = 0
        self._file = file
        self._lines: list[str] = []
        self._rows = csv.reader(
            self._kept(),
            delimiter=self.delimiter,
            strict=True,
            quoting=csv.QUOTE_NONE if path.endswith(".txt") else csv.QUOTE_MINIMAL,
        )
        cells: list[str] = next(self._read(), [])
        self._cells: list[str] = []
        self.header, self.header_text = cells, "".join(self._lines)
        if self.columns is not None and not self.columns.has_header:
            self.header, self.header_text = [f"#{n}" for n, _ in enumerate(cells, 1)], ""
            self._cells = cells

    def _kept(self) -> Iterator[str]:
        while raw := self._file.readline(MAX_LINE):
            self.line += 1
            if len(raw) == MAX_LINE:
                raise ParseRejected(f"line is longer than {MAX_LINE >> 20} MiB")
            line = raw.decode("utf-8-sig" if self.line == 1 else "utf-8")
            self._lines.append(line)
            yield line

    def _read(self) -> Iterator[list[str]]:
        try:
            for cells in self._rows:
                if len(cells) > MAX_COLUMNS:
                    raise ParseRejected(f"more than {MAX_COLUMNS:,} columns")
                if cells:
                    yield cells
                self._lines.clear()
        except csv.Error as error:
            if any("\r" in line.rstrip("\r\n") for line in self._lines[-1:]):
                raise ParseRejected("lines end in carriage returns; expected line feeds") from error
            why = fault_of_row(error, self.line - len(self._lines) + 1, self.line)
            raise ParseRejected(f"not a table: {why}") from error
        except UnicodeDecodeError as error:
            raise ParseRejected(f"not UTF-8: {error.reason}") from error

    def __iter__(self) -> Iterator[TableLine]:
        """The rows; ``ParseRejected`` if one is not UTF-8, or a quote is never closed."""
        if self._cells:
            yield self._table_line(self._cells)
        self._lines.clear()
        for cells in self._read():
            yield self._table_line(cells)

    def _table_line(self, cells: list[str]) -> TableLine:
        text = "".join(self._lines)
        row = dict(zip(self.header, cells, strict=False))
        return TableLine(self.line - len(self._lines) + 1, row, len(cells), text)


class NotEdited:
    """Places that no fix edits."""

    def edit_of(self, _: Change) -> None:
        """None."""


@dataclass(frozen=True)
class TableRow(NotEdited):
    """The text of a row; lines are counted from its first."""

    path: str
    text: str  # the lines of the row
    table: PairTable

    @cached_property
    def _source(self) -> Source:
        return Source(self.path, self.text)

    @cached_property
    def _cells(self) -> list[tuple[int, int]]:
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

    def span_of(self, at: At) -> Span | None:
        """Span of a cell or of characters in it; of the whole row for the root.

        A column has a name in the first line only.
        """
        cell = self._cell(at.pointer)
        if at.key or at.start is None or at.end is None:
            return self._source.span(*(cell or (0, len(self.text.rstrip("\r\n")))))
        if cell is None:
            return None
        text = self.text[cell[0] : cell[1]]
        offsets = list(range(len(text)))
        if text[:1] == '"':
            inner = text[1:-1]
            offsets = [1 + n for n, c in enumerate(inner) if c != '"' or n in _second(inner)]
        offsets.append(offsets[-1] + 1 if offsets else 0)
        places = (cell[0] + offsets[min(n, len(offsets) - 1)] for n in (at.start, at.end))
        return self._source.span(*places)


def _first_line(file: BinaryIO) -> str:
    """The first line of a file; rewinds it."""
    place = file.tell()
    first = file.readline(MAX_LINE).decode("utf-8-sig", "replace")
    file.seek(place)
    return first.partition("\n")[0].partition("\r")[0]


def _second(text: str) -> set[int]:
    """Places of the second of two quotes, which stand for one."""
    places, at = set(), text.find('""')
    while at >= 0:
        places.add(at + 1)
        at = text.find('""', at + 2)
    return places


def header_of(file: BinaryIO, path: str) -> list[str]:
    """The names of the columns of a table, whatever its other lines are. Rewinds the file."""
    try:
        header = PairTable(file, path).header
    except ParseRejected:
        file.seek(0)
        header = cells_of(_first_line(file), TABLES[path[path.rindex(".") :]])
    file.seek(0)
    return header


def is_declared(file: BinaryIO, path: str, tables: PairTables) -> bool:
    """True if the rows of a table are pairs by declared columns, or a preset. Rewinds the file."""
    return columns_of_table(_first_line(file), path, tables) is not None
