"""The pages that ``evalmark report`` writes: one table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalmark.converters.importers.registry import importer_of_folder
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.reports.comparison.model_scores import read_scores
from evalmark.scoring.reports.comparison.models_page import models_page
from evalmark.scoring.reports.page import Page
from evalmark.scoring.reports.pairs.pair_folder import is_pair_run, read_pairs
from evalmark.scoring.reports.pairs.pair_page import pairs_page
from evalmark.scoring.reports.suites.run_page import run_page
from evalmark.scoring.reports.suites.suite_run_folder import RunView, read_run
from evalmark.scoring.runs.many_runs import folders_below
from evalmark.validator.io.terminal import counting


def _suite_run(path: Path) -> RunView:
    """The run of suites; what no page shows is refused with its name."""
    if path.is_dir() and not (path / "scores.json").is_file():
        for folder in (path, *path.glob("*"), *path.glob("results/*")):
            if importer := importer_of_folder(folder):
                raise ScoringError(
                    f"{path} is {importer.what.partition(':')[0]}, of which there is no page; "
                    "`evalmark compare` reads it"
                )
    return read_run(path)


def _suites(views: Sequence[Any], items: int, path: Path) -> str:
    with counting("drawing", "suites") as progress:
        return run_page(views, items=items, page=path, progress=progress)


#: The first page that recognizes a path is the page of it.
PAGES: tuple[Page, ...] = (
    Page(
        "runs over minimal pairs",
        is_pair_run,
        read_pairs,
        lambda views, items, path: pairs_page(views, items=items, page=path),
        has_scores=True,
    ),
    Page(
        "runs of suites",
        lambda _: True,
        _suite_run,
        _suites,
        has_scores=True,
    ),
)
#: More runs than this have one table, and no charts and items of each.
MANY = 8


def table_page(*, is_series: bool) -> Page:
    """The page of many runs, or that of runs in an order."""
    return Page(
        "tables of runs",
        lambda _: False,
        read_scores,
        lambda views, _items, path: models_page(views, is_series=is_series, page=path),
    )


def runs_below(path: Path) -> list[Path]:
    """The runs below a folder; the path itself if it is a run, or if there are none.

    Raises:
        OSError: There is nothing at the path, or it cannot be read.
    """
    path.stat()  # what does not exist is not of any kind
    if not path.is_dir() or _is_run(path):
        return [path]
    return folders_below(path, _is_run) or [path]


def _is_run(folder: Path) -> bool:
    return (folder / "scores.json").is_file() or page_of(folder) is not PAGES[-1]


def page_of(path: Path) -> Page:
    """The page of a path."""
    return next(page for page in PAGES if page.recognizes(path))
