"""Rules on the numbers of a result: what is broken of their relations, each cause once.

A wrong number breaks several relations: a standard error in percent contradicts the deviation, the
interval and the bounds. The thing that explains most of what is broken is reported once, with the
first of its relations; the others are notes.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

from evalmark.stats.intervals import normal_quantile
from evalmark.validator.findings.finding import At, Change, Mistake, Safety, Severity
from evalmark.validator.findings.phrasing import cited
from evalmark.validator.findings.rule import Rule
from evalmark.validator.formats.records.record_view import Numbers, RecordResult, RecordView
from evalmark.validator.formats.records.rules.metric_rules import is_share_of_samples
from evalmark.validator.formats.shared.json_values import mapping

#: How far outside its interval rounding may move a score.
ROUNDING = 1e-9
#: How far methods of errors and intervals differ, where nobody says which was used: Wilson's
#: interval has 0.68 to 1.39 times the width of the normal one.
FACTOR = 3.0
#: What rounding and n in place of n - 1 change in an error that is computed.
SLACK = 1.02
#: How far errors of shares that a formula gives differ, of at least so many samples.
ODD, MANY_SAMPLES = 1.1, 30
#: So many samples are one group, whose accuracy is not a mean over groups.
FEW_ENOUGH = 1000
#: Words for scores that are means over runs or groups of samples, or for samples of parts.
OF_RUNS = re.compile(
    r"(?i)mean|avg|average|macro|weight|normali[sz]|repeat|runs?\b|seed|trial|epoch|generations"
    r"|partial|credit|balanced|adjusted|attempts|@|pass\b|f1"
)
#: Those that count in methods and details too: a "standard error of the mean" is of samples.
OVER_RUNS = re.compile(r"(?i)repeat|repetition|replic|runs?(?:\b|_)|seed|trial|epoch|generations")
#: Fewer resamples say nothing of an interval, and fewer samples may score alike.
FEW = 20
#: Notes, texts to write, and edits.
Cure = tuple[tuple[str, ...], tuple[str, ...], tuple[Change, ...]]
#: Methods that name an interval of so many standard errors, and an error computed from a deviation.
_NORMAL = ("normal", "wald", "gaussian", "clt", "analytic", "standard error", "stderr")
_ANALYTIC = ("analytic", "sem", "sqrt(n)")
#: Methods of intervals that have the score in their middle, unless they say how they turn it.
_SYMMETRIC = re.compile(
    r"(?i)(?!.*(?:log|arc|delta|transform|boot|wilson|bias|exact|quantile|percentile|agresti|coull"
    r"|adjusted|posterior|credible|bayes|\bnot?\b))(?:.*\W)?(?<!')(?:normal|wald|gaussian|clt|z|t)\b"
)
_BOOTSTRAP = ("bootstrap", "resampl", "percentile", "bca")
#: Methods that resample nothing.
_NAMED = (*_NORMAL, *_ANALYTIC, "wilson", "clopper", "exact", "agresti", "jeffreys")


@lru_cache(256)
def _is_named_by(method: str | None, words: tuple[str, ...]) -> bool:
    return method is not None and any(word in method.casefold() for word in words)


def half_unit(value: float) -> float:
    """Half a unit of the last digit of a number, as it is written: 0.005 for 0.02, and for 0."""
    if not value:
        return 0.005
    mantissa, _, power = f"{value!r}".lower().partition("e")
    decimals = len(mantissa.partition(".")[2].rstrip("0"))
    return float(0.5 * 10.0 ** (int(power or 0) - decimals))


#: Fields that are wrong together: what is blamed is one of these.
THINGS = {
    "lower": "interval", "upper": "interval", "level": "interval", "low": "bounds",
    "high": "bounds",
}  # fmt: skip
UNCERTAINTY = "uncertainty"
OF_UNCERTAINTY = frozenset({"interval", "standard_error", "standard_deviation"})
#: What a number is, where a finding on another one points at it.
_LABELS = {
    "low": "the least score", "high": "the greatest score", "lower": "the interval",
    "upper": "the upper end", "score": "the score", "num_samples": "the samples",
    "standard_error": "the standard error", "standard_deviation": "the standard deviation",
    "samples_number": "the data",
}  # fmt: skip


class NumberRelation(NamedTuple):
    """A relation between numbers of a result."""

    code: str  # of the rule that reports it
    fields: tuple[str, ...]  # the numbers that it needs; the finding is at the first
    broken: Callable[..., str]  # what is wrong, in words, or "", by these numbers and all numbers
    label: str  # a field to point at
    cure: Callable[[RecordResult, Numbers], Cure] | None  # the texts to write, and the edits

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
    is_unknown = n.score_type == "levels" and score == -1  # `unknown-level` looks at it
    is_broken = not is_unknown and score < low and (n.high is None or low < n.high)
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
    whole = 1.0 if n.is_share else _perfect(n) if samples <= FEW_ENOUGH and not _is_mean(n) else 0
    is_odd = n.samples_number is not None and samples > n.samples_number  # and reported as that
    is_fraction = whole == 100 and score <= 1  # reported as a score on another scale
    if not 0 <= score <= whole or not whole or samples < 1 or is_odd or is_fraction:
        return ""
    right = score / whole * samples
    if abs(right - round(right)) <= samples * (half_unit(score) / whole + 1e-6):
        return ""
    near = " and ".join(
        f"{whole * count(right) / samples:.6g}" for count in (math.floor, math.ceil)
    )
    return f"{score:.12g} is not a share of {samples:g} samples: {near} are the nearest ones"


def _no_share_of_data(score: float, samples: float, n: Numbers) -> str:
    """The same of a score that does not say of how many samples it is."""
    ids = n.sample_ids if isinstance(n.sample_ids, list) else ()
    if n.num_samples is not None:
        return ""
    return _no_share_of_samples(score, min(samples, len(ids) or samples), n)


def _perfect(n: Numbers) -> float:
    """The score if all samples are right, where each is right or wrong by the metric; else 0."""
    is_share = n.low == 0 and n.high in (1, 100)
    is_share = is_share and is_share_of_samples(n.metric_id, n.metric_name, n.description)
    return float(n.high or 0) if is_share else 0.0


def _is_mean(n: Numbers) -> bool:
    """True if a score may be a mean over runs or groups, so that it is not a share of samples."""
    settings = " ".join(mapping(n.more_settings))
    if OF_RUNS.search(f"{n.metric_id} {n.metric_name} {n.description} {settings}"):
        return True
    return OVER_RUNS.search(_around(n)) is not None


def _around(n: Numbers) -> str:
    """The methods of a score's figures, and the keys beside it."""
    return f"{n.error_method} {n.interval_method} {' '.join(mapping(n.details))}"


