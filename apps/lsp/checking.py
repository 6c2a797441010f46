"""Checks of open files: as ``evalmark check`` does in the folder of their settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from evalmark.schemas.errors import EvalmarkError
from evalmark.validator.batch.file_comparison import same_identity
from evalmark.validator.batch.walking import ENDINGS
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import Finding, Severity
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.rule import file_finding, internal_error
from evalmark.validator.format import as_document
from evalmark.validator.formats.builtin import format_of
from evalmark.validator.formats.unrecognized import is_unrecognized
from evalmark.validator.io.opening import read_or_nothing
from evalmark.validator.reading.reading import read
from evalmark.validator.settings.config import find_settings

#: Files beside an open one whose identities are compared with its own, and bytes of each.
MOST_NEIGHBORS, LARGEST_NEIGHBOR = 500, 2_000_000


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The findings of a text."""

    findings: tuple[Finding, ...] = ()  # as ``evalmark check`` shows them
    #: The name of its format and its identity, which no other file may have.
    identity: tuple[str, str] | None = None
    checker: Checker | None = None  # the checker that was used; None if there was none


#: A file beside an open one: its state when it was read, and its identity.
Neighbor = tuple[tuple[int, int], tuple[str, str] | None]


class EditorChecks:
    """Checks texts, and remembers the settings of folders."""

    def __init__(self) -> None:
        self._checkers: dict[str, tuple[object, Checker]] = {}
        self._neighbors: dict[str, dict[str, Neighbor]] = {}

    def forget_settings(self) -> None:
        """Read settings again: a file that they name may have changed."""
        self._checkers.clear()

    def check(self, path: str, text: str, workspace: str) -> CheckedText:
        """Check a text in an editor.

        ``path`` is absolute. The settings of ``workspace``, the folder that is open, count if no
        folder above the file has any.
        """
        try:
            return self._checked(path, text, workspace)
        except EvalmarkError as error:  # settings that cannot be used
            return CheckedText((_unusable(error, path),))
        except Exception as error:  # a bug of ours is a finding of one file
            return CheckedText((internal_error(error, path),))

    def _checked(self, path: str, text: str, workspace: str) -> CheckedText:
        checker = self.checker(os.path.dirname(path), workspace)
        if checker.excludes(path):
            return CheckedText()
        report = checker.text(text, path, is_file=os.path.exists(path))
        if is_unrecognized(report, _raw(text)):
            return CheckedText()  # a folder has files of many other programs
        return CheckedText(report.in_file, _identity(report), checker)

    def checker(self, folder: str, workspace: str) -> Checker:
        """The check of the files of a folder; EvalmarkError if its settings cannot be used."""
        settings = find_settings(folder)
        home = os.path.dirname(settings[1]) if settings else workspace or folder
        known = self._checkers.get(home)
        if known is None or known[0] != settings:
            known = self._checkers[home] = settings, Checker.of(home)
        return known[1]

    def look_around(self, folder: str) -> bool:
        """Note the identities of the files of a folder; true if there is anything new."""
        before = self._neighbors.get(folder, {})
        now: dict[str, Neighbor] = {}
        with suppress(OSError), os.scandir(folder) as listing:
            for entry in listing:
                if len(now) == MOST_NEIGHBORS:
                    break
                if entry.name[0] == "." or not entry.name.endswith(ENDINGS) or not entry.is_file():
                    continue
                stat = entry.stat()
                state = stat.st_mtime_ns, stat.st_size
                neighbor = before.get(entry.path)
                if neighbor is None or neighbor[0] != state:
                    neighbor = state, _identity_at(entry.path, stat.st_size)
                now[entry.path] = neighbor
        self._neighbors[folder] = now
        return now != before

    def same(
        self,
        path: str,
        text: str,
        checked: CheckedText,
        opened: Mapping[str, tuple[str, tuple[str, str] | None]],
    ) -> tuple[Finding, ...]:
        """The finding for a file with the identity of another one, open or beside it.

        ``opened`` has the path of each open file -> its text, and its identity.
        """
        if checked.identity is None or checked.checker is None:
            return ()
        others = {name: other for name, (_, other) in opened.items()}
        beside = self._neighbors.get(os.path.dirname(path), {})
        every = {**{name: identity for name, (_, identity) in beside.items()}, **others}
        for name in sorted(name for name, other in every.items() if other == checked.identity):
            if name != path:
                theirs = _raw(opened[name][0]) if name in opened else read_or_nothing(name)
                shown = os.path.relpath(name, os.path.dirname(path))
                same = same_identity(checked.identity[0], path, _raw(text), shown, theirs)
                return checked.checker.kept(same.findings)
        return ()


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # an editor may have half a pair


def _identity(report: Report) -> tuple[str, str] | None:
    return (report.kind, report.identity) if report.kind and report.identity else None


def _identity_at(path: str, size: int) -> tuple[str, str] | None:
    if size > LARGEST_NEIGHBOR or path.endswith(".jsonl"):
        return None
    reading = read(read_or_nothing(path), path)
    form = format_of(reading.data) if reading.readable else None
    identity = form.checks.identity(as_document(reading.data, form)) if form else None
    return (form.name, identity) if form and identity else None


def _unusable(error: EvalmarkError, path: str) -> Finding:
    finding = file_finding("F011", path, f"not checked: {error}")
    return replace(finding, code="settings", name="unusable-settings", severity=Severity.ERROR)
