"""Parquet files whose bytes depend on their rows alone, written in bounded memory."""

from __future__ import annotations

import hashlib
import io
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pyarrow as pa
from evalmark.leaderboard.columns import StoreColumn, arrow_schema
from evalmark.leaderboard.identity import encodable
from evalmark.validator.io.redaction import LIKELY, redacted
from evalmark.validator.io.writing import Spool


class SpoolFile(io.RawIOBase):
    """A spool as a file: bytes are added at its end, and read from its beginning."""

    def __init__(self, spool: Spool) -> None:
        self.spool, self._at = spool, 0

    def writable(self) -> bool:
        """Yes."""
        return True

    def readable(self) -> bool:
        """Yes."""
        return True

    def write(self, piece: Any) -> int:
        """Add bytes at the end."""
        self.spool.add(bytes(piece))
        return len(piece)

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        left = self.spool.size - self._at
        content = self.spool.read(self._at, left if size < 0 else min(size, left))
        self._at += len(content)
        return content

    def tell(self) -> int:
        """The number of bytes."""
        return self.spool.size


class SpooledRows:
    """Record batches that are put aside, and given back in the same order."""

    def __init__(self, schema: Any) -> None:
        self._schema, self._spool = schema, Spool()
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        self._writer = pa.ipc.new_stream(SpoolFile(self._spool), schema, options=options)

    def add(self, batch: Any) -> None:
        """Put a record batch aside."""
        self._writer.write_batch(batch)

    def batches(self) -> Iterator[Any]:
        """All of them; none can be added afterwards."""
        self._writer.close()
        with pa.ipc.open_stream(SpoolFile(self._spool)) as reader:
            yield from reader


class RowStream:
    """Rows that are taken from the beginning of a stream of record batches."""

    def __init__(self, batches: Iterator[Any]) -> None:
        self._batches = batches
        self._left: Any = None

    def take(self, count: int) -> Iterator[Any]:
        """The next ``count`` rows, as record batches."""
        while count > 0:
            if self._left is None or not self._left.num_rows:
                self._left = next(self._batches)
            piece = self._left.slice(0, count)
            self._left = self._left.slice(piece.num_rows)
            count -= piece.num_rows
            yield piece

    def skip(self, count: int) -> None:
        """Leave out the next ``count`` rows."""
        for _ in self.take(count):
            pass


#: Rows of a row group.
GROUP = 1 << 16


def as_parquet(
    columns: dict[str, StoreColumn],
    batches: Iterable[Any],
    metadata: Mapping[str, str],
    late: Callable[[int, Any], Mapping[str, Any]] | None = None,
    at_end: Callable[[], Mapping[str, str]] = dict,
) -> tuple[Spool, str]:
    """Rows as the content of a Parquet file, with its SHA-256.

    Args:
        columns: The columns of the table.
        batches: Record batches with the columns that are not late.
        metadata: The metadata of the file.
        late: Number of the first row, and rows -> arrays of the columns that these lack.
        at_end: Further metadata, which is known when all rows are written.
    """
    from pyarrow import parquet

    schema, spool, rows = with_dictionaries(arrow_schema(columns)), Spool(), 0
    written: Future[None] | None = None
    with (
        parquet.ParquetWriter(
            SpoolFile(spool), schema, compression="zstd", store_schema=False
        ) as writer,
        ThreadPoolExecutor(1) as thread,  # a group is written while the next is prepared
    ):
        for table in _groups(batches):
            added = late(rows, table) if late else {}
            arrays = [added[n] if n in added else table.column(n) for n in schema.names]
            for at, field in enumerate(schema):
                if pa.types.is_dictionary(field.type):
                    arrays[at] = _in_order(arrays[at])
            if written:
                written.result()
            table = pa.table(arrays, schema=schema)
            written = thread.submit(writer.write_table, table, row_group_size=GROUP)
            rows += table.num_rows
        if written:
            written.result()
        writer.add_key_value_metadata({**metadata, **at_end()})
    digest = hashlib.sha256()
    for piece in spool:
        digest.update(piece)
    return spool, digest.hexdigest()


