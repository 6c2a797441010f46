"""Runs as gates: scores that are below a floor, and runs that are worse than their base.

A floor is compared with the score itself, as printed; the line also shows its 95 % interval. A run
is worse than its base if that is claimed, by corrected p values and however ties are read, for the
mean over suites or for one prediction.
Both tests are two-sided, and only one side stops: of equal runs at most alpha / 2 by the mean and
as many by the predictions, which are one family.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.scoring.comparison.paired_statistics import label_of, p_values
from evalmark.stats.intervals import mean_interval

if TYPE_CHECKING:  # it loads all importers, which floors do not need
    from evalmark.scoring.comparison.run_comparison import RunComparison

#: The name of the score of everything.
ALL = "all"


class Measured(NamedTuple):
    """A score that can have a floor."""

    #: Names by which a user may ask for it, the usual one last; several scores may have one name,
    #: and each is held to it.
    names: tuple[str, ...]
    label: str  # its full name
    score: float | None  # None if nothing counts
    interval: tuple[float, float] | None = None  # its 95 % interval; None if there is none


def measured_mean(names: tuple[str, ...], label: str, values: Sequence[float]) -> Measured:
    """The mean of scores from 0 to 1, with Student's interval."""
    if not values:
        return Measured(names, label, None)
    low, high = mean_interval(values) or (None, None)
    interval = None if low is None or high is None else (max(0.0, low), min(1.0, high))
    return Measured(names, label, statistics.fmean(values), interval)


def read_floors(texts: Iterable[str]) -> dict[str, float]:
    """Name -> the least score; a UsageError for a text that is not ``NAME=X``, X from 0 to 1."""
    floors = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        if name in floors:
            raise UsageError(f"{text}: the floor of {name} is stated twice")
        try:
            floors[name] = float(number)
        except ValueError:
            floors[name] = -1.0
        if not name or not 0 <= floors[name] <= 1:
            raise UsageError(f"{text}: a floor is NAME=X, with a number from 0 to 1")
    return floors


def require_known_floors(floors: Iterable[str], names: Iterable[str]) -> None:
    """Refuse floors of what will have no score, before a model is loaded.

    ``names`` are those of suites, sets or datasets; the name of a score contains one of them. An
    UnknownNameError if a floor has none of them.
    """
    known = list(dict.fromkeys((ALL, *names)))
    for floor in floors:
        # A suite has `NAME (METRIC)` and predictions, `NAME/1`; a UID of several sets is `SET/UID`.
        plain = floor.partition(" (")[0]
        if not any(name in (plain, floor) or f"/{name}/" in f"/{floor}/" for name in known):
            raise UnknownNameError("score", floor, known)


def below(scores: Sequence[Measured], floors: dict[str, float]) -> Iterator[str]:
    """A line for each score that is below its floor.

    Raises:
        UnknownNameError: No score has the name of a floor; after the lines of all others.
    """
    for name, floor in floors.items():
        for _, label, score, interval in (entry for entry in scores if name in entry.names):
            if score is None or score < floor - 1e-9:  # the mean of equal shares may be rounded
                value = "no score" if score is None else f"{score:.3f}"
                if score is not None and floor - score < 5e-4:
                    value = f"{score:.6g}"
                within = f" (95 % interval {_shown(interval)})" if interval else ""
                yield f"below the floor: {label} {value}{within}, at least {floor:g} is required"
    for name in floors:
        if not any(name in score.names for score in scores):
            known = list(dict.fromkeys(score.names[-1] for score in scores))
            raise UnknownNameError("score", name, known)


def worse(comparisons: Iterable[RunComparison], runs: Iterable[object]) -> Iterator[str]:
    """A line for each run that is claimed to be worse than the base: its most general claim."""
    for comparison, run in zip(comparisons, runs, strict=True):
        every = dict.fromkeys((*comparison.wholes, *comparison.means, *comparison.predictions))
        rows = [row for row in every if row.better == "first"]
        for row in rows[:1]:
            label, found = label_of(row, comparison.words), row.recorded
            interval = f" (95 % interval {_shown(row.interval)})" if row.interval else ""
            others = len(rows) - 1
            more = f"; {others} more {'is' if others == 1 else 'are'} worse" if others else ""
            yield (
                f"{run} is worse: {label}, {found.second:.3f} against {found.first:.3f} "
                f"({p_values(found)}); difference {row.difference:+.3f}{interval}{more}"
            )


def _shown(interval: tuple[float, float]) -> str:
    return f"{interval[0]:.3f} to {interval[1]:.3f}"
