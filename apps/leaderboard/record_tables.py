"""Tables of records: one of their results, and one of their samples."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.leaderboard.flatten import clean, columns, int_or_none, paths_of, value_at
from evalmark.leaderboard.names import MergedNames, read_names, with_names
from evalmark.leaderboard.record_files import RecordReader, Taken
from evalmark.leaderboard.result_columns import RESULTS, SAMPLES, ResultRow, SampleRow
from evalmark.leaderboard.results import Results
from evalmark.leaderboard.table_output import (
    is_table,
    read_results,
    require_writable,
    write_table_file,
)
from evalmark.schemas.backend import native_is_installed
from evalmark.schemas.errors import ParseRejected, UsageError
from evalmark.validator.checker import Checker
from evalmark.validator.formats.records.record_fields import sample_layout
from evalmark.validator.formats.shared.json_values import number
from evalmark.validator.io.opening import open_regular
from evalmark.validator.reading.lines import lines
from evalmark.validator.reading.strict_json import decode, parse
from evalmark.validator.settings.config import Config

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
    """The rows of a sample file, whose record has ``results``.

    Lines that are not rows are skipped.
    """
    parsed, belongs = _parser(), _Owners(results)
    where = paths_of(_OF_SAMPLE, sample_layout(results[0].version).row)
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
    taken = _adding_results(reader.read(paths), results)
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


def _adding_results(records: Iterable[Taken], results: Results) -> Iterator[Taken]:
    """Yield each record once its results are added; nothing is added before it is iterated."""
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
    rows = _table_rows(tables[0], options, reader.names)
    return Results(rows, is_of_table=True), reader


def _table_rows(path: Path, options: RecordOptions, names: MergedNames) -> Iterator[ResultRow]:
    for row in read_results(path):
        if row.verdict != "error" or options.include_errors:
            yield with_names(row, names) if options.names else row
