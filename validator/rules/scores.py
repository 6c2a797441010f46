"""Rules on the scores of a record: bounds, levels, uncertainty, juries."""

from __future__ import annotations

import math
from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import shown
from evalmark.validator.views.record import RecordFacts, Result, mapping, number

#: How far rounding may carry a score out of its interval.
ROUNDING = 1e-9


def score_out_of_bounds(facts: RecordFacts) -> Iterator[Hit]:
    """A score lies between its bounds.

    A score above its own maximum is usually a percentage beside bounds of 0 and 1, or the reverse;
    a leaderboard that scales by the bounds shows nonsense.

    Bad: `"score": 87.5` with `"min_score": 0, "max_score": 1`
    Good: `"score": 0.875` with the same bounds
    """
    for result in facts.results:
        score, low, high = result.score, result.low, result.high
        if score is None or _reversed(result):
            continue  # bounds_reversed says so
        if low is not None and score < low:
            key, word, bound = "min_score", "below", low
        elif high is not None and score > high:
            key, word, bound = "max_score", "above", high
        else:
            continue
        helps: tuple[str, ...] = ()
        if key == "max_score" and high == 1 and score <= 100:
            helps = (f"if it is a percentage, write {score / 100:g}",)
        yield Hit(
            f"score {shown(result.details['score'])} is {word} its `{key}`, {bound:g}",
            At(f"{result.pointer}/score_details/score"),
            caret=f"{word} the bound",
            labels=((At(f"{result.pointer}/metric_config/{key}"), "the bound"),),
            helps=helps,
            fold=f"{key}",
        )


def bounds_reversed(facts: RecordFacts) -> Iterator[Hit]:
    """The least possible score is not above the greatest.

    Bad: `"min_score": 1, "max_score": 0`
    Good: `"min_score": 0, "max_score": 1`, and `"lower_is_better": true` if that was meant
    """
    for result in facts.results:
        if _reversed(result):
            low, high = result.metric["min_score"], result.metric["max_score"]
            yield Hit(
                f"`min_score` is {shown(low)}, above `max_score`, {shown(high)}",
                At(f"{result.pointer}/metric_config/min_score"),
                labels=((At(f"{result.pointer}/metric_config/max_score"), "the maximum"),),
                helps=("`lower_is_better` says that a small score is a good one",),
                fold="reversed",
            )


def _reversed(result: Result) -> bool:
    low, high = result.low, result.high
    return low is not None and high is not None and low > high


def not_a_level(facts: RecordFacts) -> Iterator[Hit]:
    """A score of type "levels" is the number of a level.

    Levels are numbered from 0 in the order of `level_names`.

    Bad: `"score": 3` with `"level_names": ["low", "high"]`
    Good: `"score": 1`
    """
    for result in facts.with_levels:
        names = _levels(result)
        score = result.score
        if names is None or score is None or score == -1:
            continue
        if score != int(score) or not 0 <= score < len(names):
            yield Hit(
                f"score {shown(result.details['score'])} is no level",
                At(f"{result.pointer}/score_details/score"),
                caret=f"expected a whole number from 0 to {len(names) - 1}",
                labels=((At(f"{result.pointer}/metric_config/level_names"), "the levels"),),
            )


def unknown_level(facts: RecordFacts) -> Iterator[Hit]:
    """A score of -1 stands for "unknown" only where the record says so.

    Bad: `"score": -1` with `"has_unknown_level": false`
    Good: `"score": -1` with `"has_unknown_level": true`
    """
    for result in facts.with_levels:
        if (
            _levels(result) is not None
            and result.score == -1
            and result.metric.get("has_unknown_level") is not True
        ):
            yield Hit(
                "score -1 stands for an unknown level, which `has_unknown_level` denies",
                At(f"{result.pointer}/score_details/score"),
                labels=((At(f"{result.pointer}/metric_config/has_unknown_level"), "said here"),),
            )


def _levels(result: Result) -> list[object] | None:
    names = result.metric.get("level_names")
    is_levels = result.metric.get("score_type") == "levels" and isinstance(names, list)
    return names if is_levels else None


def level_metadata_length(facts: RecordFacts) -> Iterator[Hit]:
    """There is one remark for each level.

    Bad: `"level_names": ["low", "high"], "level_metadata": ["below 10"]`
    Good: `"level_names": ["low", "high"], "level_metadata": ["below 10", "10 and above"]`
    """
    for result in facts.with_levels:
        names, remarks = result.metric.get("level_names"), result.metric.get("level_metadata")
        if isinstance(names, list) and isinstance(remarks, list) and len(names) != len(remarks):
            yield Hit(
                f"`level_names` has {len(names)} entries, `level_metadata` {len(remarks)}",
                At(f"{result.pointer}/metric_config/level_metadata"),
                labels=((At(f"{result.pointer}/metric_config/level_names"), "the levels"),),
            )


def interval_reversed(facts: RecordFacts) -> Iterator[Hit]:
    """The lower end of a confidence interval is not above the upper one.

    Bad: `"lower": 0.9, "upper": 0.6`
    Good: `"lower": 0.6, "upper": 0.9`
    """
    for result in facts.with_uncertainty:
        low, high = _interval(result)
        if low is not None and high is not None and low > high:
            pointer = _interval_pointer(result)
            yield Hit(
                f"interval is reversed: from {low:g} to {high:g}",
                At(f"{pointer}/lower"),
                labels=((At(f"{pointer}/upper"), "its upper end"),),
                fold="reversed",
            )