# Errors, deviations and counts


def _negative(noun: str, value: float, _: Numbers) -> str:
    return f"`{noun}` is negative: {value:g}" if value < 0 else ""


def _no_samples(samples: float, _: Numbers) -> str:
    return f"`num_samples` is {samples:g}, but there is a score" if samples <= 0 else ""


def _few_resamples(resamples: float, n: Numbers) -> str:
    methods = n.error_method, n.interval_method
    is_bootstrap = any(_is_named_by(method, _BOOTSTRAP) for method in methods)
    is_broken = resamples < FEW and (resamples > 0 or (resamples == 0 and is_bootstrap))
    return f"{resamples:g} resamples are too few for an interval or an error" if is_broken else ""


def _resamples_are_samples(resamples: float, samples: float, data: float, _: Numbers) -> str:
    if resamples != data or samples == data:
        return ""
    return (
        f"`num_bootstrap_samples` is {resamples:g}, as many as the data has samples, and "
        f"`num_samples` is {samples:g}"
    )


def _resamples_without_bootstrap(resamples: float, n: Numbers) -> str:
    methods = {n.error_method} if n.standard_error is not None else set()
    methods |= {n.interval_method} if n.lower is not None else set()
    if not resamples or not methods or not all(_is_named_by(m, _NAMED) for m in methods):
        return ""
    method = cited(min(method or "" for method in methods))
    return f"`num_bootstrap_samples` is {resamples:g}, but the method {method} does not resample"


def _deviation_of_one(samples: float, deviation: float, n: Numbers) -> str:
    if samples != 1 or deviation <= 0 or OVER_RUNS.search(f"{n.description} {_around(n)}"):
        return ""
    return f"`num_samples` is 1, but there is a standard deviation, {deviation:g}"


def _error_beyond_scale(error: float, low: float, high: float, n: Numbers) -> str:
    most = _most_deviation(low, high, n)
    if error <= most or low >= high or error - half_unit(error) <= most:
        return ""
    return f"standard error {error:g} is more than half the range of the score, {high - low:g}"


def _deviation_beyond_scale(deviation: float, low: float, high: float, n: Numbers) -> str:
    most = _most_deviation(low, high, n)
    if deviation <= most or low >= high or deviation - half_unit(deviation) <= most:
        return ""
    return f"standard deviation {deviation:g} is too large for scores from {low:g} to {high:g}"


def _most_deviation(low: float, high: float, n: Numbers) -> float:
    """The greatest deviation of samples between two bounds, if it is computed with n - 1."""
    count = max(n.num_samples or 2, 2)
    return (high - low) / 2 * math.sqrt(count / (count - 1)) * SLACK


