"""Findings that the settings ignore, and settings that ignore nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable

from evalmark.validator.batch.walking import matches
from evalmark.validator.config import FileIgnore
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.rule import NEW_SETTINGS


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
            if ignore not in self._reached and _reaches(path, ignore.files):
                self._reached.add(ignore)

    def kept(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that nothing ignores."""
        if not self._codes and not self._by_file:
            return tuple(findings)
        return tuple(
            finding
            for finding in findings
            if finding.code == NEW_SETTINGS.code  # settings cannot hide that they have changed
            or not (finding.code in self._codes or self._in_file(finding))
        )

    def _in_file(self, finding: Finding) -> bool:
        for ignore in self._by_file:
            if (
                finding.code in ignore.codes
                and f"{finding.pointer}/".startswith(f"{ignore.pointer.rstrip('/')}/")
                and matches(finding.path, [ignore.files])
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


def _reaches(path: str, glob: str) -> bool:
    """Whether a path is one that a glob names, or a folder that has all of them."""
    if matches(path, [glob]):
        return True
    folder = os.path.normpath(path).replace(os.sep, "/")
    if not os.path.isdir(path):
        return False
    fixed = re.split(r"[*?\[]", glob)[0]  # what all paths that the glob names begin with
    return folder == "." or fixed.startswith(f"{folder.rstrip('/')}/")
