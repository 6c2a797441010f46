"""One line for each finding, for editors and grep."""

from __future__ import annotations

from collections.abc import Iterable

from evalmark.validator.edge.escaping import shown_line
from evalmark.validator.findings.finding import Finding
from evalmark.validator.outputs.look import Look


def concise(findings: Iterable[Finding], look: Look) -> str:
    """``path:line:column: CODE message [name]``."""
    lines = []
    for finding, more in look.folded(findings):
        place = f":{finding.span.line}:{finding.span.column}" if finding.span else ""
        fixable = "[*] " if finding.fix else ""
        tail = f" (and {more} more)" if more else ""
        text = f"{finding.code} {fixable}{finding.message}{tail} [{finding.name}]"
        lines.append(f"{shown_line(f'{finding.path}{place}: {text}')}\n")
    return "".join(lines)
