"""Two runs over the same items: whether they differ by more than chance."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.validator.edge.opening import read_whole


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """One prediction, or the conjunction of all, under two runs.

    Attributes:
        suite: Name of the suite.
        prediction: ``1``, ``2``, … or ``all``.
        items: Number of items.
        first: Accuracy of the first run.
        second: Accuracy of the second.
        only_first: Items that are correct in the first run only.
        only_second: Items that are correct in the second run only.
        p_value: P value of McNemar's exact test, two-sided: the probability of a split this uneven
            among the items on which the runs differ, if both sides were equally likely.
        interval: 95 % bootstrap interval of the difference, second minus first, over items.
        rounded: Items that are correct in one run only, and that rounding decided in either.
    """

    suite: str
    prediction: str
    items: int
    first: float
    second: float
    only_first: int
    only_second: int
    p_value: float
    interval: tuple[float, float]
    rounded: int = 0

    @property
    def difference(self) -> float:
        """Second minus first."""
        return self.second - self.first


def compare(first: Path, second: Path) -> list[PairedComparison]:
    """Compare two runs, suite by suite.

    Args:
        first: The folder of a run, or its ``scores.json``.
        second: The other run.

    Returns:
        For each common suite, its predictions and, if there are several, their conjunction. A suite
        with several metrics in one of the runs is one suite for each of them.

    Raises:
        ScoringError: A folder has no run, or the runs have no suite in common, or suites of the
            same name differ.
        OSError: A file cannot be read.
    """
    try:
        return _all(_load(first), _load(second))
    except (KeyError, TypeError, ZeroDivisionError, AttributeError) as error:
        raise ScoringError(f"{first} and {second} cannot be compared: {error!r}") from error


def not_compared(first: Path, second: Path) -> tuple[list[str], list[str]]:
    """The suites, each with its metric if the run has several, that only one of two runs has.

    Raises:
        ScoringError: A folder has no run.
        OSError: A file cannot be read.
    """
    one, other = _load(first), _load(second)
    pairs = _shared(one, other)
    return (
        [label for label in one if label not in {a for a, _ in pairs}],
        [label for label in other if label not in {b for _, b in pairs}],
    )


def _shared(one: dict[str, Any], other: dict[str, Any]) -> list[tuple[str, str]]:
    """The labels of the suites that two runs share, in either.

    Labels name the metric only where a run has several for the suite, so that a suite whose label
    the other run lacks is looked for by its name and metric.
    """

    def key(suite: dict[str, Any]) -> tuple[Any, Any]:
        return suite.get("name"), suite.get("metric")

    same = {label for label in one if label in other and key(one[label]) == key(other[label])}
    by_metric = {key(suite): label for label, suite in other.items() if label not in same}
    pairs = []
    for label, suite in one.items():
        if label in same:
            pairs.append((label, label))
        elif found := by_metric.pop(key(suite), None):
            pairs.append((label, found))
    return pairs


def _all(one: dict[str, Any], other: dict[str, Any]) -> list[PairedComparison]:
    shared = _shared(one, other)
    if not shared:
        raise ScoringError("the runs have no suite of the same metric in common")
    found: list[PairedComparison] = []
    for name, theirs in shared:
        a, b = one[name], other[theirs]
        if a["digest"] != b["digest"]:
            raise ScoringError(f"{name} is not the same suite in both runs: the items differ")
        sides = ([p["outcomes"] for p in run["predictions"]] for run in (a, b))
        columns: list[tuple[list[bool], list[bool]]] = list(zip(*sides, strict=True))
        close = _close(a, b)
        for number, ((x, y), rounded) in enumerate(zip(columns, close, strict=True), 1):
            found.append(_compared(name, str(number), x, y, rounded))
        if len(columns) > 1:
            wholes = zip(*columns, strict=True)
            x, y = ([all(row) for row in zip(*side, strict=True)] for side in wholes)
            found.append(_compared(name, "all", x, y, frozenset().union(*close)))
    if not found:
        raise ScoringError("nothing to compare: the suites that the runs share have no predictions")
    return found


def _load(path: Path) -> dict[str, Any]:
    file = path / "scores.json" if path.is_dir() else path
    if not file.is_file():
        raise ScoringError(f"{path} is not the folder of a run: there is no scores.json")
    try:
        data = json.loads(read_whole(file))
        # Earlier versions wrote no labels.
        return {suite.get("label", suite["name"]): suite for suite in data["suites"]}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ScoringError(f"{file} is not a scores.json of evalmark") from error


def _close(*runs: dict[str, Any]) -> list[frozenset[int]]:
    """For each prediction, the indices of the items that rounding decided in one of the runs."""
    sides = []
    for run in runs:
        index = {number: i for i, number in enumerate(run.get("item_numbers", ()))}
        ties = [prediction.get("ties", ()) for prediction in run["predictions"]]
        sides.append([frozenset(index[tie] for tie in of if tie in index) for of in ties])
    return [frozenset().union(*of) for of in zip(*sides, strict=True)]


def _compared(
    suite: str, prediction: str, x: Sequence[bool], y: Sequence[bool], close: Collection[int]
) -> PairedComparison:
    only_first = sum(a and not b for a, b in zip(x, y, strict=True))
    only_second = sum(b and not a for a, b in zip(x, y, strict=True))
    count = len(x)
    return PairedComparison(
        suite,
        prediction,
        count,
        sum(x) / count,
        sum(y) / count,
        only_first,
        only_second,
        mcnemar(only_first, only_second),
        _interval([int(b) - int(a) for a, b in zip(x, y, strict=True)]),
        sum(a != b and i in close for i, (a, b) in enumerate(zip(x, y, strict=True))),
    )


def mcnemar(one: int, other: int) -> float:
    """Two-sided p value of McNemar's exact test: a sign test on the items that differ."""
    count = one + other
    if not count:
        return 1.0
    ways = sum(math.comb(count, k) for k in range(min(one, other) + 1))
    # Integers, since floats overflow beyond a thousand items.
    return min(1.0, float(Fraction(2 * ways, 1 << count)))


def _interval(differences: Sequence[int]) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean of some -1, 0 and 1.

    It is exact, without resampling: the sum of n draws is distributed as the coefficients of the
    n-th power of the polynomial whose coefficients are the counts of -1, 0 and 1.
    """
    count = len(differences)
    counts = [differences.count(value) for value in (-1, 0, 1)]
    total = count**count
    bounds: list[float] = []
    seen = 0
    for drawn, ways in enumerate(_power(counts, count), -count):
        seen += ways
        # Integers, as above. 1/40 and 39/40 are the quantiles.
        while len(bounds) < 2 and 40 * seen >= (1, 39)[len(bounds)] * total:
            bounds.append(drawn / count)
        if len(bounds) == 2:
            break
    return bounds[0], bounds[1]


def _power(polynomial: Sequence[int], exponent: int) -> Iterator[int]:
    """The coefficients of a power of a polynomial, in ascending order.

    Each follows from those before it by q' p = n p' q, where q is p to the power of n.
    """
    lowest = next(i for i, value in enumerate(polynomial) if value)
    yield from [0] * (lowest * exponent)
    p = polynomial[lowest:]
    found = [p[0] ** exponent]
    yield found[0]
    for k in range(1, (len(p) - 1) * exponent + 1):
        terms = range(1, min(k, len(p) - 1) + 1)
        value = sum((i * (exponent + 1) - k) * p[i] * found[-i] for i in terms)
        found = [*found[-1:], value // (k * p[0])]
        yield found[-1]
