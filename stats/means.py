"""Means: their standard errors and intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from evalmark.stats.proportions import CONFIDENCE, QUANTILE

#: From so many degrees of freedom on, the expansion of the quantile is exact to 1e-9.
EXPANDED_FROM = 300


def mean_error(values: Sequence[float]) -> float:
    """The standard error of a mean: s / sqrt(n) with the sample deviation (ddof 1)."""
    return statistics.stdev(values) / math.sqrt(len(values))


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Student's 95 % interval of a mean; None for values that are all equal, or a single one."""
    mean = statistics.fmean(values)
    # Rounding leaves a spread of its own.
    if max(abs(value - mean) for value in values) <= 1e-12 * abs(mean):
        return None
    half = t_quantile(len(values) - 1) * mean_error(values)
    return mean - half, mean + half


def t_quantile(freedom: int) -> float:
    """The 0.975 quantile of Student's t distribution."""
    if freedom >= EXPANDED_FROM:
        # The quantile, by the expansion 26.7.5 of Abramowitz and Stegun around the normal one.
        z = QUANTILE
        terms = (
            z,
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        )
        return math.fsum(term / freedom**power for power, term in enumerate(terms))
    low, high = 1.9, 13.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        if _within(middle, freedom) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _within(t: float, freedom: int) -> float:
    """The probability that |T| < t, by the series 26.7.3 and 26.7.4 of Abramowitz and Stegun."""
    angle = math.atan(t / math.sqrt(freedom))
    square = math.cos(angle) ** 2
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    total = 0.0
    for k in range(odd, freedom - 1, 2):
        total += term
        term *= square * (k + 1) / (k + 2)
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total
