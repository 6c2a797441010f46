"""The numbers of a result against each other: one table of the relations that must hold.

Numbers are compared as far as their digits go: 0.02 stands for anything from 0.015 to 0.025.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from evalmark.stats.proportions import normal_quantile
from evalmark.validator.findings.finding import At, Change
from evalmark.validator.findings.phrasing import shown
from evalmark.validator.formats.records.record_view import RecordResult

#: How far outside its interval rounding may move a score.
ROUNDING = 1e-9
#: How far methods of errors and intervals differ, where nobody says which was used: Wilson's
#: interval has 0.68 to 1.39 times the width of the normal one.
FACTOR = 3.0
#: What rounding and n in place of n - 1 change in an error that is computed.
SLACK = 1.02
#: How far errors of shares that a formula gives differ, of at least so many samples.
ODD, MANY_SAMPLES = 1.1, 30
#: Fewer resamples say nothing of an interval, and fewer samples may score alike.
FEW = 20
#: Notes, texts to write, and edits.
Cure = tuple[tuple[str, ...], tuple[str, ...], tuple[Change, ...]]
#: Methods that name an interval of so many standard errors, and an error computed from a deviation.
_NORMAL = ("normal", "wald", "gaussian", "clt", "analytic", "standard error", "stderr")
_ANALYTIC = ("analytic", "sem", "sqrt(n)")
_BOOTSTRAP = ("bootstrap", "resampl", "percentile", "bca")
#: Methods that resample nothing.
_NAMED = (*_NORMAL, *_ANALYTIC, "wilson", "clopper", "exact", "agresti", "jeffreys")


def half_unit(value: float) -> float:
    """Half a unit of the last digit of a number, as it is written: 0.005 for 0.02, and for 0."""
    if not value:
        return 0.005
    mantissa, _, power = f"{value!r}".lower().partition("e")
    decimals = len(mantissa.partition(".")[2].rstrip("0"))
    return float(0.5 * 10.0 ** (int(power or 0) - decimals))


class Numbers(NamedTuple):
    """The numbers of a result, None where it has none, and the words that say how to read them."""

    score: float | None
    low: float | None
    high: float | None
    lower: float | None
    upper: float | None
    level: float | None
    error: float | None
    deviation: float | None
    samples: float | None
    no_samples: float | None
    resamples: float | None
    baseline: float | None
    score_type: Any
    error_method: str
    interval_method: str

    @property
    def range(self) -> float:
        """The greatest minus the least possible score; infinite if one of them is not known."""
        is_known = self.low is not None and self.high is not None and self.low < self.high
        return self.high - self.low if is_known else math.inf  # type: ignore[operator]

    @property
    def spread(self) -> float:
        """The greatest deviation of samples that have this mean and are inside these bounds.

        The bound of Bhatia and Davis: the variance is at most (high - mean)(mean - low). A mean at
        a bound counts as one that one of n + 2 samples moves away, since some methods smooth it.
        """
        if self.range == math.inf or self.score is None or self.low is None:
            return self.range / 2
        least = 1 / ((self.samples or 0) + 2)
        share = min(max((self.score - self.low) / self.range, least), 1 - least)
        return self.range * math.sqrt(share * (1 - share))

    @property
    def is_share(self) -> bool:
        """True if samples are right or wrong, and the score is the share of right ones."""
        return self.score_type == "binary" and (self.low, self.high) in ((0, 1), (None, None))

    @property
    def looks_like_percent(self) -> bool:
        """True if the score is above the bounds of a share, and a percentage can be."""
        return self.high == 1 and self.score is not None and 1 < self.score <= 100

    def names(self, method: str, words: tuple[str, ...]) -> bool:
        """True if a method is named by one of these words."""
        return any(word in method for word in words)


def numbers_of(result: RecordResult) -> Numbers:
    """The numbers of a result."""
    number = result.number
    samples = number("num_samples")
    has_samples = samples is not None and samples > 0
    return Numbers(
        score=result.score,
        low=result.low,
        high=result.high,
        lower=number("lower"),
        upper=number("upper"),
        level=number("level"),
        error=number("standard_error"),
        deviation=number("standard_deviation"),
        samples=samples if has_samples else None,
        no_samples=None if has_samples else samples,
        resamples=number("num_bootstrap_samples"),
        baseline=number("baseline"),
        score_type=result.get("score_type"),
        error_method=(result.text("error_method") or "").casefold(),
        interval_method=(result.text("interval_method") or "").casefold(),
    )


#: Field of ``Numbers`` -> the field of a result, where it has another name.
RESULT_FIELDS = {
    "error": "standard_error", "deviation": "standard_deviation", "samples": "num_samples",
    "no_samples": "num_samples", "resamples": "num_bootstrap_samples",
}  # fmt: skip
#: Fields that are wrong together: what is blamed is one of these.
THINGS = {
    "lower": "interval", "upper": "interval", "level": "interval", "low": "bounds",
    "high": "bounds",
}  # fmt: skip
UNCERTAINTY, OF_UNCERTAINTY = "uncertainty", frozenset({"interval", "error", "deviation"})


class NumberRelation(NamedTuple):
    """A relation between numbers of a result.

    Attributes:
        code: The rule that reports it.
        fields: The numbers that it needs. The finding is at the first.
        broken: What is wrong, in words, or "": a function of these numbers and all numbers.
        label: A field to point at, and what it is.
        cure: The texts to write, and the edits.
    """

    code: str
    fields: tuple[str, ...]
    broken: Callable[..., str]
    label: tuple[str, str] | None = None
    cure: Callable[[RecordResult, Numbers], Cure] | None = None

    @property
    def things(self) -> frozenset[str]:
        """What may be wrong if it is broken; the whole uncertainty may be that of another score."""
        things = frozenset(THINGS.get(field, field) for field in self.fields)
        is_of_both = things & {"score", "bounds"} and things & OF_UNCERTAINTY
        return things | {UNCERTAINTY} if is_of_both else things


# The score and its bounds


def _bounds_reversed(low: float, high: float, _: Numbers) -> str:
    return f"`min_score` is {low:g}, above `max_score`, {high:g}" if low > high else ""


def _bounds_equal(low: float, high: float, _: Numbers) -> str:
    return f"`min_score` and `max_score` are both {low:g}" if low == high else ""


def _score_below(score: float, low: float, n: Numbers) -> str:
    is_broken = score < low and (n.high is None or low < n.high)
    return f"score {score:.12g} is below its `min_score`, {low:g}" if is_broken else ""


def score_above(score: float, high: float, n: Numbers) -> str:
    """What is wrong with a score above its bounds."""
    is_broken = score > high and (n.low is None or n.low < high)
    return f"score {score:.12g} is above its `max_score`, {high:g}" if is_broken else ""


def _baseline_outside(baseline: float, low: float, high: float, _: Numbers) -> str:
    if low <= baseline <= high or low >= high:
        return ""
    return (
        f"`expert_baseline` is {baseline:g}, outside the bounds of the score, {low:g} to {high:g}"
    )


def _no_share(score: float, n: Numbers) -> str:
    is_broken = n.score_type == "binary" and n.low is n.high is None and not 0 <= score <= 1
    return f"score {score:.12g} of a binary metric is not a share from 0 to 1" if is_broken else ""


def _no_share_of_samples(score: float, samples: float, n: Numbers) -> str:
    if not n.is_share or not 0 <= score <= 1 or samples < 1:
        return ""
    right = score * samples
    if abs(right - round(right)) <= samples * half_unit(score) + 1e-6 * samples:
        return ""
    near = " and ".join(f"{count(right) / samples:.6g}" for count in (math.floor, math.ceil))
    return f"{score:.12g} is not a share of {samples:g} samples: {near} are the nearest ones"


# Errors, deviations and counts


def _negative(what: str, value: float, _: Numbers) -> str:
    return f"`{what}` is negative: {value:g}" if value < 0 else ""


def _no_samples(samples: float, _: Numbers) -> str:
    return f"`num_samples` is {samples:g}, and there is a score"


def _few_resamples(resamples: float, n: Numbers) -> str:
    is_bootstrap = n.names(n.error_method, _BOOTSTRAP) or n.names(n.interval_method, _BOOTSTRAP)
    is_broken = resamples < FEW and (resamples > 0 or (resamples == 0 and is_bootstrap))
    return f"{resamples:g} resamples are too few for an interval or an error" if is_broken else ""


def _resamples_without_bootstrap(resamples: float, n: Numbers) -> str:
    methods = {n.error_method} if n.error is not None else set()
    methods |= {n.interval_method} if n.lower is not None else set()
    if not resamples or not methods or not all(n.names(m, _NAMED) for m in methods):
        return ""
    method = shown(min(methods))
    return f"`num_bootstrap_samples` is {resamples:g}, and the method, {method}, has no resamples"


def _error_beyond_scale(error: float, low: float, high: float, n: Numbers) -> str:
    if error - half_unit(error) <= _most_deviation(low, high, n) or low >= high:
        return ""
    return f"standard error {error:g} is more than half the range of the score, {high - low:g}"


def _deviation_beyond_scale(deviation: float, low: float, high: float, n: Numbers) -> str:
    if deviation - half_unit(deviation) <= _most_deviation(low, high, n) or low >= high:
        return ""
    return f"standard deviation {deviation:g} is too large for scores from {low:g} to {high:g}"


def _most_deviation(low: float, high: float, n: Numbers) -> float:
    """The greatest deviation of samples between two bounds, if it is computed with n - 1."""
    count = max(n.samples or 2, 2)
    return (high - low) / 2 * math.sqrt(count / (count - 1)) * SLACK


def _error_of_deviation(error: float, deviation: float, samples: float, n: Numbers) -> str:
    if samples < 2 or min(deviation, error) < 0:
        return ""
    is_computed = not n.error_method or n.names(n.error_method, _ANALYTIC)
    factor = SLACK if is_computed else FACTOR
    low, high = _around(deviation)
    least = low / math.sqrt(samples) / factor
    most = high / math.sqrt(samples - 1) * factor
    smallest, largest = _around(error)
    if smallest <= most + 1e-12 and largest >= least - 1e-12:
        return ""
    return (
        f"standard error {error:g} does not match a standard deviation of {deviation:g} "
        f"over {samples:g} samples, which gives {deviation / math.sqrt(samples):.3g}"
    )


def _error_above_deviation(error: float, deviation: float, n: Numbers) -> str:
    is_known = n.samples is not None or n.names(n.error_method, _BOOTSTRAP)
    if is_known or _around(error)[0] <= _around(deviation)[1]:
        return ""
    return f"standard error {error:g} is larger than the standard deviation, {deviation:g}"


def _error_of_score(error: float, score: float, samples: float, n: Numbers) -> str:
    if n.range == math.inf or samples < 2 or error < 0:
        return ""
    expected = n.spread / math.sqrt(samples - 1)
    small, large = _around(error)
    is_one_value = n.deviation in (0, None) and (n.lower is None or n.lower == n.upper)
    if error == 0 and _is_between(n) and (n.is_share or (is_one_value and samples >= FEW)):
        return f"standard error 0 of {score:.12g} says that all {samples:g} samples score alike"
    is_computed = n.is_share and _is_between(n) and n.names(n.error_method, _ANALYTIC)
    if is_computed and samples >= MANY_SAMPLES and not small / ODD < expected < large * ODD:
        return (
            f"standard error {error:g} does not follow from a share of {score:.12g} of "
            f"{samples:g} samples, which gives {expected:.3g}"
        )
    if small > FACTOR * expected:
        return (
            f"standard error {error:g} is too large for a score of {score:.12g} over "
            f"{samples:g} samples: at most {expected:.3g} is possible"
        )
    if n.is_share and _is_between(n) and large < expected / FACTOR:
        return (
            f"standard error {error:g} is too small for a share of {score:.12g} of "
            f"{samples:g} samples, which gives {expected:.3g}"
        )
    return ""


def _deviation_of_score(deviation: float, score: float, n: Numbers) -> str:
    if n.range == math.inf or n.low is None or n.high is None or not n.low <= score <= n.high:
        return ""
    count = max(n.samples or 2, 2)
    small, large = _around(deviation)
    margin = half_unit(score)
    most = math.sqrt((n.high - score + margin) * (score - n.low + margin) * count / (count - 1))
    if small > SLACK * most:
        return (
            f"standard deviation {deviation:g} is too large for a mean of {score:.12g} "
            f"between {n.low:g} and {n.high:g}"
        )
    least = math.sqrt(max(score - margin, 0) * max(1 - score - margin, 0))
    if n.is_share and _is_between(n) and n.samples and large < least / SLACK:
        return (
            f"standard deviation {deviation:g} is too small for a share of {score:.12g} right "
            f"answers, which gives {n.spread:.3g}"
        )
    return ""


def _is_between(n: Numbers) -> bool:
    """True if the score is between its bounds, and at neither."""
    return n.score is not None and (n.low or 0) < n.score < (1 if n.high is None else n.high)


# Intervals


def _interval_reversed(lower: float, upper: float, _: Numbers) -> str:
    return f"the interval is reversed: from {lower:g} to {upper:g}" if lower > upper else ""


def _interval_misses_score(score: float, lower: float, upper: float, _: Numbers) -> str:
    if lower > upper or lower - ROUNDING <= score <= upper + ROUNDING:
        return ""
    return f"the interval from {lower:g} to {upper:g} does not contain the score, {score:g}"


def _interval_below_bound(lower: float, low: float, n: Numbers) -> str:
    if lower + half_unit(lower) >= low or (n.upper is not None and n.upper < low):
        return ""
    return f"the interval begins at {lower:g}, below the least possible score, {low:g}"


def _interval_above_bound(upper: float, high: float, n: Numbers) -> str:
    if upper - half_unit(upper) <= high or (n.lower is not None and n.lower > high):
        return ""
    return f"the interval ends at {upper:g}, above the greatest possible score, {high:g}"


def _interval_of_error(lower: float, upper: float, error: float, n: Numbers) -> str:
    if lower > upper or error < 0 or n.level in (0, 1):
        return ""
    half, margin = _half_width(lower, upper, n)
    times = normal_quantile(0.95 if n.level is None else n.level)
    is_normal = n.names(n.interval_method, _NORMAL) and n.level is not None
    is_normal = is_normal and (not n.error_method or n.names(n.error_method, _ANALYTIC))
    if not is_normal and error == 0 and n.score in (n.low, n.high):
        return ""  # the error that samples alone give, and an interval that knows better
    factor = SLACK if is_normal else FACTOR
    wide = factor * _students(times, n.samples)
    small, large = _around(error)
    is_narrow = half + margin < times * small / factor and not _is_whole(lower, upper, n)
    if half - margin > wide * times * large or is_narrow:
        return (
            f"the interval is {half:.3g} to each side of the score, and a standard error of "
            f"{error:g} gives {times * error:.3g}"
        )
    return ""


def _interval_of_samples(lower: float, upper: float, _: float, samples: float, n: Numbers) -> str:
    if n.range == math.inf or lower > upper or samples < 2 or n.level in (0, 1):
        return ""
    half, margin = _half_width(lower, upper, n)
    times = normal_quantile(0.95 if n.level is None else n.level)
    expected = times * n.spread / math.sqrt(samples - 1)
    if half - margin > FACTOR * _students(times, samples) * expected:
        why = "wide"
    elif n.is_share and _is_between(n) and half + margin < expected / FACTOR:
        why = "narrow"
    else:
        return ""
    return (
        f"the interval from {lower:g} to {upper:g} is too {why} for {samples:g} samples, which "
        f"give {expected:.3g} to each side of the score"
    )


def _level_unusual(level: float, _: Numbers) -> str:
    if 0.5 <= level < 1:
        return ""
    if level in (0, 1):
        return f"no interval has a confidence level of {level:g}"
    return f"confidence level {level:g} is below a half"


def _around(value: float) -> tuple[float, float]:
    """The least and the greatest number that is written like this."""
    half = half_unit(value)
    return max(value - half, 0), value + half


def _is_whole(lower: float, upper: float, n: Numbers) -> bool:
    """True for an interval that is cut off at both bounds: it may have been wider."""
    is_low = n.low is not None and lower <= n.low
    return is_low and n.high is not None and upper >= n.high


def _half_width(lower: float, upper: float, n: Numbers) -> tuple[float, float]:
    """Half the width of an interval, and how far its digits leave it open.

    An end at a bound is cut off: then the other side counts, unless both are.
    """
    margin = half_unit(lower) + half_unit(upper)
    is_cut = n.low is not None and lower <= n.low, n.high is not None and upper >= n.high
    if n.score is None or all(is_cut) or not any(is_cut):
        return (upper - lower) / 2, margin / 2
    return (n.score - lower if is_cut[1] else upper - n.score), margin + half_unit(n.score)


def _students(times: float, samples: float | None) -> float:
    """How much wider Student's interval is than the normal one, at the most, for few samples."""
    if samples is None or samples > 60:
        return 1.0 if samples else 2.5
    free = max(samples - 1, 1)
    if free == 1:
        return 20.0
    # The first terms of the expansion of Cornish and Fisher, and as much again for small samples.
    return 1 + (times**2 + 1) / (4 * free) * (1 + 6 / free)


