"""``evalmark score`` for suites, and for minimal pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Sized
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from evalmark.cli.scoring.coarse_dtype import ITEMS
from evalmark.cli.scoring.delivery import HINTS, FileCount, ScoreCall, ScoreView, score_files
from evalmark.cli.unused_files import UnusedFiles
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.contest_run import ContestTask
from evalmark.scoring.demo_files import with_demo_suite
from evalmark.scoring.named_settings import SettingsChoice
from evalmark.scoring.pairs.load_pairs import load_pairs, pair_paths
from evalmark.scoring.pairs.pair_output import PAIR_FILES, with_tokens
from evalmark.scoring.pairs.pair_results import PairSettings
from evalmark.scoring.pairs.pair_run import PairContests
from evalmark.scoring.reports.score_table import (
    NAMED,
    pair_notes,
    print_pairs,
    print_scores,
    suite_notes,
)
from evalmark.scoring.runs.run_output import SUITE_FILES, run_time
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.recorded_scores import evaluated_among, score_recorded
from evalmark.scoring.suites.suite_loading import LoadedSuite, load_suites
from evalmark.scoring.suites.suite_run import SuiteContests
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.io.terminal import say
from evalmark.validator.options.pair_columns import PairTables


class SuiteSources(NamedTuple):
    """Sources of numbers other than a model, and what suites do not say.

    Attributes:
        recorded: Whether the numbers are those that the suites have.
        surprisals: Files of numbers, if they are used.
        metric: The metric of suites that name none, or several.
        predictions: Predictions for suites without any.
        model_id: The model of numbers that are not computed.
    """

    recorded: bool
    surprisals: list[Path] | None
    metric: str | None
    predictions: Path | None
    model_id: str | None


def score_paths(
    paths: Sequence[str],
    tables: PairTables,
    settings: Settings,
    choice: SettingsChoice,
    sources: SuiteSources,
    call: ScoreCall,
    others: Mapping[str, Mapping[str, object]],
    *,
    tokens: bool,
) -> int:
    """Score files of minimal pairs, if there are any, else suites; the exit code.

    Args:
        paths: Files and folders, or ``demo``.
        tables: The columns of tables of pairs.
        settings: Those of texts.
        choice: The settings that a name decides.
        sources: Where numbers of suites are from.
        call: What the call asks for besides.
        others: What is scored -> the options that do not apply to it.
        tokens: Whether pairs get a table of tokens.
    """
    paths = with_demo_suite(paths)
    pairs = pair_paths(paths, tables)
    scored = "minimal pairs" if pairs else "suites"
    if unused := [name for name, value in others[scored].items() if value]:
        raise ScoringError(f"{unused[0]} does not apply to {scored}")
    if not pairs:
        return _score_suites(paths, settings, sources, call)
    return _score_pairs(
        pairs,
        tables,
        PairSettings(settings, choice.chosen.method, choice.ties, choice.reading),
        call,
        tokens=tokens,
    )


def _score_suites(
    paths: Sequence[str], settings: Settings, sources: SuiteSources, call: ScoreCall
) -> int:
    """Score files of suites; the exit code."""
    unused = UnusedFiles("scored", HINTS)
    load = partial(
        load_suites, paths, join=settings.join, metric=sources.metric,
        predictions=sources.predictions,
    )  # fmt: skip
    suites = load(limit=call.limit, failed=unused.add)
    suites = _evaluated(suites, paths) if sources.recorded else suites
    if own := [s.suite.name for s in suites if sources.metric not in (None, s.suite.metric)]:
        say(f"note: --metric is not used for suites that name one metric: {listed(own, NAMED)}")
    # A suite with several metrics is one suite here.
    items = {suite.path: len(suite.suite.items) for suite in suites}
    task = ContestTask(SuiteContests, suites, settings, call.loading, call.computing, run_time())
    return score_files(
        call,
        task,
        SUITE_VIEW,
        FileCount(len(items), "suite", sum(items.values()), "items"),
        unused,
        first=lambda: replace(task, suites=load(limit=_each(items), failed=_ignored)),
        recorded=partial(
            score_recorded, suites, settings, surprisals=sources.surprisals,
            model_id=sources.model_id, keep_going=True,
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
        say(f"note: skipped {count} without recorded values: {names}")
    return evaluated


SUITE_VIEW = ScoreView(
    SUITE_FILES,
    lambda scores: not scores.suites,
    suite_notes,
    print_scores,
    lambda output: (output.scores, output.regions, *output.tables, output.record, output.samples),
    lambda suites: (suite.suite.name for suite in suites),
    lambda scores: {
        (suite.source.digest, prediction, item): holds
        for suite in scores.suites
        for prediction, result in enumerate(suite.result.predictions)
        for item, holds in enumerate(result.outcomes)
    },
)


def _score_pairs(
    paths: Sequence[str],
    tables: PairTables,
    settings: PairSettings,
    call: ScoreCall,
    *,
    tokens: bool,
) -> int:
    """Score files of minimal pairs, with a table of tokens or not; the exit code."""
    unused = UnusedFiles("scored", HINTS)
    load = partial(
        load_pairs, paths, method=settings.method, tables=tables, reading=settings.reading,
        like=settings.tokens.like,
    )  # fmt: skip
    files = load(limit=call.limit, failed=unused.add)
    for file in files:
        if file.alone:
            say(f"note: {file.path}: rows without a partner, which are not scored: {file.alone}")
    rows = sum(file.rows for file in files)
    task = ContestTask(PairContests, files, settings, call.loading, call.computing, run_time())
    return score_files(
        call,
        task,
        replace(PAIR_VIEW, files=replace(PAIR_FILES, tables=with_tokens)) if tokens else PAIR_VIEW,
        FileCount(len(files), "file", rows, "rows", " of minimal pairs"),
        unused,
        first=lambda: replace(task, suites=load(limit=_each(files), failed=_ignored)),
    )


PAIR_VIEW = ScoreView(
    PAIR_FILES,
    lambda scores: not scores.uids,
    pair_notes,
    print_pairs,
    lambda output: (output.scores, output.record, output.samples, output.regions, *output.tables),
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
