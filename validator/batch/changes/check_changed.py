"""Changes of a branch, compared with its base: ids, duplicates, sample files.

The changed files are checked like all others. What only the base can tell is found here: a record
whose id the base has, also if it has gained it since the branch was made; a record that repeats
another; a record whose sample file has changed; a sample file whose record is gone.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from evalmark.validator.batch.changes.base_results import BaseResults, RecordScores
from evalmark.validator.batch.changes.changed_files import (
    ChangedFile,
    RepositoryPaths,
    changes,
    not_compared,
    require_paths,
)
from evalmark.validator.batch.changes.portable_names import CaseConflicts, not_read
from evalmark.validator.batch.changes.repeated_records import Repetition, Repetitions, Twin
from evalmark.validator.batch.changes.result_differences import RecordDifference, ResultDifferences
from evalmark.validator.batch.check_files import LEADS_OUT
from evalmark.validator.batch.file_comparison import same_identity
from evalmark.validator.findings.finding import Finding, Severity
from evalmark.validator.findings.phrasing import cited
from evalmark.validator.findings.report import SUITE_NAME, Report
from evalmark.validator.findings.rule import file_finding
from evalmark.validator.format import CheckContext, as_document
from evalmark.validator.formats.builtin import format_of, has_keys_of_a_format
from evalmark.validator.formats.records.compared_records import (
    compared_results,
    of_others,
    repeated,
)
from evalmark.validator.formats.records.record_fields import (
    fields_in,
    fields_of,
    places_of,
    record_layout,
)
from evalmark.validator.formats.records.samples.companions import Companion, companion, orphaned
from evalmark.validator.formats.shared.field_layout import Fields, column
from evalmark.validator.io.git import Repository
from evalmark.validator.io.opening import read_or_nothing
from evalmark.validator.io.terminal import counting
from evalmark.validator.reading.lines import LFS_POINTER
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import Source
from evalmark.validator.reading.strict_json import is_shallow

#: Endings of files of one document, which can have an id or a name.
DOCUMENTS = (".json", ".yaml", ".yml")
_YAML = (".yaml", ".yml")
#: Keys by which a file is known: the last ones of pointers.
_IDENTIFYING = [
    b"name",
    *(at.rpartition("/")[2].encode() for at in places_of("evaluation_id")),
    *(at.rpartition("/")[2].encode() for at in places_of("samples_path")),
]
#: Lines of YAML that have one.
_IN_YAML = re.compile(
    rb"""(?:%s)["']?\s*:\s*["']?([^\s"'].*?)["']?\s*(?:\s#.*)?$""" % b"|".join(_IDENTIFYING),
    re.MULTILINE,
)
#: Keys of which a record has one.
_RESULTS = tuple(place.removeprefix("/").encode() for place in places_of("results"))
#: The pointer that git has of a file in Git LFS.
_LFS = LFS_POINTER.encode()


class Traits(NamedTuple):
    """The traits of a file by which it is compared with others."""

    data: Any  # its data
    kind: str  # the name of its format
    #: The evaluation id of a record, or the name of a suite; see ``Report``.
    identity: str | None = None
    scores: RecordScores | None = None  # the names and scores of the results of a record
    samples: str | None = None  # the path of the sample file that a record names


def traits_of(raw: bytes, path: str) -> Traits | None:
    """The traits of a file; None if it is not one of ours, or cannot be parsed."""
    if not any(map(raw.__contains__, _RESULTS)) and not has_keys_of_a_format(raw):
        return None
    try:
        data = _yaml(raw, path) if path.endswith(_YAML) else fastest_loads()(raw)
    except (ValueError, RecursionError):
        return None
    form = format_of(data)
    if form is None or isinstance(data, list):
        return None
    document = as_document(data, form)
    if not document.is_record:
        return Traits(data, form.name, form.checks.identity(document))
    record = fields_of(document)
    evaluation_id = record.text("evaluation_id")
    identity = evaluation_id if evaluation_id and evaluation_id.strip() else None
    samples = record.text("samples_path")
    return Traits(data, form.name, identity, _scores(record, document.version), samples)


