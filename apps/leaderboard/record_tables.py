"""Tables of records as files, CSV or Parquet: one of their results, and one of their samples."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalmark.leaderboard.flatten import clean, columns, int_or_none, paths_of, value_at
from evalmark.leaderboard.names import MergedNames, is_benchmark_key, read_names, with_names
from evalmark.leaderboard.record_files import RecordReader, Taken
from evalmark.leaderboard.result_columns import RESULTS, SAMPLES, ResultRow, SampleRow, TableColumn
from evalmark.leaderboard.results import Results
from evalmark.schemas.backend import native_is_installed
from evalmark.schemas.errors import NotInstalledError, ParseRejected, UsageError
from evalmark.validator.checker import Checker
from evalmark.validator.formats.records.record_fields import sample_layout
from evalmark.validator.formats.shared.fields import number
from evalmark.validator.io.opening import open_regular
from evalmark.validator.io.writing import (
    Spool,
    is_computed,
    remove_stale_temp_files,
    text_cell,
    write_atomically,
)
from evalmark.validator.reading.lines import lines
from evalmark.validator.reading.strict_json import decode, parse
from evalmark.validator.settings.config import Config

if TYPE_CHECKING:
    from pyarrow import Schema


#: Columns that rows of sample files have -> their fields.
_OF_SAMPLE = columns(
    result="identity",
    subset="evaluation_name",
    sample="sample_id",
    sample_hash="sample_hash",
    sample_score="score",
    correct="is_correct",
    interaction="interaction_type",
    turns="num_turns",
    tool_calls="num_tool_calls",
    input_tokens="input_tokens",
    output_tokens="output_tokens",
    reasoning_tokens="reasoning_tokens",
    total_tokens="total_tokens",
    latency_ms="latency",
    error="error",
)


def _text(value: Any) -> str | None:
    return clean(value) if type(value) is str else None


def _truth_or_none(value: Any) -> bool | None:
    return value if type(value) is bool else None


#: Type of a column -> the value as that type; None if it is of another one.
_FITTING: dict[type, Callable[[Any], Any]] = {
    str: _text, float: number, int: int_or_none, bool: _truth_or_none,
}  # fmt: skip


def sample_rows(path: str, results: Sequence[ResultRow]) -> Iterator[SampleRow]:
    """The rows of a sample file; lines that are not rows are left out.

    Args:
        path: The file.
        results: Those of its record.
    """
    parsed, belongs = _parser(), _Owners(results)
    where = paths_of(_OF_SAMPLE, sample_layout(results[0].version))
    same: dict[str, Any] = {"record": results[0].record, "file": results[0].file}
    with open_regular(path) as opened:
        for at, line, is_whole in lines(opened):
            data = parsed(line) if is_whole and line.strip() else None
            if type(data) is not dict:
                continue
            row = {
                name: _FITTING[SAMPLES[name].type](value_at(data, paths))
                for name, paths in where.items()
            }
            pointer = belongs.pointer(row["result"], row["subset"])
            yield SampleRow(**same, **row, sample_line=at, pointer=pointer)


class _Owners:
    """The result that a sample belongs to: it names its id, or else a subset of one result only."""

    def __init__(self, results: Sequence[ResultRow]) -> None:
        self._by_id = _unique((row.result, row.pointer) for row in results)
        self._by_subset = _unique((row.subset, row.pointer) for row in results)
        self._has_ids = any(row.result is not None for row in results)

    def pointer(self, result: str | None, subset: str | None) -> str | None:
        """The pointer of the result; None if that is not clear."""
        if result is not None and self._has_ids:
            return self._by_id.get(result)
        return None if subset is None else self._by_subset.get(subset)


def _unique(pairs: Iterator[tuple[str | None, str]]) -> Mapping[str, str]:
    """Name -> pointer, for names that one result has."""
    every = [(name, pointer) for name, pointer in pairs if name is not None]
    counts = Counter(name for name, _ in every)
    return {name: pointer for name, pointer in every if counts[name] == 1}


def _parser() -> Callable[[bytes], Any]:
    """A parser of lines that gives None for a line that is not JSON."""

    def strictly(line: bytes) -> Any:
        try:
            return parse(decode(line.strip()))
        except ParseRejected:
            return None

    if not native_is_installed():
        return strictly
    from evalmark.validator.reading.fast_parsing import parse_fast  # needs the extra `fast`

    def fast(line: bytes) -> Any:
        parsed = parse_fast(line)
        return parsed[0] if parsed else strictly(line)

    return fast


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

    Raises:
        NotInstalledError: A Parquet file needs pyarrow.
        UsageError: It is not the name of a table.
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
    """A spool as a file to which bytes are added."""

    def __init__(self, spool: Spool) -> None:
        self.spool = spool

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, piece: Any) -> int:
        """Add bytes at the end."""
        self.spool.add(bytes(piece))
        return len(piece)

    def tell(self) -> int:
        """The number of bytes."""
        return self.spool.size


def read_results(path: Path) -> Iterator[ResultRow]:
    """The rows of a table of results, which may come from anyone.

    Raises:
        NotInstalledError: A Parquet file needs pyarrow.
        UsageError: It is not such a table.
        OSError: It cannot be read.
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
    """The value of a cell that ``_cell`` has written."""
    kind = RESULTS[name].type
    if not cell:
        return None
    if kind is str:
        return cell[1:] if cell.startswith("'") and is_computed(cell) else cell
    try:
        return _OF_CELLS[kind](cell)
    except (ValueError, KeyError):
        raise UsageError(f"{path}, line {line}: column {name} holds {cell!r}") from None


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """How records are read.

    Attributes:
        config: Settings of a repository; see ``load_config``. The other options add to them.
        names: A file of names to merge.
        include_errors: Whether records with errors are read too, and marked.
        exclude: Globs of files to skip in folders.
        ignore: Codes or names of rules whose findings are dropped.
        jobs: Worker processes; None for one per processor once there is enough to read.
        ray: Whether a Ray cluster reads.
        progress: Whether progress is shown on stderr.
    """

    config: Config | None = None
    names: Path | None = None
    include_errors: bool = False
    exclude: Sequence[str] = ()
    ignore: Collection[str] = ()
    jobs: int | None = None
    ray: bool = False
    progress: bool = False

    def reader(self) -> RecordReader:
        """A reader with these options.

        Raises:
            ConfigError: The file of names cannot be used.
            UnknownNameError: An option names nothing that exists.
        """
        checker = Checker(self.config, exclude=self.exclude, ignore=self.ignore)
        context = checker.context._replace(jobs=self.jobs, ray=self.ray, bars=self.progress)
        names = read_names(self.names) if self.names else MergedNames()
        return RecordReader(checker, context, names, self.include_errors)


