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

from evalmark.validator.findings.finding import At, Mistake, Safety, Severity
from evalmark.validator.findings.rule import Rule
from evalmark.validator.formats.records.record_view import Numbers, RecordResult, RecordView
from evalmark.validator.formats.records.rules.number_relations import (
    LABELS,
    OF_UNCERTAINTY,
    RELATIONS,
    SLACK,
    THINGS,
    UNCERTAINTY,
    NumberRelation,
    deviation_of_share,
    may_be_percent,
    quantile_of,
    score_above,
)

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
        is_high = bool(broken) and numbers.looks_like_percent
        is_percentage = is_high and may_be_percent(result, numbers)
        is_all_percent = is_percentage and _is_all_percent(numbers)
        has_wrong_bounds = is_high and not is_percentage  # those of a share
        while broken:
            is_one = is_all_percent or has_wrong_bounds or len(broken) == 1
            group = broken if is_one else _of_one_cause(broken)
            relation, _ = group[0]
            mistake = _mistake_of(result, numbers, group, is_all_percent=is_all_percent)
            is_percent = relation.broken is score_above and is_percentage
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
    if len(stated) == 1:
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
    # What is possible of a score depends on its bounds.
    of_bounds = {"EE247"} if cause == "bounds" else set()
    return [e for e in broken if of_cause & e[0].things or e[0].code in of_bounds]


def _proposals(n: Numbers) -> Iterator[tuple[str, dict[str, float]]]:
    percent = "if it is a percentage"
    of_deviation = None
    if n.standard_deviation is not None and n.num_samples and n.num_samples > 0:
        of_deviation = n.standard_deviation / math.sqrt(n.num_samples)
    by_deviation = "the standard deviation divided by √n"
    if of_deviation and n.num_samples and n.standard_error == n.standard_deviation:
        of_error = of_deviation * n.num_samples  # which is the deviation, if that was copied
        yield "the standard error times √n", {"standard_deviation": of_error}
    if of_deviation is not None and _is_slip(n, of_deviation):
        yield by_deviation, {"standard_error": of_deviation}
    if n.standard_error is not None:
        if of_deviation is not None and n.standard_deviation and _is_of_variance(n):
            yield "the root of it", {"standard_deviation": math.sqrt(n.standard_deviation)}
        yield percent, {"standard_error": n.standard_error / 100}
        # An error and a deviation say nothing of which of the two is right.
        if of_deviation is not None and n.lower is not None and n.upper is not None:
            yield by_deviation, {"standard_error": of_deviation}
    if n.standard_deviation is not None:
        yield percent, {"standard_deviation": n.standard_deviation / 100}
    if n.lower is not None and n.upper is not None:
        yield percent, {"lower": n.lower / 100, "upper": n.upper / 100}


def _is_slip(n: Numbers, right: float) -> bool:
    """True if a standard error is left at 0, the deviation, the variance, or half an interval."""
    slips = 0, n.standard_deviation, right * right, quantile_of(n.level) * right
    return any(
        slip is not None and math.isclose(n.standard_error or 0, slip, rel_tol=SLACK - 1)
        for slip in slips
    )


def _is_of_variance(n: Numbers) -> bool:
    """True if a standard error is that of a deviation whose square is stated as the deviation."""
    root = math.sqrt(max(n.standard_deviation or 0, 0) / max(n.num_samples or 0, 1))
    return root > 0 and 1 / SLACK <= (n.standard_error or 0) / root <= SLACK


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
        yield half / standard_error / quantile_of(n.level)
    if n.standard_deviation is not None and (deviation := deviation_of_share(n)):
        yield n.standard_deviation / deviation


def _propose_fix(result: RecordResult, numbers: Numbers) -> tuple[str, tuple[str, ...]]:
    """The field that a usual slip has changed, and its right value, if other numbers confirm it."""
    fits: list[tuple[str, str]] = []
    for why, changed in _proposals(numbers):
        new = {field: float(f"{value:.4g}") for field, value in changed.items()}
        right = _with(numbers, new)
        others = [*_agreements(right)]
        is_confirmed = others and all(0.8 <= ratio <= 1.25 for ratio in others)
        if is_confirmed and not _broken(right):
            keys = {field: result.key(field) for field in new}
            text = ", ".join(f'"{keys[field]}": {value:g}' for field, value in new.items())
            advice = f"{why}, write {text}" if why.startswith("if") else f"write {text}: {why}"
            fits.append((next(iter(new)), advice))
    # Of two equal numbers nothing else may say which one is the copy.
    is_open = numbers.standard_error == numbers.standard_deviation and len(dict(fits)) > 1
    return (fits[0][0], (fits[0][1],)) if fits and not is_open else ("", ())


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
        labels=((At(result.at(label)), LABELS[label]),) if label not in ("", field) else (),
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
    """What is broken, and what to write: ``RELATIONS`` of ``number_relations.py``.

    Where a row of that has nothing to write, ``_propose_fix`` may have.
    """
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

    None of them is negative, and a score has samples. Scores between two bounds deviate by at most
    half the range, a little more if the samples are few, and so does their standard error.

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

#: The texts and suggestions of their findings are not here: see ``_reported``.
NUMBER_RULES: tuple[Rule, ...] = tuple(
    Rule(*rule, page.strip(), partial(_reported, rule[0]), asks=_has_contradictions)
    for rule, page in _PAGES.items()
)
