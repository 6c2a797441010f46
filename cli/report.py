"""``evalmark report``."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from evalmark.cli.command import Command, new_app
from evalmark.cli.options import file_option, output_option, refuse_dash
from evalmark.schemas.errors import ScoringError, UsageError
from evalmark.validator.io.terminal import CLEAN, complain_about, say
from evalmark.validator.io.writing import staying_in, sweep, write_atomically

if TYPE_CHECKING:
    from evalmark.pages.report_pages import Page

app = new_app()

EPILOG = """
\b
Examples:
  evalmark report results/
  evalmark report results/gpt2 results/gpt2-medium --out compared.html
  evalmark report results/ --summary
  evalmark report results/ --series --out steps.html
  evalmark report results/ --table accuracies.md
  evalmark report locomo10.json --out audit.html

Exit code: 0 done, 2 a file could not be read or written.
"""

#: Suffixes of tables.
TABLES = (".csv", ".md")


RunsArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="RUN...", help="Folders of runs, folders with runs below them, or memory sets."
    ),
]
OutOption = Annotated[
    Path | None,
    file_option(
        "--out",
        metavar="FILE",
        callback=refuse_dash,
        help="Page to write; default: report.html in the first folder, or summary.html.",
    ),
]
TableOption = Annotated[
    Path | None,
    file_option(
        "--table",
        metavar="FILE",
        callback=refuse_dash,
        help="Write a .csv or .md table of models and suites instead.",
    ),
]
SeriesOption = Annotated[
    bool, output_option("--series", help="Runs are in an order, as steps: draw curves.")
]
SummaryOption = Annotated[
    bool, output_option("--summary", help="Of suites: the figures only, on one sheet of paper.")
]
DetailsOption = Annotated[
    bool, output_option("--details", help="With --table: each prediction or UID.")
]
ItemsOption = Annotated[
    int,
    output_option(
        "--items",
        metavar="N",
        min=0,
        help="Number of items shown for each suite; of pairs, at most 50 a UID.",
    ),
]


@app.command(cls=Command, epilog=EPILOG)
def report(
    runs: RunsArgument,
    out: OutOption = None,
    table: TableOption = None,
    series: SeriesOption = False,
    summary: SummaryOption = False,
    details: DetailsOption = False,
    items: ItemsOption = 200,
) -> None:
    """Write a report of runs, or of a memory set: one HTML page.

    The page of suites shows average accuracy and chance, for two runs their difference with its
    p value, the mean surprisal of each region by condition, and which inequalities fail in which
    items. The page of minimal pairs shows accuracies and chance by UID, and the pairs that fail.
    The page of conversations shows the scores of datasets and the conversation of each test. The
    page of a memory set (LoCoMo, LongMemEval) shows its questions by type and what is wrong with
    it. A page is one file and loads nothing. Several runs are compared with the first. More than
    eight have one table of models and suites or sets, and no charts of each.
    """
    from evalmark.pages.report_pages import page_of, runs_below

    _require_table(table, out, details=details)
    if summary and (table or series):
        raise UsageError("--summary writes a page: use it without --table and --series")
    choice = _Choice(series, summary, has_table=table is not None)
    first = runs[0] if runs[0].is_dir() else runs[0].parent
    runs = list(dict.fromkeys(folder for run in runs for folder in runs_below(run)))
    pages = list(dict.fromkeys(map(page_of, runs)))
    if len(pages) > 1:
        raise ScoringError(f"{' and '.join(page.title for page in pages)} need separate pages")
    (page,) = pages
    page = choice.page(page, len(runs))
    views, code = _read(page, runs)
    if not views:
        raise typer.Exit(code)
    named = table or out
    path = named or first / ("summary.html" if summary else "report.html")
    if table is not None:
        raw = _table(views, table.suffix, details=details)
    else:
        raw = page.draw(views, items, path).encode("utf-8")
    sweep(path)  # temporary files of an interrupted run
    with nullcontext() if named else staying_in(first):
        write_atomically(path, raw)
    say(f"wrote {path}")
    raise typer.Exit(code)


class _Choice(NamedTuple):
    """The options that choose a page."""

    series: bool
    summary: bool
    has_table: bool

    def page(self, page: Page, count: int) -> Page:
        """The page of so many runs, whose kind has this page."""
        from evalmark.pages.report_pages import MANY, MODELS, SERIES, summary_of

        if (self.series or self.has_table) and not page.has_scores:
            raise ScoringError(f"--{'series' if self.series else 'table'} takes no {page.title}")
        if self.summary:
            summarized = summary_of(page)
            if summarized is None or count > MANY:
                raise ScoringError(f"--summary takes up to {MANY} runs of suites")
            return summarized
        if self.series:
            return SERIES
        is_table = page.has_scores and count > MANY
        return MODELS if self.has_table or is_table else page


def _require_table(table: Path | None, out: Path | None, *, details: bool) -> None:
    """Refuse ``--table`` beside another file, tables of a type that is not written."""
    if details and table is None:
        raise UsageError("--details needs --table")
    if table is None:
        return
    if out is not None:
        raise UsageError("--table writes a table instead of a page: use one of them")
    if table.suffix not in TABLES:
        raise ScoringError(f"--table writes {' and '.join(TABLES)} files, not {table.name}")


def _table(views: list[Any], suffix: str, *, details: bool) -> bytes:
    """The table of models by suites or sets, as a file of a type has it."""
    from evalmark.pages.cross_table import csv_text, markdown_lines
    from evalmark.pages.model_scores import notes_of_table, score_table, told_apart

    runs = told_apart(views)
    for note in notes_of_table(runs):
        say(f"note: {note}")
    table = score_table(runs, detailed=details)
    if suffix == ".csv":
        return csv_text(table).encode()
    return "".join(f"{line}\n" for line in markdown_lines(table)).encode()


def _read(page: Page, runs: list[Path]) -> tuple[list[Any], int]:
    """The content of each run that can be read, and the exit code."""
    views: list[Any] = []
    codes = [CLEAN]

    def failed(path: Path, error: Exception) -> None:
        codes.append(complain_about(path, error))

    for run in runs:
        try:
            views += page.read(run, failed)
        except Exception as error:  # the other runs are on the page
            failed(run, error)
    return views, max(codes)
