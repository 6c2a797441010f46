"""Means: their standard errors and intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from functools import cache

from evalmark.stats.proportions import CONFIDENCE

#: Terms of a continued fraction, and the relative change that ends it.
MOST_TERMS, PRECISION = 100_000, 1e-15


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


@cache
def t_quantile(freedom: int) -> float:
    """The 0.975 quantile of Student's t distribution."""
    low, high = 1.9, 13.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        if student_p(middle, freedom) > 1 - CONFIDENCE:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def student_p(t: float, freedom: int) -> float:
    """The probability that Student's t is at least as far from 0: a two-sided p value.

    It is the incomplete beta function I_x(freedom / 2, 1 / 2) at x = freedom / (freedom + t²)
    (Abramowitz and Stegun 26.7.1), by the continued fraction 26.5.8. The relative error is below
    1e-9, also of tiny p values.
    """
    square = t * t / freedom
    if not square:
        return 1.0
    a, b = freedom / 2, 0.5
    x, rest = 1 / (1 + square), square / (1 + square)
    factor = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        - a * math.log1p(square) + b * math.log(rest)
    )  # fmt: skip
    if x < (a + 1) / (a + b + 2):
        return factor * _fraction(a, b, x) / a
    return 1 - factor * _fraction(b, a, rest) / b


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by the method of Lentz."""
    upper, lower = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = lower
    for m in range(1, MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            lower = 1 / (1 + term * lower)
            upper = 1 + term / upper
            value *= upper * lower
        if abs(upper * lower - 1) < PRECISION:
            break
    return value