def interval_misses_score(facts: RecordFacts) -> Iterator[Hit]:
    """A confidence interval holds its score.

    If it does not, one of the two is usually on another scale. Rounding of 1e-9 is allowed.

    Bad: `"score": 0.75` with `"lower": 71.2, "upper": 78.8`
    Good: `"score": 0.75` with `"lower": 0.712, "upper": 0.788`
    """
    for result in facts.with_uncertainty:
        low, high = _interval(result)
        score = result.score
        if score is None or low is None or high is None or low > high:
            continue
        if not low - ROUNDING <= score <= high + ROUNDING:
            pointer = _interval_pointer(result)
            around = math.isclose(low, -high, abs_tol=ROUNDING)
            helps = (
                f'its ends look like distances from the score: write "lower": {score + low:g}, '
                f'"upper": {score + high:g}',
            )
            yield Hit(
                f"the interval from {low:g} to {high:g} does not hold the score, {score:g}",
                At(f"{result.pointer}/score_details/score"),
                labels=((At(f"{pointer}/lower"), "the interval"),),
                helps=helps if around else (),
                fold="misses",
            )


def _interval(result: Result) -> tuple[float | None, float | None]:
    interval = result.uncertainty.get("confidence_interval")
    if not isinstance(interval, dict):
        return None, None
    return number(interval.get("lower")), number(interval.get("upper"))


def _interval_pointer(result: Result) -> str:
    return f"{result.pointer}/score_details/uncertainty/confidence_interval"


def uncertainty_impossible(facts: RecordFacts) -> Iterator[Hit]:
    """Deviations and counts are not negative.

    Bad: `"standard_deviation": -0.2`
    Good: `"standard_deviation": 0.2`
    """
    for result in facts.with_uncertainty:
        uncertainty = result.uncertainty
        values = [("standard_error", mapping(uncertainty.get("standard_error")).get("value"))]
        values += [
            (key, uncertainty.get(key))
            for key in ("standard_deviation", "num_samples", "num_bootstrap_samples")
        ]
        for name, given in values:
            value = number(given)
            if value is not None and value < 0:
                pointer = f"{result.pointer}/score_details/uncertainty/{name}"
                where = f"{pointer}/value" if name == "standard_error" else pointer
                yield Hit(f"`{name}` is negative: {value:g}", At(where), fold=name)


def uncertainty_inconsistent(facts: RecordFacts) -> Iterator[Hit]:
    """Standard error, standard deviation and number of samples fit together.

    The standard error of a mean is the deviation over the square root of the number of samples,
    with n or n - 1 in the deviation; a difference of more than 2 % is none of rounding. A
    bootstrapped error may differ, and is not looked at.

    Bad: `"standard_error": {"value": 0.2}, "standard_deviation": 0.2, "num_samples": 100`
    Good: `"standard_error": {"value": 0.02}, "standard_deviation": 0.2, "num_samples": 100`
    """
    for result in facts.with_uncertainty:
        uncertainty = result.uncertainty
        error = mapping(uncertainty.get("standard_error"))
        value = number(error.get("value"))
        deviation = number(uncertainty.get("standard_deviation"))
        samples = number(uncertainty.get("num_samples"))
        if error.get("method") not in (None, "analytic") or value is None or deviation is None:
            continue
        if samples is None or samples < 2 or deviation < 0 or value < 0:
            continue
        expected = [deviation / math.sqrt(n) for n in (samples, samples - 1)]
        if not min(expected) * 0.98 - 1e-12 <= value <= max(expected) * 1.02 + 1e-12:
            pointer = f"{result.pointer}/score_details/uncertainty"
            yield Hit(
                f"standard error {value:g} does not follow from deviation {deviation:g} "
                f"over {samples:g} samples: that would be {expected[0]:.3g}",
                At(f"{pointer}/standard_error/value"),
                labels=((At(f"{pointer}/standard_deviation"), "the deviation"),),
                fold="inconsistent",
            )


def jury_weights(facts: RecordFacts) -> Iterator[Hit]:
    """Judges have weights where their verdicts are weighted, and only there.

    Bad: `"aggregation_method": "weighted_average"` with a judge without `weight`
    Good: `"aggregation_method": "weighted_average"` with a `weight` for every judge
    """
    for result in facts.results:
        if "llm_scoring" not in result.metric:
            continue
        scoring = mapping(result.metric["llm_scoring"])
        judges = scoring.get("judges")
        if not isinstance(judges, list):
            continue
        weighted = [isinstance(judge, dict) and "weight" in judge for judge in judges]
        pointer = f"{result.pointer}/metric_config/llm_scoring"
        method = scoring.get("aggregation_method")
        if method == "weighted_average" and not all(weighted):
            yield Hit(
                f"verdicts are weighted, but {weighted.count(False)} of {len(judges)} judges "
                "have no `weight`",
                At(f"{pointer}/judges/{weighted.index(False)}"),
                labels=((At(f"{pointer}/aggregation_method"), "asks for weights"),),
            )
        elif method != "weighted_average" and any(weighted):
            yield Hit(
                "a judge has a `weight`, but verdicts are not weighted",
                At(f"{pointer}/judges/{weighted.index(True)}/weight"),
                helps=('write "aggregation_method": "weighted_average", or leave it out',),
            )
