"""Tables as files, CSV or Parquet: how they are written, and how a table of results is read."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalmark.leaderboard.flatten import clean
from evalmark.leaderboard.names import is_benchmark_key
from evalmark.leaderboard.result_columns import RESULTS, ResultRow, TableColumn
from evalmark.schemas.errors import NotInstalledError, UsageError
from evalmark.validator.io.escaping import is_computed, text_cell
from evalmark.validator.io.opening import open_regular
from evalmark.validator.io.writing import Spool, remove_stale_temp_files, write_atomically

if TYPE_CHECKING:
    from pyarrow import Schema


Row = Sequence[str | float | int | bool | None]
#: Rows of a group of a Parquet file.
_GROUP = 1 << 14
#: The endings of tables.
CSV, PARQUET = ".csv", ".parquet"


def is_table(path: str | os.PathLike[str]) -> bool:
    """True for the name of a table."""
    return Path(path).suffix.lower() in (CSV, PARQUET)


def require_writable(path: Path) -> None:
    """Check that a table can be written under a name.

    A NotInstalledError if a Parquet file needs pyarrow, a UsageError if it is not the name of a
    table.
    """
    if not is_table(path):
        raise UsageError(f"{path}: the name of a table ends in {CSV} or {PARQUET}")
    if path.suffix.lower() == PARQUET and find_spec("pyarrow") is None:
        raise NotInstalledError("pyarrow", "table")


def write_table_file(path: Path, columns: Mapping[str, TableColumn], rows: Iterable[Row]) -> int:
    """Write a table; whoever reads the file sees the old one or the new one. Its bytes."""
    content = table_content(path.suffix.lower(), columns, rows)
    remove_stale_temp_files(path)  # temporary files of an interrupted run
    write_atomically(path, content)
    return content.size


def table_content(ending: str, columns: Mapping[str, TableColumn], rows: Iterable[Row]) -> Spool:
    """A table as the bytes of a file: the same rows give the same bytes."""
    return (_as_parquet if ending == PARQUET else _as_csv)(columns, rows)


def _as_csv(columns: Mapping[str, TableColumn], rows: Iterable[Row]) -> Spool:
    spool = Spool()
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(map(_cell, row))
        if text.tell() > 1 << 20:
            spool.add(text.getvalue().encode())
            text.seek(0)
            text.truncate()
    spool.add(text.getvalue().encode())
    return spool


def _cell(value: str | float | bool | None) -> str:
    """A value as a cell of CSV, which no spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, str):
        return text_cell(value)
    return repr(value).lower() if isinstance(value, bool) else repr(value)


def _as_parquet(columns: Mapping[str, TableColumn], rows: Iterable[Row]) -> Spool:
    import pyarrow as pa
    from pyarrow import parquet

    spool, coded = Spool(), pa.dictionary(pa.int32(), pa.string())
    # Texts repeat: as dictionaries they take a tenth of the memory.
    schema = pa.schema(
        [f.with_type(coded) if f.type == pa.string() else f for f in _arrow_schema(columns)]
    )
    file = _SpoolFile(spool)
    with parquet.ParquetWriter(file, schema, compression="zstd", store_schema=False) as writer:
        for group in _groups(rows, _GROUP):
            values = zip(*group, strict=True)
            arrays = [pa.array(v, f.type) for v, f in zip(values, schema, strict=True)]
            writer.write_table(pa.table(arrays, schema=schema), row_group_size=_GROUP)
    return spool


def _arrow_schema(columns: Mapping[str, TableColumn]) -> Schema:
    import pyarrow as pa

    types = {str: pa.string(), float: pa.float64(), int: pa.int64(), bool: pa.bool_()}
    return pa.schema([(name, types[column.type]) for name, column in columns.items()])


def _groups(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    group: list[Row] = []
    for row in rows:
        group.append(row)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


class _SpoolFile(io.RawIOBase):
    def __init__(self, spool: Spool) -> None:
        self.spool = spool

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self.spool.add(bytes(piece))
        return len(piece)

    def tell(self) -> int:
        return self.spool.size


def read_results(path: Path) -> Iterator[ResultRow]:
    """The rows of a table of results, which may come from anyone; UsageError if it is not one.

    Other errors are those of ``require_writable``.
    """
    require_writable(path)
    rows = _of_parquet(path) if path.suffix.lower() == PARQUET else _of_csv(path)
    for place, values in enumerate(rows, 1):
        row = ResultRow._make(clean(v) if isinstance(v, str) else v for v in values)
        for name, column in RESULTS.items():
            if column.is_required and getattr(row, name) is None:
                raise UsageError(f"{path}: row {place} has no {name}")
        if not is_benchmark_key(row.benchmark_key):
            raise UsageError(f"{path}: row {place} has no key of a benchmark in benchmark_key")
        yield row


def _of_parquet(path: Path) -> Iterator[Row]:
    import pyarrow as pa
    from pyarrow import parquet

    with open_regular(path) as opened:
        try:
            file = parquet.ParquetFile(opened)
            _require_columns(path, file.schema_arrow.names)
            for field in _arrow_schema(RESULTS):
                actual = file.schema_arrow.field(field.name).type
                if actual != field.type and not pa.types.is_null(actual):
                    raise UsageError(f"{path}: {field.name} holds {actual}, not {field.type}")
            for batch in file.iter_batches(1 << 12, columns=list(RESULTS)):
                columns = (batch.column(name).to_pylist() for name in RESULTS)
                yield from zip(*columns, strict=True)
        except (pa.ArrowException, OSError) as error:
            if isinstance(error, OSError) and error.errno:
                raise
            reason = str(error).split("\n")[0].rstrip(".")
            raise UsageError(f"{path} is not a Parquet file: {reason}") from error


def _of_csv(path: Path) -> Iterator[Row]:
    csv.field_size_limit(sys.maxsize)
    with open_regular(path) as opened, io.TextIOWrapper(opened, "utf-8-sig", newline="") as text:
        try:
            reader = csv.DictReader(text)
            _require_columns(path, reader.fieldnames or ())
            for row in reader:
                yield [_value(path, reader.line_num, name, row[name]) for name in RESULTS]
        except (csv.Error, UnicodeDecodeError) as error:
            raise UsageError(f"{path} is not a CSV file: {error}") from error


def _require_columns(path: Path, names: Sequence[str]) -> None:
    if missing := [name for name in RESULTS if name not in names]:
        raise UsageError(
            f"{path} is not a table of results: it has no column {missing[0]}; "
            "make one with `evalmark table`"
        )


def _truth_of_cell(cell: str) -> bool:
    return {"true": True, "false": False}[cell.lower()]


_OF_CELLS: dict[type, Callable[[str], Any]] = {float: float, int: int, bool: _truth_of_cell}


def _value(path: Path, line: int, name: str, cell: str | None) -> Any:
    kind = RESULTS[name].type
    if not cell:
        return None
    if kind is str:
        return cell[1:] if cell.startswith("'") and is_computed(cell) else cell
    try:
        return _OF_CELLS[kind](cell)
    except (ValueError, KeyError):
        raise UsageError(f"{path}, line {line}: column {name} holds {cell!r}") from None
