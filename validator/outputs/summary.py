"""The summary: what was checked, and what can be fixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evalmark.validator.findings.finding import Finding, Safety, Severity


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over a whole call."""

    files: int
    errors: int
    warnings: int
    files_with_findings: int
    fixable: int
    fixable_unsafe: int


def summarize(files: int, findings: Sequence[Finding]) -> Summary:
    """Count findings."""
    safeties = [finding.fix.safety for finding in findings if finding.fix]
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    return Summary(
        files,
        errors,
        len(findings) - errors,
        len({finding.path for finding in findings}),
        safeties.count(Safety.SAFE),
        safeties.count(Safety.UNSAFE),
    )


def summary_text(summary: Summary, findings: Sequence[Finding] = ()) -> str:
    """The summary in words; it ends with how to read more on the first error."""
    checked = f"Checked {_count(summary.files, 'file')}: "
    if not summary.errors and not summary.warnings:
        return checked + "no findings.\n"
    text = (
        f"{checked}{_count(summary.errors, 'error')}, {_count(summary.warnings, 'warning')} "
        f"in {_count(summary.files_with_findings, 'file')}.\n"
    )
    hints = []
    if summary.fixable:
        hints.append(f"{summary.fixable} fixable with `--fix`")
    if summary.fixable_unsafe:
        hints.append(f"{summary.fixable_unsafe} with `--fix --unsafe-fixes`")
    text += f"[*] {', '.join(hints)}. " if hints else ""
    if findings:
        first = min(findings, key=lambda finding: finding.severity is not Severity.ERROR)
        text += f"`evalmark explain {first.code}` says more.\n"
    return text


def verdicts_text(verdicts: Sequence[tuple[str, str]]) -> str:
    """How many files a leaderboard's validator would accept, in words."""
    words = {"pass": "accepted", "warn": "accepted with warnings", "refuse": "rejected"}
    counts = Counter(verdict for _, verdict in verdicts)
    parts = (f"{counts[verdict]} {word}" for verdict, word in words.items() if counts[verdict])
    return f"EEE's validator: {', '.join(parts)}.\n" if verdicts else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
