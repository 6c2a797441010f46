"""Applying the fixes of findings to a text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evalmark.validator.findings.finding import Edit, Finding
from evalmark.validator.findings.severity import Safety


@dataclass(frozen=True, slots=True)
class Fixed:
    """A fixed text, and the findings whose fixes were applied."""

    text: str
    findings: tuple[Finding, ...]


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with non-overlapping edits applied; insertions at one place keep their order."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join(pieces) + text[at:]


def apply_fixes(text: str, findings: Iterable[Finding], *, unsafe: bool = False) -> Fixed:
    """Apply every fix that does not overlap with an earlier one.

    Args:
        text: The text that the findings are about.
        findings: Findings of that text.
        unsafe: Apply also fixes that change what a model reads or a recorded number.
    """
    edits: list[Edit] = []
    fixed: list[Finding] = []
    taken: set[tuple[int, int]] = set()
    for finding in findings:
        fix = finding.fix
        if fix is None or (fix.safety is Safety.UNSAFE and not unsafe):
            continue
        spans = {(edit.start, edit.end) for edit in fix.edits}
        if any(
            start < other_end and other_start < end
            for start, end in spans
            for other_start, other_end in taken
        ):
            continue
        taken |= spans
        edits += fix.edits
        fixed.append(finding)
    return Fixed(apply_edits(text, edits), tuple(fixed))
