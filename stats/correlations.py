"""Correlations of ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence

from evalmark.stats.intervals import QUANTILE


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's correlation: Pearson's of the ranks, where equal values share their mean rank.

    None if all values of a side are equal, or there are fewer than two.
    """
    return pearson(_ranks(first), _ranks(second)) if first else None


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's correlation; None if all values of a side are equal."""
    means = math.fsum(first) / len(first), math.fsum(second) / len(second)
    parts = [
        [value - mean for value in xs] for xs, mean in zip((first, second), means, strict=True)
    ]
    squares = [math.fsum(part * part for part in xs) for xs in parts]
    if not all(squares):
        return None
    product = math.fsum(a * b for a, b in zip(*parts, strict=True))
    return max(-1.0, min(1.0, product / math.sqrt(squares[0] * squares[1])))


def spearman_interval(correlation: float, count: int) -> tuple[float, float] | None:
    """The 95 % interval of Spearman's correlation by Fisher's z, variance by Bonett and Wright.

    (D. G. Bonett and T. A. Wright, "Sample size requirements for estimating Pearson, Kendall and
    Spearman correlations", Psychometrika 65, 23-28, 2000.) None below four values, or for a
    correlation of 1 or -1.
    """
    if count < 4 or abs(correlation) >= 1:
        return None
    half = QUANTILE * math.sqrt((1 + correlation**2 / 2) / (count - 3))
    middle = math.atanh(correlation)
    return math.tanh(middle - half), math.tanh(middle + half)


def _ranks(values: Sequence[float]) -> list[float]:
    ranks = [0.0] * len(values)
    order = sorted(range(len(values)), key=lambda index: values[index])
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + 1 + end) / 2
        start = end
    return ranks