def _error_of_deviation(error: float, deviation: float, samples: float, n: Numbers) -> str:
    if samples < 2 or min(deviation, error) < 0:
        return ""
    is_computed = not n.error_method or _is_named_by(n.error_method, _ANALYTIC)
    factor = SLACK if is_computed else FACTOR
    if deviation / factor <= error * math.sqrt(samples - 1) <= deviation * factor:
        return ""  # nearly always, whatever the digits
    low, high = _rounding_range(deviation)
    least = low / math.sqrt(samples) / factor
    most = high / math.sqrt(samples - 1) * factor
    smallest, largest = _rounding_range(error)
    if smallest <= most + 1e-12 and largest >= least - 1e-12:
        return ""
    return (
        f"standard error {error:g} does not match the standard deviation: {deviation:g} "
        f"over {samples:g} samples gives {deviation / math.sqrt(samples):.3g}"
    )


def _error_above_deviation(error: float, deviation: float, n: Numbers) -> str:
    is_known = n.num_samples is not None or _is_named_by(n.error_method, _BOOTSTRAP)
    if is_known or _rounding_range(error)[0] <= _rounding_range(deviation)[1]:
        return ""
    return f"standard error {error:g} is larger than the standard deviation, {deviation:g}"


def _error_of_score(error: float, score: float, samples: float, n: Numbers) -> str:
    if n.range == math.inf or samples < 2 or error < 0:
        return ""
    expected = n.spread / math.sqrt(samples - 1)
    if 0 < error <= FACTOR * expected and not n.is_share:
        return ""  # nearly always, whatever the digits; so below
    small, large = _rounding_range(error)
    if error == 0 and _is_between(n) and (n.is_share or samples >= FEW or _perfect(n)):
        return f"standard error 0 of {score:.12g} says that all {samples:g} samples score alike"
    if n.is_share and _is_between(n):
        gives = f"a share of {score:.12g} of {samples:g} samples gives {expected:.3g}"
        is_computed = samples >= MANY_SAMPLES and _is_named_by(n.error_method, _ANALYTIC)
        if is_computed and not small / ODD < expected < large * ODD:
            return f"standard error {error:g} does not match the score: {gives}"
        if large < expected / FACTOR:
            return f"standard error {error:g} is too small: {gives}"
    if small > FACTOR * expected:
        return (
            f"standard error {error:g} is too large for a score of {score:.12g} over "
            f"{samples:g} samples: at most {expected:.3g} is possible"
        )
    return ""


def _deviation_of_score(deviation: float, score: float, n: Numbers) -> str:
    if n.range == math.inf or n.low is None or n.high is None or not n.low <= score <= n.high:
        return ""
    count = max(n.num_samples or 2, 2)
    most = math.sqrt((n.high - score) * (score - n.low))
    is_variance = _is_variance(deviation, score, count, n)
    if deviation <= most and not n.is_share and not is_variance:
        return ""
    small, large = _rounding_range(deviation)
    if is_variance:
        return (
            f"standard deviation {deviation:g} is the variance of a share of {score:.12g}, whose "
            f"root is {math.sqrt(deviation):.4g}"
        )
    margin = half_unit(score)
    most = math.sqrt((n.high - score + margin) * (score - n.low + margin) * count / (count - 1))
    if small > SLACK * most:
        return (
            f"standard deviation {deviation:g} is too large for a mean of {score:.12g} "
            f"between {n.low:g} and {n.high:g}"
        )
    least = math.sqrt(max(score - margin, 0) * max(1 - score - margin, 0))
    if n.is_share and _is_between(n) and n.num_samples and large < least / SLACK:
        return (
            f"standard deviation {deviation:g} is too small for a share of {score:.12g} right "
            f"answers, which gives {n.spread:.3g}"
        )
    return ""


def _is_variance(deviation: float, score: float, count: float, n: Numbers) -> bool:
    """True for p(1 - p) in place of its root, of answers that are right or wrong."""
    whole = _perfect(n)
    variance, slack = score * (whole - score), 1e-4 * whole**2  # on the squared scale of the score
    if variance <= 0 or half_unit(deviation) > slack or abs(variance - whole * deviation) < slack:
        return False
    near = variance, variance * count / (count - 1)
    return not _is_mean(n) and any(abs(deviation - value) <= slack for value in near)


def _is_between(n: Numbers) -> bool:
    """True if the score is between its bounds, and at neither."""
    return n.score is not None and (n.low or 0) < n.score < (1 if n.high is None else n.high)


# Intervals


def _interval_reversed(lower: float, upper: float, _: Numbers) -> str:
    return f"the interval is reversed: from {lower:g} to {upper:g}" if lower > upper else ""


