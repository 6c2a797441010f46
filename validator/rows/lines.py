"""Files of rows: one JSON value on each line, read one after the other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

from evalmark.schemas.errors import Rejected
from evalmark.validator.findings.finding import At, Finding, Hit, Label, Named, Span, locate
from evalmark.validator.findings.rule import Rule, file_finding
from evalmark.validator.options import CheckOptions
from evalmark.validator.reading.lines import MAX_LINE
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Source
from evalmark.validator.reading.strict_json import decode, parse

#: Findings of one rule that are reported for a file; further ones are counted.
MAX_FINDINGS = 1000


def first_row(file: BinaryIO, tries: int = 1) -> Any:
    """The first of so many rows that can be parsed; None if there is none. Rewinds the file.

    Raises:
        Rejected: They are not JSON.
    """
    tried = 0
    try:
        while line := file.readline(MAX_LINE):
            if not line.strip():
                continue
            tried += 1
            try:
                return parse(decode(line.strip()))
            except Rejected:
                if tried == tries:
                    raise
    finally:
        file.seek(0)
    if tried:
        raise Rejected
    return None


@dataclass(slots=True)
class RowFindings:
    """Findings of a file of rows: moved to the line of their row, and limited in number."""

    path: str
    kept: list[Finding] = field(default_factory=list)
    _counts: Counter[str] = field(default_factory=Counter)

    def add(self, findings: list[Finding], line: int | None) -> None:
        """Add findings of the row on ``line``; None if they have their places in the file."""
        for finding in findings:
            self._counts[finding.code] += 1
            if self._counts[finding.code] <= MAX_FINDINGS:
                self.kept.append(finding if line is None else _moved(finding, line))

    def is_beyond(self, rule: Named) -> bool:
        """Count a finding of a rule that has as many as are reported; whether it has."""
        beyond = self._counts[rule.code] >= MAX_FINDINGS
        self._counts[rule.code] += beyond
        return beyond

    def say(
        self,
        rule: Named,
        message: str,
        line: int,
        source: Source | None = None,
        pointer: str = "",
        fold: str = "",
        helps: tuple[str, ...] = (),
    ) -> None:
        """Add a finding of the row on ``line``, at a pointer within it."""
        hit = Hit(message, At(pointer), fold=fold, helps=helps)
        self.add([locate(hit, rule, self.path, source)], line)

    def too_long(self, line: int) -> None:
        """Add the finding for a line above the limit."""
        message = f"line is longer than {MAX_LINE // 2**20} MiB"
        self.add([file_finding("F018", self.path, message, notes=("the line was skipped",))], line)

    def take(self, other: RowFindings, lines: int) -> None:
        """Append the findings of the rows that follow, which begin ``lines`` lines further down."""
        left_out = other._counts - Counter(finding.code for finding in other.kept)
        self.add(other.kept, lines + 1)
        self._counts += left_out

    def apply(
        self, rules: tuple[Rule, ...], view: object, reading: Reading, options: CheckOptions
    ) -> None:
        """Add what rules find in a view of a document."""
        for rule in rules:
            if rule.optional and rule.code not in options.select:
                continue
            for hit in rule.hits(view):
                if isinstance(hit, Hit):
                    self.add([locate(hit, rule, reading.path, reading.source)], None)

    def close(self) -> list[Finding]:
        """All findings; where some were left out, the first one of a rule says how many."""
        for index, finding in enumerate(self.kept):
            count = self._counts.pop(finding.code, 0)
            if count > MAX_FINDINGS:
                note = f"{count} of these in total; only the first {MAX_FINDINGS} are reported"
                self.kept[index] = replace(finding, notes=(*finding.notes, note))
        return self.kept


def _moved(finding: Finding, line: int) -> Finding:
    """A finding of a row's text, as one of the file that has the row on ``line``."""

    def move(span: Span) -> Span:
        return Span(span.line + line - 1, span.column, span.end_line + line - 1, span.end_column)

    span = move(finding.span) if finding.span else Span(line, 1, line, 1)
    labels = tuple(Label(move(label.span), label.text) for label in finding.labels)
    return replace(finding, span=span, labels=labels, fix=None)