# Cures: notes, texts to write, and edits.


def _missing_or_percent(_: RecordResult, n: Numbers) -> Cure:
    if n.score == -1 and n.low == 0:
        note = "-1 often marks a missing value, which is not a score"
        return (note,), ("if there is no score, remove the result",), ()
    if n.score is not None and n.looks_like_percent and _holds(n, n.score / 100):
        return (), (f"if it is a percentage, write {round(n.score / 100, 12):.12g}",), ()
    return (), (), ()


def _holds(n: Numbers, score: float) -> bool:
    """True unless the interval, on whatever scale, is one of another score."""
    if n.lower is None or n.upper is None:
        return True
    return any(n.lower - ROUNDING <= value <= n.upper + ROUNDING for value in (score, score * 100))


def _bounds_exchanged(result: RecordResult, n: Numbers) -> Cure:
    if n.score is not None and n.low is not None and n.high is not None:
        is_between = n.high <= n.score <= n.low
    else:
        is_between = True
    low, high = shown(result.get("high")), shown(result.get("low"))
    write = f'write "{result.key("low")}": {low}, "{result.key("high")}": {high}'
    helps = (
        write if is_between else "say which bound is wrong",
        "to say that lower scores are better, use `lower_is_better`",
    )
    return (), helps, ()


def _ends_exchanged(result: RecordResult, n: Numbers) -> Cure:
    if n.score is not None and not (n.upper or 0) <= n.score <= (n.lower or 0):
        return (), (), ()
    lower, upper = shown(result.get("upper")), shown(result.get("lower"))
    text = f'write "{result.key("lower")}": {lower}, "{result.key("upper")}": {upper}'
    edits = Change(At(result.at("lower")), lower), Change(At(result.at("upper")), upper)
    return (), (text,), edits


