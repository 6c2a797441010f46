"""The result of a check of one file, and how files of a call are compared."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from evalmark.schemas.errors import InvalidDocument
from evalmark.validator.findings.finding import Finding, Severity
from evalmark.validator.io.escaping import Painted, html_table, shown

#: The beginning of the identity of a suite, so that no record has it.
SUITE_NAME = "suite\0"
#: The colours of findings in notebooks, legible on white and on black.
_COLOURS = {Severity.ERROR: "#d32f2f", Severity.WARNING: "#b26a00"}


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The findings of one file, in order of place.

    Attributes:
        path: The file as the caller named it.
        kind: Its kind; None if unrecognized.
        version: Version of the format it was checked against, where there are several.
        findings: The findings in it.
        remarks: Notes on the parts that could not be checked, and why.
        companions: Further files that were checked with it: the samples of a record.
        identity: What must differ between the files of a call: a record's evaluation id, or the
            name of a suite after ``SUITE_NAME``.
        verdicts: With a profile: whether the file, and its companions, pass the checks of
            the leaderboard: ``pass`` or ``refuse``.
        repeats: What other files of the call are compared with: rows that no other file should
            have.
    """

    path: str
    kind: str | None
    version: str | None
    findings: tuple[Finding, ...] = ()
    remarks: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    identity: str | None = None
    verdicts: tuple[tuple[str, str], ...] = ()
    repeats: Comparable | None = field(default=None, compare=False)

    @property
    def ok(self) -> bool:
        """True if there is no error; warnings are allowed."""
        return all(finding.severity is not Severity.ERROR for finding in self.findings)

    @property
    def in_file(self) -> tuple[Finding, ...]:
        """All findings as findings on the file itself, those on its companions included."""
        return tuple(f if f.path == self.path else _of_companion(f, self) for f in self.findings)

    def __repr__(self) -> str:
        kind, count = self.kind or "unrecognized", len(self.findings)
        return f"<report on {self.path!r}: {kind}, {count} finding{'s'[: count != 1]}>"

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __str__(self) -> str:
        lines = []
        for f in self.findings:
            place = f":{f.span.line}:{f.span.column}" if f.span else ""
            helps = "".join(f"; help: {shown(text)}" for text in f.helps)
            text = f"{f.severity}[{f.code}] {shown(f.message)} [{f.name}]{helps}"
            lines.append(f"{shown(f.path)}{place}: {text}")
        return "\n".join(lines) or f"{shown(self.path)}: no findings"

    def _repr_html_(self) -> str:
        rows = [
            (
                f"{finding.span.line}:{finding.span.column}" if finding.span else "",
                Painted(finding.severity.value, _COLOURS[finding.severity]),
                Painted(finding.code, _COLOURS[finding.severity]),
                finding.message,
                "; ".join(finding.helps),
            )
            for finding in self.findings
        ]
        count = f"{len(rows)} finding{'s'[: len(rows) - 1]}" if rows else "no findings"
        headers = ("place", "severity", "code", "message", "help")
        return html_table(f"{self.path}: {count}", headers, rows)

    def raise_for_errors(self) -> None:
        """Raise if there is an error.

        Raises:
            InvalidDocument: There is one.
        """
        if not self.ok:
            errors = [f for f in self.findings if f.severity is Severity.ERROR]
            more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
            first = errors[0]
            raise InvalidDocument(f"{self.path}: {first.code} {first.message}{more}", self)


def _of_companion(finding: Finding, report: Report) -> Finding:
    place = os.path.relpath(finding.path, os.path.dirname(report.path) or os.curdir)
    if finding.span:
        place += f":{finding.span.line}:{finding.span.column}"
    return replace(
        finding, path=report.path, message=f"{place}: {finding.message}", pointer="", span=None,
        labels=(), fix=None,
    )  # fmt: skip


#: Numbers of files of a call -> the paths of these files.
PathsOf = Callable[[set[int]], dict[int, str]]


class CallComparison(Protocol):
    """Compares the files of a call with each other."""

    def add(self, number: int, file: Any) -> None:
        """Add what a file is compared by, with the number of the file."""

    def reports(self, paths_of: PathsOf) -> Iterator[Report]:
        """The findings of files that do not fit others."""


class Comparable(Protocol):
    """A part of a file that others are compared with; can be sent from one process to another."""

    def comparison(self) -> CallComparison:
        """A comparison that takes what all files of a call have of this type."""
