"""The page of some runs: that of suites, of minimal pairs, of samples, or one table of many."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from evalmark.converters.records.run import Run
from evalmark.scoring.reports.comparison.model_scores import scores_of
from evalmark.scoring.reports.comparison.models_page import models_page
from evalmark.scoring.reports.pairs.pair_page import pairs_page
from evalmark.scoring.reports.samples_page import samples_page
from evalmark.scoring.reports.suites.run_page import run_page
from evalmark.scoring.runs.pair_views import PairRunView, is_of_pairs, pair_run
from evalmark.scoring.runs.suite_views import RunView, is_of_suite, suite_run
from evalmark.validator.io.terminal import counting

#: More runs than this have one table, and no charts and items of each.
MANY = 8


#: A run as its page has it; a run of samples, or one without any, as it is.
PageView: TypeAlias = RunView | PairRunView | Run


def page_view(run: Run, *, is_table: bool) -> PageView:
    """A run as its page has it; in a table of many, as it is.

    Raises:
        ScoringError: Its samples lack what such a run has.
        OSError: Its samples cannot be read.
    """
    if is_table or run.lacks:
        return run
    if any(map(is_of_suite, run.results)):
        return suite_run(run)
    return pair_run(run) if any(map(is_of_pairs, run.results)) else run


def report_page(
    views: Sequence[PageView], page: Path, *, items: int, is_table: bool, is_series: bool
) -> str:
    """The HTML of a page of runs.

    Runs of several kinds and runs without samples have one table of their results.

    Args:
        views: The runs.
        page: Where the page will be, for links to the records.
        items: How many items are shown of each suite, UID or result.
        is_table: Whether there are too many runs to show more than a table.
        is_series: Whether the runs are in an order, so that curves are drawn over them.
    """
    runs = [view if isinstance(view, Run) else view.run for view in views]
    suites = [view for view in views if isinstance(view, RunView)]
    pairs = [view for view in views if isinstance(view, PairRunView)]
    if len(pairs) == len(views):
        return pairs_page(pairs, items=items, page=page)
    if len(suites) == len(views):
        with counting("drawing", "suites") as progress:
            return run_page(suites, items=items, page=page, progress=progress)
    if is_table or suites or pairs or any(run.lacks for run in runs):
        return models_page(list(map(scores_of, runs)), is_series=is_series, page=page)
    return samples_page(runs, items=items, page=page)
