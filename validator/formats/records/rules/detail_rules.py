"""What the free details of a score say of it: counts, runs, times, tokens, and texts of its source.

The keys of details are free. A relation is asked only of details that have its keys, and is silent
where a word of the result gives another reading: of runs, groups, weights, parts.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from evalmark.validator.findings.finding import At, Mistake
from evalmark.validator.findings.phrasing import cited
from evalmark.validator.formats.records.record_view import Numbers, RecordResult
from evalmark.validator.formats.records.rules.metric_rules import is_share_of_samples
from evalmark.validator.formats.records.rules.number_relations import OF_RUNS, OVER_RUNS, half_unit
from evalmark.validator.formats.shared.json_values import mapping

Details = Mapping[str, Any]

#: Keys of details that say how a run ended, and their values if it failed or did not.
_STATUS, _FAILED = ("status", "state"), ("failed", "failure", "error", "crashed", "aborted")
_ERRORS, _NO_ERROR = ("error", "exception", "traceback"), ("", "none", "null", "nan", "no", "false")
FAILED = "failed"  # the fold of a finding on that
#: Keys that count what was right, and of how many.
_RIGHT = ("correct", "n_correct", "num_correct", "correct_count")
_OF = ("total", "n", "n_total", "num_total", "num_samples", "total_count", "count")
#: Keys for the number of samples that a score is of.
_SAMPLES = ("num_samples", "n_samples", "samples", "sample_count")  # n is also that of pass@k
#: Statistics in a text, as HELM writes them.
_STATISTICS = re.compile(
    r"\bmin=([-+.\w]{1,30}), mean=([-+.\w]{1,30}), max=([-+.\w]{1,30}), sum=([-+.\w]{1,30})"
    r" \((\d{1,30})\)|\bmean=(-?\d+(?:\.\d+)?(?:e-?\d+)?)"
)
#: Half of the last digit of the statistics of HELM.
_MILLS = 5e-4
#: Keys for the text of a score in its source, which is a percentage.
_RAW = (
    "accuracy_raw", "raw_accuracy", "accuracy_percent", "accuracy_pct",
    "score_raw", "raw_score", "score_percent", "score_pct", "raw",
)  # fmt: skip
#: What a score is, if it is not the share that its source prints.
_RESCALED = re.compile(r"(?i)normali[sz]|scaled|cent(er|re)d|chance|corrected|adjusted|controlled")
#: The scores of runs, how many runs there are, and words for other scores than their mean.
_RUN_SCORES = {
    "run_scores": "runs", "scores_per_run": "runs", "scores_by_run": "runs",
    "seed_scores": "seeds", "scores_per_seed": "seeds",
}  # fmt: skip
_NO_MEAN = re.compile(
    r"(?i)\b(?:best|max|min|median|worst|weighted|micro|pooled|trimmed|geometric|harmonic|majority"
    r"|vote|voting|ensemble|consensus|consistency)\b"
    r"|\b(?:last|final|first) (?:run|seed|epoch|checkpoint|score)|@|maj|pass"
    r"|normali|adjust|scaled|fail|crash|invalid|exclu|drop"
)
#: Tokens that are counted, and their sum.
_TOKENS = (
    ("prompt_tokens", "completion_tokens", "total_tokens"),
    ("input_tokens", "output_tokens", "total_tokens"),
)
#: A time in a key: only words of how and of what it was taken. A percentile is a number in it.
_TIME = re.compile(
    r"(?i)(?!.*per[ _-]s)(?=.*(?:latency|time|duration|seconds|elapsed|ttft))"
    r"(?:(?:total|mean|avg|average|median|wall|wallclock|clock|eval|evaluation|inference|generation|response|request|per"
    r"|sample|question|task|run|first|token|to|in|time|latency|duration|seconds?|secs?|s|ms|millis"
    r"|milliseconds|minutes|hours|elapsed|runtime|ttft|p\d{1,2})(?:[ _-]+|$))+"
)
#: A count in a key, in the same way.
_COUNTED = re.compile(
    r"(?i)(?=.*(?:tokens|samples|calls|turns|steps|messages))(?:(?:total|mean|avg|average"
    r"|num|n|prompt|completion|input|output|reasoning|cached|tokens|samples|tool"
    r"|calls|turns|steps|messages|per|task|sample|question|run)(?:[ _-]+|$))+"
)
#: When a run began, and when it ended.
_BEGAN = ("start_time", "started_at", "start_timestamp")
_ENDED = ("end_time", "ended_at", "completed_at", "finished_at", "end_timestamp")
_PERCENTILE = re.compile(r"(?i)(?<![a-z0-9])p(\d{1,2})(?![a-z0-9])")
_LATENCY = re.compile("(?i)latency|ttft")
_F1 = re.compile("(?i)(?:(?:micro|binary)[-_ ]?)?f1(?:[-_ ]score)?")
#: Words of a description that say no more than the names of a score.
_NO_MORE = frozenset((
    "a", "accuracy", "and", "f1", "for", "in", "of", "on", "over", "rate", "score", "share", "the",
))  # fmt: skip
#: What a logarithm in details has as its base, and the keys of a loss.
_BASES = {"e": math.e, "nat": math.e, "nats": math.e, "2": 2.0, "bit": 2.0, "bits": 2.0}
_LOSS = ("mean_nll", "nll", "loss", "mean_loss", "cross_entropy", "mean_cross_entropy")
#: A time in a text, and its distance from UTC: 2026-01-05T10:00:00+02:00.
_INSTANT = r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)"
_DEVIATIONS = ("std", "stddev", "std_dev", "sd", "standard_deviation")


#: Types of a number, or of the text of one.
_WRITTEN = (str, float, int)


class DetailRelation(NamedTuple):
    """A relation between details and their score."""

    keys: tuple[tuple[str, ...], ...]  # details need one key of each
    broken: Callable[[RecordResult, Details], Mistake | None]


def detail_fault(result: RecordResult) -> Mistake | None:
    """What the details of a score contradict: the first mistake."""
    details = mapping(result.details)
    broken = (relation(result, details) for relation in _asked(tuple(details)))
    return next(filter(None, broken), None)


@lru_cache(2048)
def _asked(keys: tuple[str, ...]) -> list[Callable[[RecordResult, Details], Mistake | None]]:
    """The relations that details with some keys may break; nearly always none."""
    stated = {*keys}
    asked = [
        relation.broken
        for relation in RELATIONS
        if not any(stated.isdisjoint(names) for names in relation.keys)
    ]
    if any(_TIME.fullmatch(key) or _COUNTED.fullmatch(key) for key in keys):
        asked.append(_odd_quantity)
    return asked


def as_number(text: object) -> float | None:
    """A finite number, or one that is written as a text."""
    if type(text) not in _WRITTEN:
        return None
    try:
        value = float(text)  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def _numbers(value: object) -> list[float]:
    """A list of numbers, or one that is written as a text; else an empty one."""
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return []
    numbers = [as_number(entry) for entry in value] if isinstance(value, list) else []
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(numbers) else []


def _first(details: Details, keys: tuple[str, ...]) -> tuple[str, float | None]:
    """The first of some keys that details have, and its number."""
    key = next((key for key in keys if key in details), "")
    return key, as_number(details.get(key))


def _words(result: RecordResult, details: Details) -> str:
    """What is said of a score: its names, its description, and the keys around it."""
    names = result.name, result.metric_id, result.metric_name, result.description
    keys = (*mapping(result.more_settings), *details)
    return " ".join((*(name for name in names if name), *keys))


def _says_more(result: RecordResult) -> bool:
    """True if a description has words that the names have not: it may be of another score."""
    names = result.name, result.dataset, result.metric_id, result.metric_name
    known = {*re.findall(r"[^\W_]+", " ".join(filter(None, names)).casefold())} | _NO_MORE
    return not known.issuperset(re.findall(r"[^\W_]+", (result.description or "").casefold()))


def _at(result: RecordResult, key: str) -> At:
    return At(f"{result.at('details')}/{key.replace('~', '~0').replace('/', '~1')}")


def _failure(result: RecordResult, details: Mapping[str, Any]) -> Mistake | None:
    if result.score != 0 or result.get("score_type") == "binary":
        return None  # a task that fails is not solved
    status = next((key for key in _STATUS if str(details.get(key)).casefold() in _FAILED), "")
    key = status or next((key for key in _ERRORS if _is_error(details.get(key))), "")
    if not key:
        return None
    return Mistake(
        f"the score is 0, but the run failed: `{key}` is {cited(details[key])}",
        At(result.at("score")),
        labels=((_at(result, key), "the failure"),),
        helps=("if there is no score, remove the result",),
        fold=FAILED,
    )


def _is_error(value: object) -> bool:
    """True for the message of an error; a number is how large one is."""
    is_text = isinstance(value, str) and as_number(value) is None
    return is_text and str(value).strip().casefold() not in _NO_ERROR


def _other_mean(result: RecordResult, details: Details) -> Mistake | None:
    text = details.get("description")
    found = _STATISTICS.search(text) if isinstance(text, str) and "mean=" in text else None
    if found and found[1]:
        mean, low, high, total, count = (as_number(found[at]) for at in (2, 1, 3, 4, 5))
        if mistake := _odd_statistics(_at(result, "description"), mean, low, high, total, count):
            return mistake
    key, mean_text = (
        ("description", found[2] or found[6]) if found else ("mean", details.get("mean"))
    )
    score, value = result.score, as_number(mean_text)
    if score is None or value is None or value == score:
        return None
    width = half_unit(score) + half_unit(value) + 1e-9
    if min(abs(score - value), abs(score - value * 100) / 100, abs(score * 100 - value)) <= width:
        return None
    return Mistake(
        f"the mean in the details is {value:g}, but the score is {score:g}",
        At(result.at("score")),
        labels=((_at(result, key), "the details"),),
        fold="other mean",
    )


def _odd_statistics(
    at: At,
    mean: float | None,
    low: float | None,
    high: float | None,
    total: float | None,
    count: float | None,
) -> Mistake | None:
    """What is wrong of a mean, the least and the greatest value, the sum and the count."""
    if mean is None:
        return None
    is_between = low is None or high is None or low <= mean <= high
    off = abs(mean * count - total) if total is not None and count else 0.0
    if is_between and off <= _MILLS * (count or 0):
        return None  # nearly always
    half = half_unit(mean) + 1e-9
    if total is not None and count and off > count * half + half_unit(total):
        problem = f"a mean of {mean:g} over {count:g} values has the sum {mean * count:.6g}"
        return Mistake(f"{problem}, not {total:g}", at, fold="sum")
    if low is not None and high is not None and not low - 2 * half <= mean <= high + 2 * half:
        return Mistake(f"the mean {mean:g} is not between {low:g} and {high:g}", at, fold="mean")
    return None


def _other_raw(result: RecordResult, details: Details) -> Mistake | None:
    """A percentage of the source that is not the score, of a share that nothing has rescaled."""
    key, score, high = next(key for key in _RAW if key in details), result.score, result.high
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?) ?%\s*", str(details[key]))
    names = result.metric_id, result.metric_name, result.description
    if not found or score is None or result.low != 0 or high not in (1, 100) or score > high:
        return None  # a score beyond its bounds is reported as that
    words = " ".join(filter(None, (*names, result.name)))
    if not is_share_of_samples(*names) or result.lower_is_better is not False:
        return None
    if OF_RUNS.search(words) or _RESCALED.search(words):
        return None
    value = float(found[1])
    meant = value * high / 100
    width = 2 * (half_unit(score) + half_unit(value) * high / 100) + 1e-9  # some are cut off
    if abs(score - meant) <= width:
        return None
    # A score of another filter, or of what was answered, is another one: 70.1 and 71.0 are one.
    is_typo = sorted(f"{score * 100 / high:.2f}") == sorted(f"{value:.2f}")
    is_scale = abs(score - value / 100) <= width or abs(score - value) <= width
    if not is_typo and not is_scale:
        return None
    return Mistake(
        f"`{key}` is {cited(details[key])}, but the score is {score:g} of {high:g}",
        At(result.at("score")),
        labels=((_at(result, key), "the source"),),
        helps=(f"write {meant:.6g}, if the text is right",),
        fold="raw",
    )


def _other_share(result: RecordResult, details: Details) -> Mistake | None:
    score, (right, correct), (of, total) = (
        result.score,
        _first(details, _RIGHT),
        _first(details, _OF),
    )
    names = result.metric_id, result.metric_name, result.description
    if score is None or not is_share_of_samples(*names):
        return None
    if correct is None or not total or not correct >= 0:
        return None
    share = correct / total
    if share > 1:
        return _more_than_all(result, (right, of), share)
    # A score may be a mean over groups, whose share is near.
    if min(abs(score - share), abs(score / 100 - share)) <= 0.05:
        return _miscounted(result, details, (of, correct, total))
    return Mistake(
        f"{correct:g} of {total:g} in the details is a share of {share:.4g}, but the score is "
        f"{score:g}",
        At(result.at("score")),
        labels=((_at(result, right), "the count"),),
    )


def _more_than_all(result: RecordResult, keys: tuple[str, str], share: float) -> Mistake | None:
    """More right answers than answers; those of several runs may be counted together."""
    score, (right, of) = result.score or 0, keys
    details = mapping(result.details)
    if of == "n" or not share < 1.5 or len(details) > 2 or _says_more(result):
        return None  # n may be the votes on each sample
    is_of_runs = any(abs(share / times - score) < 0.01 for times in range(2, 17))
    if is_of_runs or OF_RUNS.search(_words(result, details)):
        return None
    return Mistake(
        f"`{right}` is {cited(details[right])}, more than `{of}`, {cited(details[of])}",
        _at(result, right),
        labels=((_at(result, of), "all"),),
        fold="more than all",
    )


def _miscounted(
    result: RecordResult, details: Details, counts: tuple[str, float, float]
) -> Mistake | None:
    """A count that is near the score and cannot be right: the other numbers give the score."""
    (of, correct, total), n = counts, result.numbers
    if n is None or n.score is None or len(details) > 2 or OF_RUNS.search(_words(result, {})):
        return None
    if _says_more(result):
        return None
    scale = 100.0 if result.high == 100 else 1.0
    score, digits = n.score / scale, half_unit(n.score) / scale + 1e-9
    off = correct / total - score
    is_near = abs(off) <= digits or 0 < off < 1.99 * digits  # rounded, or cut off
    whole = score * total
    is_whole = abs(whole - round(whole)) < 0.01
    if is_near or total != n.num_samples or not is_whole or not _is_binomial(n, score, scale):
        return None
    return Mistake(
        f"{correct:g} of {total:g} in the details is a share of {correct / total:.4g}, but the "
        f"score is {n.score:g}, that of {round(whole)}",
        At(result.at("score")),
        labels=((_at(result, of), "the details"),),
        fold="one more",
    )


def _is_binomial(n: Numbers, score: float, scale: float) -> bool:
    """True if the error or the deviation is that of so many right and wrong answers."""
    samples, deviation = n.num_samples or 0, n.standard_deviation
    if deviation is None and n.standard_error is not None:
        deviation = n.standard_error * math.sqrt(samples)
    if deviation is None or samples < 2:
        return False
    of_shares = math.sqrt(max(score * (1 - score), 0))
    ratio = math.sqrt(samples / (samples - 1))
    return any(
        math.isclose(deviation / scale, of_shares * factor, rel_tol=0.002) for factor in (1, ratio)
    )


def _other_tokens(result: RecordResult, details: Details) -> Mistake | None:
    """A total of tokens that has one of its parts twice, or not at all."""
    if re.search(
        r"(?i)cache|reason|think|judge|\b(?:mean|average|median|p50)", _words(result, details)
    ):
        return None
    for keys in _TOKENS:
        if not all(str(details.get(key)).isdecimal() for key in keys):
            continue  # means, which are rounded
        read, written, total = (as_number(details.get(key)) for key in keys)
        if read is None or written is None or total is None or min(read, written) <= 0:
            continue
        if total - read - written in (read, written, -read, -written):
            return Mistake(
                f"`{keys[2]}` is {total:.12g}, but {read:.12g} and {written:.12g} add up to "
                f"{read + written:.12g}",
                _at(result, keys[2]),
                fold="tokens",
            )
    return None


def _other_runs(result: RecordResult, details: Details) -> Mistake | None:
    """Scores of runs of which there are fewer than runs, or whose mean is another one."""
    key, noun = next(row for row in _RUN_SCORES.items() if row[0] in details)
    scores, score = _numbers(details[key]), result.score
    of, runs = _first(details, (f"n_{noun}", f"num_{noun}"))
    if not scores or score is None or _NO_MEAN.search(_words(result, details)):
        return None
    if runs is not None and runs != len(scores):
        return Mistake(
            f"`{of}` is {runs:g}, but `{key}` has {len(scores)} scores",
            _at(result, of),
            labels=((_at(result, key), "the scores"),),
            fold="runs",
        )
    mean = math.fsum(scores) / len(scores)
    width = half_unit(score) + min(map(half_unit, scores))  # 0.6 beside 0.61 is 0.60
    # Another score among them may be that of a run that was selected, or of all points.
    is_among = (
        details.keys() <= {key, of, noun}
        and min(scores) <= score <= max(scores)
        and score not in sorted(scores)[:-1]
    )
    if abs(score - mean) <= width or not is_among or _says_more(result):
        return None
    return Mistake(
        f"the scores in `{key}` have the mean {mean:.6g}, but the score is {score:g}",
        At(result.at("score")),
        labels=((_at(result, key), "the scores"),),
        helps=("if it is not their mean, say what it is in `evaluation_description`",),
        fold="mean of runs",
    )


def _other_f1(result: RecordResult, details: Details) -> Mistake | None:
    """An F1 that its precision and recall do not give; that of classes is at most their mean."""
    names = [name for name in (result.metric_id, result.metric_name) if name]
    score, p, r = result.score, *(as_number(details[key]) for key in ("precision", "recall"))
    is_micro = re.search(r"(?i)\b(?:micro|binary)[-_ ]?f1", f"{names} {result.description}")
    if not names or not all(map(_F1.fullmatch, names)) or (not is_micro and _says_more(result)):
        return None
    if score is None or p is None or r is None or min(p, r, score) <= 0:
        return None
    if (max(p, r) > 1) != (score > 1) or re.search("(?i)macro|weight|@", result.name or ""):
        return None
    f1 = 2 * p * r / (p + r)
    digits = half_unit(score) + 2 * min(half_unit(p), half_unit(r)) + 1e-9
    if abs(score - f1) <= digits or (not is_micro and score <= (p + r) / 2 + digits):
        return None
    return Mistake(
        f"a precision of {p:g} and a recall of {r:g} give an F1 of {f1:.4g}, not {score:g}",
        At(result.at("score")),
        labels=((_at(result, "precision"), "the precision"),),
        fold="f1",
    )


def _other_base(result: RecordResult, details: Details) -> Mistake | None:
    """A perplexity that is a power of another base than that of the logarithm."""
    key, loss = _first(details, _LOSS)
    names, score = f"{result.metric_id} {result.metric_name} {result.description}", result.score
    if loss is None or not score or "perplexity" not in names.casefold():
        return None
    base = _BASES.get(str(details.get("log_base") or details.get("base") or "").casefold())
    said = {_BASES[word] for word in re.findall(r"\b(?:nats|bits)\b", names)}
    base = base or (said.pop() if len(said) == 1 else None)
    if base is None or not 0 < loss < 50 or half_unit(loss) >= 0.01:
        return None

    def is_power_of(other: float) -> bool:
        gives = float(other**loss)
        slack = half_unit(score) + gives * math.log(other) * half_unit(loss)
        return abs(score - gives) <= slack

    if is_power_of(base) or not any(map(is_power_of, (2.0, math.e, 10.0))):
        return None
    return Mistake(
        f"`{key}` is {loss:g}, whose perplexity is {base**loss:.6g}, but the score is {score:g}: "
        "a power of another base",
        At(result.at("score")),
        labels=((_at(result, key), "the logarithm"),),
        fold="base",
    )


def _other_deviation(result: RecordResult, details: Details) -> Mistake | None:
    n, (key, deviation), (_, count) = (
        result.numbers,
        _first(details, _DEVIATIONS),
        _first(details, _OF),
    )
    stated = n.standard_deviation if n else None
    if len(details) > 2 or _says_more(result):
        return None  # it may be that of something else
    if n is None or not stated or not deviation or count != n.num_samples or (count or 0) < 2:
        return None
    ratio = math.sqrt(count / (count - 1)) * 1.02 if count else 1.0
    width = half_unit(deviation) + half_unit(stated)
    # That of the bootstrap is the standard error.
    near = (deviation / stated * scale for scale in (1, 100, 0.01, math.sqrt(count or 1)))
    is_near = any(1 / ratio <= times <= ratio for times in near)
    if is_near or abs(deviation - stated) <= width or OVER_RUNS.search(_words(result, details)):
        return None
    return Mistake(
        f"`{key}` is {deviation:g} in the details, but `standard_deviation` is {stated:g}",
        _at(result, key),
        labels=((At(result.at("standard_deviation")), "the other one"),),
        fold="deviation",
    )


def _ended_before(result: RecordResult, details: Details) -> Mistake | None:
    """A run that ended before it began; both times are Unix timestamps, or texts with one zone."""
    began, ended = (next(key for key in keys if key in details) for keys in (_BEGAN, _ENDED))
    first, last = str(details[began]), str(details[ended])
    numbers = as_number(first), as_number(last)
    dates = re.fullmatch(_INSTANT, first), re.fullmatch(_INSTANT, last)
    if numbers[0] is not None and numbers[1] is not None:
        is_before = 1e9 <= numbers[1] < numbers[0]
    elif dates[0] and dates[1]:
        is_before = dates[0][2] == dates[1][2] and dates[1][1] < dates[0][1]
    else:
        return None
    if not is_before:
        return None
    return Mistake(
        f"`{ended}` is before `{began}`",
        _at(result, ended),
        labels=((_at(result, began), "the beginning"),),
        fold="ended before",
    )


def _odd_quantity(result: RecordResult, details: Details) -> Mistake | None:
    """A time or a count below 0, or a percentile of a latency below a lower one."""
    groups: dict[str, list[tuple[int, str, float]]] = {}
    for key in details:
        if not _TIME.fullmatch(key) and not _COUNTED.fullmatch(key):
            continue
        taken = as_number(details[key])
        # -1 is that there is none, or all.
        if (
            taken is not None
            and taken < 0
            and taken != -1
            and not re.search("(?i)log", _words(result, details))
        ):
            return Mistake(f"`{key}` is negative: {taken:g}", _at(result, key), fold="time")
        if taken is None or not _LATENCY.search(key):
            continue
        if found := _PERCENTILE.search(key):
            of = _PERCENTILE.sub("p", key)
            groups.setdefault(of, []).append((int(found[1]), key, taken))
    for group in groups.values():
        for (_, low, less), (_, high, more) in pairwise(sorted(group)):
            if more < less:
                problem = f"`{high}` is {more:g}, below `{low}`, {less:g}"
                return Mistake(problem, _at(result, high), fold="percentiles")
    return None


def _other_count(result: RecordResult, details: Mapping[str, Any]) -> Mistake | None:
    stated = result.numbers.num_samples if result.numbers else None
    for key in _SAMPLES if stated is not None else ():
        counted = as_number(details.get(key))
        # Other details may be of all samples, of which a part was scored.
        if counted is not None and counted != stated and counted != result.number("samples_number"):
            return Mistake(
                f"`{key}` is {counted:g} in the details, but `num_samples` is {stated:g}",
                _at(result, key),
                labels=((At(result.at("num_samples")), "the figures"),),
                fold="details count",
            )
    return None


#: What details may contradict, by their keys. The first that is broken is reported.
RELATIONS = (
    DetailRelation(((*_STATUS, *_ERRORS),), _failure),
    DetailRelation((("description", "mean"),), _other_mean),
    DetailRelation((_RAW,), _other_raw),
    DetailRelation((_RIGHT, _OF), _other_share),
    DetailRelation((_SAMPLES,), _other_count),
    DetailRelation((("total_tokens",),), _other_tokens),
    DetailRelation((tuple(_RUN_SCORES),), _other_runs),
    DetailRelation((_BEGAN, _ENDED), _ended_before),
    DetailRelation((("precision",), ("recall",)), _other_f1),
    DetailRelation((_LOSS,), _other_base),
    DetailRelation((_DEVIATIONS, _OF), _other_deviation),
)