def _interval_misses_score(score: float, lower: float, upper: float, n: Numbers) -> str:
    if lower > upper or lower - ROUNDING <= score <= upper + ROUNDING:
        return ""
    if _ends_are_distances(lower, upper, score, n):
        return ""
    return f"the interval from {lower:g} to {upper:g} does not contain the score, {score:g}"


def _ends_are_distances(lower: float, upper: float, score: float, n: Numbers) -> str:
    """The interval is around 0, and inside the bounds if it is put around the score."""
    is_inside = (n.low or 0) <= score + lower and score + upper <= (n.high or math.inf)
    if not lower <= 0 <= upper < score or lower == upper:
        return ""
    if not is_inside and not math.isclose(lower, -upper, abs_tol=ROUNDING):
        return ""
    problem = f"the interval from {lower:g} to {upper:g} does not contain the score, {score:g}"
    return f"{problem}: its ends are distances from it"


def _interval_beside_score(lower: float, upper: float, score: float, n: Numbers) -> str:
    """The score is not in the middle of an interval whose method has it there."""
    if not lower - ROUNDING <= score <= upper + ROUNDING or _is_middle(score, lower, upper):
        return ""
    is_cut = lower == 0 or upper in (1, 100) or lower <= (n.low if n.low is not None else -math.inf)
    is_cut = is_cut or upper >= (n.high if n.high is not None else math.inf)
    if is_cut or not _SYMMETRIC.match(n.interval_method or ""):
        return ""
    return (
        f"the score, {score:g}, is not in the middle of its interval, {(lower + upper) / 2:.6g}, "
        f"where the method {cited(n.interval_method)} has it"
    )


def _is_middle(score: float, lower: float, upper: float) -> bool:
    slack = half_unit(score) + half_unit(lower) + half_unit(upper) + 0.02 * (upper - lower)
    return abs(score - (lower + upper) / 2) <= slack


def _interval_below_bound(lower: float, low: float, n: Numbers) -> str:
    if lower >= low or lower + half_unit(lower) >= low or _overshoots(n):
        return ""
    if n.upper is not None and n.upper < low:
        return ""
    return f"the interval begins at {lower:g}, below the least possible score, {low:g}"


def _interval_above_bound(upper: float, high: float, n: Numbers) -> str:
    if upper <= high or upper - half_unit(upper) <= high or _overshoots(n):
        return ""
    if n.lower is not None and n.lower > high:
        return ""
    return f"the interval ends at {upper:g}, above the greatest possible score, {high:g}"


def _overshoots(n: Numbers) -> bool:
    """True for an interval of a method that does not stop at a bound."""
    if n.score is None or n.lower is None or n.upper is None:
        return False
    is_named = _SYMMETRIC.match(n.interval_method or "") is not None
    return is_named and _is_middle(n.score, n.lower, n.upper)


def _interval_of_error(lower: float, upper: float, error: float, n: Numbers) -> str:
    if lower > upper or error < 0 or n.level in (0, 1):
        return ""
    half, times = _half_width(lower, upper, n), _quantile(n.level)
    is_normal = _is_named_by(n.interval_method, _NORMAL) and n.level is not None
    is_normal = is_normal and (not n.error_method or _is_named_by(n.error_method, _ANALYTIC))
    if not is_normal and error == 0 and n.score in (n.low, n.high):
        return ""  # the error that samples alone give, and an interval that knows better
    factor = SLACK if is_normal else FACTOR
    if times * error / factor <= half <= times * error * factor:
        return ""
    margin = _margin(lower, upper, n)
    wide = factor * _students(times, n.num_samples)
    small, large = _rounding_range(error)
    is_narrow = half + margin < times * small / factor and not _is_whole(lower, upper, n)
    if half - margin > wide * times * large or is_narrow:
        return (
            f"the interval is {half:.3g} to each side of the score, but a standard error of "
            f"{error:g} gives {times * error:.3g}"
        )
    return ""


def _interval_of_samples(lower: float, upper: float, _: float, samples: float, n: Numbers) -> str:
    if n.range == math.inf or lower > upper or samples < 2 or n.level in (0, 1):
        return ""
    half, times = _half_width(lower, upper, n), _quantile(n.level)
    expected = times * n.spread / math.sqrt(samples - 1)
    if half <= FACTOR * expected and not n.is_share:
        return ""
    margin = _margin(lower, upper, n)
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
    return f"confidence level {level:g} is below 0.5"


def _rounding_range(value: float) -> tuple[float, float]:
    half = half_unit(value)
    return max(value - half, 0), value + half


def _is_whole(lower: float, upper: float, n: Numbers) -> bool:
    """True for an interval that is cut off at both bounds: it may have been wider."""
    is_low = n.low is not None and lower <= n.low
    return is_low and n.high is not None and upper >= n.high


