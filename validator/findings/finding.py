"""What a check finds. Everything that is printed is made from these values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from evalmark.validator.findings.severity import Safety, Severity


class Span(NamedTuple):
    """A stretch of a file: 1-based lines, 1-based columns in code points, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Label(NamedTuple):
    """A further place that explains a finding, with a short text."""

    span: Span
    text: str


class Edit(NamedTuple):
    """Replace the characters ``start`` to ``end`` of the file's text (offsets in code points)."""

    start: int
    end: int
    text: str


class Fix(NamedTuple):
    """The edits that fix a finding."""

    edits: tuple[Edit, ...]
    safety: Safety


@dataclass(frozen=True, slots=True)
class Finding:
    """One mistake, at one place.

    Attributes:
        code: Stable code of the rule, for example ``SG204``; never reused.
        name: Name of the rule, for example ``unknown-condition``.
        severity: Error or warning.
        message: What is wrong, in one sentence: lower case, no full stop.
        path: The file as the caller named it.
        pointer: RFC 6901 pointer to the value; ``""`` is the whole document.
        span: Where in the text; None when the input has no text (``check_data``).
        caret: What was expected at the place itself, shown under it.
        labels: Further places that explain the first.
        notes: Facts worth knowing.
        helps: The very text to write, or the command.
        fix: How ``--fix`` would fix it.
        schema_location: Pointer into the bundled schema; None for a rule's finding.
        fold: Findings of a file with equal code and fold are shown once, with a count.
    """

    code: str
    name: str
    severity: Severity
    message: str
    path: str
    pointer: str = ""
    span: Span | None = None
    caret: str = ""
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()
    fix: Fix | None = None
    schema_location: str | None = None
    fold: str = ""

    @property
    def sort_key(self) -> tuple[object, ...]:
        """Order of findings: errors first, then by place, then code."""
        mild = self.severity is not Severity.ERROR
        return (self.path, mild, self.span or Span(1, 1, 1, 1), self.code, self.message)
