"""The results that a branch adds, changes and removes, by model and benchmark."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import Any, NamedTuple

from evalmark.validator.formats.records.compared_results import ComparedResult, ResultBenchmark

#: Results of one model, and paths of deleted records, that are listed; more are counted.
LISTED = 5
#: Models that are listed.
MODELS = 20
KINDS = ("added", "changed", "removed")


class ResultDifference(NamedTuple):
    """A result that a branch adds, changes or removes.

    Attributes:
        benchmark: Its evaluation, dataset and metric, in words.
        before: The score of the base; None if it is added.
        after: The score of the branch; None if it is removed.
    """

    benchmark: str
    before: float | None
    after: float | None

    @property
    def kind(self) -> str:
        """One of ``KINDS``."""
        if self.before is None:
            return "added"
        return "removed" if self.after is None else "changed"

    @property
    def text(self) -> str:
        """The scores in words: ``0.7 → 0.75 (+0.05)``."""
        if self.before is None or self.after is None:
            score = self.after if self.before is None else self.before
            return f"{self.kind}: {score:.6g}"
        return f"{self.before:.6g} → {self.after:.6g} ({self.after - self.before:+.4g})"


@dataclass(slots=True)
class ModelDifferences:
    """The differences of a model: how many of each kind there are, and the largest changes."""

    counts: Counter[str] = field(default_factory=Counter)
    listed: list[ResultDifference] = field(default_factory=list)

    def add(self, difference: ResultDifference) -> None:
        """Take in a difference; changes are listed first, larger ones before smaller."""
        self.counts[difference.kind] += 1
        self.listed.append(difference)
        if len(self.listed) > 4 * LISTED:
            self.cut()

    def cut(self) -> None:
        """Keep what is listed."""
        self.listed.sort(key=_weight)
        del self.listed[LISTED:]


def _weight(difference: ResultDifference) -> tuple[int, float, str]:
    before, after = difference.before, difference.after
    order = ("changed", "removed", "added").index(difference.kind)
    size = 0.0 if before is None or after is None else -abs(after - before)
    return order, size, difference.benchmark


@dataclass(slots=True)
class _Scores:
    """Scores, each with the numbers of its record and its benchmark: 24 bytes for each."""

    records: array[int] = field(default_factory=lambda: array("q"))
    benchmarks: array[int] = field(default_factory=lambda: array("q"))
    scores: array[float] = field(default_factory=lambda: array("d"))

    def add(self, record: int, benchmark: int, score: float) -> None:
        self.records.append(record)
        self.benchmarks.append(benchmark)
        self.scores.append(score)

    def rows(self) -> Iterator[tuple[int, int, float]]:
        return zip(self.records, self.benchmarks, self.scores, strict=True)


@dataclass(slots=True)
class ResultDifferences:
    """What a branch does to results; its own parts are numbers, since there may be many.

    Attributes:
        models: Model → its differences, those with changed results first; see ``finish``.
        deleted: Paths of records that the branch deletes and does not move, the first of them.
        deletions: How many there are.
    """

    models: dict[str, ModelDifferences] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    deletions: int = 0
    _about: dict[tuple[str, ResultBenchmark], int] = field(default_factory=dict)
    _names: list[tuple[str, ResultBenchmark]] = field(default_factory=list)
    _before: _Scores = field(default_factory=_Scores)
    _after: _Scores = field(default_factory=_Scores)

    def add_after(
        self, identity: str | None, model: str, results: Iterable[ComparedResult]
    ) -> None:
        """Take in a record of the branch."""
        self._add_to(self._after, identity, model, results)

    def add_before(
        self, identity: str | None, model: str, results: Iterable[ComparedResult]
    ) -> None:
        """Take in a record of the base that the branch changes, moves or deletes."""
        self._add_to(self._before, identity, model, results)

    def add_deleted(self, path: str) -> None:
        """Take in a record that the branch deletes and does not move."""
        self.deletions += 1
        if len(self.deleted) < LISTED:
            self.deleted.append(path)

    def _add_to(
        self, side: _Scores, identity: str | None, model: str, results: Iterable[ComparedResult]
    ) -> None:
        number = hash(identity)
        for result in results:
            about = model, result.benchmark
            benchmark = self._about.setdefault(about, len(self._about))
            side.add(number, benchmark, result.score)

    def finish(self) -> None:
        """Pair what was removed with what was added: of one record, else of one benchmark."""
        self._names = list(self._about)
        former: dict[tuple[int, int], list[float]] = {}
        for number, benchmark, score in self._before.rows():
            former.setdefault((number, benchmark), []).append(score)
        added: dict[int, Counter[float]] = {}
        for number, benchmark, score in self._after.rows():
            if same := former.get((number, benchmark)):
                self._add(benchmark, same.pop(0), score)
            else:
                added.setdefault(benchmark, Counter())[score] += 1
        removed: dict[int, Counter[float]] = {}
        for (_, benchmark), scores in former.items():
            removed.setdefault(benchmark, Counter()).update(scores)
        for benchmark in added.keys() | removed.keys():
            before, after = (side.get(benchmark, Counter()) for side in (removed, added))
            # A record with a new id has the scores that it had.
            sides = (sorted((before - after).elements()), sorted((after - before).elements()))
            for pair in zip_longest(*sides):
                self._add(benchmark, *pair)
        self._before, self._after = _Scores(), _Scores()
        for model in self.models.values():
            model.cut()
        ordered = sorted(
            self.models.items(), key=lambda pair: (-pair[1].counts["changed"], pair[0])
        )
        self.models = dict(ordered)

    def _add(self, benchmark: int, before: float | None, after: float | None) -> None:
        if before != after:
            model, about = self._names[benchmark]
            difference = ResultDifference(about.label, before, after)
            self.models.setdefault(model, ModelDifferences()).add(difference)

    @property
    def counts(self) -> Counter[str]:
        """The number of differences of each kind."""
        return sum((model.counts for model in self.models.values()), Counter())

    @property
    def summary(self) -> str:
        """The numbers in words; empty if there are none."""
        counts = self.counts
        parts = [f"{counts[kind]:,} {kind}" for kind in KINDS if counts[kind]]
        text = f"Results: {', '.join(parts)}." if parts else ""
        records = f"{self.deletions:,} record{'s'[: self.deletions - 1]} deleted."
        return " ".join(part for part in (text, records if self.deletions else "") if part)

    def as_data(self) -> dict[str, Any]:
        """The counts, and the differences that are listed, as JSON data."""
        return {
            "counts": {kind: self.counts[kind] for kind in KINDS},
            "deleted_records": self.deletions,
            "deleted": self.deleted,
            "models": {
                name: {
                    "counts": {kind: model.counts[kind] for kind in KINDS},
                    "listed": [each._asdict() for each in model.listed],
                }
                for name, model in islice(self.models.items(), MODELS)
            },
        }
