"""Tables with names in their first row: CSV, TSV and Parquet, row by row."""

from __future__ import annotations

import codecs
import csv
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from evalmark.converters.sources.placed_values import Account, Node, Piece
from evalmark.schemas.errors import ConversionError, require
from evalmark.validator.findings.phrasing import counted
from evalmark.validator.io.opening import open_regular, why_too_compressed
from evalmark.validator.reading.lines import MAX_LINE, fault_of_row, lines
from evalmark.validator.reading.work_budget import require_columns

#: Rows that are in memory at once.
_BATCH = 256


def parquet_rows(path: Path, left_out: Account, kind: str = "") -> Iterator[Node]:
    """Each row as an object, whose place is its number; a NotInstalledError without pyarrow."""
    require("pyarrow")
    import pyarrow as pa
    from pyarrow import parquet

    with open_regular(path) as file:
        name, number = path.name, 0
        try:
            table = parquet.ParquetFile(file, pre_buffer=False)
            _require_moderate(table.metadata, os.fstat(file.fileno()).st_size, name)
            for batch in table.iter_batches(batch_size=_BATCH, use_threads=False):
                for row in batch.to_pylist():
                    piece = Piece(name, at=f"/{number}", kind=kind, left_out=left_out)
                    yield piece.holding(row, batch.nbytes // batch.num_rows)
                    number += 1
        except (pa.ArrowException, OSError, ValueError) as error:
            if isinstance(error, ConversionError):
                raise
            reason = str(error).partition("\n")[0]
            at = f"{name}: row {number}"
            raise ConversionError(f"{at}: damaged Parquet file: {reason}") from error


def _require_moderate(metadata: Any, size: int, name: str) -> None:
    groups = map(metadata.row_group, range(metadata.num_row_groups))
    unpacked = sum(
        group.column(number).total_uncompressed_size
        for group in groups
        for number in range(group.num_columns)
    )
    if why := why_too_compressed(size, unpacked):
        raise ConversionError(f"{name}: {why}")


def table_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The place of each row, for messages, and its cells by column; those of CSV are texts.

    A Parquet file needs pyarrow: a NotInstalledError.
    """
    if path.suffix.lower() == ".parquet":
        for number, row in enumerate(parquet_rows(path, Account()), 1):
            yield f"{path.name}: row {number}", row.value
        return
    with open_regular(path) as file:
        yield from _csv_rows(file, path)


def _csv_rows(file: BinaryIO, path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    reader = csv.reader(_texts(file, path.name), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            place, line = f"{path.name}:{line}", reader.line_num + 1
            if not cells:
                continue
            if header is None:
                header = cells
                require_columns(len(header))
                twice = [name for name, count in Counter(cells).items() if count > 1]
                if twice:
                    raise ConversionError(f'{place}: two columns are called "{twice[0]}"')
                continue
            if len(cells) != len(header):
                raise ConversionError(
                    f"{place}: {counted(len(cells), 'cell')} for {counted(len(header), 'column')}"
                )
            yield place, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        why = fault_of_row(error, line, reader.line_num)
        raise ConversionError(f"{path.name}:{reader.line_num}: {why}") from error
    if header is None:
        raise ConversionError(f"{path.name}: the table is empty")


def _texts(file: BinaryIO, name: str) -> Iterator[str]:
    for number, line, whole in lines(file):
        if not whole:
            raise ConversionError(f"{name}:{number}: longer than {MAX_LINE >> 20} MiB")
        try:
            yield (line.removeprefix(codecs.BOM_UTF8) if number == 1 else line).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ConversionError(f"{name}:{number}: not UTF-8 text") from error
