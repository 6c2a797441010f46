"""The table of a run: a row for each prediction or UID, and averages; printed, and in notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalmark.scoring.pairs.pair_averages import SetAverage
from evalmark.scoring.runs.pair_views import PairRunView, UidView
from evalmark.scoring.runs.run_tables import AnyView
from evalmark.scoring.runs.scores import scored_part
from evalmark.scoring.runs.suite_views import RunView, SuiteView

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
        yield from _of_suite(suite)
    for group in run.groups:
        if (count := len(group.suites)) > 1:
            label = f"average of {count} suites"
            label += f" tagged {group.tag}" if group.tag else ""
            label += f", {group.metric}" if group.metric else ""
            yield label, "all", "", "", f"{group.accuracy:.3f}", "", group.exact_chance.shown


def _of_suite(suite: SuiteView) -> Iterator[tuple[str, ...]]:
    name = suite.name
    for row in suite.shown:
        count = suite.part.removesuffix(" items") or str(row.items)
        numbers = count, str(row.correct), f"{row.accuracy:.3f}", _interval(row.interval)
        yield name, row.label, *numbers, row.exact_chance.shown
        name = ""


def _pair_rows(run: PairRunView) -> Iterator[tuple[str, ...]]:
    for uid in run.uids:
        yield uid.label, uid.method, *_of_uid(uid)
    for average in run.means:
        yield from _of_average(average)


def _of_uid(uid: UidView) -> tuple[str, ...]:
    items = uid.part.removesuffix(" pairs") or str(len(uid.contests))
    if uid.is_correlated:
        score = uid.correlation, uid.correlation_interval
        return (items, "", *_shown(*score), "0", "", "")
    counts = uid.counts
    return (
        items, str(counts.right), *_shown(counts.share, counts.interval),
        f"{float(counts.chance_share):.3f}", _ties(counts.ties, counts.exact_ties),
        _number(counts.impossible),
    )  # fmt: skip


def _of_average(average: SetAverage) -> Iterator[tuple[str, ...]]:
    counts = average.counts
    name = f"{average.label} {average.value}" if average.label else f"{average.set}"
    ends = _ties(counts.ties, counts.exact_ties), _number(counts.impossible)
    items = scored_part(counts.items, average.left_out) or str(counts.items)
    score, right = _shown(average.score, average.interval), str(counts.right)
    if average.is_correlation:
        yield f"{name}: {average.averaged}", "", items, "", *score, "0", *ends
        return
    yield (
        f"{name}: {average.averaged}",
        "",
        items,
        right,
        *score,
        f"{float(average.chance):.3f}",
        *ends,
    )
    if not average.label and average.uids > 1:
        score, chance = _shown(counts.share, counts.interval), float(counts.chance_share)
        yield f"{name}: all pairs", "", items, right, *score, f"{chance:.3f}", *ends


def _shown(score: float | None, interval: tuple[float, float] | None) -> tuple[str, str]:
    return "–" if score is None else f"{score:.3f}", _interval(interval)


def _interval(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"


def _number(count: int) -> str:
    return str(count) if count else ""


def _ties(count: int, exact: int) -> str:
    return f"{count} ({exact} exact)" if exact else _number(count)
