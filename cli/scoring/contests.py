"""``evalmark score`` for suites, and for minimal pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence, Sized
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from evalmark.cli.score_options import ScoreOptions
from evalmark.cli.scoring.delivery import (
    HINTS,
    ITEMS,
    FileCount,
    ScoreView,
    score_files,
    show_error,
)
from evalmark.cli.scoring.score_run import ScoreRun
from evalmark.cli.unused_files import UnusedFiles
from evalmark.schemas.errors import EvalmarkError
from evalmark.scoring.contest_run import ContestTask
from evalmark.scoring.demo_files import with_demo_suite
from evalmark.scoring.pairs.load_pairs import load_pairs, pair_paths
from evalmark.scoring.pairs.pair_output import (
    PAIR_RUN,
    PAIR_RUN_WITH_TOKENS,
)
from evalmark.scoring.pairs.pair_run import PairContests, PairSettings
from evalmark.scoring.reports.score_table import (
    NAMED,
    pair_notes,
    print_pairs,
    print_scores,
    suite_notes,
)
from evalmark.scoring.runs.run_files import run_time
from evalmark.scoring.suites.recorded_scores import evaluated_among, score_recorded
from evalmark.scoring.suites.suite_loading import LoadedSuite, load_suites
from evalmark.scoring.suites.suite_output import SUITE_RUN
from evalmark.scoring.suites.suite_run import SuiteContests
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.io.terminal import print_note


def score_contests(options: ScoreOptions) -> int:
    """Score files of minimal pairs, if there are any, else suites; the exit code."""
    try:
        with ExitStack() as locks:
            run = ScoreRun.of(options, locks)
            paths = with_demo_suite(options.paths)
            pairs = pair_paths(paths, run.tables)
            run.require_applicable(pairs=bool(pairs))
            return _score_pairs(run, pairs) if pairs else _score_suites(run, paths)
    except (EvalmarkError, OSError) as error:
        return show_error(error)


def _score_suites(run: ScoreRun, paths: Sequence[str]) -> int:
    """Score files of suites; the exit code."""
    options, settings = run.options, run.settings
    unused = UnusedFiles("scored", HINTS)
    load = partial(
        load_suites, paths, join=settings.join, metric=options.metric,
        predictions=options.predictions,
    )  # fmt: skip
    suites = load(limit=options.limit, failed=unused.add)
    suites = _evaluated(suites, paths) if run.is_recorded else suites
    if own := [s.suite.name for s in suites if options.metric not in (None, s.suite.metric)]:
        print_note(
            f"note: --metric is not used for suites that name one metric: {listed(own, NAMED)}"
        )
    # A suite with several metrics is one suite here.
    items = {suite.path: len(suite.suite.items) for suite in suites}
    task = ContestTask(SuiteContests, suites, settings, run.loading, run.computing, run_time())
    files = None if run.is_recorded else [*options.surprisals] or None
    return score_files(
        run,
        task,
        SUITE_VIEW,
        FileCount(len(items), "suite", sum(items.values()), "items"),
        unused,
        first=lambda: replace(task, suites=load(limit=_each(items), failed=_ignored)),
        recorded=partial(
            score_recorded, suites, settings, surprisals=files, model_id=options.model_id,
            keep_going=True,
        ),
    )  # fmt: skip


def _each(files: Sized) -> int:
    """How many items of each file make the first hundred."""
    return math.ceil(ITEMS / max(1, len(files)))


def _ignored(path: str, error: Exception) -> None:
    """A file that cannot be scored: the run has named it."""


def _evaluated(suites: Sequence[LoadedSuite], paths: Sequence[str]) -> list[LoadedSuite]:
    """Suites without the ones in folders that were never evaluated, which are named."""
    evaluated, skipped = evaluated_among(suites, paths)
    if skipped:
        count = f"{len(skipped)} suite{'s'[: len(skipped) - 1]}"
        names = f"{', '.join(skipped[:3])}{' …' if len(skipped) > 3 else ''}"
        print_note(f"note: skipped {count} without recorded values: {names}")
    return evaluated


SUITE_VIEW = ScoreView(
    SUITE_RUN,
    lambda scores: not scores.suites,
    suite_notes,
    print_scores,
    lambda suites: (suite.suite.name for suite in suites),
    lambda scores: {
        (suite.source.digest, prediction, item): holds
        for suite in scores.suites
        for prediction, result in enumerate(suite.result.predictions)
        for item, holds in enumerate(result.outcomes)
    },
)


def _score_pairs(run: ScoreRun, paths: Sequence[str]) -> int:
    """Score files of minimal pairs; the exit code."""
    choice, method = run.choice, run.choice.chosen.method
    unused = UnusedFiles("scored", HINTS)
    load = partial(
        load_pairs, paths, method=method, tables=run.tables, reading=choice.reading,
        like=run.settings.like,
    )  # fmt: skip
    files = load(limit=run.options.limit, failed=unused.add)
    for file in files:
        if file.alone:
            print_note(
                f"note: {file.path}: rows without a partner, which are not scored: {file.alone}"
            )
    rows = sum(file.rows for file in files)
    settings = PairSettings(run.settings, method, choice.ties, choice.reading)
    task = ContestTask(PairContests, files, settings, run.loading, run.computing, run_time())
    return score_files(
        run,
        task,
        replace(PAIR_VIEW, files=PAIR_RUN_WITH_TOKENS) if run.has_tokens else PAIR_VIEW,
        FileCount(len(files), "file", rows, "rows", " of minimal pairs"),
        unused,
        first=lambda: replace(task, suites=load(limit=_each(files), failed=_ignored)),
    )


PAIR_VIEW = ScoreView(
    PAIR_RUN,
    lambda scores: not scores.uids,
    pair_notes,
    print_pairs,
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