def with_dictionaries(schema: Any) -> Any:
    """A schema whose texts are dictionaries, which are written much faster."""
    coded = pa.dictionary(pa.int32(), pa.string())
    return pa.schema([f.with_type(coded) if f.type == pa.string() else f for f in schema])


def _in_order(column: Any) -> Any:
    """A column of texts as a dictionary in the order of the rows, whichever it has had."""
    from pyarrow import compute

    if column.null_count == len(column):
        return pa.nulls(len(column), column.type)
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    places: dict[tuple[int, ...], int] = {}
    dictionaries, numbers, count = [], [], 0
    for chunk in chunks:
        array = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
        texts = array.dictionary
        # Rows that are kept come in many pieces of the same dictionary.
        which = (len(texts), texts.offset, *(b.address for b in texts.buffers() if b is not None))
        if which not in places:
            places[which] = count
            dictionaries.append(texts)
            count += len(texts)
        numbers.append(compute.add(array.indices, pa.scalar(places[which], pa.int32())))
    texts, codes = pa.concat_arrays(dictionaries), pa.concat_arrays(numbers)
    if len(dictionaries) > 1:
        together = texts.dictionary_encode()
        texts, codes = together.dictionary, together.indices.take(codes)
    used = codes.dictionary_encode()
    return pa.DictionaryArray.from_arrays(used.indices, texts.take(used.dictionary))


def _groups(batches: Iterable[Any]) -> Iterator[Any]:
    """The rows in groups of a fixed size, whatever the sizes of the batches."""
    waiting: list[Any] = []
    count = 0
    for batch in batches:
        waiting.append(batch)
        count += batch.num_rows
        if count >= GROUP:
            table = pa.Table.from_batches(waiting)
            whole = count - count % GROUP
            for at in range(0, whole, GROUP):
                yield table.slice(at, GROUP)
            waiting, count = table.slice(whole).to_batches(), count - whole
    if count:
        yield pa.Table.from_batches(waiting)


def metadata_of(file: Any) -> dict[str, str]:
    """The metadata of a Parquet file; empty if it is another file."""
    from pyarrow import parquet

    try:
        metadata = parquet.read_metadata(file).metadata or {}
        return {key.decode(): value.decode() for key, value in metadata.items()}
    except (pa.ArrowException, UnicodeDecodeError, OSError):
        return {}


def small_table(content: bytes) -> Any:
    """A table that fits in memory; None if these are not the bytes of one."""
    from pyarrow import parquet

    try:
        return parquet.ParquetFile(io.BytesIO(content)).read()  # loads less than `read_table`
    except (pa.ArrowException, OSError):
        return None


def array_of(values: Sequence[Any], type_: Any) -> Any:
    """Values as an Arrow array; a text with half a surrogate pair, which JSON can hold, too.

    Secrets in texts are left out: no table of a store has any.
    """
    try:
        return without_secrets(pa.array(values, type_))
    except UnicodeEncodeError:
        texts = [None if v is None else encodable(v) for v in values]
        return without_secrets(pa.array(texts, type_))


def without_secrets(column: Any) -> Any:
    """A column of a table, in which texts have no secrets."""
    from pyarrow import compute

    if column.type != pa.string() or not any(
        compute.match_substring_regex(column, "|".join(LIKELY)).to_pylist()
    ):
        return column
    return pa.array([text and redacted(text) for text in column.to_pylist()], column.type)


def whole_numbers(numbers: array[int]) -> Any:
    """Numbers of 32 bits as an Arrow array, which shares their memory."""
    return pa.Array.from_buffers(pa.int32(), len(numbers), [None, pa.py_buffer(numbers)])


def coded_array(values: Sequence[Any], type_: Any) -> Any:
    """Values as an Arrow array of a type, which may be a dictionary of texts."""
    if not pa.types.is_dictionary(type_):
        return array_of(values, type_)
    return array_of(values, type_.value_type).dictionary_encode()
