"""New results, compared with all results of the base: what is there already, what contradicts it.

Each record of the base is looked at once, as it is read. What is kept of it is the place of the
few records that a finding will name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from evalmark.validator.batch.changes.changed_files import ChangedFile
from evalmark.validator.findings.finding import At, Finding, Hit, locate
from evalmark.validator.findings.phrasing import shown
from evalmark.validator.findings.rule import Rule
from evalmark.validator.formats.records.base_rule_table import (
    OTHER_DEVELOPER,
    OTHER_DIRECTION,
    OTHER_SCALE,
    SAME_SCORES,
)
from evalmark.validator.formats.records.compared_results import (
    ComparedResult,
    ResultBenchmark,
    are_surprising,
    compared_results,
    magnitude,
)
from evalmark.validator.io.opening import read_or_nothing
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import Source

_MODEL = "/model_info/id"


class RecordScores(NamedTuple):
    """The names and scores of the results of a record, its model, and its time.

    Attributes:
        model: The id of its model, or its name.
        names: The names of its evaluations.
        scores: Their scores, whatever was written there.
        time: Its `evaluation_timestamp`.
    """

    model: str
    names: list[Any]
    scores: list[Any]
    time: Any

    def vector(self) -> int | None:
        """A number that is equal for records with the same scores, of any model."""
        try:
            return hash((*self.names, *self.scores))
        except TypeError:  # a list or an object where the format has none
            return None

    def likenesses(self) -> tuple[int, ...]:
        """Numbers of which records of one model that may repeat each other share one.

        The first is that of this record; the others are those of slightly other scores.
        """
        try:
            begin = hash((self.model, self.time, *self.names))
        except TypeError:
            return ()
        size = magnitude(self.scores[0])
        return tuple(hash((begin, step)) for step in (size, size - 1, size + 1))


@dataclass(slots=True)
class _Metric:
    """What new results say about a benchmark: scale and direction, with the first file of each."""

    bounds: dict[tuple[float, float], _First] = field(default_factory=dict)
    directions: dict[bool, _First] = field(default_factory=dict)
    base_bounds: dict[tuple[float, float], str] = field(default_factory=dict)
    base_directions: dict[bool, str] = field(default_factory=dict)

    @property
    def is_settled(self) -> bool:
        """True if no record of the base can add anything."""
        return (
            self.bounds.keys() <= self.base_bounds.keys()
            and self.directions.keys() <= self.base_directions.keys()
        )


@dataclass(slots=True)
class _First:
    """The first of some files, the place in it, and how many there are."""

    change: ChangedFile
    pointer: str
    files: int = 0


@dataclass(slots=True)
class _Owners:
    """The developers of a model: those of new records, and those of the base, with a file each."""

    new: dict[str, _First] = field(default_factory=dict)
    base: dict[str, tuple[str, str]] = field(default_factory=dict)


class BaseResults:
    """The comparison of new and changed records with those of the base."""

    def __init__(self) -> None:
        self._metrics: dict[ResultBenchmark, _Metric] = {}
        self._evaluations: set[str] | None = None
        self._owners: dict[str, _Owners] = {}
        self._vectors: dict[int, tuple[str, ChangedFile]] = {}
        self._same: dict[str, tuple[ChangedFile, str, str]] = {}

    def __bool__(self) -> bool:
        return bool(self._metrics or self._owners)

    def add_new(
        self, change: ChangedFile, scores: RecordScores, results: Iterable[ComparedResult]
    ) -> None:
        """Take in a record that the branch adds or changes."""
        name, owner = _named(scores.model)
        if owner:
            owners = self._owners.setdefault(name, _Owners())
            owners.new.setdefault(owner, _First(change, _MODEL)).files += 1
        if are_surprising(scores.scores) and (vector := scores.vector()) is not None:
            self._vectors.setdefault(vector, (name, change))
        for result in results:
            metric = self._metrics.setdefault(result.benchmark, _Metric())
            at = f"{result.pointer}/metric_config/"
            if result.bounds is not None and result.bounds not in metric.bounds:
                metric.bounds[result.bounds] = _First(change, at + "max_score")
            if result.bounds is not None:
                metric.bounds[result.bounds].files += 1
            direction = result.lower_is_better
            if direction is not None and direction not in metric.directions:
                metric.directions[direction] = _First(change, at + "lower_is_better")
            if direction is not None:
                metric.directions[direction].files += 1

    def compare(self, file: str, record: dict[str, Any], scores: RecordScores) -> None:
        """Compare with a record of the base."""
        name, owner = _named(scores.model)
        if owner and (owners := self._owners.get(name)) and owner not in owners.base:
            owners.base[owner] = scores.model, file
        if self._vectors and len(scores.names) > 1:
            self._compare_vector(file, scores)
        if self._evaluations is None:
            self._evaluations = {benchmark.evaluation for benchmark in self._metrics}
        for name in scores.names:
            if type(name) is str and name in self._evaluations:
                self._compare_metrics(file, record)
                return

    def _compare_metrics(self, file: str, record: dict[str, Any]) -> None:
        """Note scales and directions; a benchmark whose new ones are all in the base is left out.

        So the results of most records are not looked at: the first of the base settle the matter.
        """
        for result in compared_results(record):
            metric = self._metrics.get(result.benchmark)
            if metric is None:
                continue
            if result.bounds is not None:
                metric.base_bounds.setdefault(result.bounds, file)
            if result.lower_is_better is not None:
                metric.base_directions.setdefault(result.lower_is_better, file)
            if metric.is_settled:
                del self._metrics[result.benchmark]
                self._evaluations = None

    def forgive(self, scores: RecordScores, results: Iterable[ComparedResult]) -> None:
        """Take what a file had before the branch as known: it is no news."""
        name, owner = _named(scores.model)
        if name in self._owners:
            self._owners[name].new.pop(owner, None)
        vector = scores.vector()
        if vector is not None and self._vectors.get(vector, ("", None))[0] == name:
            del self._vectors[vector]
        for result in results:
            if metric := self._metrics.get(result.benchmark):
                if result.bounds is not None:
                    metric.bounds.pop(result.bounds, None)
                if result.lower_is_better is not None:
                    metric.directions.pop(result.lower_is_better, None)

    def _compare_vector(self, file: str, scores: RecordScores) -> None:
        name, change = self._vectors.get(scores.vector() or 0, ("", None))
        if change is not None and name != _named(scores.model)[0]:
            self._same.setdefault(change.path, (change, scores.model, file))

    def findings(self, named: Callable[[str], str]) -> Iterator[Finding]:
        """What contradicts the base.

        Args:
            named: The name of a file of the base, as messages have it.
        """
        yield from self._same_scores(named)
        for owners in self._owners.values():
            yield from _other_developers(owners, named)
        for benchmark, metric in self._metrics.items():
            yield from _other_metric(benchmark, metric, named)

    def _same_scores(self, named: Callable[[str], str]) -> Iterator[Finding]:
        for change, model, file in self._same.values():
            message = f"all scores equal those of another model, {shown(model)}: {named(file)}"
            yield _finding(SAME_SCORES, change, Hit(message, At(_MODEL), fold="same scores"))


def _named(model: str) -> tuple[str, str]:
    """The name of a model without its developer, and its developer, both as they are compared."""
    owner, _, name = model.rpartition("/")
    return name.strip().casefold(), owner.strip()


def _other_developers(owners: _Owners, named: Callable[[str], str]) -> Iterator[Finding]:
    """A model of the base under a developer that the base does not have it under."""
    for owner, first in owners.new.items():
        if owners.base and owner not in owners.base:
            model, file = next(iter(owners.base.values()))
            written = shown(f"{owner}/{model.rpartition('/')[2]}")
            hit = Hit(
                f"the base has this model under another developer: {shown(model)}, not {written}",
                At(first.pointer),
                notes=(f"it is in {named(file)}{_more(first)}",),
                helps=(f"if it is the same model, write {shown(model)}",),
                fold="developer",
            )
            yield _finding(OTHER_DEVELOPER, first.change, hit)


def _other_metric(
    benchmark: ResultBenchmark, metric: _Metric, named: Callable[[str], str]
) -> Iterator[Finding]:
    """A scale or a direction of a benchmark for which all of the base has another one."""
    label = shown(benchmark.label)
    if len(metric.base_bounds) == 1:
        ((low, high), file) = next(iter(metric.base_bounds.items()))
        for (least, most), first in metric.bounds.items():
            if (least, most) != (low, high):
                message = f"scores of {label} are from {least:g} to {most:g} here, and from "
                message += f"{low:g} to {high:g} in the base"
                yield _finding(OTHER_SCALE, first.change, _unlike(message, first, named(file)))
    if len(metric.base_directions) == 1:
        (direction, file) = next(iter(metric.base_directions.items()))
        for new, first in metric.directions.items():
            if new is not direction:
                better = ("higher", "lower")
                message = f"{better[new]} scores of {label} are better here, and "
                message += f"{better[direction]} ones in the base"
                yield _finding(OTHER_DIRECTION, first.change, _unlike(message, first, named(file)))


def _unlike(message: str, first: _First, file: str) -> Hit:
    return Hit(message, At(first.pointer), notes=(f"see {file}{_more(first)}",), fold=message)


def _more(first: _First) -> str:
    """The number of further results like the first, in words."""
    return f"; the branch has {first.files} results like this" if first.files > 1 else ""


def _finding(rule: Rule, change: ChangedFile, hit: Hit) -> Finding:
    raw = read_or_nothing(change.path)
    return locate(hit, rule, change.path, read(raw, change.path).source or Source(change.path, ""))
