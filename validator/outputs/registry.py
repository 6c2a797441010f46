"""Showing findings. Every form is a pure function of a list of findings.

A form's module is loaded when it is used: a clean file has nothing to show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from evalmark.validator.findings.finding import Finding
    from evalmark.validator.outputs.full import SourceOf
    from evalmark.validator.outputs.summary import Summary as Summary
    from evalmark.validator.outputs.summary import summarize as summarize
    from evalmark.validator.outputs.summary import summary_text as summary_text


class Look(NamedTuple):
    """How findings are to be shown."""

    source_of: SourceOf
    show_all: bool = False
    colour: bool = False


Form = Callable[["Sequence[Finding]", "Summary", Look], str]


def _full(findings: Sequence[Finding], _: Summary, look: Look) -> str:
    from evalmark.validator.outputs.full import full

    return full(findings, look.source_of, show_all=look.show_all, colour=look.colour)


def _concise(findings: Sequence[Finding], _: Summary, look: Look) -> str:
    from evalmark.validator.outputs.concise import concise

    return concise(findings, show_all=look.show_all)


def _json(findings: Sequence[Finding], summary: Summary, _: Look) -> str:
    from evalmark.validator.outputs.json_report import json_report

    return json_report(findings, summary)


def _jsonl(findings: Sequence[Finding], _: Summary, __: Look) -> str:
    from evalmark.validator.outputs.json_report import json_lines

    return json_lines(findings)


def _sarif(findings: Sequence[Finding], _: Summary, __: Look) -> str:
    from evalmark.validator.outputs.sarif import sarif

    return sarif(findings)


def _junit(findings: Sequence[Finding], summary: Summary, _: Look) -> str:
    from evalmark.validator.outputs.junit import junit

    return junit(findings, summary)


def _github(findings: Sequence[Finding], _: Summary, look: Look) -> str:
    from evalmark.validator.outputs.github import github

    return github(findings, show_all=look.show_all)


#: Name → form. The choices of ``--format`` are its keys.
REPORTS: dict[str, Form] = {
    "full": _full,
    "concise": _concise,
    "json": _json,
    "jsonl": _jsonl,
    "sarif": _sarif,
    "junit": _junit,
    "github": _github,
}

__all__ = ["REPORTS", "Look", "Summary", "summarize", "summary_text"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("evalmark.validator.outputs.summary"), name)
