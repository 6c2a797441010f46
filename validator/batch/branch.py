"""What the changes of a branch mean, given the files of its base."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from evalmark.validator.batch.base_index import (
    DOCUMENTS,
    BaseFile,
    base_files,
    content_of,
    known_by,
)
from evalmark.validator.batch.changes import ChangedFile, RepositoryPaths
from evalmark.validator.batch.shared import same_identity
from evalmark.validator.edge.git import Repository
from evalmark.validator.edge.opening import read_or_nothing
from evalmark.validator.findings.report import SUITE_NAME, Report
from evalmark.validator.findings.rule import not_compared
from evalmark.validator.formats.records.duplicate_records import same_content
from evalmark.validator.formats.records.samples.companions import Companion, companion, orphaned
from evalmark.validator.reading.source import Source


class _New(NamedTuple):
    """What a changed file is known by, without its data: there may be many thousands."""

    change: ChangedFile
    identity: str | None
    samples: str | None


class _Pair(NamedTuple):
    """A changed file and another one: a file of the base, or a changed one without a blob."""

    change: ChangedFile
    identity: str
    other: str
    blob: str = ""


class _Left(NamedTuple):
    """A sample file that a changed or deleted record has named, and the id of that record."""

    path: str
    record: ChangedFile
    identity: str | None


@dataclass(slots=True)
class Branch:
    """The changes of a branch, compared with the base.

    Attributes:
        repository: Where.
        base: What the caller calls the base.
        places: What is looked at.
        changes: The changed files that the caller wants to have checked.
        others: The other changed files, which they are compared with.
        replaced: Places of everything that the branch changes or deletes.
        brought: Records that have not changed, but their sample files have.
    """

    repository: Repository
    base: str
    places: RepositoryPaths
    changes: Sequence[ChangedFile]
    others: Sequence[ChangedFile]
    replaced: Set[str]
    brought: set[str] = field(default_factory=set)
    _new: dict[str, _New] = field(default_factory=dict)
    _ids: dict[str, _New] = field(default_factory=dict)
    _likenesses: dict[int, list[_New]] = field(default_factory=dict)
    _contents: dict[bytes, _New] = field(default_factory=dict)
    _old_ids: dict[str, str] = field(default_factory=dict)
    _left: dict[str, _Left] = field(default_factory=dict)
    _same_ids: list[_Pair] = field(default_factory=list)
    _alike: list[_Pair] = field(default_factory=list)
    _lacking: set[str] = field(default_factory=set)

    def compare(self, commit: str, told: Callable[[int], object]) -> int:
        """Compare with the files of the base; their number.

        Args:
            commit: The base.
            told: Called with the number of files that were looked at.
        """
        self._read_new()
        self._read_old()
        rows = [change for change in self.changes if change.path.endswith(".jsonl")]
        names = {os.path.basename(path) for path in self._left}
        naming = {
            new.change.path: place
            for place, new in self._new.items()
            if new.samples and os.path.basename(new.samples) in names
        }
        names |= {os.path.basename(change.path) for change in rows}
        still: set[str] = set()
        if self._ids or self._likenesses or names:
            files = base_files(
                self.repository,
                commit,
                self.places,
                self.replaced,
                lambda value: self._may_be_known(value, names),
                still.add,
                self._lacking.add,
            )
            for file in files:
                told(len(still))
                self._compare_with(file)
                samples = file.known.samples
                if samples and os.path.basename(samples) in names:
                    naming[self.places.path_of(file.place)] = file.place
        # A record that the base has moved meanwhile is the one that the branch changes.
        self._same_ids = [
            pair
            for pair in self._same_ids
            if pair.change.place in still or self._old_ids.get(pair.change.place) != pair.identity
        ]
        self._follow(naming, rows)
        return len(still)

    def _read_new(self) -> None:
        for change in self.changes:
            if not change.is_there or not change.path.endswith(DOCUMENTS):
                continue
            known = known_by(read_or_nothing(change.path), change.path)
            if known is None:
                continue
            new = _New(change, known.identity, known.samples)
            self._new[change.place] = new
            if known.identity:
                self._ids.setdefault(known.identity, new)
            if known.likeness is not None and known.identity and not change.old:
                self._likenesses.setdefault(known.likeness, []).append(new)
        for change in self.others:
            if not change.is_there or not change.path.endswith(DOCUMENTS):
                continue
            known = known_by(read_or_nothing(change.path), change.path)
            if known is not None:
                self._new[change.place] = _New(change, known.identity, known.samples)
                if same := self._ids.get(known.identity or ""):
                    self._same_ids.append(_Pair(same.change, known.identity or "", change.path))
        for several in self._likenesses.values():
            if len(several) > 1:
                self._digest(several)

    def _digest(self, several: list[_New]) -> None:
        """Tell apart new records with the same scores, of which most calls have none."""
        for new in several:
            known = known_by(read_or_nothing(new.change.path), new.change.path)
            if known is None:
                continue
            first = self._contents.setdefault(content_of(known.data), new)
            if first.identity != new.identity:
                pair = _Pair(new.change, new.identity or "", first.change.path)
                self._alike.append(pair)
        several.clear()

    def _read_old(self) -> None:
        """What the changed files were known by before, and the sample files that they named."""
        wanted = (
            (change, change.old)
            for change in self.changes
            if change.old and change.path.endswith(DOCUMENTS)
        )
        for change, raw in self.repository.blobs(wanted):
            if raw is None:
                self._lacking.add(change.place)
            known = known_by(raw or b"", change.path)
            if known is None:
                continue
            if known.identity:
                self._old_ids[change.place] = known.identity
            new = self._new.get(change.place)
            if known.samples and (new is None or new.samples != known.samples):
                found = companion(known.data, change.path)
                if found is not None and found.problem is None:
                    self._left[found.real] = _Left(found.path, change, known.identity)

    def _may_be_known(self, value: bytes, names: set[str]) -> bool:
        """Whether a value in YAML is an id, a name or a path that this is about."""
        text = value.decode("utf-8", "replace")
        return (
            text in self._ids or SUITE_NAME + text in self._ids or os.path.basename(text) in names
        )

    def _compare_with(self, file: BaseFile) -> None:
        """Keep what changed files have in common with one of the base."""
        identity, likeness = file.known.identity, file.known.likeness
        if identity is not None and (new := self._ids.get(identity)):
            self._same_ids.append(_Pair(new.change, identity, file.place, file.blob))
        if likeness is None or likeness not in self._likenesses:
            return
        self._digest(self._likenesses[likeness])
        twin = self._contents.get(content_of(file.known.data))
        if twin is not None and twin.identity != identity:
            self._alike.append(_Pair(twin.change, twin.identity or "", file.place, file.blob))

    def _follow(self, naming: Mapping[str, str], rows: Sequence[ChangedFile]) -> None:
        """Find out which records name sample files that have changed, or have lost their record.

        Args:
            naming: Path and place of records that name a file of the same name.
            rows: Sample files that have changed.
        """
        changed = {os.path.realpath(change.path) for change in rows if change.is_there}
        deleted = {os.path.basename(change.path) for change in rows if not change.is_there}
        for path, place in naming.items():
            name, found = _companion_of(path)
            if found is None:
                continue
            self._left.pop(found.real, None)
            is_missing = found.problem is not None and not found.is_refused
            names_deleted = is_missing and os.path.basename(name) in deleted
            if place not in self.replaced and (found.real in changed or names_deleted):
                self.brought.add(path)
        for change in rows:
            record = change.path.removesuffix("_samples.jsonl") + ".json"
            if _is_file(record) and self.places.are_ours(self.places.place_of(record)):
                self.brought.add(record)

    def reports(self) -> Iterator[Report]:
        """Findings on changed files that the base explains, and on what they leave behind."""
        told = set()
        for pair, other in self._others_of(self._same_ids):
            raw = read_or_nothing(pair.change.path)
            known = known_by(raw, pair.change.path)
            if known is not None and known.identity == pair.identity:  # a fix may have changed it
                told.add(pair.change.path)
                yield same_identity(known.kind, pair.change.path, raw, self._named(pair), other)
        for pair in self._alike:
            path = pair.change.path
            if path not in told:
                told.add(path)
                source = Source(path, read_or_nothing(path).decode("utf-8", "replace"))
                finding = same_content(source, self._named(pair))
                yield Report(path, "record", None, (finding,))
        for left in self._left.values():
            place = self.places.place_of(left.path)
            if self.places.are_ours(place) and not self._has_moved(left):
                path = self.places.path_of(place)
                finding = orphaned(path, left.record.path, left.record.is_there)
                yield Report(path, "sample", None, (finding,))
        for path in map(self.places.path_of, sorted(self._lacking)):
            yield Report(path, None, None, (not_compared(path, self.base),))

    def _others_of(self, pairs: Sequence[_Pair]) -> Iterator[tuple[_Pair, bytes]]:
        """Pairs of files, with what the other one holds."""
        for pair in pairs:
            if not pair.blob:
                yield pair, read_or_nothing(pair.other)
        for pair, raw in self.repository.blobs((pair, pair.blob) for pair in pairs if pair.blob):
            yield pair, raw or b""

    def _named(self, pair: _Pair) -> str:
        """The other file of a pair, as `git show` knows it if it is one of the base."""
        return f"{self.base}:{pair.other}" if pair.blob else pair.other

    def _has_moved(self, left: _Left) -> bool:
        """Whether a record was moved away from its sample file, which the record itself tells."""
        new = self._ids.get(left.identity or "")
        _, found = _companion_of(new.change.path) if new else ("", None)
        return found is not None and found.problem is not None


def _companion_of(path: str) -> tuple[str, Companion | None]:
    """The path in a record of the working tree, and the sample file that it leads to."""
    known = known_by(read_or_nothing(path), path)
    if known is None or not known.samples:
        return "", None
    return known.samples, companion(known.data, path)


def _is_file(path: str) -> bool:
    """Whether there is a file, and not a link, which could lead anywhere."""
    return os.path.isfile(path) and not os.path.islink(path)
