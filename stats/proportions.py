"""Proportions: their standard errors and intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

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
    return max(0.0, centre - half), min(1.0, centre + half)


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
