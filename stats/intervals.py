"""Proportions and means: their standard errors and intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

#: Two-sided 95 %: the 0.975 quantile of the normal distribution.
CONFIDENCE = 0.95
QUANTILE = 1.959963984540054
#: A note for readers on the intervals of this module.
WILSON = "95 % intervals are Wilson's: the fewer the items, the nearer is their middle to 1/2"


@lru_cache(100)
def normal_quantile(level: float) -> float:
    """The standard errors from the middle to the ends of a normal interval of a level."""
    from statistics import NormalDist  # few need another level than 95 %

    return NormalDist().inv_cdf((1 + min(max(level, 0.01), 0.999999)) / 2)


def wilson_interval(share: float, total: int) -> tuple[float, float]:
    """Wilson's 95 % score interval of a proportion (Wilson 1927)."""
    square = QUANTILE * QUANTILE
    centre = (share + square / (2 * total)) / (1 + square / total)
    spread = math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    half = QUANTILE / (1 + square / total) * spread
    # Rounding must not move an end that is 0 or 1.
    return (
        max(0.0, centre - half) if share > 0 else 0.0,
        min(1.0, centre + half) if share < 1 else 1.0,
    )


def average_interval(
    shares: Sequence[float], totals: Sequence[int], weights: Sequence[float] | None = None
) -> tuple[float, float]:
    """The 95 % interval of the mean of independent proportions.

    Each has the same weight, or its own; weights add up to 1. It combines the Wilson intervals of
    the proportions by their squared distances (MOVER, Zou and Donner 2008), so that for one
    proportion it is Wilson's interval.
    """
    weights = weights or [1 / len(shares)] * len(shares)
    pairs = [(share, *wilson_interval(share, n)) for share, n in zip(shares, totals, strict=True)]
    parts = list(zip(weights, pairs, strict=True))
    mean = math.fsum(weight * share for weight, (share, _, _) in parts)
    below = math.sqrt(math.fsum((weight * (share - low)) ** 2 for weight, (share, low, _) in parts))
    above = math.sqrt(
        math.fsum((weight * (share - high)) ** 2 for weight, (share, _, high) in parts)
    )
    return max(0.0, mean - below), min(1.0, mean + above)


def proportion_error(share: float, total: int) -> float:
    """The standard error s / sqrt(n), with s the sample standard deviation (ddof 1)."""
    return math.sqrt(share * (1 - share) / (total - 1))


def paired_interval(
    both: int, only_first: int, only_second: int, neither: int
) -> tuple[float, float]:
    """The 95 % interval of a difference of paired proportions, the second minus the first.

    Newcombe's square-and-add interval with the corrected phi (R. G. Newcombe, "Improved confidence
    intervals for the difference between binomial proportions based on paired data", Statistics in
    Medicine 17, 2635-2650, 1998, method 10). It is made of the Wilson intervals of both
    proportions, so it does not shrink to a point if the runs never differ.
    """
    total = both + only_first + only_second + neither
    first, second = (both + only_first) / total, (both + only_second) / total
    below_first, above_first = _arms(first, total)
    below_second, above_second = _arms(second, total)
    phi = _phi(both, only_first, only_second, neither)

    def length(first_arm: float, second_arm: float) -> float:
        return math.sqrt(
            max(
                0.0,
                first_arm * first_arm - 2 * phi * first_arm * second_arm + second_arm * second_arm,
            )
        )

    difference = second - first
    return (
        max(-1.0, difference - length(below_second, above_first)),
        min(1.0, difference + length(above_second, below_first)),
    )


def _arms(share: float, total: int) -> tuple[float, float]:
    """The reach of the Wilson interval below and above a proportion."""
    lower, upper = wilson_interval(share, total)
    return share - lower, upper - share


def _phi(both: int, only_first: int, only_second: int, neither: int) -> float:
    """The correlation of two columns of zeros and ones, corrected for continuity if positive."""
    margins = (
        (both + only_first)
        * (only_second + neither)
        * (both + only_second)
        * (only_first + neither)
    )
    if not margins:
        return 0.0
    excess: float = both * neither - only_first * only_second
    if excess > 0:
        excess = max(0.0, excess - (both + only_first + only_second + neither) / 2)
    return excess / math.sqrt(margins)


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
    from statistics import stdev  # slow to import, and the hook needs none

    return stdev(values) / math.sqrt(len(values))


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
        shares, mean = None, math.fsum(values) / len(values)
    else:
        whole = math.fsum(weights)
        shares = [weight / whole for weight in weights]
        mean = math.fsum(share * value for share, value in zip(shares, values, strict=True))
    # Rounding leaves a spread of its own.
    if max(abs(value - mean) for value in values) <= 1e-12 * abs(mean):
        return None
    if shares is None:
        return MeanSpread(mean, mean_error(values), len(values) - 1)
    if max(shares) >= 1:
        return None  # one value has all the weight
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
