"""How far a score can be trusted."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalmark.converters.records.run import Dataset, Metric, Result

#: Two-sided 95 %: the 0.975 quantile of the normal distribution.
CONFIDENCE = 0.95
QUANTILE = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """Standard error (ddof 1) and Wilson interval of a proportion."""

    standard_error: float
    lower: float
    upper: float


def proportion_uncertainty(correct: int, total: int) -> Uncertainty | None:
    """The uncertainty of ``correct`` out of ``total``; None below two trials.

    The standard error is s / sqrt(n) with s the sample standard deviation (ddof 1) of the zeros
    and ones. The interval is Wilson's score interval (Wilson 1927), clamped so that rounding never
    puts the proportion outside.
    """
    if total < 2:
        return None
    share = correct / total
    standard_error = math.sqrt(share * (1 - share) / (total - 1))
    lower, upper = wilson_interval(share, total)
    return Uncertainty(standard_error, min(lower, share), max(upper, share))


def wilson_interval(share: float, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a proportion."""
    square = QUANTILE * QUANTILE
    centre = (share + square / (2 * total)) / (1 + square / total)
    spread = math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    half = QUANTILE / (1 + square / total) * spread
    return max(0.0, centre - half), min(1.0, centre + half)


def accuracy(
    name: str,
    description: str,
    dataset: str,
    correct: int,
    items: int,
    details: Mapping[str, str],
) -> Result:
    """The result of ``correct`` out of ``items``, with its uncertainty."""
    uncertainty: dict[str, Any] | None = None
    proportion = proportion_uncertainty(correct, items)
    if proportion is not None:
        uncertainty = {
            "standard_error": {"value": proportion.standard_error, "method": "analytic"},
            "confidence_interval": {
                "lower": proportion.lower,
                "upper": proportion.upper,
                "confidence_level": CONFIDENCE,
                "method": "wilson",
            },
            "num_samples": items,
        }
    return Result(
        name,
        Dataset(dataset),
        Metric(description),
        correct / items,
        uncertainty,
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
