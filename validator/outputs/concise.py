"""One line for each finding, for editors and grep."""

from __future__ import annotations

from collections.abc import Iterable

from evalmark.validator.edge.escaping import shown_line
from evalmark.validator.findings.finding import Finding
from evalmark.validator.outputs.fold import fold
from evalmark.validator.outputs.look import Look


def concise(findings: Iterable[Finding], look: Look) -> str:
    """``path:line:column: CODE message [name]``."""
    lines = []
    for folded in fold(findings, show_all=look.show_all):
        finding, more = folded.finding, folded.more
        place = f":{finding.span.line}:{finding.span.column}" if finding.span else ""
        fixable = "[*] " if finding.fix else ""
        tail = f" (and {more} more)" if more else ""
        lines.append(
            shown_line(
                f"{finding.path}{place}: {finding.code} {fixable}{finding.message}"
                f"{tail} [{finding.name}]"
            )
        )
    return "".join(f"{line}\n" for line in lines)
