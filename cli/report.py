"""``evalmark report``."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from evalmark.cli.command import new_app
from evalmark.cli.options import file_option, output_option, refuse_dash
from evalmark.schemas.errors import ScoringError
from evalmark.validator.io.terminal import CLEAN, complain, say
from evalmark.validator.io.writing import staying_in, sweep, write_atomically

if TYPE_CHECKING:
    from evalmark.scoring.reports.page import Page

app = new_app()


RunsArgument = Annotated[
    list[Path],
    typer.Argument(metavar="RUN...", help="Folders of runs, or folders with runs below them."),
]
OutOption = Annotated[
    Path | None,
    file_option(
        "--out",
        "-o",
        metavar="FILE",
        callback=refuse_dash,
        help="Page to write; default: report.html in the first folder.",
    ),
]
SeriesOption = Annotated[
    bool, output_option("--series", help="The runs are steps, in order: draw curves.")
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


@app.with_examples(
    "evalmark report results/",
    "evalmark report results/gpt2 results/gpt2-medium --out compared.html",
    "evalmark report results/ --series --out steps.html",
    exit_code="0 done, 2 a file could not be read or written",
)
def report(
    runs: RunsArgument,
    out: OutOption = None,
    series: SeriesOption = False,
    items: ItemsOption = 200,
) -> None:
    """Write a report of runs: one HTML page.

    The page of suites shows average accuracy and chance, for two runs their difference with its
    p value, the mean surprisal of each region by condition, and which inequalities fail in which
    items. The page of minimal pairs shows accuracies and chance by UID, and the pairs that fail.
    A page is one file and loads nothing. Several runs are compared with the first. More than eight
    have one table of models and suites or sets, and no charts of each.
    """
    from evalmark.scoring.reports.report_pages import MANY, page_of, runs_below, table_page

    first = runs[0] if runs[0].is_dir() else runs[0].parent
    runs = list(dict.fromkeys(folder for run in runs for folder in runs_below(run)))
    pages = list(dict.fromkeys(map(page_of, runs)))
    if len(pages) > 1:
        raise ScoringError(f"{' and '.join(page.title for page in pages)} need separate pages")
    (page,) = pages
    if series and not page.has_scores:
        raise ScoringError(f"--series takes no {page.title}")
    if page.has_scores and (series or len(runs) > MANY):
        page = table_page(is_series=series)
    views, code = _read(page, runs)
    if not views:
        raise typer.Exit(code)
    path = out or first / "report.html"
    raw = page.draw(views, items, path).encode("utf-8")
    sweep(path)  # temporary files of an interrupted run
    with nullcontext() if out else staying_in(first):
        write_atomically(path, raw)
    say(f"wrote {path}")
    raise typer.Exit(code)


def _read(page: Page, runs: list[Path]) -> tuple[list[Any], int]:
    """The content of each run that can be read, and the exit code."""
    views: list[Any] = []
    code = CLEAN
    for run in runs:
        try:
            views.append(page.read(run))
        except Exception as error:  # the other runs are on the page
            code = complain(error, run)
    return views, code
