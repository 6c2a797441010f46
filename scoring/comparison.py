"""Two runs over the same items: do they differ by more than chance?"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.schemas.extras import require

#: Resamples of the bootstrap, and its seed: the same runs compare the same.
RESAMPLES = 10_000
SEED = 20_140_701


@dataclass(frozen=True, slots=True)
class Comparison:
    """One prediction (or all of them together) under two runs.

    Attributes:
        suite: Name of the suite.
        prediction: ``1``, ``2``, … or ``all``.
        items: How many items both have.
        first: Accuracy of the first run.
        second: Accuracy of the second.
        only_first: Items that only the first has right.
        only_second: Items that only the second has right.
        p_value: Of McNemar's exact test, two-sided: how likely so uneven a split of the items on
            which the runs differ is, were both sides equally likely.
        interval: 95 % bootstrap interval of the difference, second minus first, over items.
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

    @property
    def difference(self) -> float:
        """Second minus first."""
        return self.second - self.first


def compare(first: Path, second: Path) -> list[Comparison]:
    """Compare two runs, suite by suite.

    Args:
        first: The folder of a run, or its ``scores.json``.
        second: Another one.

    Returns:
        For each suite that both have, its predictions and, if there are several, all together.

    Raises:
        ScoringError: A folder holds no run, or the runs have no suite in common, or a suite of
            the same name is another one.
        OSError: A file cannot be read.
    """
    one, other = _load(first), _load(second)
    shared = [name for name in one if name in other]
    if not shared:
        raise ScoringError("the runs have no suite in common")
    found: list[Comparison] = []
    for name in shared:
        a, b = one[name], other[name]
        if a["digest"] != b["digest"]:
            raise ScoringError(f"{name} is not the same suite in both runs: its items differ")
        columns = list(zip(_outcomes(a), _outcomes(b), strict=True))
        for number, (x, y) in enumerate(columns, 1):
            found.append(_compared(name, str(number), x, y))
        if len(columns) > 1:
            sides = zip(*columns, strict=True)
            x, y = ([all(row) for row in zip(*side, strict=True)] for side in sides)
            found.append(_compared(name, "all", x, y))
    return found


def _load(path: Path) -> dict[str, Any]:
    file = path / "scores.json" if path.is_dir() else path
    if not file.is_file():
        raise ScoringError(f"{path} holds no run: there is no scores.json")
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return {suite["name"]: suite for suite in data["suites"]}
    except (ValueError, KeyError, TypeError) as error:
        raise ScoringError(f"{file} is no scores.json of evalmark") from error


def _outcomes(suite: dict[str, Any]) -> list[list[bool]]:
    return [prediction["outcomes"] for prediction in suite["predictions"]]


def _compared(suite: str, prediction: str, x: Sequence[bool], y: Sequence[bool]) -> Comparison:
    only_first = sum(a and not b for a, b in zip(x, y, strict=True))
    only_second = sum(b and not a for a, b in zip(x, y, strict=True))
    count = len(x)
    return Comparison(
        suite,
        prediction,
        count,
        sum(x) / count,
        sum(y) / count,
        only_first,
        only_second,
        mcnemar(only_first, only_second),
        _interval([int(b) - int(a) for a, b in zip(x, y, strict=True)]),
    )


def mcnemar(one: int, other: int) -> float:
    """Two-sided p value of McNemar's exact test: a sign test on the items that differ."""
    count = one + other
    if not count:
        return 1.0
    ways = sum(math.comb(count, k) for k in range(min(one, other) + 1))
    # Whole numbers to the end: a float would overflow beyond a thousand items.
    return min(1.0, float(Fraction(2 * ways, 1 << count)))


def _interval(differences: Sequence[int]) -> tuple[float, float]:
    require("numpy")
    import numpy as np

    values = np.asarray(differences)
    drawn = np.random.default_rng(SEED).integers(len(values), size=(RESAMPLES, len(values)))
    lower, upper = np.quantile(values[drawn].mean(axis=1), [0.025, 0.975])
    return float(lower), float(upper)
