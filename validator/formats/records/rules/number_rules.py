"""Rules on the numbers of a result: what is broken of their relations, each cause once.

A wrong number breaks several relations: a standard error in percent contradicts the deviation, the
interval and the bounds. The thing that explains most of what is broken is reported once, with the
first of its relations; the others are notes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial

from evalmark.stats.proportions import normal_quantile
from evalmark.validator.findings.finding import At, Hit, Safety, Severity
from evalmark.validator.findings.rule import Rule
from evalmark.validator.formats.records.record_view import RecordResult, RecordView
from evalmark.validator.formats.records.rules.number_relations import (
    OF_UNCERTAINTY,
    RELATIONS,
    RESULT_FIELDS,
    THINGS,
    UNCERTAINTY,
    NumberRelation,
    Numbers,
    numbers_of,
    score_above,
)

#: So many percentages with bounds of 0 and 1 are one mistake.
MANY = 3


def contradictions(record: RecordView) -> dict[str, list[Hit]]:
    """Code -> what a rule reports of the numbers of all results: each cause once."""
    found: dict[str, list[Hit]] = {}
    percentages: list[Hit] = []
    for result in record.results:
        score, low, high = result.score, result.low, result.high
        if (
            low is not None
            and high is not None
            and low < high
            and (score is None or low <= score <= high)
            and not result.has_more
        ):
            continue  # nearly all
        numbers = numbers_of(result)
        broken = _broken(numbers)
        is_all_percent = bool(broken) and _is_all_percent(numbers)
        while broken:
            group = broken if is_all_percent else _of_one_cause(broken)
            relation, _ = group[0]
            hit = _hit(result, numbers, group, is_all_percent=is_all_percent)
            is_percent = relation.broken is score_above and numbers.looks_like_percent
            (percentages if is_percent else found.setdefault(relation.code, [])).append(hit)
            broken = [each for each in broken if each not in group]
    if percentages:
        found.setdefault("EE201", []).extend(_of_one_scale(percentages))
    return found


#: The numbers of a result that are on the scale of its score.
_OF_SCALE = ("score", "lower", "upper", "error", "deviation")


def _is_all_percent(numbers: Numbers) -> bool:
    """True if nothing would be broken with every one of several numbers divided by 100."""
    stated = {name: of for name in _OF_SCALE if (of := getattr(numbers, name)) is not None}
    if not numbers.looks_like_percent or len(stated) == 1:
        return False
    return not _broken(_with(numbers, {name: of / 100 for name, of in stated.items()}))


def _of_one_scale(hits: list[Hit]) -> list[Hit]:
    """What is found of percentages with bounds of 0 and 1: of many, once."""
    if len(hits) < MANY:
        return hits
    first, *others = hits
    return [
        replace(
            first,
            notes=(f"so are {len(others)} other scores of the record",),
            helps=('write "max_score": 100, if they are percentages, or scores from 0 to 1',),
            also=tuple(hit.at.pointer for hit in others),
        )
    ]


def _broken(numbers: Numbers) -> list[tuple[NumberRelation, str]]:
    """The relations that do not hold, and what is wrong."""
    asked = _asked(tuple(value is not None for value in numbers))
    return [
        (relation, said)
        for relation, places in asked
        if (said := relation.broken(*[numbers[place] for place in places], numbers))
    ]


@lru_cache(1024)
def _asked(has: tuple[bool, ...]) -> list[tuple[NumberRelation, list[int]]]:
    """The relations of the numbers that are there, and the places of these."""
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
    return [each for each in broken if of_cause & each[0].things]


def _proposals(n: Numbers) -> Iterator[tuple[str, dict[str, float]]]:
    """What authors do wrong with numbers: when, and what the numbers would be."""
    percent = "if it is a percentage"
    if n.error is not None:
        yield percent, {"error": n.error / 100}
        if n.deviation is not None and n.samples:
            yield (
                "the deviation divided by the root of n",
                {"error": n.deviation / math.sqrt(n.samples)},
            )
    if n.deviation is not None:
        yield percent, {"deviation": n.deviation / 100}
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
    if n.deviation is not None and n.samples and n.samples > 1:
        error = n.deviation / math.sqrt(n.samples)
    if n.error and error:
        yield n.error / error
    if half is not None and (of := n.error or error):
        yield half / of / normal_quantile(0.95 if n.level is None else n.level)


def _proposed(result: RecordResult, numbers: Numbers) -> tuple[str, tuple[str, ...]]:
    """The field that a usual slip has changed, and its right value, if other numbers confirm it."""
    for why, changed in _proposals(numbers):
        new = {field: float(f"{value:.4g}") for field, value in changed.items()}
        right = _with(numbers, new)
        others = [*_agreements(right)]
        is_confirmed = others and all(0.8 <= ratio <= 1.25 for ratio in others)
        if is_confirmed and not _broken(right):
            keys = {field: result.key(RESULT_FIELDS.get(field, field)) for field in new}
            text = ", ".join(f'"{keys[field]}": {value:g}' for field, value in new.items())
            said = f"{why}, write {text}" if why.startswith("if") else f"write {text}: {why}"
            return next(iter(new)), (said,)
    return "", ()


def _hit(
    result: RecordResult,
    numbers: Numbers,
    group: list[tuple[NumberRelation, str]],
    *,
    is_all_percent: bool,
) -> Hit:
    (relation, said), *others = group
    notes, helps, changes = relation.cure(result, numbers) if relation.cure else ((), (), ())
    if is_all_percent:
        helps = (
            'write "max_score": 100, if all of them are percentages, or all of them as shares',
        )
        changes = ()
    field, label = relation.fields[0], relation.label
    if not helps:
        changed, helps = _proposed(result, numbers)
        field = changed or field
    if label and label[0] == field:
        label = None
    return Hit(
        said,
        At(result.at(RESULT_FIELDS.get(field, field))),
        labels=((At(result.at(RESULT_FIELDS.get(label[0], label[0]))), label[1]),) if label else (),
        notes=(*notes, *(text for _, text in others)),
        helps=helps,
        changes=changes,
        safety=Safety.UNSAFE,
        fold=" ".join((relation.code, *relation.fields)),
    )


def _reported(code: str, record: RecordView) -> Iterator[Hit]:
    if record.contradictions is None:
        record.contradictions = contradictions(record)
    yield from record.contradictions.get(code, ())


_ERROR, _WARNING = Severity.ERROR, Severity.WARNING
#: Code, name and severity of each rule, and its page.
_PAGES: tuple[tuple[str, str, Severity, str], ...] = (
    (
        "EE201",
        "score-out-of-bounds",
        _ERROR,
        """A score is outside its bounds.

    A score above its maximum is usually a percentage with bounds of 0 and 1, or the reverse. A
    leaderboard that scales by the bounds then shows wrong scores.

    Bad: `"score": 87.5` with `"min_score": 0, "max_score": 1`
    Good: `"score": 0.875` with the same bounds
    """,
    ),
    (
        "EE202",
        "bounds-reversed",
        _ERROR,
        """The lowest possible score is not below the highest.

    Bad: `"min_score": 1, "max_score": 0`
    Good: `"min_score": 0, "max_score": 1`, and `"lower_is_better": true` if that was meant
    """,
    ),
    (
        "EE206",
        "interval-reversed",
        _ERROR,
        """The lower end of a confidence interval is above the upper end.

    Bad: `"lower": 0.9, "upper": 0.6`
    Good: `"lower": 0.6, "upper": 0.9`
    """,
    ),
    (
        "EE207",
        "interval-misses-score",
        _WARNING,
        """A confidence interval does not contain its score.

    The two are usually on different scales. A difference of 1e-9 is allowed.

    Bad: `"score": 0.75` with `"lower": 71.2, "upper": 78.8`
    Good: `"score": 0.75` with `"lower": 0.712, "upper": 0.788`
    """,
    ),
    (
        "EE208",
        "uncertainty-impossible",
        _ERROR,
        """An error, a deviation or a count cannot have its value.

    None of them is negative, and a score has samples. Scores between two bounds deviate by at most
    half the range, a little more if the samples are few, and so does their standard error.

    Bad: `"standard_error": {"value": 2.1}` with `"min_score": 0, "max_score": 1`
    Good: `"standard_error": {"value": 0.021}`
    """,
    ),
    (
        "EE209",
        "uncertainty-inconsistent",
        _WARNING,
        """A standard error contradicts the standard deviation and the sample size.

    The standard error of a mean is the standard deviation divided by the square root of n or
    n - 1. A difference of more than 2 %, beyond the digits that are given, is not due to rounding.
    Errors by other methods, such as a bootstrap, may differ by a factor of 3.

    Bad: `"standard_error": {"value": 0.2}, "standard_deviation": 0.2, "num_samples": 100`
    Good: `"standard_error": {"value": 0.02}, "standard_deviation": 0.2, "num_samples": 100`
    """,
    ),
    (
        "EE246",
        "interval-contradicts-error",
        _WARNING,
        """A confidence interval contradicts the standard error.

    An interval of 95 % reaches some 1.96 standard errors to each side of the score. If the method
    is a normal interval and the level is stated, a difference of 2 % is a contradiction; else a
    factor of 3 is, because methods differ.

    Bad: `"lower": 0.71, "upper": 0.79` with `"standard_error": {"value": 0.2}`
    Good: `"lower": 0.71, "upper": 0.79` with `"standard_error": {"value": 0.02}`
    """,
    ),
    (
        "EE247",
        "uncertainty-contradicts-score",
        _WARNING,
        """An error, a deviation or an interval does not fit the score and the number of samples.

    Scores between two bounds whose mean is near one of them cannot deviate much: at most the root
    of (highest - mean)(mean - lowest). Right and wrong answers deviate by exactly that. Errors and
    intervals may differ by a factor of 3, because methods do.

    Bad: `"score": 0.9, "standard_error": {"value": 0.3}` of 1,000 samples
    Good: `"score": 0.9, "standard_error": {"value": 0.0095}` of 1,000 samples
    """,
    ),
    (
        "EE248",
        "interval-beyond-bounds",
        _WARNING,
        """A confidence interval reaches beyond the bounds of its score.

    No score is there. A normal interval of a score near its bound does that: cut it off at the
    bound, or use Wilson's.

    Bad: `"upper": 1.02` with `"max_score": 1`
    Good: `"upper": 1.0`
    """,
    ),
    (
        "EE249",
        "score-not-of-samples",
        _WARNING,
        """A score is not a share of its samples.

    Each sample of a binary metric is right or wrong, so that the score is a whole number of right
    answers divided by the number of samples. A difference that the digits of the score explain is
    allowed.

    Bad: `"score_type": "binary", "score": 0.777` of 10 samples
    Good: `"score_type": "binary", "score": 0.8` of 10 samples
    """,
    ),
    (
        "EE250",
        "confidence-level-unusual",
        _WARNING,
        """A confidence level is 0, 1 or below a half.

    It is the share of intervals that contain the true score, usually 0.95.

    Bad: `"confidence_level": 0.05`
    Good: `"confidence_level": 0.95`
    """,
    ),
    (
        "EE251",
        "resamples-unlikely",
        _WARNING,
        """The number of resamples contradicts the method, or is too small.

    `num_bootstrap_samples` is the number of resamples of a bootstrap, which needs hundreds.

    Bad: `"num_bootstrap_samples": 1000` with `"method": "wilson"`
    Good: `"num_bootstrap_samples": 1000` with `"method": "bootstrap"`
    """,
    ),
    (
        "EE252",
        "baseline-out-of-bounds",
        _WARNING,
        """The score of human experts is outside the bounds of the metric.

    Bad: `"expert_baseline": 87` with `"max_score": 1`
    Good: `"expert_baseline": 0.87`
    """,
    ),
)

NUMBER_RULES: tuple[Rule, ...] = tuple(
    Rule(code, name, severity, page, partial(_reported, code))
    for code, name, severity, page in _PAGES
)
