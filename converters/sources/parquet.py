"""Rows of a Parquet file, a few in memory at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalmark.converters.sources.placed_values import Account, Node, Piece
from evalmark.schemas.errors import ConversionError, require
from evalmark.validator.io.opening import open_regular, why_too_compressed

#: Rows that are in memory at once.
_BATCH = 256


def parquet_rows(path: Path, left_out: Account, kind: str = "") -> Iterator[Node]:
    """Each row as an object; its place is its number.

    Raises:
        ConversionError: The file is damaged, or holds far more than its size.
        NotInstalledError: pyarrow is not installed.
        OSError: The file cannot be read.
    """
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
    """Refuse a file that holds far more than its size.

    Raises:
        ConversionError: It does.
    """
    groups = map(metadata.row_group, range(metadata.num_row_groups))
    unpacked = sum(
        group.column(number).total_uncompressed_size
        for group in groups
        for number in range(group.num_columns)
    )
    if why := why_too_compressed(size, unpacked):
        raise ConversionError(f"{name}: {why}")
