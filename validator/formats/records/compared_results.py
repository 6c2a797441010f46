"""Results as two records are compared by: their benchmark, their score, its scale and direction."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from evalmark.validator.formats.shared.fields import mapping, number

#: Digits from which two scores that are equal after rounding are hardly so by chance.
_DIGITS = 3
#: By how much of itself a score can differ from one of a single digit that it is rounded to.
_NEAR = 0.51
#: Digits, beyond the first of each score, from which equal scores of two models are not chance.
_SURPRISING, _OF_ONE = 6, 4


class ResultBenchmark(NamedTuple):
    """The benchmark that a result is about: an evaluation, its dataset and its metric."""

    evaluation: str
    dataset: str
    metric: str

    @property
    def label(self) -> str:
        """The benchmark in words."""
        parts = (self.evaluation, self.dataset, self.metric)
        return ", ".join(dict.fromkeys(part for part in parts if part)) or "unnamed"


class ComparedResult(NamedTuple):
    """A result as others are compared with it.

    Attributes:
        benchmark: Its benchmark.
        score: Its score; NaN if it has none, which only differences of one record look at.
        bounds: The least and the greatest possible score; None if one of them is absent.
        lower_is_better: Its direction; None if it is absent.
        settings: How the answers were generated, as JSON.
        pointer: RFC 6901 pointer to it.
    """

    benchmark: ResultBenchmark
    score: float
    bounds: tuple[float, float] | None
    lower_is_better: bool | None
    settings: Any
    pointer: str


def compared_results(record: dict[str, Any], *, unscored: bool = False) -> Iterator[ComparedResult]:
    """The results of a record, of any version, that have a score; or all of them."""
    results = record.get("evaluation_results")
    shared = mapping(record.get("source_data"))  # before 0.2.0, data is described once
    for index, result in enumerate(results if isinstance(results, list) else ()):
        if not isinstance(result, dict):
            continue
        score = number(mapping(result.get("score_details")).get("score"))
        if score is None:
            if not unscored:
                continue
            score = math.nan
        metric, data = mapping(result.get("metric_config")), mapping(result.get("source_data"))
        low, high = number(metric.get("min_score")), number(metric.get("max_score"))
        direction = metric.get("lower_is_better")
        yield ComparedResult(
            ResultBenchmark(
                _text(result, "evaluation_name"),
                _text(data or shared, "dataset_name"),
                _text(metric, "metric_id", "metric_name", "evaluation_description"),
            ),
            score,
            (low, high) if low is not None and high is not None else None,
            direction if isinstance(direction, bool) else None,
            result.get("generation_config"),
            f"/evaluation_results/{index}",
        )


def _text(holder: Any, *keys: str) -> str:
    """The first text that an object has under one of some keys."""
    for key in keys:
        if type(value := holder.get(key)) is str:
            return value
    return ""


def digits(score: float) -> int:
    """The number of digits that a score is written with, without zeros at its end."""
    return len(Decimal(repr(score)).normalize().as_tuple().digits) if math.isfinite(score) else 1


def are_close(first: float, second: float, least: int = _DIGITS) -> bool:
    """True if two scores are equal when both are rounded as the coarser, of some digits, is."""
    if first == second:
        return True
    near = _NEAR / 10 ** (least - 1)
    if not abs(first - second) <= near * max(abs(first), abs(second)) < math.inf:
        return False
    if len(repr(first)) == len(repr(second)):  # equally fine, which most scores are
        return False
    one, other = (Decimal(repr(score)).normalize() for score in (first, second))
    coarse, fine = sorted((one, other), key=_decimals)
    enough = len(coarse.as_tuple().digits) >= least
    # Half a unit of the last digit: programs round a half to either side.
    unit = Decimal(1).scaleb(-_decimals(coarse))
    return enough and _decimals(coarse) < _decimals(fine) and abs(coarse - fine) * 2 <= unit


def _decimals(score: Decimal) -> int:
    exponent = score.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def are_surprising(scores: Iterable[object]) -> bool:
    """True if it is not chance that two models have these scores: two or more, with many digits."""
    seen = 0
    distinct = {value for score in scores if (value := number(score)) is not None}
    if len(distinct) < 2:
        return False
    for score in distinct:
        seen += min(digits(score) - 1, _OF_ONE)
        if seen >= _SURPRISING:
            return True
    return False
