"""What a repository asks of its files beyond their formats, and a file as those rules see it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch, fnmatchcase
from typing import Any, NamedTuple

from evalmark.validator.findings.hit import At
from evalmark.validator.formats.records.placed_record import datastore_parts
from evalmark.validator.formats.records.record_view import fields_of
from evalmark.validator.kinds import Document
from evalmark.validator.reading.pointer import make_pointer

#: What can be counted -> the letters of the rules of the files that have it.
COUNTED = {"items": "SG", "predictions": "SG", "results": "EE", "rows": "EE", "pairs": "MP"}


class ExpectedCount(NamedTuple):
    """How many of something a file must have.

    Attributes:
        what: A key of ``COUNTED``.
        least: The smallest allowed number.
        most: The largest one; None for any.
        files: A glob of the files that it is about.
        suites: A glob of the names of suites.
        collections: A glob of the collections of records.
        uids: A glob of what minimal pairs are averaged with.
    """

    what: str
    least: int
    most: int | None
    files: str = "*"
    suites: str = "*"
    collections: str = "*"
    uids: str = "*"

    @property
    def text(self) -> str:
        """The allowed numbers in words."""
        if self.most is None:
            return f"at least {self.least}"
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


class RequiredFields(NamedTuple):
    """Fields that records must have: parts of pointers, in which ``*`` is any index."""

    files: str
    fields: tuple[tuple[str, ...], ...]


class OwnSchema(NamedTuple):
    """A JSON schema that files must fit as well.

    Attributes:
        files: A glob of these files.
        path: The schema, as the settings name it.
        text: The schema as JSON, bundled; a text can be passed to other processes and be a key.
    """

    files: str
    path: str
    text: str


class OwnRules(NamedTuple):
    """What a repository asks of its files; globs of files are relative to its folder."""

    folder: str
    collections: tuple[str, ...] = ()
    counts: tuple[ExpectedCount, ...] = ()
    required: tuple[RequiredFields, ...] = ()
    schemas: tuple[OwnSchema, ...] = ()

    def place(self, path: str) -> str:
        """A path relative to the folder of the settings, with slashes."""
        full = os.path.abspath(path)
        try:
            relative = os.path.relpath(full, self.folder)
        except ValueError:  # another drive
            relative = full
        return relative.replace(os.sep, "/")

    def lost(self) -> tuple[str, ...]:
        """Globs of files that cannot name anything: there is no such folder."""
        globs = [count.files for count in self.counts]
        globs += [required.files for required in self.required]
        globs += [schema.files for schema in self.schemas]
        return tuple(glob for glob in dict.fromkeys(globs) if not self._may_name(glob))

    def _may_name(self, glob: str) -> bool:
        fixed = re.split(r"[*?\[]", glob)[0]  # what everything that it names begins with
        folder = fixed if fixed == glob else os.path.dirname(fixed)
        return os.path.exists(os.path.join(self.folder, folder))


def named_by(place: str, glob: str) -> bool:
    """Whether a glob names a place, or a folder that it lies in; ``*`` also matches slashes."""
    return fnmatch(place, glob) or fnmatch(place, f"{glob}/*")


@dataclass(frozen=True, slots=True)
class RepositoryFile:
    """A file of a repository.

    Attributes:
        document: What it holds; of a sample file, its record, or no data.
        path: The file.
        own: What the repository asks for.
        rows: The number of its rows, if it is a sample file.
        uids: What its pairs are averaged with, and how many have it, if it is a file of pairs.
    """

    document: Document
    path: str
    own: OwnRules
    rows: int | None = None
    uids: Mapping[str, int] = field(default_factory=dict)

    @property
    def _data(self) -> dict[str, Any]:
        return self.document.data if isinstance(self.document.data, dict) else {}

    @property
    def place(self) -> str:
        """Where the file lies, from the folder of the settings."""
        return self.own.place(self.path)

    @property
    def is_record(self) -> bool:
        """Whether it is a record."""
        return self.document.traits.has_place

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

    def counts(self, what: str) -> Iterator[ExpectedCount]:
        """What is expected of this file, of what can be counted in it."""
        for count in self.own.counts:
            if count.what == what and named_by(self.place, count.files) and self._is_of(count):
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

    def entries(self, what: str) -> list[Any] | None:
        """The list that is counted, if there is one."""
        entries = fields_of(self.document).get(what) if self.is_record else self._data.get(what)
        return entries if isinstance(entries, list) else None

    def pointer(self, what: str) -> str:
        """Where that list is."""
        return fields_of(self.document).at(what) if self.is_record else f"/{what}"

    def missing(self) -> Iterator[tuple[str, str, str]]:
        """Required fields that are absent or null: where, what is missing there, and the field.

        Where is the pointer of the last part that is there.
        """
        for required in self.own.required:
            if named_by(self.place, required.files):
                for field in required.fields:
                    for at, name in _missing(self._data, field):
                        yield at, name, make_pointer(field)


def _missing(node: Any, field: tuple[str, ...], at: str = "") -> Iterator[tuple[str, str]]:
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


def _child(node: Any, key: str) -> Any:
    if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
        return node[int(key)]
    return node.get(key) if isinstance(node, dict) else None
