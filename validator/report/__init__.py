"""Showing findings. Every form is a pure function of a list of findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .._finding import Finding
from ._summary import Summary, summarize, summary_text
from .concise import concise
from .full import SourceOf, full
from .github import github
from .json_ import finding_data, json_lines, json_report


class Look(NamedTuple):
    """How findings are to be shown."""

    source_of: SourceOf
    show_all: bool = False
    colour: bool = False


def _sarif(findings: Sequence[Finding], _: Summary, __: Look) -> str:
    from .sarif import sarif

    return sarif(findings)


def _junit(findings: Sequence[Finding], summary: Summary, _: Look) -> str:
    from .junit import junit

    return junit(findings, summary)


#: Name → form. The choices of ``--format`` are its keys.
REPORTS: dict[str, Callable[[Sequence[Finding], Summary, Look], str]] = {
    "full": lambda findings, _, look: full(
        findings, look.source_of, show_all=look.show_all, colour=look.colour
    ),
    "concise": lambda findings, _, look: concise(findings, show_all=look.show_all),
    "json": lambda findings, summary, _: json_report(findings, summary),
    "jsonl": lambda findings, _, __: json_lines(findings),
    "sarif": _sarif,
    "junit": _junit,
    "github": lambda findings, _, look: github(findings, show_all=look.show_all),
}

__all__ = [
    "REPORTS",
    "Look",
    "Summary",
    "concise",
    "finding_data",
    "full",
    "github",
    "json_lines",
    "json_report",
    "summarize",
    "summary_text",
]
