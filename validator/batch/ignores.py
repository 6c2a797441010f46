"""Findings that the settings ignore, and settings that ignore nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from evalmark.validator.batch.walking import matches
from evalmark.validator.config import FileIgnore
from evalmark.validator.findings.finding import Finding


class Ignores:
    """Ignored rules of one call; remembers which entries were used."""

    def __init__(self, codes: Collection[str], by_file: Iterable[FileIgnore]) -> None:
        self._codes = frozenset(codes)
        self._by_file = tuple(by_file)
        self._used: set[FileIgnore] = set()

    def kept(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that nothing ignores."""
        if not self._codes and not self._by_file:
            return tuple(findings)
        return tuple(f for f in findings if f.code not in self._codes and not self._in_file(f))

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
        """Entries for files that ignored nothing so far."""
        return tuple(ignore for ignore in self._by_file if ignore not in self._used)
