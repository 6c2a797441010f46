"""What a branch does to the records of its base, by danger: removed, changed, added."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from evalmark.validator.findings.phrasing import quoted
from evalmark.validator.formats.records.compared_results import (
    ComparedResult,
    ResultBenchmark,
    compared_results,
)
from evalmark.validator.formats.records.duplicate_records import ABSENT, different
from evalmark.validator.io.redaction import redacted

KINDS = ("added", "changed", "removed")
#: What is compared otherwise than as a field: the results by benchmark, the id by pairing.
_NOT_FIELDS = ("evaluation_id", "evaluation_results")


class ResultDifference(NamedTuple):
    """A result that a branch changes or removes, or a field that it changes.

    Attributes:
        path: The record.
        model: Its model.
        label: The benchmark in words, or the field with its results as ``*``.
        before: The score or the value of the base.
        after: That of the branch; None for a removed score, ``ABSENT`` for a removed field.
    """

    path: str
    model: str
    label: str
    before: Any
    after: Any


class DeletedRecord(NamedTuple):
    """A record that a branch deletes and does not move, or whose id it changes."""

    path: str
    model: str
    identity: str | None
    results: int
    is_there: bool


@dataclass(slots=True)
class ResultDifferences:
    """What a branch does to the records of its base; nothing that it removes or changes is cut.

    Attributes:
        deleted: The records that it deletes, or of which it changes the id.
        removed: Further results that it removes, and those of these records.
        changed: Scores that it changes, larger changes first; see ``finish``.
        fields: Other fields that it changes.
        unreadable: Paths of records that can no longer be read.
        again: Model -> how many of its new benchmarks the base has it on, and files that say so.
    """

    deleted: list[DeletedRecord] = field(default_factory=list)
    removed: list[ResultDifference] = field(default_factory=list)
    changed: list[ResultDifference] = field(default_factory=list)
    fields: list[ResultDifference] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    again: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    _about: dict[tuple[str, ResultBenchmark], int] = field(default_factory=dict)
    _added: dict[str, tuple[array[int], array[float]]] = field(default_factory=dict)

    def add(self, path: str, model: str, results: Iterable[ComparedResult]) -> None:
        """Take in results that the base does not have: 16 bytes for each."""
        numbers, scores = self._added[path] = array("q"), array("d")
        for result in results:
            about = model, result.benchmark
            numbers.append(self._about.setdefault(about, len(self._about)))
            scores.append(result.score)

    def delete(self, record: DeletedRecord, results: Iterable[ComparedResult]) -> None:
        """Take in a record that the branch no longer has."""
        self.deleted.append(record)
        for result in results:
            self._remove(record.path, record.model, result)

    def compare(
        self, path: str, model: str, before: dict[str, Any], after: dict[str, Any]
    ) -> Counter[str]:
        """Take in both versions of a record; how many of what is removed and changed."""
        counts = Counter[str](removed=len(self.removed), changed=len(self.changed))
        counts["fields"] = len(self.fields)
        self._compare_fields(path, model, "", *(_without(each) for each in (before, after)))
        left = defaultdict[ResultBenchmark, list[ComparedResult]](list)
        for result in compared_results(after):
            left[result.benchmark].append(result)
        for old in compared_results(before):
            if not (others := left[old.benchmark]):
                self._remove(path, model, old)
                continue
            new = others.pop(next((i for i, o in enumerate(others) if o.score == old.score), 0))
            if old.score != new.score:
                label = old.benchmark.label
                self.changed.append(ResultDifference(path, model, label, old.score, new.score))
            self._compare_fields(
                path, model, "/evaluation_results/*", _result(before, old), _result(after, new)
            )
        self.add(path, model, (result for results in left.values() for result in results))
        now = {"removed": self.removed, "changed": self.changed, "fields": self.fields}
        return +Counter({kind: len(now[kind]) - count for kind, count in counts.items()})

    def _remove(self, path: str, model: str, old: ComparedResult) -> None:
        label = old.benchmark.label
        self.removed.append(ResultDifference(path, model, label, old.score, None))

    def _compare_fields(self, path: str, model: str, at: str, before: Any, after: Any) -> None:
        if before != after:
            for keys, left, right in different(before, after, ()):
                where = "/".join((at, *("*" if type(key) is int else str(key) for key in keys)))
                self.fields.append(ResultDifference(path, model, where, left, right))

    def finish(self) -> None:
        """Put larger changes first."""
        self.changed.sort(key=lambda each: (-abs(each.after - each.before), each.path, each.label))

    @property
    def counts(self) -> Counter[str]:
        """The number of results of each kind."""
        added = sum(len(scores) for _, scores in self._added.values())
        sizes = added, len(self.changed), len(self.removed)
        return Counter(dict(zip(KINDS, sizes, strict=True)))

    @property
    def added(self) -> Counter[str]:
        """Model -> how many results are added."""
        models = [model for model, _ in self._about]
        return Counter(models[n] for numbers, _ in self._added.values() for n in numbers)

    @property
    def summary(self) -> str:
        """The numbers in words, the dangerous ones first; empty if there are none."""
        counts = self.counts
        parts = [f"{counts[kind]:,} {kind}" for kind in reversed(KINDS) if counts[kind]]
        gone = sum(not record.is_there for record in self.deleted)
        records = (
            (gone, "deleted"),
            (len(self.deleted) - gone, "under another id"),
            (len({each.path for each in self.fields}), "changed beside the scores"),
            (len(self.unreadable), "unreadable"),
        )
        more = [f"{n:,} record{'s'[: n - 1]} {what}" for n, what in records if n]
        texts = (f"Results: {', '.join(parts)}." if parts else "", f"{', '.join(more)}.")
        return " ".join(texts[: 1 + bool(more)]).strip()

    def grouped_fields(self) -> Iterator[tuple[str, Any, Any, list[str]]]:
        """Field, both values, and the records in which it changes so."""
        groups: dict[tuple[str, str, str], tuple[Any, Any, dict[str, None]]] = {}
        for each in self.fields:
            key = each.label, repr(each.before), repr(each.after)
            groups.setdefault(key, (each.before, each.after, {}))[2][each.path] = None
        for (label, *_), (before, after, paths) in groups.items():
            yield label, before, after, list(paths)

    def as_data(self) -> dict[str, Any]:
        """All of it as JSON data."""
        models: dict[str, list[dict[str, Any]]] = defaultdict(list)
        about = list(self._about)
        for each in (*self.removed, *self.changed):
            data = {"benchmark": each.label, "before": each.before, "after": each.after}
            models[each.model].append({**data, "path": each.path})
        for path, columns in self._added.items():
            for number, score in zip(*columns, strict=True):
                model, benchmark = about[number]
                data = {"benchmark": benchmark.label, "before": None, "after": score}
                models[model].append({**data, "path": path})
        return {
            "counts": {kind: self.counts[kind] for kind in KINDS},
            "deleted_records": len(self.deleted),
            "deleted": [record.path for record in self.deleted],
            "unreadable": self.unreadable,
            "fields": [
                {
                    "path": e.path,
                    "field": e.label,
                    "before": value_text(e.label, e.before),
                    "after": value_text(e.label, e.after),
                }
                for e in self.fields
            ],
            "again": {
                model: {"benchmarks": count, "files": files}
                for model, (count, files) in self.again.items()
            },
            "models": {
                name: {"counts": _kinds(listed), "listed": listed}
                for name, listed in models.items()
            },
        }


def _without(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in _NOT_FIELDS}


def _result(record: dict[str, Any], result: ComparedResult) -> dict[str, Any]:
    """A result without its score."""
    data: dict[str, Any] = record["evaluation_results"][int(result.pointer.rpartition("/")[2])]
    score = {key: value for key, value in data["score_details"].items() if key != "score"}
    return {**data, "score_details": score}


def value_text(label: str, value: Any) -> str | None:
    """The value of a field as JSON without secrets, which its key may tell; None if absent."""
    if value is ABSENT:
        return None
    key = quoted(label.rpartition("/")[2])
    return redacted(f"{key}: {quoted(value)}").removeprefix(f"{key}: ")


def _kinds(listed: Sequence[dict[str, Any]]) -> dict[str, int]:
    kinds = Counter(
        "added" if each["before"] is None else "removed" if each["after"] is None else "changed"
        for each in listed
    )
    return {kind: kinds[kind] for kind in KINDS}
