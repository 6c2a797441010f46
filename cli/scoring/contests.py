"""``evalmark score`` for suites, and for minimal pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

from evalmark.cli.score_command import ScoreCommandOptions
from evalmark.cli.scoring.score_run import (
    HINTS,
    ITEMS,
    FileCount,
    ScoreRun,
    ScoreView,
    show_error,
    with_models,
)
from evalmark.cli.unused_files import UnusedFiles
from evalmark.schemas.errors import EvalmarkError
from evalmark.scoring.pairs.load_pairs import LoadedPairs
from evalmark.scoring.reports.score_table import (
    NAMED,
    pair_notes,
    suite_notes,
)
from evalmark.scoring.suites.recorded_scores import evaluated_among
from evalmark.scoring.suites.suite_loading import LoadedSuite
from evalmark.validator.findings.phrasing import counted, first_of, listed
from evalmark.validator.io.terminal import print_note


def run_score(options: ScoreCommandOptions) -> int:
    """Score files of minimal pairs, if there are any, else suites; the exit code."""
    try:
        with ExitStack() as locks:
            run = ScoreRun.of(options, locks)
            unused = UnusedFiles("scored", HINTS)
            files = run.call.load(unused.add)
            view: ScoreView[Any] = PAIR_VIEW if run.call.pairs else SUITE_VIEW
            if run.call.pairs:
                count = _size_of_pairs(files)
            else:
                files, count = _suites(run, files)
            task = run.call.task(files)
            limit = math.ceil(ITEMS / max(1, count.files))
            load = partial(run.call.load, _ignore_failure, limit=limit)
            return with_models(
                run, task, view, count, unused, first=lambda: replace(task, suites=load())
            )
    except (EvalmarkError, OSError) as error:
        return show_error(error)


def _ignore_failure(path: str, error: Exception) -> None:
    """A file that cannot be scored: the run has named it."""


def _suites(
    run: ScoreRun, suites: Sequence[LoadedSuite]
) -> tuple[Sequence[LoadedSuite], FileCount]:
    if run.call.is_recorded:
        suites, skipped = evaluated_among(suites, run.call.options.paths)
        if skipped:
            count, names = counted(len(skipped), "suite"), first_of(skipped, 3)
            print_note(f"note: skipped {count} without recorded values: {names}")
    metric = run.options.metric
    if own := [s.suite.name for s in suites if metric not in (None, s.suite.metric)]:
        print_note(
            f"note: --metric is not used for suites that name one metric: {listed(own, NAMED)}"
        )
    # A suite with several metrics is one suite here.
    items = {suite.path: len(suite.suite.items) for suite in suites}
    return suites, FileCount(len(items), "suite", sum(items.values()), "items")


def _size_of_pairs(files: Sequence[LoadedPairs]) -> FileCount:
    for file in files:
        if file.alone:
            print_note(
                f"note: {file.path}: rows without a partner, which are not scored: {file.alone}"
            )
    rows = sum(file.rows for file in files)
    return FileCount(len(files), "file", rows, "rows", " of minimal pairs")


SUITE_VIEW = ScoreView(
    suite_notes,
    lambda suites: (suite.suite.name for suite in suites),
    lambda scores: {
        (suite.source.digest, prediction, item): holds
        for suite in scores.suites
        for prediction, result in enumerate(suite.result.predictions)
        for item, holds in enumerate(result.outcomes)
    },
)
PAIR_VIEW = ScoreView(
    pair_notes,
    lambda files: (
        name
        for file in files
        for c in file.contests
        for name in (file.set, c.uid, *c.labels.values())
    ),
    lambda scores: {
        (uid.label, contest): outcome.outcome
        for uid in scores.uids
        for contest, outcome in zip(uid.ids, uid.contests, strict=True)
    },
)
