"""The rows of a file of minimal pairs, one after the other: JSON lines, a JSON list, or CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from evalmark.schemas.accepting import acceptor
from evalmark.schemas.backend import Backend
from evalmark.schemas.errors import Rejected
from evalmark.validator.formats.pairs.pair_items import PairItem, item_of
from evalmark.validator.reading.lines import MAX_LINE, lines
from evalmark.validator.reading.reading import read

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
        for number, line, whole in lines(file):
            if whole is not None and line.strip():
                yield number, read(line, path, backend).data if whole else None
    elif path.endswith(tuple(TABLES)):
        table = PairTable(file, path)
        for found in table:
            yield found.line, found.row if found.cells == len(table.header) else None
    else:
        reading = read(file.read(), path, backend)
        if not reading.readable or not isinstance(reading.data, list | dict):
            raise Rejected("not a list of pairs")
        yield from enumerate(reading.data if isinstance(reading.data, list) else [reading.data], 1)


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
