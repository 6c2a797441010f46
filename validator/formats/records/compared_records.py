"""The rules on what a branch changes, compared with its base: codes, names, severities, pages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from evalmark.validator.findings.finding import At, Finding, Mistake, Severity, locate
from evalmark.validator.findings.phrasing import cited, listed
from evalmark.validator.findings.rule import BEGINNING, Rule
from evalmark.validator.format import version_of
from evalmark.validator.formats.records.record_fields import places_of, record_layout
from evalmark.validator.formats.records.record_rule_table import REPEATED
from evalmark.validator.formats.shared.field_layout import Fields, Layout, reader
from evalmark.validator.formats.shared.json_values import number
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import Source, make_pointer

_WARNING = Severity.WARNING

OTHER_SCALE = Rule(
    "EE237",
    "scale-differs",
    _WARNING,
    """A score has another scale than its benchmark.

    Averages and rankings of scores from 0 to 1 and from 0 to 100 are wrong. All records of the base
    with this evaluation, dataset and metric have the same `min_score` and `max_score`, and the new
    one has others. This is checked with `--changed`.

    Bad: `"max_score": 100` where the base has `"max_score": 1`
    Good: the score and its bounds divided by 100
    """,
)
OTHER_DIRECTION = Rule(
    "EE238",
    "direction-differs",
    _WARNING,
    """A score has another direction than its benchmark.

    All records of the base with this evaluation, dataset and metric have one `lower_is_better`,
    and the new one has the other. This is checked with `--changed`.

    Bad: `"lower_is_better": true` for the accuracy that the base has with `false`
    Good: `"lower_is_better": false`
    """,
)
OTHER_DEVELOPER = Rule(
    "EE239",
    "developer-differs",
    _WARNING,
    """A model has two developers.

    Under two, a leaderboard lists it twice. The base has models of this name, all of other
    developers. Models of different developers may share a name; then this can be ignored. This is
    checked with `--changed`.

    Bad: `"id": "meta/llama-9"` where the base has `meta-llama/llama-9`
    Good: `"id": "meta-llama/llama-9"`
    """,
)

OTHERS_RECORD = Rule(
    "EE244",
    "record-of-others",
    _WARNING,
    """A branch changes or removes a record of others.

    It removes, changes or makes unreadable a record that somebody else has added to the base: git
    has none of the authors of the branch as the one who did. In a shallow clone nobody is known.
    Under a profile this is an error. Changes of the notation alone, and moves, do not count. The
    summary lists every removed and changed value. This is checked with `--changed`.

    Bad: a branch that adds a model, and deletes two results of another submitter
    Good: the two changes in branches of their own, the second one by who added the record
    """,
)
SPELLING = Rule(
    "EE245",
    "spelling-differs",
    _WARNING,
    """A model or a benchmark has two spellings.

    Tools compare names as strings. The base has this name with other capitals, hyphens, underscores
    or blanks, or with a letter of another alphabet that looks alike. This is checked with
    `--changed`.

    Bad: `"evaluation_name": "MMLU Pro"` where the base has `MMLU-Pro`
    Good: `"evaluation_name": "MMLU-Pro"`
    """,
)

BASE_RULES = (
    OTHERS_RECORD,
    SPELLING,
    OTHER_SCALE,
    OTHER_DIRECTION,
    OTHER_DEVELOPER,
)

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
        layout: Where it has its fields.
    """

    benchmark: ResultBenchmark
    score: float
    bounds: tuple[float, float] | None
    lower_is_better: bool | None
    settings: Any
    pointer: str
    layout: Layout

    def at(self, field: str) -> str:
        """The pointer of a field."""
        return Fields(None, self.pointer, self.layout).at(field)


#: Fields of a result that are compared -> their types.
_COMPARED = {
    "name": "str | None",
    "dataset": "str | None",
    **dict.fromkeys(("metric_id", "metric_name", "description"), "str | None"),
    **dict.fromkeys(("score", "low", "high"), "float | None"),
    "lower_is_better": "Any",
    "settings": "Any",
}


@cache
def _compared(version: str) -> Callable[[Any], tuple[Any, ...]]:
    """What reads them of a result of a version."""
    return reader(record_layout(version).result, _COMPARED)


