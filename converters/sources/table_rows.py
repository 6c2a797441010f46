"""Tables with names in their first row: CSV, TSV and Parquet, row by row."""

from __future__ import annotations

import codecs
import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from evalmark.converters.sources.parquet import parquet_rows
from evalmark.converters.sources.placed_values import Account
from evalmark.schemas.errors import ConversionError
from evalmark.validator.io.opening import open_regular
from evalmark.validator.reading.lines import MAX_LINE, lines
from evalmark.validator.reading.work_budget import require_columns


def table_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The place of each row, for messages, and its cells by column; those of CSV are texts.

    Raises:
        ConversionError: The table is damaged.
        NotInstalledError: It is a Parquet file, and pyarrow is not installed.
        OSError: It cannot be read.
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
                raise ConversionError(f"{place}: {len(cells)} cells for {len(header)} columns")
            yield place, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise ConversionError(f"{path.name}:{reader.line_num}: {error}") from error
    if header is None:
        raise ConversionError(f"{path.name}: the table is empty")


def _texts(file: BinaryIO, name: str) -> Iterator[str]:
    """The lines of a file, without a byte order mark."""
    for number, line, whole in lines(file):
        if not whole:
            raise ConversionError(f"{name}:{number}: longer than {MAX_LINE >> 20} MiB")
        try:
            yield (line.removeprefix(codecs.BOM_UTF8) if number == 1 else line).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ConversionError(f"{name}:{number}: not UTF-8 text") from error