@cache
def fastest_loads() -> Callable[[bytes], Any]:
    """The fastest parser of JSON: not as strict as that of a check."""
    if find_spec("orjson"):
        import orjson

        return orjson.loads
    return json.loads


def _yaml(raw: bytes, path: str) -> Any:
    reading = read(raw, path)
    return reading.data if reading.readable else None


def _scores(record: Fields, version: str | None) -> RecordScores | None:
    model, results = record.get("model_id") or record.get("model_name"), record.entries("results")
    if not isinstance(model, str) or not results:
        return None
    layout = record_layout(version).result
    names, scores = (column(results, field, layout) for field in ("name", "score"))
    return RecordScores(model, record.at("model_id"), names, scores)


class _New(NamedTuple):
    """The traits of a changed file, without its data: there may be many thousands."""

    change: ChangedFile
    identity: str | None
    samples: str | None


class _Left(NamedTuple):
    """A sample file that a changed or deleted record has named, and the id of that record."""

    path: str
    record: ChangedFile
    identity: str | None


@dataclass(slots=True)
class Branch:
    """The changes of a branch, compared with the base."""

    repository: Repository  # where
    base: str  # what the caller calls the base
    places: RepositoryPaths  # what is looked at
    changes: Sequence[ChangedFile]  # the changed files that the caller wants to have checked
    others: Sequence[ChangedFile]  # the other changed files, which they are compared with
    replaced: Set[str]  # places of everything that the branch changes or deletes
    start: str = ""  # the commit from which the branch was made
    is_strict: bool = False  # whether a profile applies
    #: Records that have not changed, but their sample files have.
    brought: set[str] = field(default_factory=set)
    ours: set[str] = field(default_factory=set)  # paths of files that were ours before the branch
    _new: dict[str, _New] = field(default_factory=dict)
    _ids: dict[str, _New] = field(default_factory=dict)
    _elsewhere: dict[str, _New] = field(default_factory=dict)
    _old_ids: dict[str, str] = field(default_factory=dict)
    _left: dict[str, _Left] = field(default_factory=dict)
    _same_ids: list[Twin] = field(default_factory=list)
    _repetitions: Repetitions = field(default_factory=lambda: Repetitions(_record_at))
    _results: BaseResults = field(default_factory=BaseResults)
    differences: ResultDifferences = field(default_factory=ResultDifferences)
    _lacking: set[str] = field(default_factory=set)
    _names: CaseConflicts = field(init=False)

    def __post_init__(self) -> None:
        added = [change for change in self.changes if change.is_there and not change.old]
        self._names = CaseConflicts(added)

    def compare(self, commit: str, progress: Callable[[int], object]) -> int:
        """Compare with the files of the base; their number. ``progress`` gets the number so far."""
        self._read_new()
        self._read_others()
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

        if self._ids or self._results or names:
            for place, blob, traits in self._base_files(commit, names, still):
                progress(len(still))
                self._compare_with(place, blob, traits)
                if traits.samples and os.path.basename(traits.samples) in names:
                    naming[self.places.path_of(place)] = place
        # A record that the base has moved meanwhile is the one that the branch changes.
        self._same_ids = [
            pair
            for pair in self._same_ids
            if pair.change.place in still or self._old_ids.get(pair.change.place) != pair.identity
        ]
        self._follow(naming, rows)
        self.differences.finish()
        self.differences.again.update(self._results.again(self._at_base))
        return len(still)

    def _read_new(self) -> None:
        for change, traits in _traits_of_documents(self.changes):
            new = _New(change, traits.identity, traits.samples)
            self._new[change.place] = new
            if traits.identity:
                self._ids.setdefault(traits.identity, new)
            if traits.scores is None or not is_shallow(traits.data):
                continue
            results = list(compared_results(traits.data))
            self._results.add_new(change, traits.scores, results)
            if not change.old:
                model = traits.scores.model
                self.differences.add(change.path, model, results)
                if traits.identity:
                    self._repetitions.add(change, traits.identity, model, results)

    def _read_others(self) -> None:
        for change, traits in _traits_of_documents(self.others):
            self._new[change.place] = new = _New(change, traits.identity, traits.samples)
            self._elsewhere.setdefault(traits.identity or "", new)
            if same := self._ids.get(traits.identity or ""):
                self._same_ids.append(Twin(same.change, traits.identity or "", change.path))

    def _read_old(self) -> None:
        requests = (
            (change, change.old)
            for change in self.changes
            if change.old and change.path.endswith(DOCUMENTS)
        )
        for change, raw in self.repository.blobs(requests):
            if raw is None:
                self._lacking.add(change.place)
            traits = traits_of(raw or b"", change.path)
            if traits is None:
                continue
            self.ours.add(change.path)
            if traits.identity:
                self._old_ids[change.place] = traits.identity
            if traits.scores is not None and is_shallow(traits.data):
                self._results.forgive(traits.scores, compared_results(traits.data))
                self._compare_old(change, traits, traits.scores.model)
            new = self._new.get(change.place)
            if traits.samples and (new is None or new.samples != traits.samples):
                sample_file = companion(traits.data, change.path)
                if sample_file is not None and sample_file.problem is None:
                    self._left[sample_file.real] = _Left(sample_file.path, change, traits.identity)

    def _compare_old(self, change: ChangedFile, traits: Traits, model: str) -> None:
        new, name = self._new.get(change.place), traits.identity or ""
        if name and (new is None or new.identity != name):  # else a copy would stand for it
            new = self._ids.get(name) or self._elsewhere.get(name) or new
        now = _traits_at(new.change.path) if new else None
        now = now if now and is_shallow(now.data) else None
        if now is None and change.is_there:
            self.differences.listed.append(
                RecordDifference("unreadable", change, change.path, model)
            )
        elif now is None or now.identity != traits.identity:
            self.differences.delete(change, model, traits.identity, traits.data)
            if now and now.scores and change.is_there:
                results = list(compared_results(now.data))
                self.differences.add(change.path, now.scores.model, results)
        else:
            path = new.change.path if new else change.path
            self.differences.compare(change, path, model, traits.data, now.data)

    def _base_files(
        self, commit: str, names: set[str], still: set[str]
    ) -> Iterator[tuple[str, str, Traits]]:
        """Place, blob and traits of each file that the branch leaves; ``still`` gets all places.

        A YAML file takes long, and is read if it has an id of ours or one of the names of files.
        """

        def documents() -> Iterator[tuple[tuple[str, str], str]]:
            for mode, blob, place in self.repository.tree(commit):
                if mode.startswith("100") and self.places.are_ours(place, DOCUMENTS):
                    still.add(place)
                    if place not in self.replaced:
                        self._names.compare(place)
                        yield (place, blob), blob

        for (place, blob), content in self.repository.blobs(documents()):
            if content is None:
                self._lacking.add(place)
                continue
            is_elsewhere = content.startswith(_LFS)
            raw = read_or_nothing(self.places.path_of(place)) if is_elsewhere else content
            if place.endswith(_YAML):
                texts = [value.decode("utf-8", "replace") for value in _IN_YAML.findall(raw)]
                ids = {*texts, *(SUITE_NAME + text for text in texts)}
                if ids.isdisjoint(self._ids) and names.isdisjoint(map(os.path.basename, texts)):
                    continue
            if traits := traits_of(raw, place):
                yield place, blob, traits

    def _compare_with(self, place: str, blob: str, traits: Traits) -> None:
        identity, scores = traits.identity, traits.scores
        if identity is not None and (new := self._ids.get(identity)):
            self._same_ids.append(Twin(new.change, identity, place, blob))
        if scores is not None:
            self._repetitions.compare(place, blob, identity, traits.data, scores)
            self._results.compare(place, traits.data, scores)

    def _follow(self, naming: Mapping[str, str], rows: Sequence[ChangedFile]) -> None:
        """Find out which records name sample files that have changed, or have lost their record."""
        changed = {os.path.realpath(change.path) for change in rows if change.is_there}
        deleted = {os.path.basename(change.path) for change in rows if not change.is_there}
        for path, place in naming.items():
            name, sample_file = _companion_of(path)
            if sample_file is None:
                continue
            self._left.pop(sample_file.real, None)
            is_missing = sample_file.problem is not None and not sample_file.is_refused
            names_deleted = is_missing and os.path.basename(name) in deleted
            if place not in self.replaced and (sample_file.real in changed or names_deleted):
                self.brought.add(path)
        for change in rows:
            record = change.path.removesuffix("_samples.jsonl") + ".json"
            is_file = os.path.isfile(record) and not os.path.islink(
                record
            )  # which may lead anywhere
            if is_file and self.places.are_ours(self.places.place_of(record)):
                self.brought.add(record)

    def reports(self) -> Iterator[Report]:
        """Findings on changed files that the base explains, and on what they leave behind."""
        same_id_paths = set()
        for pair, content in self._others_of(self._same_ids):
            raw = read_or_nothing(pair.change.path)
            traits = traits_of(raw, pair.change.path)
            if traits is not None and traits.identity == pair.identity:  # a fix may have changed it
                same_id_paths.add(pair.change.path)
                yield same_identity(
                    traits.kind, pair.change.path, raw, self._name_of(pair), content
                )
        for repetition in self._repetitions:
            path = repetition.change.path
            if path not in same_id_paths:
                yield Report(path, "record", None, (self._repetition_finding(repetition),))
        yield from self._harm_reports()
        for finding in self._results.findings(self._at_base):
            yield Report(finding.path, "record", None, (finding,))
        for finding in self._names.findings():
            yield Report(finding.path, None, None, (finding,))
        for left in self._left.values():
            place = self.places.place_of(left.path)
            if self.places.are_ours(place) and not self._has_moved(left):
                path = self.places.path_of(place)
                finding = orphaned(path, left.record.path, left.record.is_there)
                yield Report(path, "sample", None, (finding,))
        for path in map(self.places.path_of, sorted(self._lacking)):
            yield Report(path, None, None, (not_compared(path, self.base),))

    def _repetition_finding(self, repetition: Repetition) -> Finding:
        path, twin = repetition.change.path, repetition.twin
        source = Source(path, read_or_nothing(path).decode("utf-8", "replace"))
        return repeated(
            source,
            fields_in(_record_at(path) or {}).at("model_id"),
            repetition.degree,
            results=repetition.results,
            of=repetition.of,
            model=cited(repetition.model),
            other=self._name_of(twin) if twin else "",
        )

    def _harm_reports(self) -> Iterator[Report]:
        if not self.differences.listed:
            return
        authors = self.repository.authors(self.start)
        mine = self.repository.emails_since(self.start)
        for change, counts in self.differences.by_record().items():
            author = authors.get(change.place)
            if author is None or author.email not in mine:
                finding = of_others(change.path, counts, author.name if author else "")
                strict = replace(finding, severity=Severity.ERROR) if self.is_strict else finding
                yield Report(change.path, "record", None, (strict,))

    def _others_of(self, pairs: Sequence[Twin]) -> Iterator[tuple[Twin, bytes]]:
        for pair in pairs:
            if not pair.blob:
                yield pair, read_or_nothing(pair.counterpart)
        for pair, raw in self.repository.blobs((pair, pair.blob) for pair in pairs if pair.blob):
            yield pair, raw or b""

    def _name_of(self, pair: Twin) -> str:
        """The other file of a pair, as `git show` knows it if it is one of the base."""
        return self._at_base(pair.counterpart) if pair.blob else pair.counterpart

    def _at_base(self, place: str) -> str:
        return f"{self.base}:{place}"

    def _has_moved(self, left: _Left) -> bool:
        new = self._ids.get(left.identity or "")
        _, sample_file = _companion_of(new.change.path) if new else ("", None)
        return sample_file is not None and sample_file.problem is not None


