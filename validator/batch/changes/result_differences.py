"""Effects of a branch on the records of its base, by danger: removed, changed, added."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any, NamedTuple

from evalmark.validator.batch.changes.changed_files import ChangedFile
from evalmark.validator.findings.phrasing import quoted
from evalmark.validator.formats.records.compared_records import (
    ABSENT,
    ComparedResult,
    ResultBenchmark,
    compared_results,
    different,
)
from evalmark.validator.formats.records.record_fields import fields_in
from evalmark.validator.io.redaction import redacted

#: Fields that are not compared as such: results are by benchmark, the id by pairing.
_OTHERWISE = ("evaluation_id", "results")


class RecordDifference(NamedTuple):
    """The effect of a branch on a record of its base."""

    #: ``deleted``, or ``renamed`` if it has another id now, of a record, ``gone`` of its results;
    #: ``removed`` and ``changed`` of results; ``fields``; ``unreadable``.
    kind: str
    record: ChangedFile  # the record of the base
    path: str  # where it is now
    model: str  # its model
    label: str = ""  # the benchmark in words, the field with its results as ``*``, or a record's id
    #: The score or the value of the base, or how many results a record had; NaN for no score.
    before: Any = None
    #: That of the branch; None for a removed score, ``ABSENT`` for a removed field.
    after: Any = None


@dataclass(slots=True)
class ResultDifferences:
    """The effects of a branch on the records of its base; no removal or change is cut."""

    #: All of it, larger changes of scores at the end and first; see ``finish``.
    listed: list[RecordDifference] = field(default_factory=list)
    #: Model -> how many of its new benchmarks the base has it on, and files that say so.
    again: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    _about: dict[tuple[str, ResultBenchmark], int] = field(default_factory=dict)
    _added: dict[str, tuple[array[int], array[float]]] = field(default_factory=dict)

    def add(self, path: str, model: str, results: Iterable[ComparedResult]) -> None:
        """Take in results that the base does not have, if the record there was not compared.

        That takes 16 bytes for each.
        """
        if path in self._added:
            return
        numbers, scores = self._added[path] = array("q"), array("d")
        for result in results:
            about = model, result.benchmark
            numbers.append(self._about.setdefault(about, len(self._about)))
            scores.append(result.score)

    def delete(self, record: ChangedFile, model: str, identity: str | None, data: Any) -> None:
        """Take in a record that the branch no longer has, or under another id only."""
        kind, results = "renamed" if record.is_there else "deleted", _results(data)
        about = record, record.path, model
        self.listed.append(RecordDifference(kind, *about, identity or "", len(results)))
        for old in results:
            self.listed.append(RecordDifference("gone", *about, old.benchmark.label, old.score))

    def compare(self, record: ChangedFile, path: str, model: str, before: Any, after: Any) -> None:
        """Take in both versions of a record, the later one at a path."""
        about = record, path, model
        fields = [*_fields("", _other_fields(before), _other_fields(after))]
        entries = [fields_in(data).entries("results") for data in (before, after)]
        left = defaultdict[tuple[Any, bool], list[ComparedResult]](list)
        for result in _results(after):
            left[result.benchmark, isnan(result.score)].append(result)
        old_ones = _results(before)
        same: dict[int, ComparedResult] = {}
        for index, old in enumerate(old_ones):  # before any other takes what is unchanged
            others = left[old.benchmark, isnan(old.score)]
            at = next((i for i, other in enumerate(others) if other.score == old.score), None)
            if at is not None:
                same[index] = others.pop(at)
        for index, old in enumerate(old_ones):
            label, others = old.benchmark.label, left[old.benchmark, isnan(old.score)]
            new = same.get(index) or (others.pop(0) if others else None)
            if new is None:
                self.listed.append(RecordDifference("removed", *about, label, old.score))
                continue
            if old.score != new.score and not isnan(old.score):
                self.listed.append(RecordDifference("changed", *about, label, old.score, new.score))
            without_scores = _without_score(entries[0], old), _without_score(entries[1], new)
            fields += _fields(f"{new.pointer.rpartition('/')[0]}/*", *without_scores)
        self.listed += (RecordDifference("fields", *about, *field) for field in fields)
        new_ones = (
            item for (_, is_unscored), group in left.items() if not is_unscored for item in group
        )
        self._added.pop(path, None)  # the record has moved there
        self.add(path, model, new_ones)

    def finish(self) -> None:
        """Put larger changes first."""
        self.listed.sort(
            key=lambda d: (-abs(d.after - d.before), d.path, d.label) if d.kind == "changed" else ()
        )

    def pick(self, *kinds: str) -> list[RecordDifference]:
        """Those of some kinds."""
        return [entry for entry in self.listed if entry.kind in kinds]

    def by_record(self) -> dict[ChangedFile, Counter[str]]:
        """Record of the base -> how much is done to it of each kind."""
        found = defaultdict[ChangedFile, Counter[str]](Counter)
        for entry in self.listed:
            found[entry.record][entry.kind] += 1
        return found

    @property
    def counts(self) -> dict[str, int]:
        """The number of results of each kind."""
        added = sum(len(scores) for _, scores in self._added.values())
        removed = len(self.pick("removed", "gone"))
        return {"added": added, "changed": len(self.pick("changed")), "removed": removed}

    @property
    def added(self) -> Counter[str]:
        """Model -> how many results are added."""
        models = [model for model, _ in self._about]
        return Counter(models[n] for numbers, _ in self._added.values() for n in numbers)

    @property
    def summary(self) -> str:
        """The numbers in words, the dangerous ones first; empty if there are none."""
        parts = [f"{n:,} {kind}" for kind, n in reversed(self.counts.items()) if n]
        records = (
            (len(self.pick("deleted")), "deleted"),
            (len(self.pick("renamed")), "under another id"),
            (len({entry.path for entry in self.pick("fields")}), "changed apart from the scores"),
            (len(self.pick("unreadable")), "unreadable"),
        )
        more = [f"{n:,} record{'s'[: n - 1]} {change}" for n, change in records if n]
        texts = (f"Results: {', '.join(parts)}." if parts else "", f"{', '.join(more)}.")
        return " ".join(texts[: 1 + bool(more)]).strip()

    def as_data(self) -> dict[str, Any]:
        """All of it as JSON data."""
        models: dict[str, dict[str, Any]] = {}

        def put(kind: str, model: str, label: str, scores: Iterable[Any], path: str) -> None:
            slot = models.setdefault(model, {"counts": dict.fromkeys(self.counts, 0), "listed": []})
            slot["counts"][kind] += 1
            before, after = (None if score != score else score for score in scores)
            data = {"benchmark": label, "before": before, "after": after, "path": path}
            slot["listed"].append(data)

        for entry in self.pick("removed", "gone", "changed"):
            kind = "changed" if entry.kind == "changed" else "removed"
            put(kind, entry.model, entry.label, (entry.before, entry.after), entry.path)
        about = list(self._about)
        for path, columns in self._added.items():
            for number, score in zip(*columns, strict=True):
                model, benchmark = about[number]
                put("added", model, benchmark.label, (None, score), path)
        deleted = [entry.path for entry in self.pick("deleted", "renamed")]
        return {
            "counts": self.counts,
            "deleted_records": len(deleted),
            "deleted": deleted,
            "unreadable": [entry.path for entry in self.pick("unreadable")],
            "fields": [
                {
                    "path": entry.path,
                    "field": entry.label,
                    "before": value_text(entry.label, entry.before),
                    "after": value_text(entry.label, entry.after),
                }
                for entry in self.pick("fields")
            ],
            "again": {
                model: {"benchmarks": count, "files": files}
                for model, (count, files) in self.again.items()
            },
            "models": models,
        }


def _fields(at: str, before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    """Each field that differs, with its results as ``*``, and both values."""
    for keys, left, right in different(before, after, ()) if before != after else ():
        where = ("*" if isinstance(key, int) else key for key in keys)
        yield "/".join((at, *where)), left, right


def _results(record: dict[str, Any]) -> list[ComparedResult]:
    return [*compared_results(record, unscored=True)]


def _without_at(holder: Any, path: Sequence[str]) -> dict[str, Any]:
    """An object without what a path leads to, which is there."""
    key, *rest = path
    if rest:
        return {**holder, key: _without_at(holder[key], rest)}
    return {other: value for other, value in holder.items() if other != key}


def _other_fields(record: dict[str, Any]) -> dict[str, Any]:
    fields = fields_in(record)
    for name in _OTHERWISE:
        record = _without_at(record, fields.layout[name]) if fields.has(name) else record
    return record


def _without_score(entries: Sequence[Any], result: ComparedResult) -> dict[str, Any]:
    data: dict[str, Any] = entries[int(result.pointer.rpartition("/")[2])]
    if isnan(result.score):
        return data
    return _without_at(data, result.layout["score"])


def value_text(label: str, value: Any) -> str | None:
    """The value of a field as JSON without secrets, which its key may tell; None if absent."""
    if value is ABSENT:
        return None
    key = quoted(label.rpartition("/")[2])
    return redacted(f"{key}: {quoted(value)}").removeprefix(f"{key}: ")
