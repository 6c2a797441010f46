"""Rules that the files of a call ignore, and which of these ignores were of use."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable

from evalmark.validator.batch.walking import matches
from evalmark.validator.findings.finding import Finding
from evalmark.validator.format import FileIgnore, Glob
from evalmark.validator.io.paths import place_in


class Ignores:
    """Ignored rules of one call; remembers which entries were used, and which could be."""

    def __init__(self, codes: Collection[str], by_file: Iterable[FileIgnore]) -> None:
        self._codes = frozenset(codes)
        self._by_file = tuple(by_file)
        self._used: set[FileIgnore] = set()
        self._reached: set[FileIgnore] = set()

    def reach(self, path: str) -> None:
        """Note that a file is checked, or everything in a folder."""
        for ignore in self._by_file:
            if ignore not in self._reached and _reaches(path, _glob(ignore)):
                self._reached.add(ignore)

    def kept(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that nothing ignores."""
        if not self._codes and not self._by_file:
            return tuple(findings)
        return tuple(
            finding
            for finding in findings
            if not (finding.code in self._codes or self._in_file(finding))
        )

    def _in_file(self, finding: Finding) -> bool:
        for ignore in self._by_file:
            if (
                finding.code in ignore.codes
                and f"{finding.pointer}/".startswith(f"{ignore.pointer.rstrip('/')}/")
                and matches(finding.path, [_glob(ignore)])
            ):
                self._used.add(ignore)
                return True
        return False

    @property
    def unused(self) -> tuple[FileIgnore, ...]:
        """Entries that ignored nothing so far, though their files were checked.

        Where only a part of a tree is checked, the entries for the other parts are not unused.
        """
        return tuple(i for i in self._by_file if i in self._reached - self._used)


def _glob(ignore: FileIgnore) -> Glob:
    return Glob(ignore.files, ignore.folder)


def _reaches(path: str, glob: Glob) -> bool:
    """True if a path is one that a glob names, or a folder that has all of them."""
    if matches(path, [glob]):
        return True
    if not os.path.isdir(path):
        return False
    folder = place_in(path, glob.folder)
    fixed = re.split(r"[*?\[]", glob.pattern)[0]  # what all paths that the glob names begin with
    is_above = {*folder.split("/")} <= {os.curdir, os.pardir}
    return is_above or fixed.startswith(f"{folder.rstrip('/')}/")