def _traits_of_documents(
    changes: Iterable[ChangedFile],
) -> Iterator[tuple[ChangedFile, Traits]]:
    for change in changes:
        is_document = change.is_there and change.path.endswith(DOCUMENTS)
        if is_document and (traits := _traits_at(change.path)):
            yield change, traits


def _traits_at(path: str) -> Traits | None:
    return traits_of(read_or_nothing(path), path)


def _record_at(path: str) -> dict[str, Any] | None:
    traits = _traits_at(path)
    return traits.data if traits and traits.scores else None


def _companion_of(path: str) -> tuple[str, Companion | None]:
    traits = _traits_at(path)
    if traits is None or not traits.samples:
        return "", None
    return traits.samples, companion(traits.data, path)


@dataclass(frozen=True, slots=True)
class Selection:
    """The files of a branch to check, and the context of that check."""

    paths: tuple[str, ...]  # the changed files, and the records whose sample files have changed
    changed: frozenset[str]  # the changed files alone: these may be fixed
    context: CheckContext  # that of the check, which compares with the base
    skipped: tuple[tuple[str, str], ...]  # path and reason of what was skipped
    remarks: tuple[str, ...]  # what was compared with what
    differences: ResultDifferences  # the results that the branch adds, changes and removes


def select_changed(paths: Sequence[str], base: str, context: CheckContext) -> Selection:
    """Select the changes of a branch at or below some paths; ``context`` is as for ``check_batch``.

    Raises:
        UsageError: git is not installed, this is not a repository, it does not have the base, or
            the base and the current branch have no commit in common.
    """
    repository = Repository()
    commit = repository.commit(base)
    start = repository.merge_base(commit, base)
    places = RepositoryPaths(repository.root, paths, context.exclude)
    skipped: list[tuple[str, str]] = []
    everything = changes(repository, start, places, lambda *entry: skipped.append(entry))
    require_paths(paths, places, everything)
    targets = [change for change in everything if places.are_targets(change.place)]
    # A link out of the repository is not read; a record in its place is gone.
    inside = [
        change._replace(is_there=not change.leads_out and change.is_there) for change in targets
    ]
    others = [c for c in everything if not (c.leads_out or places.are_targets(c.place))]
    replaced = {change.place for change in everything}
    is_strict = context.profile is not None
    branch = Branch(repository, base, places, inside, others, replaced, start, is_strict)
    remarks = [f"{len(targets)} files changed since {start[:12]}"]
    if not context.schema_only:
        with counting("comparing", "files", enabled=context.bars) as progress:
            seen = branch.compare(commit.id, progress or (lambda _: None))
        remarks.append(f"compared with {seen} files of {base} ({commit.id[:12]})")

    def beyond() -> Iterator[Report]:
        for change in targets:
            if change.leads_out:
                finding = file_finding("F011", change.path, LEADS_OUT)
                yield Report(change.path, None, None, (finding,))
        yield from branch.reports()
        for finding in not_read(skipped):
            yield Report(finding.path, None, None, (finding,))

    there = {change.path for change in inside if change.is_there}
    # Documents first: sample files are then checked with their records.
    ordered = sorted(there | branch.brought, key=lambda path: (path.endswith(".jsonl"), path))
    return Selection(
        tuple(ordered),
        frozenset(there),
        context._replace(picked=True, ours=branch.ours, beyond=beyond),
        tuple(skipped),
        tuple(remarks),
        branch.differences,
    )