def _half_width(lower: float, upper: float, n: Numbers) -> float:
    """Half the width of an interval. An end at a bound is cut off: then the other side counts."""
    is_cut = n.low is not None and lower <= n.low, n.high is not None and upper >= n.high
    if n.score is None or is_cut[0] == is_cut[1]:
        return (upper - lower) / 2
    return n.score - lower if is_cut[1] else upper - n.score


def _margin(lower: float, upper: float, n: Numbers) -> float:
    """How far the digits of an interval and its score leave ``_half_width`` open."""
    margin = half_unit(lower) + half_unit(upper)
    is_cut = n.low is not None and lower <= n.low, n.high is not None and upper >= n.high
    if n.score is None or is_cut[0] == is_cut[1]:
        return margin / 2
    return margin + half_unit(n.score)


@lru_cache(256)
def _quantile(level: float | None) -> float:
    return normal_quantile(0.95 if level is None else level)


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
    low, high = cited(result.get("high")), cited(result.get("low"))
    write = f'write "{result.key("low")}": {low}, "{result.key("high")}": {high}'
    helps = (
        write if is_between else "say which bound is wrong",
        "to say that lower scores are better, use `lower_is_better`",
    )
    return (), helps, ()


def _ends_exchanged(result: RecordResult, n: Numbers) -> Cure:
    if n.score is not None and not (n.upper or 0) <= n.score <= (n.lower or 0):
        return (), (), ()
    lower, upper = cited(result.get("upper")), cited(result.get("lower"))
    text = f'write "{result.key("lower")}": {lower}, "{result.key("upper")}": {upper}'
    edits = Change(At(result.at("lower")), lower), Change(At(result.at("upper")), upper)
    return (), (text,), edits


def _distances_added(result: RecordResult, n: Numbers) -> Cure:
    if n.score is None or n.lower is None or n.upper is None:
        return (), (), ()
    ends = {"lower": round(n.score + n.lower, 12), "upper": round(n.score + n.upper, 12)}
    text = ", ".join(f'"{result.key(field)}": {end}' for field, end in ends.items())
    edits = (Change(At(result.at(field)), str(end)) for field, end in ends.items())
    return (), (f"the ends look like distances from the score; write {text}",), tuple(edits)


def _counts_exchanged(_: RecordResult, n: Numbers) -> Cure:
    samples, resamples = n.num_bootstrap_samples, n.num_samples
    text = f'write "num_samples": {samples:g}, "num_bootstrap_samples": {resamples:g}'
    return (), (f"if they are each other's values, {text}",), ()


def _mean_of_runs(_: RecordResult, n: Numbers) -> Cure:
    text = "if it is a mean over runs or groups, say so in `evaluation_description`"
    return (), () if n.is_share else (text,), ()


def _level_of_risk(_: RecordResult, n: Numbers) -> Cure:
    risk = n.level or 0
    if 0 < risk <= 0.2:
        return (), (f"if {risk:g} is the share of intervals that miss, write {1 - risk:.6g}",), ()
    return (), (), ()


#: Code, the numbers that must be there, what is wrong with them, the one to point at, and a cure.
#: The first relation of a group that is broken is reported: errors come first.
RELATIONS = tuple(
    NumberRelation(code, tuple(fields.split()), broken, label, cure)
    for code, fields, broken, label, cure in (
        ("EE202", "low high", _bounds_reversed, "high", _bounds_exchanged),
        ("EE202", "low high", _bounds_equal, "high", None),
        ("EE201", "score low", _score_below, "low", _missing_or_percent),
        ("EE201", "score high", score_above, "high", _missing_or_percent),
        ("EE206", "lower upper", _interval_reversed, "upper", _ends_exchanged),
        ("EE208", "standard_error", partial(_negative, "standard_error"), "", None),
        ("EE208", "standard_deviation", partial(_negative, "standard_deviation"), "", None),
        ("EE208", "num_bootstrap_samples", partial(_negative, "num_bootstrap_samples"), "", None),
        ("EE208", "num_samples", _no_samples, "", None),
        ("EE208", "standard_error low high", _error_beyond_scale, "high", None),
        ("EE208", "standard_deviation low high", _deviation_beyond_scale, "high", None),
        ("EE208", "num_samples standard_deviation", _deviation_of_one, "standard_deviation", None),
        ("EE207", "lower upper score", _ends_are_distances, "score", _distances_added),
        ("EE207", "score lower upper", _interval_misses_score, "lower", None),
        ("EE207", "lower upper score", _interval_beside_score, "score", None),
        (
            "EE209", "standard_error standard_deviation num_samples", _error_of_deviation,
            "standard_deviation", None,
        ),
        (
            "EE209", "standard_error standard_deviation", _error_above_deviation,
            "standard_deviation", None,
        ),
        ("EE246", "lower upper standard_error", _interval_of_error, "standard_error", None),
        ("EE247", "standard_error score num_samples", _error_of_score, "score", None),
        ("EE247", "standard_deviation score", _deviation_of_score, "score", None),
        ("EE247", "lower upper score num_samples", _interval_of_samples, "num_samples", None),
        ("EE248", "lower low", _interval_below_bound, "low", None),
        ("EE248", "upper high", _interval_above_bound, "high", None),
        ("EE249", "score num_samples", _no_share_of_samples, "num_samples", _mean_of_runs),
        ("EE249", "score samples_number", _no_share_of_data, "samples_number", _mean_of_runs),
        ("EE249", "score", _no_share, "", None),
        ("EE250", "level", _level_unusual, "", _level_of_risk),
        ("EE251", "num_bootstrap_samples", _few_resamples, "", None),
        (
            "EE251", "num_bootstrap_samples num_samples samples_number", _resamples_are_samples,
            "num_samples", _counts_exchanged,
        ),
        ("EE251", "num_bootstrap_samples", _resamples_without_bootstrap, "", None),
        ("EE252", "baseline low high", _baseline_outside, "high", None),
    )
)  # fmt: skip

