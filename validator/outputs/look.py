"""What an output format needs to know besides the findings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TextIO

from evalmark.validator.findings.finding import Finding
from evalmark.validator.outputs.summary import Summary
from evalmark.validator.reading.source import Source


@dataclass(frozen=True, slots=True)
class Look:
    """How findings are shown."""

    summary: Summary
    source_of: Callable[[str], Source | None]  # the text of a path, if it is available
    show_all: bool = False  # do not fold repeats
    colour: bool = False
    verdicts: tuple[tuple[str, str], ...] = ()  # with a profile: each file and its verdict
    paths: tuple[str, ...] = ()  # all checked files, if the format lists them
    web: str = ""  # where the current folder is on the web, with a slash; empty for relative links

    def folded(self, findings: Iterable[Finding]) -> list[tuple[Finding, int]]:
        """Findings, each with how many like it in the same file are not shown; order is kept.

        What differs in its suggestion is shown.
        """
        if self.show_all:
            return [(finding, 0) for finding in findings]
        groups: dict[tuple[object, ...], list[Finding]] = {}
        for finding in findings:
            like = (finding.path, finding.code, finding.fold, finding.helps)
            groups.setdefault(like, []).append(finding)
        return [(group[0], len(group) - 1) for group in groups.values()]


def output_format_for(choice: str, stream: TextIO) -> str:
    """The output format of a stream; ``auto`` depends on what it is."""
    if choice != "auto":
        return choice
    if os.environ.get("GITHUB_ACTIONS") == "true":
        return "github"
    return "full" if stream.isatty() else "concise"
