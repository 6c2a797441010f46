"""Checks of open files: as ``evalmark check`` does in the folder of their settings.

The paths in settings and findings are relative to the current folder, so a check enters the folder
of the settings: one thread makes all checks.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from evalmark.schemas.errors import EvalmarkError
from evalmark.validator.batch.check_files import BatchOptions, Ignores, batch_options
from evalmark.validator.batch.shared import same_identity
from evalmark.validator.batch.walking import ENDINGS, matches
from evalmark.validator.check import check_one, file_context
from evalmark.validator.config import find_settings, load_config
from evalmark.validator.findings.finding import Finding, Severity
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.rule import file_finding, internal_error
from evalmark.validator.format import as_document
from evalmark.validator.formats.builtin import format_of
from evalmark.validator.io.opening import read_or_nothing
from evalmark.validator.reading.reading import read

#: Files beside an open one whose identities are compared with its own, and bytes of each.
MOST_NEIGHBORS, LARGEST_NEIGHBOR = 500, 2_000_000


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The findings of a text.

    Attributes:
        findings: As ``evalmark check`` shows them.
        identity: The name of its format and its identity, which no other file may have.
    """

    findings: tuple[Finding, ...] = ()
    identity: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A file beside an open one: its state when it was read, and its identity."""

    state: tuple[int, int]
    identity: tuple[str, str] | None


class Checker:
    """Checks texts, and remembers the settings of folders."""

    def __init__(self) -> None:
        self._settings: dict[str, tuple[object, BatchOptions]] = {}
        self._neighbors: dict[str, dict[str, Neighbor]] = {}

    def forget_settings(self) -> None:
        """Read settings again: a file that they name may have changed."""
        self._settings.clear()

    def check(self, path: str, text: str, workspace: str) -> CheckedText:
        """Check a text.

        Args:
            path: The absolute path of the file.
            text: Its text in the editor.
            workspace: The folder that is open; its paths are relative to it if no folder above the
                file has settings.
        """
        try:
            return self._checked(path, text, workspace)
        except EvalmarkError as error:  # settings that cannot be used
            return CheckedText((_unusable(error, path),))
        except Exception as error:  # a bug of ours is a finding of one file
            return CheckedText((internal_error(error, path),))

    def _checked(self, path: str, text: str, workspace: str) -> CheckedText:
        folder, options = self.options(os.path.dirname(path), workspace)
        name = path
        if os.path.isdir(folder):
            os.chdir(folder)
            name = os.path.relpath(path, folder)
        if options.exclude and matches(name, options.exclude):
            return CheckedText()
        # A lone surrogate cannot be in a file of UTF-8: the check says where it is.
        raw = text.encode("utf-8", "surrogatepass")
        context = file_context(options.check)
        report = check_one(name, options.check, raw, replace(context, is_file=os.path.exists(path)))
        if any(finding.code == "F012" for finding in report.findings):
            return CheckedText()  # a folder has files of many other programs
        kept = Ignores(options.ignore, options.per_file_ignores).kept(report.findings)
        return CheckedText(tuple(_here(finding, name) for finding in kept), _identity(report))

    def options(self, folder: str, workspace: str) -> tuple[str, BatchOptions]:
        """The folder in which a file is checked, and the options of the check.

        Raises:
            EvalmarkError: The settings cannot be used.
        """
        settings = find_settings(folder)
        home = os.path.dirname(settings[1]) if settings else workspace or folder
        known = self._settings.get(home)
        if known is None or known[0] != settings:
            known = self._settings[home] = settings, batch_options(load_config(home))
        return home, known[1]

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
                if neighbor is None or neighbor.state != state:
                    neighbor = Neighbor(state, _identity_at(entry.path, stat.st_size))
                now[entry.path] = neighbor
        self._neighbors[folder] = now
        return now != before

    def same(self, path: str, text: str, identity: tuple[str, str], opened: Mapping[str, tuple[
        str, tuple[str, str] | None]]) -> tuple[Finding, ...]:  # fmt: skip
        """The finding for a file with the identity of another one, open or beside it.

        Args:
            path: The file.
            text: Its text.
            identity: Its identity.
            opened: Path of each open file -> its text, and its identity.
        """
        others = {name: other for name, (_, other) in opened.items()}
        beside = self._neighbors.get(os.path.dirname(path), {})
        every = {**{name: other.identity for name, other in beside.items()}, **others}
        for name in sorted(name for name, other in every.items() if other == identity):
            if name != path:
                raw = opened[name][0].encode() if name in opened else read_or_nothing(name)
                shown = os.path.relpath(name, os.path.dirname(path))
                mine = text.encode("utf-8", "surrogatepass")
                return same_identity(identity[0], path, mine, shown, raw).findings
        return ()


def _here(finding: Finding, name: str) -> Finding:
    """A finding of a file; one of the samples of a record is shown in the record."""
    if finding.path == name:
        return finding
    place = f"{finding.path}:{finding.span.line}:{finding.span.column}" if finding.span else ""
    message = f"{place or finding.path}: {finding.message}"
    return replace(finding, path=name, message=message, pointer="", span=None, labels=(), fix=None)


def _identity(report: Report) -> tuple[str, str] | None:
    return (report.kind, report.identity) if report.kind and report.identity else None


def _identity_at(path: str, size: int) -> tuple[str, str] | None:
    """The identity of a file that is not open."""
    if size > LARGEST_NEIGHBOR or path.endswith(".jsonl"):
        return None
    reading = read(read_or_nothing(path), path)
    form = format_of(reading.data) if reading.readable else None
    identity = form.identity(as_document(reading.data, form)) if form else None
    return (form.name, identity) if form and identity else None


def _unusable(error: EvalmarkError, path: str) -> Finding:
    finding = file_finding("F011", path, f"not checked: {error}")
    return replace(finding, code="settings", name="unusable-settings", severity=Severity.ERROR)
