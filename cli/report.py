"""``evalmark report``."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from evalmark.scoring.runs.scores import ITEMS
from evalmark.validator.io.terminal import CLEAN, counting, print_note, report_error
from evalmark.validator.io.writing import confined_to, remove_stale_temp_files, write_atomically
from evalmark.validator.options.declaration import (
    Argument,
    command,
    file_option,
    output_option,
    refuse_dash,
)

if TYPE_CHECKING:
    from evalmark.scoring.reports.report_pages import PageView


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """The options of ``evalmark report``."""

    runs: Annotated[
        Sequence[Path],
        Argument(metavar="RUN...", help="Folders of runs, or folders with runs below them."),
    ]
    out: Annotated[
        Path | None,
        file_option(
            "--out",
            "-o",
            metavar="FILE",
            callback=refuse_dash,
            help="Page to write; default: report.html in the first folder.",
        ),
    ] = None
    series: Annotated[
        bool, output_option("--series", help="The runs are steps, in order: draw curves.")
    ] = False
    items: Annotated[
        int,
        output_option(
            "--items",
            metavar="N",
            min=0,
            help="Number of items shown for each suite; of pairs, at most 50 a UID.",
        ),
    ] = ITEMS


@command(
    ReportOptions,
    "evalmark report results/",
    "evalmark report results/gpt2 results/gpt2-medium --out compared.html",
    "evalmark report results/ --series --out steps.html",
    exit_code="0 done, 2 a file could not be read or written",
)
def report(options: ReportOptions) -> int:
    """Write a report of runs: one HTML page.

    The page of suites shows average accuracy and chance, for two runs their difference with its
    p value, the mean surprisal of each region by condition, and which inequalities fail in which
    items. The page of minimal pairs shows accuracies and chance by UID, and the pairs that fail;
    that of conversations and of other programs' results shows questions, answers and scores. A page
    is one file and loads nothing. Several runs are compared with the first. More than eight, and
    runs of several kinds, have one table of models and suites, sets or results.
    """
    from evalmark.scoring.reports.report_pages import MANY, report_page
    from evalmark.scoring.runs.run_sources import runs_below

    runs, out, series = options.runs, options.out, options.series
    first = runs[0] if runs[0].is_dir() else runs[0].parent
    paths = list(dict.fromkeys(folder for run in runs for folder in runs_below(run)))
    is_table = series or len(paths) > MANY
    views, code = _read(paths, is_table=is_table)
    if not views:
        return code
    path = out or first / "report.html"
    with counting("drawing", "suites") as progress:
        html = report_page(
            views,
            path,
            items=options.items,
            is_table=is_table,
            is_series=series,
            progress=progress,
        )
    remove_stale_temp_files(path)  # temporary files of an interrupted run
    with nullcontext() if out else confined_to(first):
        write_atomically(path, html.encode("utf-8"))
    print_note(f"wrote {path}")
    return code


def _read(paths: list[Path], *, is_table: bool) -> tuple[list[PageView], int]:
    from evalmark.scoring.reports.report_pages import page_view
    from evalmark.scoring.runs.run_sources import run_at

    views: list[PageView] = []
    code = CLEAN
    for path in paths:
        try:
            views.append(page_view(run_at(path), is_table=is_table))
        except Exception as error:  # the other runs are on the page
            code = report_error(error, path)
    return views, code
