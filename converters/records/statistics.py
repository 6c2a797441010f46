"""How far a score can be trusted."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from evalmark.converters.records.run import Dataset, Metric, Result

#: Two-sided 95 %: the 0.975 quantile of the normal distribution.
CONFIDENCE = 0.95
QUANTILE = 1.959963984540054


def proportion_uncertainty(correct: int, total: int) -> dict[str, Any] | None:
    """The uncertainty of ``correct`` out of ``total``, as the format has it; None below two trials.

    The standard error is s / sqrt(n) with s the sample standard deviation (ddof 1) of the zeros
    and ones. The interval is Wilson's score interval (Wilson 1927), clamped so that rounding never
    puts the proportion outside.
    """
    if total < 2:
        return None
    share = correct / total
    lower, upper = wilson_interval(share, total)
    error = math.sqrt(share * (1 - share) / (total - 1))
    return {
        "standard_error": {"value": error, "method": "analytic"},
        "confidence_interval": {
            "lower": min(lower, share),
            "upper": max(upper, share),
            "confidence_level": CONFIDENCE,
            "method": "wilson",
        },
        "num_samples": total,
    }


def wilson_interval(share: float, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a proportion."""
    square = QUANTILE * QUANTILE
    centre = (share + square / (2 * total)) / (1 + square / total)
    spread = math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    half = QUANTILE / (1 + square / total) * spread
    return max(0.0, centre - half), min(1.0, centre + half)


def average_interval(shares: Sequence[float], totals: Sequence[int]) -> tuple[float, float]:
    """The 95 % interval of the mean of independent proportions, each with the same weight.

    It combines the Wilson intervals of the proportions by their squared distances (MOVER, Zou and
    Donner 2008), so that for one proportion it is Wilson's interval.
    """
    mean = math.fsum(shares) / len(shares)
    pairs = [(share, *wilson_interval(share, n)) for share, n in zip(shares, totals, strict=True)]
    below = math.sqrt(math.fsum((share - low) ** 2 for share, low, _ in pairs)) / len(shares)
    above = math.sqrt(math.fsum((high - share) ** 2 for share, _, high in pairs)) / len(shares)
    return max(0.0, mean - below), min(1.0, mean + above)


def accuracy(
    name: str,
    description: str,
    dataset: str,
    correct: int,
    items: int,
    details: Mapping[str, str],
) -> Result:
    """The result of ``correct`` out of ``items``, with its uncertainty."""
    return Result(
        name,
        Dataset(dataset),
        Metric(description),
        correct / items,
        proportion_uncertainty(correct, items),
        {"correct": str(correct), "items": str(items), **details},
    )


def mean_uncertainty(values: Sequence[float]) -> dict[str, Any]:
    """The uncertainty of a mean, as the format has it: sample deviation (ddof 1), s / sqrt(n)."""
    found: dict[str, Any] = {"num_samples": len(values)}
    if len(values) > 1:
        deviation = statistics.stdev(values)
        error = deviation / math.sqrt(len(values))
        found = {
            "standard_error": {"value": error, "method": "analytic"},
            "standard_deviation": deviation,
            **found,
        }
    return found
