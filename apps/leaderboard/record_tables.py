"""Tables of records: one of their results, and one of their samples."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalmark.leaderboard.columns import RESULTS, SAMPLES, ResultRow, SampleRow
from evalmark.leaderboard.names import MergedNames, read_names, with_names
from evalmark.leaderboard.record_files import RecordReader, Taken
from evalmark.leaderboard.results import Results
from evalmark.leaderboard.sample_files import sample_rows
from evalmark.leaderboard.table_files import (
    is_table,
    read_results,
    require_writable,
    write_table_file,
)
from evalmark.schemas.errors import UsageError
from evalmark.validator.checker import Checker
from evalmark.validator.settings.config import Config


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
