"""Uncertainties of scores, as the format has them."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from evalmark.converters.records.run import Dataset, Metric, Result
from evalmark.converters.step import Object
from evalmark.stats.intervals import (
    CONFIDENCE,
    mean_error,
    proportion_error,
    wilson_interval,
)


def proportion_uncertainty(correct: int, total: int) -> Object | None:
    """The uncertainty of ``correct`` out of ``total``; None below two trials.

    The interval is Wilson's, clamped so that rounding never puts the proportion outside.
    """
    if total < 2:
        return None
    share = correct / total
    lower, upper = wilson_interval(share, total)
    return {
        "standard_error": {"value": proportion_error(share, total), "method": "analytic"},
        "confidence_interval": {
            "lower": min(lower, share),
            "upper": max(upper, share),
            "confidence_level": CONFIDENCE,
            "method": "wilson",
        },
        "num_samples": total,
    }


def accuracy(
    name: str,
    description: str,
    dataset: Dataset,
    correct: int,
    items: int,
    details: Mapping[str, str],
) -> Result:
    """The result of ``correct`` out of ``items``, with its uncertainty."""
    return Result(
        name,
        dataset,
        Metric.share(description),
        correct / items,
        proportion_uncertainty(correct, items),
        {"correct": str(correct), "items": str(items), **details},
    )


def mean_uncertainty(values: Sequence[float]) -> Object:
    """The uncertainty of a mean: sample deviation (ddof 1) and standard error."""
    uncertainty: Object = {"num_samples": len(values)}
    if len(values) > 1:
        uncertainty = {
            "standard_error": {"value": mean_error(values), "method": "analytic"},
            "standard_deviation": statistics.stdev(values),
            **uncertainty,
        }
    return uncertainty
