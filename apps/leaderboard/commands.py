"""``evalmark table``: records as a table; ``evalmark publish``: a site of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from evalmark.cli.check import paths_of
from evalmark.cli.settings import settings_for
from evalmark.schemas.errors import UsageError
from evalmark.validator.findings.phrasing import counted, first_of
from evalmark.validator.io.terminal import CLEAN, COULD_NOT_RUN, FOUND, print_line, print_note
from evalmark.validator.options.declaration import (
    Argument,
    command,
    file_option,
    output_option,
    refuse_dash,
    selection_option,
)
from evalmark.validator.settings.check_options import (
    ignore_option,
    jobs_option,
    paths_from_option,
    shared,
)

if TYPE_CHECKING:
    from evalmark.leaderboard.record_files import RecordReader
    from evalmark.leaderboard.record_tables import RecordOptions

#: Records that are named if they are left out.
_SHOWN = 50
#: Records that a note names.
_NAMED = 3
_EXIT = "0 done; 1 records with errors were left out; 2 something failed"

NamesOption = Annotated[
    Path | None,
    selection_option(
        "--names",
        metavar="FILE",
        callback=refuse_dash,
        help='Names to merge: a TOML file with lines `"name" = "the name to use"`.',
    ),
]
IncludeErrorsOption = Annotated[
    bool,
    selection_option("--include-errors", help="Read records with errors too, and mark them."),
]
QuietOption = Annotated[bool, output_option("--quiet", "-q", help="Show no progress.")]


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """The options of ``evalmark table``."""

    records: Annotated[
        Sequence[str],
        Argument(metavar="RECORDS", help="Records, and folders of them.", show_default=False),
    ] = ()
    paths_from: Annotated[str | None, paths_from_option()] = None
    exclude: Annotated[
        Sequence[str], selection_option("--exclude", metavar="GLOB", help="Skip files in folders.")
    ] = ()
    ignore: Annotated[Sequence[str], ignore_option()] = ()
    names: NamesOption = None
    include_errors: IncludeErrorsOption = False
    out: Annotated[
        Path,
        file_option(
            "--out",
            "-o",
            metavar="FILE",
            callback=refuse_dash,
            help="Table of results: .parquet or .csv.",
        ),
    ]
    samples: Annotated[
        Path | None,
        file_option(
            "--samples",
            metavar="FILE",
            callback=refuse_dash,
            help="Table of samples: .parquet or .csv.",
        ),
    ] = None
    quiet: QuietOption = False
    jobs: Annotated[str | None, jobs_option()] = None


@dataclass(frozen=True, kw_only=True)
class PublishOptions:
    """The options of ``evalmark publish``."""

    records: Annotated[
        Sequence[str],
        Argument(
            metavar="RECORDS|TABLE",
            help="Records, and folders of them; or one table of results.",
            show_default=False,
        ),
    ]
    names: NamesOption = None
    include_errors: IncludeErrorsOption = False
    out: Annotated[
        Path,
        output_option(
            "--out", "-o", metavar="FOLDER", callback=refuse_dash, help="Folder of the website."
        ),
    ]
    title: Annotated[
        str, output_option("--title", metavar="TEXT", help="Title of the website.")
    ] = "Leaderboard"
    record_url: Annotated[
        str | None,
        output_option(
            "--record-url",
            metavar="URL",
            help="URL of a record, with {file} for its path. By default, its URL in its "
            "repository, or a copy in the website.",
        ),
    ] = None
    quiet: QuietOption = False
    jobs: Annotated[str | None, jobs_option()] = None


def _reading(
    options: TableOptions | PublishOptions,
    exclude: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> RecordOptions:
    from evalmark.leaderboard.record_tables import RecordOptions

    jobs, ray = shared(options.jobs)
    return RecordOptions(
        settings_for(options.jobs), options.names, options.include_errors, exclude, ignore,
        jobs, ray, not options.quiet,
    )  # fmt: skip


@command(
    TableOptions,
    "evalmark table records/ -o results.parquet",
    "evalmark table records/ -o results.csv --samples samples.csv",
    "git ls-files -z records | evalmark table --paths-from - -o results.parquet",
    exit_code=_EXIT,
)
def table(options: TableOptions) -> int:
    """Write a table of records, with a row for each result.

    DuckDB, pandas and others read the table: docs/running-a-leaderboard.md has queries. All records
    are checked and read each time. Records with errors are left out and named, unless you include
    them. Keys and passwords are never written.

    Of several numbers of a model on a benchmark, the column `represents` says which one represents
    the model, and `conflict` whether they contradict each other.
    """
    from evalmark.leaderboard.record_tables import write_table

    if not options.records and options.paths_from is None:
        raise UsageError("nothing to read: give files or folders, or --paths-from")
    reading = _reading(options, options.exclude, options.ignore)
    paths = paths_of(options.records, None, options.paths_from)
    written = write_table(paths, options.out, samples=options.samples, options=reading)
    print_line(counted(written.reader.records, "record"))
    for path, noun, counts in (
        (options.out, "result", written.results),
        (options.samples, "sample", written.samples),
    ):
        if counts is not None:
            print_line(f"{counted(counts[0], noun)}: wrote {path}, {_size(counts[1])}")
    return _say_left_out(written.reader)


@command(
    PublishOptions,
    "evalmark publish records/ -o site/ --title Grammar",
    "evalmark publish results.parquet -o site/ \\\n"
    '    --record-url "https://github.com/me/records/blob/main/{file}"',
    exit_code=_EXIT,
)
def publish(options: PublishOptions) -> int:
    """Publish records as a website: models, benchmarks, and the source of each number.

    The first page is a table of models and benchmarks, to sort and filter. Each model and each
    benchmark has a page, and each number a link to its record. Numbers that contradict each other
    appear side by side with the settings that differ; they are never averaged. The website loads
    nothing from other hosts, and opens from a disk too. A second run replaces its files in the
    folder and keeps others.
    """
    from evalmark.leaderboard.record_tables import results_of
    from evalmark.leaderboard.site.write_site import publish as write_site

    results, reader = results_of(options.records, _reading(options))
    site = write_site(results, options.out, title=options.title, record_url=options.record_url)
    shown = ("models", "benchmarks", "results", "conflicts")
    print_line(", ".join(counted(getattr(site, name), name[:-1]) for name in shown))
    if site.unnamed:
        noun = "1 result names" if site.unnamed == 1 else f"{site.unnamed:,} results name"
        print_note(f"note: {noun} no model: only in the tables for download")
    if site.lost:
        print_note(
            f"note: {len(site.lost):,} of the records are not linked, since they are gone, have "
            "changed, or have paths from another folder than this one (run `publish` where "
            f"`table` was run): {first_of(site.lost, _NAMED)}"
        )
    print_note(
        f"wrote {options.out / 'index.html'} and {site.files - 1:,} more files, {_size(site.size)}"
    )
    return _say_left_out(reader)


def _say_left_out(reader: RecordReader) -> int:
    for path, why in reader.unreadable:
        print_note(f"{path}: not read: {why}")
    for path, why in reader.left_out[:_SHOWN]:
        print_note(f"{path}: left out: {why}")
    faults = [
        f"{counted(count, 'record')} with {verdict}s"
        for verdict, count in sorted(reader.faulty.items())
    ]
    if faults:
        print_note(f"note: {', '.join(faults)}; `evalmark check` shows what and where")
    if reader.left_out:
        count = counted(len(reader.left_out), "record")
        print_note(
            f"note: {count} left out; --include-errors reads those with errors, and marks them"
        )
    return COULD_NOT_RUN if reader.unreadable else FOUND if reader.left_out else CLEAN


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
