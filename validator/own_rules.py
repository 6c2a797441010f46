"""What a repository may require of its files: counts, fields and schemas of its own."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatch
from typing import NamedTuple

#: What can be counted -> the letters of the rules of the files that have it.
COUNTED = {"items": "SG", "predictions": "SG", "results": "EE", "rows": "EE", "pairs": "MP"}


class ExpectedCount(NamedTuple):
    """The number of items, rows or other units that a file must have.

    Attributes:
        unit: A key of ``COUNTED``.
        least: The smallest allowed number.
        most: The largest one; None for any.
        files: A glob of the files that it is about.
        suites: A glob of the names of suites.
        collections: A glob of the collections of records.
        uids: A glob of what minimal pairs are averaged with.
    """

    unit: str
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
    """The rules of a repository for its files; globs of files are relative to its folder."""

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

    def schema_paths(self) -> tuple[str, ...]:
        """The paths of the schemas, from the current folder."""
        return tuple(os.path.join(self.folder, schema.path) for schema in self.schemas)

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
    """True if a glob names a place, or a folder that it lies in; ``*`` also matches slashes."""
    return fnmatch(place, glob) or fnmatch(place, f"{glob}/*")