def compared_results(record: dict[str, Any], *, unscored: bool = False) -> Iterator[ComparedResult]:
    """The results of a record, of any version, that have a score; or all of them."""
    version = version_of(record, "record")
    layouts, read_result = record_layout(version), _compared(version)
    of_record = Fields(record, "", layouts.record)
    dataset_of_all = of_record.text("dataset")  # before 0.2.0, data is described once
    above = of_record.at("results")
    for index, result in enumerate(of_record.entries("results")):
        if not isinstance(result, dict):
            continue
        name, dataset, *metrics, score, low, high, direction, settings = read_result(result)
        if score is None:
            if not unscored:
                continue
            score = math.nan
        metric = next((text for text in metrics if text is not None), "")
        yield ComparedResult(
            ResultBenchmark(name or "", dataset or dataset_of_all or "", metric),
            score,
            (low, high) if low is not None and high is not None else None,
            direction if isinstance(direction, bool) else None,
            settings,
            f"{above}/{index}",
            layouts.result,
        )


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


#: Places that are named; more are counted.
NAMED = 4
#: The value of a key that an object lacks: not null, which a key can have.
ABSENT = object()


class Degree(StrEnum):
    """The sense in which a record repeats another one, or no evaluation at all: in words."""

    SAME_ID = "duplicate evaluation id: also in {other}"
    EQUAL = "duplicate record: same model, benchmarks and scores as {other}"
    ROUNDED = "near-duplicate: same model, benchmarks and rounded scores as {other}"
    COPIED = "{results} of {of} scores equal those of another model, {model}: {other}"
    CONSTANT = "all {of} scores are the same"
    PERFECT = "all {of} scores are the best possible ones"


def same_evaluation_id(source: Source, raw: bytes, other: str, other_raw: bytes) -> Finding:
    """The finding for a record whose evaluation id another file has as well."""
    mistake = Mistake(
        Degree.SAME_ID.format(other=other),
        At(places_of("evaluation_id")[0]),
        notes=(differences(other_raw, raw),),
        fold="same id",
    )
    return locate(mistake, REPEATED, source.path, source)


def repeated(source: Source, at: str, degree: Degree, **values: object) -> Finding:
    """The warning for a record that repeats another one in some degree, with what that names.

    Args:
        source: The record.
        at: The pointer of its model.
        degree: The degree.
        values: What the words of the degree name.
    """
    notes = ("a new run has another `evaluation_timestamp`",) if degree is Degree.EQUAL else ()
    mistake = Mistake(degree.format(**values), At(at), notes=notes, fold=degree.name)
    return locate(mistake, REPEATED._replace(severity=Severity.WARNING), source.path, source)


def of_others(path: str, counts: Counter[str], author: str) -> Finding:
    """The finding for a record of somebody else that a branch removes or changes.

    ``counts`` says ``deleted``, ``unreadable``, or how much is ``removed``, ``changed``, and
    changed in other ``fields``; ``author`` is empty if git does not tell.
    """
    words = {"removed": "remove", "changed": "change", "fields": "change"}
    nouns = {"removed": "result", "changed": "score", "fields": "other field"}
    parts = [
        f"{words[kind]}s {count} {nouns[kind]}{'s'[: count - 1]}"
        for kind in words
        if (count := counts[kind])
    ]
    extent = " and ".join(parts) + " of" if parts else "removes"
    if counts["unreadable"]:
        extent = "makes unreadable"
    whose = f"which {cited(author)} added" if author else "which is not known to be its own"
    message = f"this branch {extent} a record of the base, {whose}"
    return replace(locate(Mistake(message, At("")), OTHERS_RECORD, path, None), span=BEGINNING)


def differences(left: bytes, right: bytes) -> str:
    """In words, what differs between two records, given as JSON texts."""
    first, second = (read(raw, "") for raw in (left, right))
    if not first.readable or not second.readable:
        return "the two could not be compared"
    found = list(different(first.data, second.data, ()))
    if not found:
        return "the two records are equal: remove one of them"
    places = listed((_place(*difference) for difference in found), NAMED)
    return f"the two records differ in {places}"


def different(
    left: Any, right: Any, path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], Any, Any]]:
    """The places at which two values differ: as deep as both have the same shape."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in dict.fromkeys((*left, *right)):
            if key not in left or key not in right or left[key] != right[key]:
                yield from different(left.get(key, ABSENT), right.get(key, ABSENT), (*path, key))
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index, pair in enumerate(zip(left, right, strict=True)):
            if pair[0] != pair[1]:
                yield from different(*pair, (*path, index))
    else:
        yield path, left, right


def _place(path: tuple[str | int, ...], left: Any, right: Any) -> str:
    where = make_pointer(path) or "everything"
    if isinstance(left, list) and isinstance(right, list):
        return f"{where} ({len(left)} and {len(right)} entries)"
    if isinstance(left, dict | list) or isinstance(right, dict | list):
        return where
    return f"{where} ({_value(left)} and {_value(right)})"


def _value(value: Any) -> str:
    return "absent" if value is ABSENT else cited(value)
