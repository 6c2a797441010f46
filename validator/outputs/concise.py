"""One line for each finding, for editors and grep."""

from __future__ import annotations

from collections.abc import Iterable

from evalmark.validator.edge.escaping import no_command, shown
from evalmark.validator.findings.finding import Finding, Severity
from evalmark.validator.outputs.colours import Painter, painter
from evalmark.validator.outputs.look import Look


def concise(findings: Iterable[Finding], look: Look) -> str:
    """``path:line:column: severity[CODE] message [name]; help: …``; errors first."""
    paint = painter(look.colour)
    folded = look.folded(findings)
    folded.sort(key=lambda pair: pair[0].severity is not Severity.ERROR)
    return "".join(f"{_line(finding, more, paint)}\n" for finding, more in folded)


def _line(finding: Finding, more: int, paint: Painter) -> str:
    place = f":{finding.span.line}:{finding.span.column}" if finding.span else ""
    level = str(finding.severity)
    fixable = "[*] " if finding.fix else ""
    tail = f" (and {more} more)" if more else ""
    helps = "".join(f"; {paint('help', 'blue')}: {shown(text)}" for text in finding.helps)
    return no_command(
        f"{shown(finding.path)}{place}: {paint(f'{level}[{finding.code}]', level)} "
        f"{fixable}{shown(finding.message)}{tail} [{finding.name}]{helps}"
    )
