"""A file as the rules see it that a repository adds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from evalmark.validator.findings.finding import At
from evalmark.validator.format import Document
from evalmark.validator.formats.records.datastore_rules import datastore_parts
from evalmark.validator.formats.records.record_view import fields_of
from evalmark.validator.own_rules import ExpectedCount, OwnRules, named_by
from evalmark.validator.reading.source import make_pointer


@dataclass(frozen=True, slots=True)
class RepositoryFile:
    """A file of a repository.

    Attributes:
        document: What it holds; of a sample file, its record, or no data.
        path: The file.
        settings: What the repository asks for.
        rows: The number of its rows, if it is a sample file.
        uids: What its pairs are averaged with, and how many have it, if it is a file of pairs.
    """

    document: Document
    path: str
    settings: OwnRules
    rows: int | None = None
    uids: Mapping[str, int] = field(default_factory=dict)

    @property
    def _data(self) -> dict[str, Any]:
        return self.document.data if isinstance(self.document.data, dict) else {}

    @property
    def place(self) -> str:
        """The path of the file from the folder of the settings."""
        return self.settings.place(self.path)

    @property
    def is_record(self) -> bool:
        """True if it is a record."""
        return self.document.format is not None and self.document.format.is_record

    @property
    def collections(self) -> Iterator[tuple[str, At | None]]:
        """The collection that a record names, and the folder that it lies in; no place for that."""
        declared = self._data and fields_of(self.document).text("evaluation_id")
        first, slash, _ = (declared or "").partition("/")
        if slash:
            yield first, At(fields_of(self.document).at("evaluation_id"), 0, len(first))
        parts = datastore_parts(self.path)
        if parts is not None:
            yield parts[0], None

    def counts(self, key: str) -> Iterator[ExpectedCount]:
        """The counts that are expected of a list of this file, by the key of the list."""
        for count in self.settings.counts:
            if count.unit == key and named_by(self.place, count.files) and self._is_of(count):
                yield count

    def _is_of(self, count: ExpectedCount) -> bool:
        if count.suites != "*":
            meta = self._data.get("meta")
            name = meta.get("name") if isinstance(meta, dict) else None
            if not isinstance(name, str) or not fnmatchcase(name, count.suites):
                return False
        if count.collections == "*":
            return True
        return any(fnmatchcase(name, count.collections) for name, _ in self.collections)

    def entries(self, key: str) -> list[object] | None:
        """The list that is counted, if there is one."""
        entries = fields_of(self.document).get(key) if self.is_record else self._data.get(key)
        return entries if isinstance(entries, list) else None

    def pointer(self, key: str) -> str:
        """The pointer of that list."""
        return fields_of(self.document).at(key) if self.is_record else f"/{key}"

    def missing(self) -> Iterator[tuple[str, str, str]]:
        """Required fields that are absent or null: where, what is missing there, and the field.

        Where is the pointer of the last part that is there.
        """
        for required in self.settings.required:
            if named_by(self.place, required.files):
                for field in required.fields:
                    for at, name in _missing(self._data, field):
                        yield at, name, make_pointer(field)


def _missing(node: object, field: tuple[str, ...], at: str = "") -> Iterator[tuple[str, str]]:
    if not field:
        return
    key, *others = field
    if key == "*" and isinstance(node, list):
        for index, child in enumerate(node):
            yield from _missing(child, tuple(others), f"{at}/{index}")
        return
    child = _child(node, key)
    if child is not None:
        yield from _missing(child, tuple(others), at + make_pointer([key]))
    else:
        yield at, ".".join(field)


def _child(node: object, key: str) -> object:
    if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
        return node[int(key)]
    return node.get(key) if isinstance(node, dict) else None
