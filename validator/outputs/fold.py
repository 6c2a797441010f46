"""Repeats of one mistake in one file are shown once, with a count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evalmark.validator.findings.finding import Finding


@dataclass(frozen=True, slots=True)
class Folded:
    """A finding, and how many like it follow in the same file."""

    finding: Finding
    more: int


def fold(findings: Iterable[Finding], *, show_all: bool = False) -> list[Folded]:
    """Fold findings with equal path, code and fold key; order is kept."""
    if show_all:
        return [Folded(finding, 0) for finding in findings]
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.path, finding.code, finding.fold), []).append(finding)
    return [Folded(group[0], len(group) - 1) for group in groups.values()]
