"""Expectations of a repository about its files: counts, fields and collections."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatch
from typing import NamedTuple

from evalmark.validator.io.paths import place_in

#: Name of a count -> where it counts: in documents with rules of these letters, or in rows.
COUNTED = {"items": "SG", "predictions": "SG", "results": "EE", "rows": "rows", "pairs": "pairs"}


class ExpectedCount(NamedTuple):
    """The number of items, rows or other units that the files of some globs must have."""

    unit: str  # a key of ``COUNTED``
    least: int
    most: int | None  # None for any
    files: str = "*"
    suites: str = "*"  # names of suites
    collections: str = "*"  # collections of records
    uids: str = "*"  # what minimal pairs are averaged with

    @property
    def text(self) -> str:
        """The allowed numbers in words."""
        if self.most is None:
            return f"at least {self.least}"
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


class OwnRules(NamedTuple):
    """The expectations of a repository; globs of files are relative to its folder."""

    folder: str
    collections: tuple[str, ...] = ()
    counts: tuple[ExpectedCount, ...] = ()
    #: Globs of records, and the fields that they must have: parts of pointers; ``*`` is any index.
    required: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = ()

    def are_of(self, path: str, glob: str) -> bool:
        """True if a glob names a file, or a folder that it is in; ``*`` also matches slashes."""
        place = place_in(path, self.folder)
        return fnmatch(place, glob) or fnmatch(place, f"{glob}/*")

    def lost(self) -> tuple[str, ...]:
        """Globs of files that cannot name anything: there is no such folder."""
        globs = [*(count.files for count in self.counts), *(glob for glob, _ in self.required)]
        return tuple(glob for glob in dict.fromkeys(globs) if not self._may_name(glob))

    def _may_name(self, glob: str) -> bool:
        fixed = re.split(r"[*?\[]", glob)[0]  # what everything that it names begins with
        folder = fixed if fixed == glob else os.path.dirname(fixed)
        return os.path.exists(os.path.join(self.folder, folder))
