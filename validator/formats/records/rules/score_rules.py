"""Rules on the scores of a record: bounds, levels, uncertainty, juries."""

from __future__ import annotations

import math
from collections.abc import Iterator

from evalmark.validator.findings.finding import At, Change, Hit, Safety
from evalmark.validator.findings.phrasing import shown
from evalmark.validator.formats.records.record_view import JUDGE, RecordResult, RecordView

#: How far outside its interval rounding may move a score.
ROUNDING = 1e-9


def score_out_of_bounds(record: RecordView) -> Iterator[Hit]:
    """A score is outside its bounds.

    A score above its maximum is usually a percentage with bounds of 0 and 1, or the reverse. A
    leaderboard that scales by the bounds then shows wrong scores.

    Bad: `"score": 87.5` with `"min_score": 0, "max_score": 1`
    Good: `"score": 0.875` with the same bounds
    """
    for result in record.results:
        score, low, high = result.score, result.low, result.high
        if score is not None and low is not None and score < low:
            key, word, bound = "low", "below", low
        elif score is not None and high is not None and score > high:
            key, word, bound = "high", "above", high
        else:
            continue
        if _reversed(result):
            continue  # bounds_reversed reports it
        notes, helps = _likely_mistake(score, low, high)
        yield Hit(
            f"score {shown(result.get('score'))} is {word} its `{result.key(key)}`, {bound:g}",
            At(result.at("score")),
            caret=f"{word} the bound",
            labels=((At(result.at(key)), "the bound"),),
            notes=notes,
            helps=helps,
            fold=key,
        )