def _distances_added(result: RecordResult, n: Numbers) -> Cure:
    if n.score is None or n.lower is None or n.upper is None:
        return (), (), ()
    if not math.isclose(n.lower, -n.upper, abs_tol=ROUNDING):
        return (), (), ()
    ends = {"lower": round(n.score + n.lower, 12), "upper": round(n.score + n.upper, 12)}
    text = ", ".join(f'"{result.key(field)}": {end}' for field, end in ends.items())
    edits = (Change(At(result.at(field)), str(end)) for field, end in ends.items())
    return (), (f"the ends look like distances from the score; write {text}",), tuple(edits)


def _level_of_risk(_: RecordResult, n: Numbers) -> Cure:
    risk = n.level or 0
    if 0 < risk <= 0.2:
        return (), (f"if {risk:g} is the share of intervals that miss, write {1 - risk:.6g}",), ()
    return (), (), ()


#: The first relation of a group that is broken is reported: errors come first.
RELATIONS: tuple[NumberRelation, ...] = (
    NumberRelation(
        "EE202", ("low", "high"), _bounds_reversed, ("high", "the maximum"), _bounds_exchanged
    ),
    NumberRelation("EE202", ("low", "high"), _bounds_equal, ("high", "the maximum")),
    NumberRelation(
        "EE201", ("score", "low"), _score_below, ("low", "the bound"), _missing_or_percent
    ),
    NumberRelation(
        "EE201", ("score", "high"), score_above, ("high", "the bound"), _missing_or_percent
    ),
    NumberRelation(
        "EE206", ("lower", "upper"), _interval_reversed, ("upper", "the upper end"), _ends_exchanged
    ),
    NumberRelation("EE208", ("error",), partial(_negative, "standard_error")),
    NumberRelation("EE208", ("deviation",), partial(_negative, "standard_deviation")),
    NumberRelation("EE208", ("resamples",), partial(_negative, "num_bootstrap_samples")),
    NumberRelation("EE208", ("no_samples",), _no_samples),
    NumberRelation(
        "EE208", ("error", "low", "high"), _error_beyond_scale, ("high", "the greatest score")
    ),
    NumberRelation(
        "EE208",
        ("deviation", "low", "high"),
        _deviation_beyond_scale,
        ("high", "the greatest score"),
    ),
    NumberRelation(
        "EE207",
        ("score", "lower", "upper"),
        _interval_misses_score,
        ("lower", "the interval"),
        _distances_added,
    ),
    NumberRelation(
        "EE209",
        ("error", "deviation", "samples"),
        _error_of_deviation,
        ("deviation", "the standard deviation"),
    ),
    NumberRelation(
        "EE209",
        ("error", "deviation"),
        _error_above_deviation,
        ("deviation", "the standard deviation"),
    ),
    NumberRelation(
        "EE246", ("lower", "upper", "error"), _interval_of_error, ("error", "the standard error")
    ),
    NumberRelation("EE247", ("error", "score", "samples"), _error_of_score, ("score", "the score")),
    NumberRelation("EE247", ("deviation", "score"), _deviation_of_score, ("score", "the score")),
    NumberRelation(
        "EE247",
        ("lower", "upper", "score", "samples"),
        _interval_of_samples,
        ("samples", "the samples"),
    ),
    NumberRelation("EE248", ("lower", "low"), _interval_below_bound, ("low", "the least score")),
    NumberRelation(
        "EE248", ("upper", "high"), _interval_above_bound, ("high", "the greatest score")
    ),
    NumberRelation("EE249", ("score", "samples"), _no_share_of_samples, ("samples", "the samples")),
    NumberRelation("EE249", ("score",), _no_share),
    NumberRelation("EE250", ("level",), _level_unusual, None, _level_of_risk),
    NumberRelation("EE251", ("resamples",), _few_resamples),
    NumberRelation("EE251", ("resamples",), _resamples_without_bootstrap),
    NumberRelation(
        "EE252", ("baseline", "low", "high"), _baseline_outside, ("high", "the greatest score")
    ),
)
