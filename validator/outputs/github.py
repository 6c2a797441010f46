"""Findings as annotations of a GitHub workflow."""

from __future__ import annotations

from collections.abc import Iterable

from evalmark.validator.edge.escaping import shown
from evalmark.validator.findings.finding import Finding
from evalmark.validator.outputs.concise import concise
from evalmark.validator.outputs.look import Look

#: GitHub shows ten errors and ten warnings of a step.
LIMIT = 10


def github(findings: Iterable[Finding], look: Look) -> str:
    """Annotations (errors first, as many as are shown), then all findings as plain lines."""
    findings = list(findings)
    lines = []
    for level in ("error", "warning"):
        folded = look.folded(finding for finding in findings if finding.severity == level)
        first = folded if len(folded) <= LIMIT else folded[: LIMIT - 1]
        lines += [_annotation(finding, more) for finding, more in first]
        if len(folded) > len(first):
            rest = len(folded) - len(first)
            lines.append(f"::{level} title=evalmark::and {rest} more, see the log")
    return "".join(f"{line}\n" for line in lines) + concise(findings, look)


def _annotation(finding: Finding, more: int) -> str:
    properties = {"file": shown(finding.path)}
    if span := finding.span:
        properties |= {"line": str(span.line), "col": str(span.column)}
        if span.end_line == span.line:
            properties |= {"endLine": str(span.end_line), "endColumn": str(span.end_column)}
    properties["title"] = f"evalmark {finding.code} ({finding.name})"
    message = finding.message + (f" (and {more} more)" if more else "")
    text = "\n".join(map(shown, [message, *(f"help: {help_text}" for help_text in finding.helps)]))
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{finding.severity} {listed}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
