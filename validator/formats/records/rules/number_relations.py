"""What must hold between the numbers of a result: score, bounds, error, interval, counts.

``RELATIONS`` is the table: each row says what is broken, in words, and what to write.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

from evalmark.schemas.metrics.known_metrics import find_metric
from evalmark.stats.intervals import normal_quantile
from evalmark.validator.findings.finding import At, Change
from evalmark.validator.findings.phrasing import cited
from evalmark.validator.formats.records.record_view import Numbers, RecordResult
from evalmark.validator.formats.records.rules.metric_rules import described, is_share_of_samples
from evalmark.validator.formats.shared.json_values import mapping

#: How far outside its interval rounding may move a score.
ROUNDING = 1e-9
#: How far methods of errors and intervals differ, where nobody says which was used: Wilson's
#: interval has 0.68 to 1.39 times the width of the normal one.
FACTOR = 3.0
#: Levels of intervals that are usual.
LEVELS = (0.68, 0.9, 0.95, 0.99)
#: Errors below so many times the expected one are not half the width of an interval.
HALF = 1.9
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
#: Answers that are compared after their texts were normalized; the score is not.
_SAME_TEXT = re.compile(
    r"(?i)share of (?:answers|outputs|predictions) that (?:equal|match) [\w ]{1,40} after "
    r"(?:text |string )?normali[sz]ation\W*"
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
#: Methods of intervals that have the score in their middle; and words for other scores than that.
_AROUND_SCORE = re.compile(
    r"(?i)(?:normal(?: approximation)?|wald|gaussian|clt|(?:student'?s )?t(?:[- ]interval)?)"
)
_OTHER_SCORES = re.compile(r"(?i)best|max|median|weighted|trimmed|shrunk|bound")
#: Methods of intervals that may reach beyond a bound, with the score in their middle.
_OVERSHOOTING = re.compile(
    r"(?i)(?!.*(?:log|arc|delta|transform|boot|wilson|bias|exact|quantile|percentile|agresti|coull"
    r"|adjusted|posterior|credible|bayes|\bnot?\b))(?:.*\W)?(?<!')(?:normal|wald|gaussian|clt|z|t)\b"
)
#: Words for errors that are not those of samples that are drawn alone.
_CLUSTERED = re.compile(r"(?i)cluster|robust|strat|pair|group")
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
LABELS = {
    "low": "the least score", "high": "the greatest score", "lower": "the interval",
    "upper": "the upper end", "score": "the score", "num_samples": "the samples",
    "standard_error": "the standard error", "standard_deviation": "the standard deviation",
    "samples_number": "the data", "level": "the level",
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


def deviation_of_share(n: Numbers) -> float:
    """The deviation of samples that are right or wrong; 0 if it is not known that they are."""
    is_known = _is_between(n) and (n.is_share or (_perfect(n) and not _is_mean(n)))
    return n.spread if is_known else 0.0


def _is_mean(n: Numbers) -> bool:
    """True if a score may be a mean over runs or groups, so that it is not a share of samples."""
    # One seed is that of one run.
    settings = " ".join(key for key in mapping(n.more_settings) if not key.endswith("seed"))
    said = "" if _SAME_TEXT.fullmatch(n.description or "") else n.description
    if OF_RUNS.search(f"{n.metric_id} {n.metric_name} {said} {settings}"):
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
    if samples < 2 or min(deviation, error) < 0 or _CLUSTERED.search(n.error_method or ""):
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
    if expected / FACTOR <= error <= HALF * expected and not n.is_share:
        return ""  # nearly always, whatever the digits; so below
    small, large = _rounding_range(error)
    if error == 0 and _is_between(n) and _says_all_alike(score, samples, n):
        return f"standard error 0 of {score:.12g} says that all {samples:g} samples score alike"
    if n.is_share and _is_between(n):
        gives = f"a share of {score:.12g} of {samples:g} samples gives {expected:.3g}"
        is_computed = samples >= MANY_SAMPLES and _is_named_by(n.error_method, _ANALYTIC)
        if is_computed and not small / ODD < expected < large * ODD:
            return f"standard error {error:g} does not match the score: {gives}"
        if large < expected / FACTOR:
            return f"standard error {error:g} is too small: {gives}"
    is_alone = not n.is_share and n.standard_deviation is None and n.lower is None
    if is_alone and (odd := _odd_error_of_accuracy(error, expected, score, samples, n)):
        return odd
    if small > FACTOR * expected and not _CLUSTERED.search(n.error_method or ""):
        return (
            f"standard error {error:g} is too large for a score of {score:.12g} over "
            f"{samples:g} samples: at most {expected:.3g} is possible"
        )
    return ""


def _odd_error_of_accuracy(
    error: float, expected: float, score: float, samples: float, n: Numbers
) -> str:
    """An error that is not that of an accuracy, where nothing else says what it is."""
    whole = _perfect(n)
    if not whole or not _is_between(n) or not error or samples < FEW or _is_mean(n):
        return ""
    said = f"{n.error_method} {n.description}"
    gives = f"an accuracy of {score:.12g} of {samples:g} samples gives {expected:.3g}"
    is_computed = not n.error_method or _is_named_by(n.error_method, _ANALYTIC)
    half = half_unit(error)
    if not is_computed or half > 0.05 * error:
        return ""  # that of clusters, of few subjects or of several answers may be of any size
    if abs(error - expected**2) <= half + 0.02 * expected**2:
        return f"standard error {error:g} is the variance of the score: {gives}"
    width = quantile_of(None) * expected
    if half < 0.01 * error and abs(error - width) <= 0.01 * width and not _CLUSTERED.search(said):
        return f"standard error {error:g} is half the width of an interval of 95 %: {gives}"
    return ""


def _says_all_alike(score: float, samples: float, n: Numbers) -> bool:
    """True if an error of 0 is odd; a model that is compared with itself wins half."""
    if n.is_share or _perfect(n):
        return True
    is_half = n.low is not None and n.high is not None and score == (n.low + n.high) / 2
    return samples >= FEW and not is_half


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
    is_inside = 0 <= (n.low if n.low is not None else -1) <= score + lower
    is_inside = is_inside and score + upper <= (math.inf if n.high is None else n.high)
    if not lower < 0 < upper < score or not (is_inside or _are_symmetric(lower, upper)):
        return ""
    problem = f"the interval from {lower:g} to {upper:g} does not contain the score, {score:g}"
    return f"{problem}: its ends are distances from it"


def _are_symmetric(lower: float, upper: float) -> bool:
    return math.isclose(lower, -upper, abs_tol=ROUNDING)


def _interval_beside_score(lower: float, upper: float, score: float, n: Numbers) -> str:
    """The score is an end of an interval whose method has it in the middle."""
    if score not in (lower, upper) or lower >= upper or half_unit(score) >= 0.005:
        return ""
    is_cut = lower == 0 or upper in (1, 100) or lower <= (n.low if n.low is not None else -math.inf)
    is_cut = is_cut or upper >= (n.high if n.high is not None else math.inf)
    is_known = _AROUND_SCORE.fullmatch((n.interval_method or "").strip()) is not None
    if is_cut or not is_known or _OTHER_SCORES.search(n.description or ""):
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


def _bound_is_score(high: float, score: float, n: Numbers) -> str:
    """The greatest score is the score itself, and the figures say that more is possible."""
    if high != score or high in (1, 100) or n.low is None or not n.low < high:
        return ""
    is_beyond = n.upper is not None and n.upper > high and not _overshoots(n)
    error = n.standard_error or n.standard_deviation
    if not is_beyond and (not error or high == int(high)):
        return ""
    what = f"its interval ends at {n.upper:g}" if is_beyond else f"its error is {error:g}"
    return f"`max_score` is the score, {high:g}, and {what}"


def _overshoots(n: Numbers) -> bool:
    """True for an interval of a method that does not stop at a bound."""
    if n.score is None or n.lower is None or n.upper is None:
        return False
    is_named = _OVERSHOOTING.match(n.interval_method or "") is not None
    return is_named and _is_middle(n.score, n.lower, n.upper)


def _interval_of_error(lower: float, upper: float, error: float, n: Numbers) -> str:
    if lower > upper or error < 0 or n.level in (0, 1):
        return ""
    half, times = _half_width(lower, upper, n), quantile_of(n.level)
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
    half, times = _half_width(lower, upper, n), quantile_of(n.level)
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


def _interval_of_other_level(
    lower: float, upper: float, score: float, samples: float, level: float, n: Numbers
) -> str:
    """A normal interval of an accuracy that is as wide as one of another level."""
    is_alone = n.standard_error is None and n.standard_deviation is None
    if not is_alone or samples < MANY_SAMPLES or level not in LEVELS or not _is_between(n):
        return ""
    is_plain = _AROUND_SCORE.fullmatch((n.interval_method or "").strip()) is not None
    if not is_plain or not _perfect(n) or _is_mean(n) or _CLUSTERED.search(n.description or ""):
        return ""
    if not _is_middle(score, lower, upper):
        return ""
    times = (upper - lower) / 2 / n.spread * math.sqrt(samples)
    width = _margin(lower, upper, n) / n.spread * math.sqrt(samples) + 0.01 * times
    others = [other for other in LEVELS if abs(times - quantile_of(other)) <= width]
    if width > 0.1 or len(others) != 1 or level in others:
        return ""
    return (
        f"the interval from {lower:g} to {upper:g} is one of {others[0]:.0%} for {samples:g} "
        f"samples, but `confidence_level` is {level:g}"
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
def quantile_of(level: float | None) -> float:
    """How many standard errors an interval of a level has to each side; of 95 % by default."""
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


@lru_cache(8192)
def _is_of_percent(*names: str | None) -> bool:
    """False if a metric is known as one that nobody writes as a percentage of a share."""
    known = [metric for name in names if name and (metric := find_metric(described(name)))]
    scales = [scale for metric in known for scale in metric.scales]
    if scales and all(scale.high == math.inf and scale.unit != "percent" for scale in scales):
        return False
    # BLEU is no share of anything, and 0 to 100 where it is computed.
    texts = [scale for m in known if m.kind == "text_overlap" for scale in m.scales]
    return not any(scale.high == 100 and scale.programs for scale in texts)


def may_be_percent(result: RecordResult, n: Numbers) -> bool:
    """True if the score is above the bounds of a share, and may be a percentage of one."""
    names = result.metric_id, result.metric_name, result.description, result.name
    return n.looks_like_percent and _is_of_percent(*names)


def _missing_or_percent(result: RecordResult, n: Numbers) -> Cure:
    if n.score == -1 and n.low == 0:
        note = "-1 often marks a missing value, which is not a score"
        return (note,), ("if there is no score, remove the result",), ()
    if n.score is not None and may_be_percent(result, n) and _holds(n, n.score / 100):
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
    if not _are_symmetric(n.lower, n.upper):
        return (), (), ()  # the interval may be that of another score
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
        ("EE248", "high score", _bound_is_score, "score", None),
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
        (
            "EE247", "lower upper score num_samples level", _interval_of_other_level, "level", None,
        ),
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