@dataclass(frozen=True, slots=True)
class WrittenTables:
    """What was written, and what was not.

    Attributes:
        reader: The records that were read, and what was left out.
        results: Rows of the table of results, and its bytes.
        samples: Those of the table of samples; None if nobody asked for it.
    """

    reader: RecordReader
    results: tuple[int, int]
    samples: tuple[int, int] | None


def write_table(
    paths: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    samples: str | os.PathLike[str] | None = None,
    options: RecordOptions = RecordOptions(),
) -> WrittenTables:
    """Write a table with a row for each result of some records.

    All records are read, in bounded memory. Records with errors are left out, or marked if the
    options include them. Secrets are never written.

    Args:
        paths: Files and folders; folders are searched as ``check_files`` does.
        out: A file that ends in ``.csv`` or ``.parquet``.
        samples: Another one, with a row for each sample of the records.
        options: How records are read.

    Raises:
        NotInstalledError: A Parquet file needs pyarrow.
        UsageError: A path cannot be read, or a table has another name.
        OSError: A table cannot be written.
    """
    targets = [Path(out)] if samples is None else [Path(out), Path(samples)]
    for target in targets:
        require_writable(target)
    if len(targets) > 1 and targets[0].absolute() == targets[1].absolute():
        raise UsageError(f"{out}: results and samples are two tables")
    reader = options.reader()
    results, counts = Results(), None
    taken = _added(reader.read(paths), results)
    if len(targets) > 1:
        rows = Counted(_samples_of(taken))
        size = write_table_file(targets[1], SAMPLES, rows)
        counts = rows.count, size
    else:
        for _ in taken:
            pass
    size = write_table_file(targets[0], RESULTS, results)
    return WrittenTables(reader, (results.count, size), counts)


class Counted:
    """Rows of samples that are counted while they are read."""

    def __init__(self, rows: Iterable[SampleRow]) -> None:
        self.rows, self.count = rows, 0

    def __iter__(self) -> Iterator[SampleRow]:
        for row in self.rows:
            self.count += 1
            yield row


def _added(records: Iterable[Taken], results: Results) -> Iterator[Taken]:
    """Records, once their results are added."""
    for record in records:
        results.add(record.rows)
        yield record


def _samples_of(records: Iterable[Taken]) -> Iterator[SampleRow]:
    for record in records:
        if record.companion is not None and record.rows:
            yield from sample_rows(record.companion, record.rows)


def results_of(
    paths: Sequence[str | os.PathLike[str]], options: RecordOptions
) -> tuple[Results, RecordReader]:
    """The results of records, or of one table of results.

    Raises:
        UsageError: A path cannot be read, or a table is there together with other paths.
    """
    reader = options.reader()
    tables = [Path(path) for path in paths if is_table(path)]
    if not tables:
        results = Results()
        for record in reader.read(paths):
            results.add(record.rows)
        return results, reader
    if len(paths) > 1:
        raise UsageError(f"{tables[0]} is a table: give one table, or records")
    rows = _of_table(tables[0], options, reader.names)
    return Results(rows, is_of_table=True), reader


def _of_table(path: Path, options: RecordOptions, names: MergedNames) -> Iterator[ResultRow]:
    """The rows of a table, as the options want them."""
    for row in read_results(path):
        if row.verdict != "error" or options.include_errors:
            yield with_names(row, names) if options.names else row
