"""The table ``results``, written again from its former rows and new ones."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
from evalmark.leaderboard.columns import RESULTS, arrow_schema
from evalmark.leaderboard.identity import NAMES, NUMBERS, Name, NumberedNames, listed_names
from evalmark.leaderboard.ingest.flatten import OF_RECORD, FlatRecord
from evalmark.leaderboard.ingest.ingest_file import Content
from evalmark.leaderboard.ingest.manifest import Found, KnownFile
from evalmark.leaderboard.ingest.parquet_files import (
    GROUP,
    RowStream,
    SpooledRows,
    as_parquet,
    coded_array,
    metadata_of,
    whole_numbers,
    with_dictionaries,
)
from evalmark.validator.io.writing import write_atomically

#: Columns that are made when the table is written: other files can change them.
LATE = ("verdict", "codes")
#: Rows that are put aside together.
PIECE = 1 << 13


def early_schema() -> Any:
    """The columns of ``results`` that are not late, as a ``pyarrow.Schema``."""
    return pa.schema([field for field in arrow_schema() if field.name not in LATE])


class NewRows:
    """Rows of files that were just read, in the order of the files.

    Attributes:
        names: The models and benchmarks that the numbers in these rows stand for.
        counts: File -> its rows.
    """

    def __init__(self) -> None:
        self.names = NumberedNames()
        self.counts: dict[str, int] = {}
        self._schema: Any = None
        self._rows: SpooledRows | None = None
        self._same: dict[str, list[Any]] = {name: [] for name in (*OF_RECORD, "file", "digest")}
        columns = (name for name in RESULTS if name not in LATE and name not in self._same)
        self._each: dict[str, list[Any]] = {name: [] for name in columns}
        #: For each row, the number of its record.
        self._records = array("i")

    def add(self, flat: FlatRecord, file: str, digest: str | None) -> None:
        """Add the results of a record."""
        self.counts[file] = flat.rows
        same = {**flat.same, "file": file, "digest": digest}
        each = {**flat.each, **dict(self.names.numbers(flat.same, flat.each, flat.rows))}
        self._records.extend([len(self._same["file"])] * flat.rows)
        for name, values in self._same.items():
            values.append(same[name])
        for name, values in self._each.items():
            values += each[name]
        if len(self._records) >= PIECE:
            self._put_aside()

    def _put_aside(self) -> None:
        if self._rows is None:
            self._schema = with_dictionaries(early_schema())
            self._rows = SpooledRows(self._schema)
        records = whole_numbers(self._records)
        arrays = [
            coded_array(self._same[field.name], field.type).take(records)
            if field.name in self._same
            else coded_array(self._each[field.name], field.type)
            for field in self._schema
        ]
        self._rows.add(pa.record_batch(arrays, schema=self._schema))
        for values in (*self._same.values(), *self._each.values()):
            values.clear()
        self._records = array("i")

    def batches(self) -> Iterator[Any]:
        """All rows, with texts as dictionaries; none can be added afterwards."""
        if self._records:
            self._put_aside()
        if self._rows is not None:
            yield from self._rows.batches()


def write_results(
    path: Path,
    before: Found,
    rows: Sequence[KnownFile],
    new: Collection[str],
    added: NewRows,
    metadata: Mapping[str, str],
) -> Content:
    """Write the table.

    Args:
        path: Where.
        before: The former content of the store.
        rows: The files that it will hold, in order.
        new: Those whose rows are in ``added``.
        added: Rows of files that were just read.
        metadata: The metadata of the table.
    """
    schema = arrow_schema()
    order = array("i")
    for number, row in enumerate(rows):
        order.extend([number] * row.results)
    verdicts = pa.array([row.verdict for row in rows], schema.field("verdict").type)
    codes = pa.array([list(row.codes) for row in rows], schema.field("codes").type)
    names = Renumbering()

    def late(first: int, table: pa.Table) -> dict[str, Any]:
        numbers = whole_numbers(order[first : first + table.num_rows])
        columns = dict(zip(LATE, (verdicts.take(numbers), codes.take(numbers)), strict=True))
        return {**columns, **names.in_order(table)}

    batches = _in_order(path, before, rows, new, added, names)
    content, digest = as_parquet(
        RESULTS, batches, metadata, late, lambda: {NAMES: names.final.as_text()}
    )
    write_atomically(path, content)
    return Content(digest, content.size, None)


class Renumbering:
    """Names that are numbered in the order of rows, whatever their numbers were before.

    Attributes:
        final: Those that rows have.
    """

    def __init__(self) -> None:
        self._all, self.final = NumberedNames(), NumberedNames()

    def together(
        self, batches: Iterable[Any], listed: Mapping[str, Sequence[Name]]
    ) -> Iterator[Any]:
        """Record batches with numbers that mean the same in all batches."""
        schema = None
        numbers = {
            NUMBERS[entity]: [self._all.number(entity, name) for name in listed[entity]]
            for entity in NUMBERS
        }
        arrays = {
            column: pa.array(renumbered, pa.int32()) for column, renumbered in numbers.items()
        }
        for batch in batches:
            schema = schema or batch.schema
            columns = dict(zip(schema.names, batch.columns, strict=True))
            for column, renumbered in arrays.items():
                columns[column] = renumbered.take(columns[column])
            yield pa.record_batch([*columns.values()], schema=schema)

    def in_order(self, table: pa.Table) -> dict[str, Any]:
        """The final numbers of the next rows."""
        columns = {}
        for entity, column in NUMBERS.items():
            listed, numbers = self._all.listed[entity], table.column(column).combine_chunks()
            coded = numbers.dictionary_encode()
            final = [self.final.number(entity, listed[n]) for n in coded.dictionary.to_pylist()]
            columns[column] = pa.array(final, pa.int32()).take(coded.indices)
        return columns


def _in_order(
    path: Path,
    before: Found,
    rows: Sequence[KnownFile],
    new: Collection[str],
    added: NewRows,
    names: Renumbering,
) -> Iterator[Any]:
    """The rows of all files as record batches without late columns."""
    kept = {row.file for row in rows if row.file not in new and row.results}
    former = RowStream(_kept(path, before, kept, names))
    latest = RowStream(names.together(added.batches(), added.names.listed))
    for (is_new, is_there), files in groupby(rows, lambda r: (r.file in new, bool(r.results))):
        if is_there:
            yield from (latest if is_new else former).take(sum(row.results for row in files))
        elif is_new:  # what is left out because of other files was read nevertheless
            latest.skip(sum(added.counts.get(row.file, 0) for row in files))


def _kept(path: Path, before: Found, kept: Collection[str], names: Renumbering) -> Iterator[Any]:
    """The former rows of the files that are kept."""
    from pyarrow import parquet

    if before.table is None:
        return
    schema = early_schema()
    texts = [field.name for field in schema if field.type == pa.string()]
    former_names = listed_names(metadata_of(path)[NAMES])
    # A file on disk is read as fast without buffers that are filled ahead, and with less memory.
    with parquet.ParquetFile(path, read_dictionary=texts, pre_buffer=False) as table:
        batches = table.iter_batches(GROUP, columns=schema.names)
        former = RowStream(names.together(batches, former_names))
        for is_kept, files in groupby(before.files.values(), lambda row: row.file in kept):
            count = sum(row.results for row in files)
            if is_kept:
                yield from former.take(count)
            else:
                former.skip(count)
