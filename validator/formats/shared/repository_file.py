"""A file as the rules on the settings of its repository see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from evalmark.validator.findings.finding import At
from evalmark.validator.format import Document
from evalmark.validator.formats.records.record_view import fields_of
from evalmark.validator.formats.records.rules.datastore_rules import datastore_parts
from evalmark.validator.options.own_rules import COUNTED, ExpectedCount, OwnRules
from evalmark.validator.reading.source import make_pointer, member


@dataclass(frozen=True, slots=True)
class RepositoryFile:
    """A file of a repository: a document, or rows and the record that they belong to."""

    document: Document
    path: str
    settings: OwnRules
    key: str  # of ``REPOSITORY_RULES``
    rows: Mapping[str, int] | None = None  # UID of pairs, else empty -> how many there are

    @property
    def data(self) -> dict[str, Any]:
        """The document; empty if it is not an object."""
        return self.document.data if isinstance(self.document.data, dict) else {}

    @property
    def collections(self) -> Iterator[tuple[str, At | None]]:
        """The collection that a record names, and the folder that it lies in; no place for that."""
        declared = self.data and fields_of(self.document).text("evaluation_id")
        first, slash, _ = (declared or "").partition("/")
        if slash:
            yield first, At(fields_of(self.document).at("evaluation_id"), 0, len(first))
        if parts := datastore_parts(self.path):
            yield parts[0], None

    def counts(self) -> Iterator[ExpectedCount]:
        """The numbers that are expected of this file."""
        meta = self.data.get("meta")
        suite = meta.get("name") if isinstance(meta, dict) else None
        suites = [suite] if isinstance(suite, str) else []
        for count in self.settings.counts:
            if COUNTED[count.unit] == self.key and self.settings.are_of(self.path, count.files):
                collections = (name for name, _ in self.collections)
                if _has(suites, count.suites) and _has(collections, count.collections):
                    yield count

    def numbers(self, count: ExpectedCount) -> Iterator[tuple[int, str, str]]:
        """Each number that a count is about, its pointer, and the UID of pairs."""
        if self.rows is not None and count.uids != "*":
            named = (uid for uid in self.rows if fnmatchcase(uid, count.uids))
            yield from ((self.rows[uid], "", uid) for uid in named)
        elif self.rows is not None:
            yield sum(self.rows.values()), "", ""
        elif self.document.is_record:
            fields = fields_of(self.document)
            if isinstance(entries := fields.get(count.unit), list):
                yield len(entries), fields.at(count.unit), ""
        elif isinstance(entries := self.data.get(count.unit), list):
            yield len(entries), f"/{count.unit}", ""

    def missing(self) -> Iterator[tuple[str, str, str]]:
        """Places where a record lacks a required field, what is missing, and the pointer."""
        for glob, paths in self.settings.required if self.document.is_record else ():
            for path in paths if self.settings.are_of(self.path, glob) else ():
                for at, name in _missing(self.data, path):
                    yield at, name, make_pointer(path)


def _has(names: Iterable[str], glob: str) -> bool:
    return glob == "*" or any(fnmatchcase(name, glob) for name in names)


def _missing(node: object, path: tuple[str, ...], at: str = "") -> Iterator[tuple[str, str]]:
    """The place where a path ends too early, or at null, and what is missing there."""
    if not path:
        return
    key, *others = path
    if key == "*" and isinstance(node, list):
        for index, child in enumerate(node):
            yield from _missing(child, tuple(others), f"{at}/{index}")
        return
    child = member(node, key)
    if child is not None:
        yield from _missing(child, tuple(others), at + make_pointer([key]))
    else:
        yield at, ".".join(path)
