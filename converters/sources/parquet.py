"""Rows of a Parquet file, a few in memory at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from evalmark.converters.sources.node import Node, Piece
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.extras import require
from evalmark.validator.edge.opening import open_regular

#: Rows that are in memory at once.
_BATCH = 256


def parquet_rows(path: Path, name: str, left_out: Counter[str], kind: str = "") -> Iterator[Node]:
    """Each row as an object; its place is its number.

    Raises:
        ConversionError: The file is damaged.
        NotInstalledError: pyarrow is not installed.
        OSError: The file cannot be read.
    """
    require("pyarrow")
    import pyarrow as pa
    from pyarrow import parquet

    with open_regular(path) as file:
        number = 0
        try:
            for batch in parquet.ParquetFile(file, pre_buffer=False).iter_batches(
                batch_size=_BATCH, use_threads=False
            ):
                for row in batch.to_pylist():
                    piece = Piece(name, at=f"/{number}", kind=kind, left_out=left_out)
                    yield Node(row, piece)
                    number += 1
        except (pa.ArrowException, OSError, ValueError) as error:
            if isinstance(error, ConversionError):
                raise
            reason = str(error).partition("\n")[0]
            at = f"{name}: row {number}"
            raise ConversionError(f"{at}: damaged Parquet file: {reason}") from error
