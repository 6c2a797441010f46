"""Means: their standard errors and intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from evalmark.stats.proportions import CONFIDENCE

#: Terms of a continued fraction, and the relative change that ends it.
MOST_TERMS, PRECISION = 100_000, 1e-15


class MeanSpread(NamedTuple):
    """A mean with its standard error, and the degrees of freedom of that error."""

    mean: float
    error: float
    freedom: float

    @property
    def interval(self) -> tuple[float, float]:
        """Student's 95 % interval of the mean."""
        half = t_quantile(self.freedom) * self.error
        return self.mean - half, self.mean + half


def mean_error(values: Sequence[float]) -> float:
    """The standard error of a mean: s / sqrt(n) with the sample deviation (ddof 1)."""
    return statistics.stdev(values) / math.sqrt(len(values))


def mean_spread(
    values: Sequence[float], weights: Sequence[float] | None = None
) -> MeanSpread | None:
    """The spread of a mean; None for values that are all equal, or a single one.

    A weighted mean spreads as its parts w (d - mean) do, not as w d: equal values have no spread,
    whatever their weights are. With h = w / sum of w, its variance is the sum of
    h^2 (d - mean)^2 / (1 - h) (HC2; J. G. MacKinnon and H. White, Journal of Econometrics 29,
    305-325, 1985). It has as many degrees of freedom as equal weights of the same sum of squares.
    Equal weights give Student's own interval.
    """
    if weights is None or len(set(weights)) == 1:
        shares, mean = None, statistics.fmean(values)
    else:
        whole = math.fsum(weights)
        shares = [weight / whole for weight in weights]
        mean = math.fsum(share * value for share, value in zip(shares, values, strict=True))
    # Rounding leaves a spread of its own.
    if max(abs(value - mean) for value in values) <= 1e-12 * abs(mean):
        return None
    if shares is None:
        return MeanSpread(mean, mean_error(values), len(values) - 1)
    parts = (h * h * (v - mean) ** 2 / (1 - h) for h, v in zip(shares, values, strict=True))
    freedom = 1 / math.fsum(share * share for share in shares) - 1
    return MeanSpread(mean, math.sqrt(math.fsum(parts)), freedom)


def mean_interval(
    values: Sequence[float], weights: Sequence[float] | None = None
) -> tuple[float, float] | None:
    """Student's 95 % interval of a mean; None for values that are all equal, or a single one."""
    spread = mean_spread(values, weights)
    return None if spread is None else spread.interval


@cache
def t_quantile(freedom: float, p_value: float = 1 - CONFIDENCE) -> float:
    """The value of Student's t that has a two-sided p value: by default the 0.975 quantile."""
    low, high = 1.9, 13.0
    if student_p(low, freedom) < p_value:
        low = 0.0
    while student_p(high, freedom) > p_value:
        high *= 2
    while high - low > 1e-9:
        middle = (low + high) / 2
        if student_p(middle, freedom) > p_value:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def student_p(t: float, freedom: float) -> float:
    """The probability that Student's t is at least as far from 0: a two-sided p value.

    The relative error is below 1e-9, also of tiny p values.
    """
    square = t * t / freedom
    if not square:
        return 1.0
    return incomplete_beta(freedom / 2, 0.5, 1 / (1 + square), square / (1 + square))


def incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The incomplete beta function I_x(a, b), given x and 1 - x, both above 0.

    For Student's t, see Abramowitz and Stegun 26.7.1; for the tail of a binomial distribution,
    6.6.4. It is computed by the continued fraction 26.5.8.
    """
    factor = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        + a * math.log(x) + b * math.log(rest)
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
