"""Output formats by name. Each is a pure function of findings and a ``Look``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from evalmark.validator.findings.finding import Finding
from evalmark.validator.outputs.look import Look

#: Name -> module and function. The choices of ``--format`` are its keys.
REPORTS: dict[str, str] = {
    "full": "full:full",
    "concise": "concise:concise",
    "json": "json_report:json_report",
    "jsonl": "json_report:json_lines",
    "sarif": "sarif:sarif",
    "junit": "junit:junit",
    "github": "github:github",
    "markdown": "markdown:markdown",
}


def render(name: str, findings: Sequence[Finding], look: Look) -> str:
    """Findings in an output format; only its module is loaded."""
    module, _, function = REPORTS[name].partition(":")
    write: Callable[[Sequence[Finding], Look], str] = getattr(
        import_module(f"evalmark.validator.outputs.{module}"), function
    )
    return write(findings, look)