#: So many percentages with bounds of 0 and 1 are one mistake.
MANY = 3


def contradictions(record: RecordView) -> dict[str, list[Mistake]]:
    """Code -> what a rule reports of the numbers of all results: each cause once."""
    found: dict[str, list[Mistake]] = {}
    percentages: list[Mistake] = []
    for result in record.with_relations:
        numbers = result.numbers or Numbers(
            result.score, result.low, result.high, score_type=result.get("score_type")
        )
        broken = _broken(numbers)
        is_all_percent = bool(broken) and _is_all_percent(numbers)
        while broken:
            is_one = is_all_percent or len(broken) == 1
            group = broken if is_one else _of_one_cause(broken)
            relation, _ = group[0]
            mistake = _mistake_of(result, numbers, group, is_all_percent=is_all_percent)
            is_percent = relation.broken is score_above and numbers.looks_like_percent
            (percentages if is_percent else found.setdefault(relation.code, [])).append(mistake)
            broken = [relation for relation in broken if relation not in group]
    if percentages:
        found.setdefault("EE201", []).extend(_of_one_scale(percentages))
    return found


#: The numbers of a result that are on the scale of its score.
_OF_SCALE = ("score", "lower", "upper", "standard_error", "standard_deviation")


def _is_all_percent(numbers: Numbers) -> bool:
    """True if nothing would be broken with every one of several numbers divided by 100."""
    stated = {name: number for name in _OF_SCALE if (number := getattr(numbers, name)) is not None}
    if not numbers.looks_like_percent or len(stated) == 1:
        return False
    return not _broken(_with(numbers, {name: number / 100 for name, number in stated.items()}))


def _of_one_scale(mistakes: list[Mistake]) -> list[Mistake]:
    """What is found of percentages with bounds of 0 and 1: of many, once."""
    if len(mistakes) < MANY:
        return mistakes
    first, *others = mistakes
    return [
        replace(
            first,
            notes=(f"so are {len(others)} other scores of the record",),
            helps=('write "max_score": 100, if they are percentages, or scores from 0 to 1',),
            also=tuple(mistake.at.pointer for mistake in others),
        )
    ]


def _broken(numbers: Numbers) -> list[tuple[NumberRelation, str]]:
    broken = [
        (relation, problem)
        for relation, places in _applicable(tuple([value is not None for value in numbers]))
        if (problem := relation.broken(*[numbers[place] for place in places], numbers))
    ]
    if len(broken) > 1 and not numbers.is_share:
        # A score that is not a share of samples is not blamed for something else.
        return [entry for entry in broken if entry[0].code != "EE249"] or broken[:1]
    return broken


@lru_cache(1024)
def _applicable(has: tuple[bool, ...]) -> list[tuple[NumberRelation, list[int]]]:
    places = {field: place for place, field in enumerate(Numbers._fields)}
    return [
        (relation, [places[field] for field in relation.fields])
        for relation in RELATIONS
        if all(has[places[field]] for field in relation.fields)
    ]


def _of_one_cause(broken: list[tuple[NumberRelation, str]]) -> list[tuple[NumberRelation, str]]:
    """The broken relations of the thing that has most of them; of equal ones, of the first."""
    counts = Counter(thing for relation, _ in broken for thing in sorted(relation.things))
    first = [THINGS.get(field, field) for relation, _ in broken for field in relation.fields]
    first.append(UNCERTAINTY)
    cause = max(counts, key=lambda thing: (counts[thing], -first.index(thing)))
    of_cause = OF_UNCERTAINTY if cause == UNCERTAINTY else {cause}
    return [entry for entry in broken if of_cause & entry[0].things]


