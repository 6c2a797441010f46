"""The table of a run: a row for each prediction or UID, and averages; printed, and in notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evalmark.scoring.runs.pair_views import PairRunView
from evalmark.scoring.runs.run_tables import AnyView
from evalmark.scoring.runs.scores import Score
from evalmark.scoring.runs.suite_views import RunView
from evalmark.scoring.suites.chance import Chance

#: The columns of names, and those of numbers.
SUITE_NAMES = ("suite", "prediction")
SUITE_NUMBERS = ("items", "correct", "accuracy", "95 % interval", "chance")
PAIR_NAMES = ("UID", "method")
PAIR_NUMBERS = ("pairs", "right", "score", "95 % interval", "chance", "ties", "impossible")


def score_rows(view: AnyView) -> tuple[Sequence[str], list[tuple[str, ...]]]:
    """The headers and the rows of the table of a run; the last cell of a suite is exact chance."""
    if isinstance(view, PairRunView):
        return (*PAIR_NAMES, *PAIR_NUMBERS), [*_pair_rows(view)]
    return (*SUITE_NAMES, *SUITE_NUMBERS), [*_suite_rows(view)]


def _suite_rows(run: RunView) -> Iterator[tuple[str, ...]]:
    for suite in run.suites:
        name = suite.name
        for row in suite.shown:
            items = row.score.part.removesuffix(" items") or str(row.score.items)
            yield name, row.label, items, str(row.score.right), *_score_and_chance(row.score)
            name = ""
    for group in run.groups:
        if (count := len(group.scores)) > 1:
            label = f"average of {count} suites"
            label += f" tagged {group.tag}" if group.tag else ""
            label += f", {group.metric}" if group.metric else ""
            score, _, chance = _score_and_chance(group.score)
            yield label, "all", "", "", score, "", chance


def _score_and_chance(score: Score) -> tuple[str, str, str]:
    return (*_shown(score), score.exact_chance.shown if score.exact_chance else "")


def _pair_rows(run: PairRunView) -> Iterator[tuple[str, ...]]:
    for uid in run.uids:
        yield uid.label, uid.method, *_numbers(uid.score)
    for mean in run.means:
        name = f"{mean.label} {mean.value}" if mean.label else mean.set
        score, counts = run.averages[mean.set, mean.label, mean.value], mean.counts
        yield f"{name}: {mean.averaged}", "", *_numbers(score)
        if not (mean.label or mean.is_correlation) and mean.uids > 1:
            pooled = replace(
                score,
                score=counts.share,
                interval=counts.interval,
                exact_chance=Chance(counts.chance_share),
            )
            yield f"{name}: all pairs", "", *_numbers(pooled)


def _numbers(score: Score) -> tuple[str, ...]:
    items = score.part.removesuffix(" pairs") or str(score.items)
    if score.is_signed:
        return (items, "", *_shown(score), "0", "", "")
    ties = f"{score.ties} ({score.exact_ties} exact)" if score.exact_ties else score.ties or ""
    ends = f"{score.chance:.3f}", str(ties), str(score.impossible or "")
    return (items, str(score.right), *_shown(score), *ends)


def _shown(score: Score) -> tuple[str, str]:
    low, high = score.interval or (0.0, 0.0)
    return (
        "–" if score.score is None else f"{score.score:.3f}",
        f"{low:.2f} to {high:.2f}" if score.interval else "",
    )
