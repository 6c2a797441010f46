"""The exported tables of a run: columns with their types, written as CSV and Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from evalmark.schemas.errors import require
from evalmark.validator.io.writing import Spool, text_cell, write_atomically

TABLES = ("regions.csv", "pairs.csv", "tokens.csv", "effects.csv")
PARQUET = ".parquet"

#: Rows of a CSV that are in memory at once, and those of a row group of a Parquet file.
ROWS_AT_ONCE, ROWS_OF_A_GROUP = 4096, 1 << 16


class OptionalInt(int):
    """An integer that can be missing."""


#: Column -> its type; a float can be missing.
Columns = Mapping[str, type]
#: Columns of ``regions.csv``: a row for each region of each sentence.
REGION_COLUMNS: Columns = {
    "model": str, "suite": str, "metric": str, "item": int, "condition": str, "region": int,
    "region_name": str, "content": str, "tokens": int, "value": float,
}  # fmt: skip
#: Columns of ``tokens.csv``: a row for each token of each sentence.
TOKEN_COLUMNS: Columns = {
    "suite": str, "item": int, "condition": str, "region": int, "position": int, "token": str,
    "id": OptionalInt, "surprisal": float,
}  # fmt: skip
#: Columns of ``effects.csv``: a row for each comparison of each prediction and item.
EFFECT_COLUMNS: Columns = {
    "suite": str, "prediction": str, "comparison": int, "item": int, "left": float,
    "right": float, "margin": float,
}  # fmt: skip
#: Columns of ``pairs.csv``: a row for each text of each contest; the right one is side 0.
PAIR_COLUMNS: Columns = {
    "model": str, "set": str, "uid": str, "item": str, "side": int, "context": str, "text": str,
    "tokens": int, "surprisal": float, "score": float, "method": str, "outcome": str,
}  # fmt: skip
#: Columns of ``tokens.csv`` of minimal pairs: a row for each token of each text.
PAIR_TOKEN_COLUMNS: Columns = {
    "set": str, "uid": str, "item": str, "side": int, "position": int, "token": str,
    "id": OptionalInt, "surprisal": float,
}  # fmt: skip
#: Columns of ``effects.csv`` of minimal pairs: a row for each contest.
CONTEST_COLUMNS: Columns = {
    "set": str, "uid": str, "item": str, "file": str, "field": str, "term": str, "language": str,
    "method": str, "outcome": str, "right_surprisal": float, "wrong_surprisal": float,
    "difference": float, "margin": float,
}  # fmt: skip
#: Type -> its name in pyarrow.
_ARROW = {str: "string", int: "int64", OptionalInt: "int64", float: "float64", bool: "bool_"}

Row = TypeVar("Row")


class RunTable(NamedTuple):
    """A table of a run: the name of its CSV, its columns, and its rows, once for each format."""

    name: str
    columns: Columns
    rows: Callable[[], Iterable[Sequence[object]]]


def write_table_files(folder: Path, table: RunTable, *, parquet: bool) -> list[Path]:
    """Write a table as CSV, and as Parquet as well if wanted.

    Raises:
        NotInstalledError: pyarrow is not installed.
        OSError: A file cannot be written.
    """
    path = folder / table.name
    spool = Spool()
    for piece in _csv_pieces(table.columns, table.rows()):
        spool.add(piece.encode("utf-8"))
    write_atomically(path, spool)
    if not parquet:
        return [path]
    typed = path.with_suffix(PARQUET)
    write_atomically(typed, _parquet(table.columns, table.rows()))
    return [path, typed]


def _parquet(columns: Columns, rows: Iterable[Sequence[object]]) -> bytes:
    """A Parquet file. Its columns have their types also where all values are missing."""
    require("pyarrow")
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([(name, getattr(pa, _ARROW[kind])()) for name, kind in columns.items()])
    stream = io.BytesIO()
    with parquet.ParquetWriter(stream, schema) as writer:
        for batch in _batches(rows, ROWS_OF_A_GROUP):
            cells = [list(column) for column in zip(*batch, strict=True)]
            writer.write_table(pa.table(cells, schema=schema))
    return stream.getvalue()


def _batches(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    remaining = iter(rows)
    while batch := list(islice(remaining, size)):
        yield batch


def _csv_pieces(columns: Iterable[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Rows as CSV with a header, some at a time."""
    lines: list[str] = []
    # Lines end with ``\n``; the writer only quotes a carriage return if its own lines have one.
    writer = csv.writer(_LineList(lines), lineterminator="\r\n")
    for batch in _batches(chain([list(columns)], rows), ROWS_AT_ONCE):
        writer.writerows(
            [text_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in batch
        )
        yield "".join(f"{line[:-2]}\n" for line in lines)
        lines.clear()


@dataclass(frozen=True, slots=True)
class _LineList:
    """A file for a CSV writer: a list of what it writes, line by line."""

    lines: list[str]

    def write(self, line: str) -> None:
        self.lines.append(line)