def _proposals(n: Numbers) -> Iterator[tuple[str, dict[str, float]]]:
    percent = "if it is a percentage"
    if n.standard_error is not None:
        yield percent, {"standard_error": n.standard_error / 100}
        if n.standard_deviation is not None and n.num_samples and n.num_samples > 0:
            yield (
                "the standard deviation divided by √n",
                {"standard_error": n.standard_deviation / math.sqrt(n.num_samples)},
            )
    if n.standard_deviation is not None:
        yield percent, {"standard_deviation": n.standard_deviation / 100}
    if n.lower is not None and n.upper is not None:
        yield percent, {"lower": n.lower / 100, "upper": n.upper / 100}


def _with(numbers: Numbers, new: dict[str, float]) -> Numbers:
    return Numbers(**{**numbers._asdict(), **new})


def _agreements(n: Numbers) -> Iterator[float]:
    """What one number is of what another one gives, for numbers that are nearly equal if right."""
    half = None
    if n.lower is not None and n.upper is not None and n.upper > n.lower and n.score is not None:
        half = (n.upper - n.lower) / 2
        yield 1 + abs((n.upper + n.lower) / 2 - n.score) / half
    error = None
    if n.standard_deviation is not None and n.num_samples and n.num_samples > 1:
        error = n.standard_deviation / math.sqrt(n.num_samples)
    if n.standard_error and error:
        yield n.standard_error / error
    if half is not None and (standard_error := n.standard_error or error):
        yield half / standard_error / _quantile(n.level)


def _propose_fix(result: RecordResult, numbers: Numbers) -> tuple[str, tuple[str, ...]]:
    """The field that a usual slip has changed, and its right value, if other numbers confirm it."""
    for why, changed in _proposals(numbers):
        new = {field: float(f"{value:.4g}") for field, value in changed.items()}
        right = _with(numbers, new)
        others = [*_agreements(right)]
        is_confirmed = others and all(0.8 <= ratio <= 1.25 for ratio in others)
        if is_confirmed and not _broken(right):
            keys = {field: result.key(field) for field in new}
            text = ", ".join(f'"{keys[field]}": {value:g}' for field, value in new.items())
            advice = f"{why}, write {text}" if why.startswith("if") else f"write {text}: {why}"
            return next(iter(new)), (advice,)
    return "", ()


def _mistake_of(
    result: RecordResult,
    numbers: Numbers,
    group: list[tuple[NumberRelation, str]],
    *,
    is_all_percent: bool,
) -> Mistake:
    (relation, problem), *others = group
    notes, helps, changes = relation.cure(result, numbers) if relation.cure else ((), (), ())
    if is_all_percent:
        helps = (
            'write "max_score": 100, if all of them are percentages, or all of them as shares',
        )
        changes = ()
    field, label = relation.fields[0], relation.label
    if not helps:
        changed, helps = _propose_fix(result, numbers)
        field = changed or field
    return Mistake(
        problem,
        At(result.at(field)),
        labels=((At(result.at(label)), _LABELS[label]),) if label not in ("", field) else (),
        notes=(*notes, *(text for _, text in others)),
        helps=helps,
        changes=changes,
        safety=Safety.UNSAFE,
        fold=" ".join((relation.code, *relation.fields)),
    )


def _has_contradictions(record: RecordView) -> bool:
    if record.contradictions is None:
        record.contradictions = contradictions(record)
    return bool(record.contradictions)


def _reported(code: str, record: RecordView) -> Iterator[Mistake]:
    yield from (record.contradictions or {}).get(code, ())