def _likely_mistake(
    score: float, low: float | None, high: float | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Notes and helps for a score that is out of its bounds."""
    if score == -1 and low == 0:
        note = "-1 often marks a missing value, which is not a score"
        return (note,), ("if there is no score, remove the result",)
    if high == 1 and 1 < score <= 100:
        return (), (f"if it is a percentage, write {round(score / 100, 12):.12g}",)
    return (), ()


def bounds_reversed(record: RecordView) -> Iterator[Hit]:
    """The lowest possible score is above the highest.

    Bad: `"min_score": 1, "max_score": 0`
    Good: `"min_score": 0, "max_score": 1`, and `"lower_is_better": true` if that was meant
    """
    for result in record.results:
        if _reversed(result):
            yield Hit(
                f"`{result.key('low')}` is {shown(result.get('low'))}, "
                f"above `{result.key('high')}`, {shown(result.get('high'))}",
                At(result.at("low")),
                labels=((At(result.at("high")), "the maximum"),),
                helps=(
                    _exchanged(result),
                    "to say that lower scores are better, use `lower_is_better`",
                ),
                fold="reversed",
            )


def _exchanged(result: RecordResult) -> str:
    """The bounds in the other order, if the score is between them."""
    score, low, high = result.score, result.low, result.high
    if score is not None and low is not None and high is not None and not high <= score <= low:
        return "say which bound is wrong"
    low_text, high_text = shown(result.get("high")), shown(result.get("low"))
    return f'write "{result.key("low")}": {low_text}, "{result.key("high")}": {high_text}'


def _reversed(result: RecordResult) -> bool:
    low, high = result.low, result.high
    return low is not None and high is not None and low > high


def direction_contradicts_metric(record: RecordView) -> Iterator[Hit]:
    """`lower_is_better` contradicts what is known of the metric.

    A leaderboard that goes by it ranks the worst model first. The metric is known by its
    id or name, if [the table of metrics](metrics.md) has it; the direction of other metrics is not
    checked.

    Bad: `"metric_name": "mae", "lower_is_better": false`
    Good: `"metric_name": "mae", "lower_is_better": true`
    """
    for result, metric in record.known_metrics():
        stated = result.get("lower_is_better")
        if not isinstance(stated, bool) or metric.lower_is_better in (None, stated):
            continue
        right = str(metric.lower_is_better).lower()
        yield Hit(
            f"`lower_is_better` is {str(stated).lower()}, but {metric.direction} scores of "
            f'"{metric.id}" are better',
            At(result.at("lower_is_better")),
            notes=(f"the table of metrics has it from {metric.sources[0]}",),
            helps=(f'write "lower_is_better": {right}',),
            changes=(Change(At(result.at("lower_is_better")), right),),
            safety=Safety.UNSAFE,
            fold=metric.id,
        )


def not_a_level(record: RecordView) -> Iterator[Hit]:
    """A score of type "levels" is not the number of a level.

    Levels are numbered from 0 in the order of `level_names`.

    Bad: `"score": 3` with `"level_names": ["low", "high"]`
    Good: `"score": 1`
    """
    for result, names in _with_levels(record):
        score = result.score
        if score is not None and score != -1 and score not in range(len(names)):
            yield Hit(
                f"score {shown(result.get('score'))} is not the number of a level",
                At(result.at("score")),
                caret=f"expected a whole number from 0 to {len(names) - 1}",
                labels=((At(result.at("level_names")), "the levels"),),
            )


def unknown_level(record: RecordView) -> Iterator[Hit]:
    """A score is -1 ("unknown"), but `has_unknown_level` is not true.

    Bad: `"score": -1` with `"has_unknown_level": false`
    Good: `"score": -1` with `"has_unknown_level": true`
    """
    for result, _ in _with_levels(record):
        if result.score == -1 and result.get("has_unknown_level") is not True:
            yield Hit(
                "score -1 means an unknown level, but `has_unknown_level` is not true",
                At(result.at("score")),
                labels=((At(result.at("has_unknown_level")), "`has_unknown_level`"),),
            )


def _with_levels(record: RecordView) -> Iterator[tuple[RecordResult, list[object]]]:
    for result in record.with_levels:
        names = result.get("level_names")
        if result.get("score_type") == "levels" and isinstance(names, list):
            yield result, names


def level_metadata_length(record: RecordView) -> Iterator[Hit]:
    """`level_metadata` does not have one entry for each level.

    Bad: `"level_names": ["low", "high"], "level_metadata": ["below 10"]`
    Good: `"level_names": ["low", "high"], "level_metadata": ["below 10", "10 and above"]`
    """
    for result in record.with_levels:
        names, remarks = result.get("level_names"), result.get("level_metadata")
        if isinstance(names, list) and isinstance(remarks, list) and len(names) != len(remarks):
            yield Hit(
                f"`level_names` has {len(names)} entries, `level_metadata` has {len(remarks)}",
                At(result.at("level_metadata")),
                labels=((At(result.at("level_names")), "the levels"),),
            )


def interval_reversed(record: RecordView) -> Iterator[Hit]:
    """The lower end of a confidence interval is above the upper end.

    Bad: `"lower": 0.9, "upper": 0.6`
    Good: `"lower": 0.6, "upper": 0.9`
    """
    for result in record.with_uncertainty:
        low, high = result.number("lower"), result.number("upper")
        if low is not None and high is not None and low > high:
            ends = [shown(result.get(field)) for field in ("upper", "lower")]
            places = [At(result.at(field)) for field in ("lower", "upper")]
            keys = [result.key(field) for field in ("lower", "upper")]
            yield Hit(
                f"the interval is reversed: from {low:g} to {high:g}",
                places[0],
                labels=((places[1], "the upper end"),),
                helps=(f'write "{keys[0]}": {ends[0]}, "{keys[1]}": {ends[1]}',),
                changes=tuple(map(Change, places, ends)),
                safety=Safety.UNSAFE,
                fold="reversed",
            )


def interval_misses_score(record: RecordView) -> Iterator[Hit]:
    """A confidence interval does not contain its score.

    The two are usually on different scales. A difference of 1e-9 is allowed.

    Bad: `"score": 0.75` with `"lower": 71.2, "upper": 78.8`
    Good: `"score": 0.75` with `"lower": 0.712, "upper": 0.788`
    """
    for result in record.with_uncertainty:
        score, low, high = result.score, result.number("lower"), result.number("upper")
        if score is None or low is None or high is None or low > high:
            continue
        if not low - ROUNDING <= score <= high + ROUNDING:
            fields: dict[str, float] = {}
            helps: tuple[str, ...] = ()
            if math.isclose(low, -high, abs_tol=ROUNDING):
                fields = {"lower": round(score + low, 12), "upper": round(score + high, 12)}
                ends = ", ".join(f'"{result.key(field)}": {end}' for field, end in fields.items())
                helps = (f"the ends look like distances from the score; write {ends}",)
            yield Hit(
                f"the interval from {low:g} to {high:g} does not contain the score, {score:g}",
                At(result.at("score")),
                labels=((At(result.at("lower")), "the interval"),),
                helps=helps,
                changes=tuple(
                    Change(At(result.at(field)), str(end)) for field, end in fields.items()
                ),
                safety=Safety.UNSAFE,
                fold="misses",
            )


def uncertainty_impossible(record: RecordView) -> Iterator[Hit]:
    """An error, a deviation or a count is negative.

    Bad: `"standard_deviation": -0.2`
    Good: `"standard_deviation": 0.2`
    """
    counts = ("standard_error", "standard_deviation", "num_samples", "num_bootstrap_samples")
    for result in record.with_uncertainty:
        for name in counts:
            value = result.number(name)
            if value is not None and value < 0:
                yield Hit(f"`{name}` is negative: {value:g}", At(result.at(name)), fold=name)


def uncertainty_inconsistent(record: RecordView) -> Iterator[Hit]:
    """The standard error contradicts the standard deviation and the number of samples.

    The standard error of a mean is the standard deviation divided by the square root of n or
    n - 1. A difference of more than 2 % is not due to rounding. Errors from a bootstrap may differ
    and are not checked.

    Bad: `"standard_error": {"value": 0.2}, "standard_deviation": 0.2, "num_samples": 100`
    Good: `"standard_error": {"value": 0.02}, "standard_deviation": 0.2, "num_samples": 100`
    """
    for result in record.with_uncertainty:
        value = result.number("standard_error")
        deviation = result.number("standard_deviation")
        samples = result.number("num_samples")
        if result.get("error_method") not in (None, "analytic"):
            continue
        if value is None or deviation is None or samples is None:
            continue
        if samples < 2 or min(deviation, value) < 0:
            continue
        expected = [deviation / math.sqrt(n) for n in (samples, samples - 1)]
        if not min(expected) * 0.98 - 1e-12 <= value <= max(expected) * 1.02 + 1e-12:
            yield Hit(
                f"standard error {value:g} does not match a standard deviation of {deviation:g} "
                f"over {samples:g} samples, which gives {expected[0]:.3g}",
                At(result.at("standard_error")),
                labels=((At(result.at("standard_deviation")), "the standard deviation"),),
                fold="inconsistent",
            )


def jury_weights(record: RecordView) -> Iterator[Hit]:
    """A judge has a weight without weighted verdicts, or the reverse.

    Bad: `"aggregation_method": "weighted_average"` with a judge without `weight`
    Good: `"aggregation_method": "weighted_average"` with a `weight` for every judge
    """
    for result in record.with_judges:
        judges = list(result.each("judges", JUDGE))
        weighted = [judge.has("weight") for judge in judges]
        method = result.get("aggregation")
        if method == "weighted_average" and not all(weighted):
            yield Hit(
                f"verdicts are weighted, but {weighted.count(False)} of {len(judges)} judges "
                "have no `weight`",
                At(judges[weighted.index(False)].pointer),
                labels=((At(result.at("aggregation")), "requires weights"),),
            )
        elif method != "weighted_average" and any(weighted):
            weight = 'write "aggregation_method": "weighted_average"'
            yield Hit(
                "a judge has a `weight`, but the verdicts are not weighted",
                At(judges[weighted.index(True)].at("weight")),
                helps=(weight, "or, if they do not count, remove all weights")
                if all(weighted)
                else ("remove `weight`",)
                if weighted.count(True) == 1
                else ("remove all weights, or add those that are missing",),
            )


def partial_run(record: RecordView) -> Iterator[Hit]:
    """A score is one of the first items only.

    `evalmark score --limit` scores some items of each file, to try a set-up. Its record is valid,
    but its scores are not those of the suite.

    Bad: `"scored": "5 of 48 items"` in the details of a result that is published
    Good: a run without `--limit`
    """
    for result in record.results:
        if part := result.text("scored"):
            yield Hit(
                f"only {part} were scored",
                At(result.at("scored")),
                helps=("score again, without a limit, before you publish it",),
                fold=part,
            )
