"""New records that repeat others by value: the base's, or each other; or that look invented."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from evalmark.validator.batch.changes.base_results import RecordScores
from evalmark.validator.batch.changes.changed_files import ChangedFile
from evalmark.validator.formats.records.compared_records import (
    ComparedResult,
    Degree,
    are_close,
    are_surprising,
    compared_results,
    digits,
)
from evalmark.validator.formats.records.record_fields import fields_in
from evalmark.validator.reading.strict_json import is_shallow

#: Fields of a record in which a run differs from another one of the same model.
_SETUP = ("platform", "inference_engine", "about_model", "harness", "evaluated")
#: Results of a new record, those with the most digits, by which its like are found.
_SAMPLED = 8
#: Digits that say little, digits that are looked at, and new records of one score that are.
_FEW_DIGITS, _DIGITS, _MOST_ALIKE = 2, 6, 8
#: The part of the scores of a record, and of its telling ones, from which they are copied. Programs
#: report counts of tokens and examples beside scores, which are the same for many models.
_COPIED = 0.6
#: Evaluations from which equal scores, or perfect ones, are not chance.
_MANY = 4
_NUMBERS = frozenset((float, int))
#: Scores beyond this are not compared: they are not scores, and may not fit a float.
_LARGE = 1e15
#: New records whose results are kept for the next comparison.
_KEPT = 1000


class Twin(NamedTuple):
    """A new record, and another one: a file of the base, or a new one without a blob."""

    change: ChangedFile
    identity: str
    counterpart: str
    blob: str = ""


class Repetition(NamedTuple):
    """A new record, and what it repeats: how much of it, and in which sense."""

    change: ChangedFile
    degree: Degree
    results: int
    of: int
    twin: Twin | None = None
    model: str = ""


class _New(NamedTuple):
    change: ChangedFile
    identity: str
    model: str
    sampled: int
    is_surprising: bool


class _Details(NamedTuple):
    setup: Any
    results: Sequence[ComparedResult]


class Repetitions:
    """The new records, to be compared with each other and with those of the base.

    A score of the base is looked up as it would be written with the digits of the new ones.
    """

    def __init__(self, load: Callable[[str], dict[str, Any] | None]) -> None:
        self._new: list[_New] = []
        self._found: dict[str, Repetition] = {}
        self._forms: dict[str, set[str]] = {}
        self._numbers: dict[str, list[int]] = {}

        def details_at(path: str) -> _Details:
            return _details(load(path) or {})

        self._details_at = lru_cache(_KEPT)(details_at)

    def __iter__(self) -> Iterator[Repetition]:
        return iter(self._found.values())

    def add(
        self, change: ChangedFile, identity: str, model: str, results: Sequence[ComparedResult]
    ) -> None:
        """Take in a new record, and compare it with those before it."""
        names, scores = [r.benchmark.evaluation for r in results], [r.score for r in results]
        chosen = sorted(_with_digits(results), key=lambda result: -digits(result.score))[:_SAMPLED]
        new = _New(change, identity, model, len(chosen), are_surprising(scores))
        if degree := _degree_of_invention(results):
            self._found[change.path] = Repetition(change, degree, len(results), len(results))
        for number in self._alike(model, names, scores):
            first = self._new[number]
            if first.identity != identity:
                twin = Twin(change, identity, first.change.path)
                self._note(new, twin, self._details_at(first.change.path), first.model)
        self._new.append(new)
        for result in chosen:
            form = f".{min(digits(result.score), _DIGITS)}g"
            self._forms.setdefault(result.benchmark.evaluation, set()).add(form)
            key = f"{result.benchmark.evaluation}{result.score:{form}}"
            numbers = self._numbers.setdefault(key, [])
            if len(numbers) < _MOST_ALIKE:
                numbers.append(len(self._new) - 1)

    def compare(
        self,
        place: str,
        blob: str,
        identity: str | None,
        record: dict[str, Any],
        scores: RecordScores,
    ) -> None:
        """Compare with a record of the base: its place, its blob, its id, and what it holds."""
        details: _Details | None = None
        for number in self._alike(scores.model, scores.names, scores.scores):
            new = self._new[number]
            if new.identity != identity and is_shallow(record):
                details = details or _details(record)
                self._note(new, Twin(new.change, new.identity, place, blob), details, scores.model)

    def _alike(self, model: str, names: Sequence[Any], scores: Sequence[Any]) -> list[int]:
        shared: dict[int, int] = {}
        forms_of, numbers_of = self._forms.get, self._numbers.get
        for name, score in zip(names, scores, strict=True):  # of every record of the base
            forms = forms_of(name) if type(name) is str else None
            if forms is not None and type(score) in _NUMBERS and abs(score) < _LARGE:
                for form in forms:
                    for number in numbers_of(f"{name}{score:{form}}") or ():
                        shared[number] = shared.get(number, 0) + 1
        return [number for number, count in shared.items() if self._is_near(number, model, count)]

    def _is_near(self, number: int, model: str, count: int) -> bool:
        """True if so many shared scores are worth a look: a few are shared by chance."""
        new = self._new[number]
        if new.model == model:
            return count >= max(1, new.sampled // 2)
        return new.is_surprising and count >= max(2, new.sampled // 2)

    def _note(self, new: _New, twin: Twin, other: _Details, model: str) -> None:
        path = new.change.path
        if path in self._found and self._found[path].twin is not None:
            return
        mine = self._details_at(path)
        if new.model == model:
            counts, degree = (len(mine.results), len(mine.results)), _repetition(mine, other)
        else:
            counts, degree = _count_copied(mine, other)
        if degree:
            self._found[path] = Repetition(new.change, degree, *counts, twin, model)


def _scores_of_both(mine: _Details, other: _Details) -> Iterator[tuple[float, float]]:
    by_benchmark: dict[Any, list[float]] = {}
    for result in other.results:
        by_benchmark.setdefault(result.benchmark, []).append(result.score)
    for result in mine.results:
        for score in by_benchmark.get(result.benchmark, ()):
            yield result.score, score


def _repetition(mine: _Details, other: _Details) -> Degree | None:
    # With the other scores, a digit or two say more.
    pairs = [pair for pair in _scores_of_both(mine, other) if are_close(*pair, least=1)]
    if not 0 < len(mine.results) <= len(pairs):
        return None
    are_equal = all(a == b for a, b in pairs)
    # Two runs may have equal scores, but hardly the same scores with other digits.
    is_run = mine.setup == other.setup and all(are_close(*pair) for pair in pairs)
    if is_run or (not are_equal and are_surprising(min(pair, key=digits) for pair in pairs)):
        return Degree.EQUAL if are_equal else Degree.ROUNDED
    return None


def _count_copied(mine: _Details, other: _Details) -> tuple[tuple[int, int], Degree | None]:
    """How many results with some digits a record shares with one of another model, of how many."""
    pairs = [pair for pair in _scores_of_both(mine, other) if are_close(*pair)]
    total = len(mine.results)
    if min(len(pairs), total) < _COPIED * total or not are_surprising(score for score, _ in pairs):
        return (0, total), None
    total = len(_with_digits(mine.results))
    count = min(sum(digits(score) > _FEW_DIGITS for score, _ in pairs) or len(pairs), total)
    return (count, total), Degree.COPIED if count >= _COPIED * total else None


def _with_digits(results: Sequence[ComparedResult]) -> Sequence[ComparedResult]:
    """The results whose scores have some digits: zeros and ones are everywhere."""
    return [result for result in results if digits(result.score) > _FEW_DIGITS] or results


def _details(record: dict[str, Any]) -> _Details:
    results = list(compared_results(record))
    fields = fields_in(record)
    settings = {repr(result.settings) for result in results}
    return _Details(([fields.get(field) for field in _SETUP], settings), results)


def _degree_of_invention(results: Sequence[ComparedResult]) -> Degree | None:
    if len({result.benchmark.evaluation for result in results}) < _MANY:
        return None
    best = (
        result.bounds and result.score == result.bounds[not result.lower_is_better]
        for result in results
    )
    if all(best):
        return Degree.PERFECT
    return Degree.CONSTANT if len({result.score for result in results}) == 1 else None
