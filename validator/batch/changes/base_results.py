"""New results, compared with all results of the base: what is there already, what contradicts it.

Each record of the base is looked at once, as it is read. What is kept of it is the place of the
few records that a finding will name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

from evalmark.validator.batch.changes.changed_files import ChangedFile
from evalmark.validator.findings.finding import At, Finding, Mistake, locate
from evalmark.validator.findings.phrasing import cited
from evalmark.validator.findings.rule import Rule
from evalmark.validator.formats.records.compared_records import (
    OTHER_DEVELOPER,
    OTHER_DIRECTION,
    OTHER_SCALE,
    SPELLING,
    ComparedResult,
    ResultBenchmark,
    compared_results,
)
from evalmark.validator.io.opening import read_or_nothing
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import Source

#: The field at which a finding on a scale is.
_SCALE = "high"


class RecordScores(NamedTuple):
    """The names and scores of the results of a record, and its model."""

    model: str  # the id of its model, or its name
    model_at: str  # where the id is
    names: list[Any]  # the names of its evaluations
    scores: list[Any]  # their scores, whatever was written there


@dataclass(slots=True)
class _First:
    change: ChangedFile
    pointer: str
    files: int = 0


@dataclass(slots=True)
class _Terms:
    """Spellings of a name, or values for a benchmark: new ones, and those of the base with a file.

    New ones are counted with the first file of each.
    """

    new: dict[Any, _First] = field(default_factory=dict)
    base: dict[Any, str] = field(default_factory=dict)

    def add(self, value: Any, change: ChangedFile, pointer: str) -> None:
        self.new.setdefault(value, _First(change, pointer)).files += 1


def _values(result: ComparedResult) -> Iterator[tuple[tuple[ResultBenchmark, str], Any]]:
    if result.bounds is not None:
        yield (result.benchmark, _SCALE), result.bounds
    if result.lower_is_better is not None:
        yield (result.benchmark, "lower_is_better"), result.lower_is_better


class BaseResults:
    """The comparison of new and changed records with those of the base."""

    def __init__(self) -> None:
        self._metrics: dict[tuple[ResultBenchmark, str], _Terms] = {}
        self._evaluations: set[str] | None = None
        self._models: dict[str, _Terms] = {}
        self._names: dict[str, _Terms] = {}
        self._known: set[str] = set()
        self._wanted: dict[str, set[ResultBenchmark]] = {}
        self._again: dict[str, tuple[set[ResultBenchmark], list[str]]] = {}

    def __bool__(self) -> bool:
        return bool(self._metrics or self._models)

    def add_new(
        self, change: ChangedFile, scores: RecordScores, results: Iterable[ComparedResult]
    ) -> None:
        """Take in a record that the branch adds or changes."""
        model = self._models.setdefault(folded(scores.model.rpartition("/")[2]), _Terms())
        model.add(scores.model, change, scores.model_at)
        for result in results:
            name = result.benchmark.evaluation
            terms = self._names.setdefault(folded(name), _Terms())
            terms.add(name, change, result.at("name"))
            if not change.old:
                self._wanted.setdefault(scores.model, set()).add(result.benchmark)
            for about, value in _values(result):
                terms = self._metrics.setdefault(about, _Terms())
                terms.add(value, change, result.at(about[1]))

    def compare(self, file: str, record: dict[str, Any], scores: RecordScores) -> None:
        """Compare with a record of the base."""
        if models := self._models.get(folded(scores.model.rpartition("/")[2])):
            models.base.setdefault(scores.model, file)
        if wanted := self._wanted.get(scores.model):
            there = wanted.intersection(result.benchmark for result in compared_results(record))
            if there:
                benchmarks, files = self._again.setdefault(scores.model, (set(), []))
                benchmarks |= there
                files.append(file)
        if self._evaluations is None:
            self._evaluations = {benchmark.evaluation for benchmark, _ in self._metrics}
        is_measured = False
        for name in scores.names:
            if type(name) is str:
                if name not in self._known:
                    self._known.add(name)
                    if spellings := self._names.get(folded(name)):
                        spellings.base[name] = file
                is_measured = is_measured or name in self._evaluations
        if is_measured:
            self._compare_metrics(file, record)

    def again(self, named: Callable[[str], str]) -> dict[str, tuple[int, list[str]]]:
        """Model -> how many of its new benchmarks the base has it on, and the files that do."""
        return {
            model: (len(benchmarks), [named(file) for file in files])
            for model, (benchmarks, files) in self._again.items()
        }

    def _compare_metrics(self, file: str, record: dict[str, Any]) -> None:
        """Note scales and directions; what is in the base as all new ones say it is left out.

        So the results of most records are not looked at: the first of the base settle the matter.
        """
        for result in compared_results(record):
            for about, value in _values(result):
                if terms := self._metrics.get(about):
                    terms.base.setdefault(value, file)
                    if terms.new.keys() <= terms.base.keys():
                        del self._metrics[about]
                        self._evaluations = None

    def forgive(self, scores: RecordScores, results: Iterable[ComparedResult]) -> None:
        """Take what a file had before the branch as known: it is not new."""
        if models := self._models.get(folded(scores.model.rpartition("/")[2])):
            models.new.pop(scores.model, None)
        for name in scores.names:
            if type(name) is str and (spellings := self._names.get(folded(name))):
                spellings.new.pop(name, None)
        wanted = self._wanted.get(scores.model, set())
        for result in results:
            wanted.discard(result.benchmark)
            for about, value in _values(result):
                if terms := self._metrics.get(about):
                    terms.new.pop(value, None)

    def findings(self, named: Callable[[str], str]) -> Iterator[Finding]:
        """Findings about results that contradict the base; ``named`` names a file in messages."""
        for noun, names in (("model", self._models), ("benchmark", self._names)):
            for spellings in names.values():
                yield from _other_spelling(noun, spellings, named)
        found: dict[tuple[str, str], list[Finding]] = {}
        for (benchmark, key), terms in self._metrics.items():
            for finding in _other_metric(benchmark.label, key, terms, named):
                found.setdefault((finding.path, finding.code), []).append(finding)
        for first, *others in found.values():  # a record is on another scale as a whole
            more = f"so it is for {len(others)} more benchmarks of this record"
            also = tuple(finding.pointer for finding in others)
            yield replace(first, notes=(*first.notes, more), also=also) if others else first


#: Letters of other alphabets, and those that they look like.
_LOOK_ALIKE = str.maketrans("авеһікмнорстухѕјԁԛԝѵɡοαεινρτυχκ", "abehikmhopctyxsjdqwvgoaeivptuxk")
#: Characters that may differ between spellings of one name; not between digits.
_SEPARATORS = re.compile(r"(?<!\d)[-_\s]+|[-_\s]+(?!\d)")


@cache
def folded(name: str) -> str:
    """A name without what may be written differently in it."""
    plain = name.strip().casefold()
    return _SEPARATORS.sub("", plain if plain.isascii() else plain.translate(_LOOK_ALIKE))


def _other_spelling(noun: str, spellings: _Terms, named: Callable[[str], str]) -> Iterator[Finding]:
    for name, first in spellings.new.items():
        if not spellings.base or name in spellings.base:
            continue
        near = (known for known in spellings.base if folded(known) == folded(name))
        known = next(near, next(iter(spellings.base)))
        is_spelling = folded(known) == folded(name)
        if not (is_spelling or "/" in name):
            continue
        rule, wording = (
            (SPELLING, "in another spelling")
            if is_spelling
            else (OTHER_DEVELOPER, "under another developer")
        )
        mistake = Mistake(
            f"the base has this {noun} {wording}: {cited(known)}, not {cited(name)}",
            At(first.pointer),
            notes=(
                *_odd_letters(name, known),
                f"it is in {named(spellings.base[known])}{_count_text(first)}",
            ),
            helps=(f"if it is the same {noun}, write {cited(known)}",),
            fold=name,
        )
        yield _finding(rule, first.change, mistake)


def _odd_letters(name: str, known: str) -> Iterator[str]:
    """The letters of a name that only look like those of another one, by their names."""
    for index, (letter, like) in enumerate(zip(name, known, strict=False), start=1):
        if not letter.isascii() and letter.casefold().translate(_LOOK_ALIKE) == like.casefold():
            from unicodedata import name as name_of  # rare

            yield f"letter {index} is {name_of(letter, 'unnamed')}, not {cited(like)}"


def _other_metric(
    label: str, key: str, terms: _Terms, named: Callable[[str], str]
) -> Iterator[Finding]:
    if len(terms.base) != 1:
        return
    ((known, file),) = terms.base.items()
    for value, first in terms.new.items():
        if value == known:
            continue
        if key == _SCALE:
            rule = OTHER_SCALE
            message = f"scores of {cited(label)} are from {value[0]:g} to {value[1]:g} here, and "
            message += f"from {known[0]:g} to {known[1]:g} in the base"
        else:
            rule = OTHER_DIRECTION
            here, there = ("lower" if lower else "higher" for lower in (value, known))
            message = (
                f"{here} scores of {cited(label)} are better here, and {there} ones in the base"
            )
        notes = (f"see {named(file)}{_count_text(first)}",)
        yield _finding(
            rule, first.change, Mistake(message, At(first.pointer), notes=notes, fold=message)
        )


def _count_text(first: _First) -> str:
    return f"; the branch has {first.files} results like this" if first.files > 1 else ""


def _finding(rule: Rule, change: ChangedFile, mistake: Mistake) -> Finding:
    raw = read_or_nothing(change.path)
    return locate(
        mistake, rule, change.path, read(raw, change.path).source or Source(change.path, "")
    )