_ERROR, _WARNING = Severity.ERROR, Severity.WARNING
#: Code, name and severity of each rule, and its page.
_PAGES: dict[tuple[str, str, Severity], str] = {
    ("EE201", "score-out-of-bounds", _ERROR): """
    A score is outside its bounds.

    A score above its maximum is usually a percentage with bounds of 0 and 1, or the reverse. A
    leaderboard that scales by the bounds then shows wrong scores.

    Bad: `"score": 87.5` with `"min_score": 0, "max_score": 1`
    Good: `"score": 0.875` with the same bounds
    """,
    ("EE202", "bounds-reversed", _ERROR): """
    The lowest possible score is not below the highest.

    Bad: `"min_score": 1, "max_score": 0`
    Good: `"min_score": 0, "max_score": 1`, and `"lower_is_better": true` if that was meant
    """,
    (
        "EE206",
        "interval-reversed",
        _ERROR,
    ): """The lower end of a confidence interval is above the upper end.

    Bad: `"lower": 0.9, "upper": 0.6`
    Good: `"lower": 0.6, "upper": 0.9`
    """,
    (
        "EE207",
        "interval-misses-score",
        _WARNING,
    ): """A confidence interval does not contain its score.

    The two are usually on different scales. A difference of 1e-9 is allowed. A normal interval that
    no bound cuts off has its score in the middle.

    Bad: `"score": 0.75` with `"lower": 71.2, "upper": 78.8`
    Good: `"score": 0.75` with `"lower": 0.712, "upper": 0.788`
    """,
    (
        "EE208",
        "uncertainty-impossible",
        _ERROR,
    ): """An error, a deviation or a count cannot have its value.

    None of them is negative, a score has samples, and one sample does not deviate. Scores between
    two bounds deviate by at most half the range, a little more if the samples are few, and so does
    their standard error.

    Bad: `"standard_error": {"value": 2.1}` with `"min_score": 0, "max_score": 1`
    Good: `"standard_error": {"value": 0.021}`
    """,
    (
        "EE209",
        "uncertainty-inconsistent",
        _WARNING,
    ): """A standard error contradicts the standard deviation and the sample size.

    The standard error of a mean is the standard deviation divided by the square root of n or
    n - 1. A difference of more than 2 %, beyond the digits that are given, is not due to rounding.
    Errors by other methods, such as a bootstrap, may differ by a factor of 3.

    Bad: `"standard_error": {"value": 0.2}, "standard_deviation": 0.2, "num_samples": 100`
    Good: `"standard_error": {"value": 0.02}, "standard_deviation": 0.2, "num_samples": 100`
    """,
    (
        "EE246",
        "interval-contradicts-error",
        _WARNING,
    ): """A confidence interval contradicts the standard error.

    An interval of 95 % reaches some 1.96 standard errors to each side of the score. If the method
    is a normal interval and the level is stated, a difference of 2 % is a contradiction; else a
    factor of 3 is, because methods differ.

    Bad: `"lower": 0.71, "upper": 0.79` with `"standard_error": {"value": 0.2}`
    Good: `"lower": 0.71, "upper": 0.79` with `"standard_error": {"value": 0.02}`
    """,
    (
        "EE247",
        "uncertainty-contradicts-score",
        _WARNING,
    ): """An error, a deviation or an interval does not fit the score and the number of samples.

    Scores between two bounds whose mean is near one of them cannot deviate much: at most the root
    of (highest - mean)(mean - lowest). Right and wrong answers deviate by exactly that. Errors and
    intervals may differ by a factor of 3, because methods do.

    Bad: `"score": 0.9, "standard_error": {"value": 0.3}` of 1,000 samples
    Good: `"score": 0.9, "standard_error": {"value": 0.0095}` of 1,000 samples
    """,
    (
        "EE248",
        "interval-beyond-bounds",
        _WARNING,
    ): """A confidence interval reaches beyond the bounds of its score.

    No score is there. Only a normal interval around its score does that, and its method says so.

    Bad: `"upper": 1.02` with `"max_score": 1, "method": "wilson"`
    Good: `"upper": 1.0`
    """,
    ("EE249", "score-not-of-samples", _WARNING): """
    A score is not a share of its samples.

    Each sample of a binary metric is right or wrong, so that the score is a whole number of right
    answers divided by the number of samples. The same holds for accuracy and exact match of up to
    1,000 samples, unless the metric or the settings speak of runs, groups or means. A difference
    that the digits of the score explain is allowed.

    Bad: `"score_type": "binary", "score": 0.777` of 10 samples
    Good: `"score_type": "binary", "score": 0.8` of 10 samples
    """,
    ("EE250", "confidence-level-unusual", _WARNING): """
    A confidence level is 0, 1 or below 0.5.

    It is the share of intervals that contain the true score, usually 0.95.

    Bad: `"confidence_level": 0.05`
    Good: `"confidence_level": 0.95`
    """,
    (
        "EE251",
        "resamples-unlikely",
        _WARNING,
    ): """The number of resamples contradicts the method, is too small, or is that of the samples.

    `num_bootstrap_samples` is the number of resamples of a bootstrap, which needs hundreds.

    Bad: `"num_bootstrap_samples": 1000` with `"method": "wilson"`
    Good: `"num_bootstrap_samples": 1000` with `"method": "bootstrap"`
    """,
    (
        "EE252",
        "baseline-out-of-bounds",
        _WARNING,
    ): """The score of human experts is outside the bounds of the metric.

    Bad: `"expert_baseline": 87` with `"max_score": 1`
    Good: `"expert_baseline": 0.87`
    """,
}

NUMBER_RULES: tuple[Rule, ...] = tuple(
    Rule(*rule, page.strip(), partial(_reported, rule[0]), asks=_has_contradictions)
    for rule, page in _PAGES.items()
)
