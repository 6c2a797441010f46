"""Checking and fixing the data of a page, as ``evalmark check`` does with a file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import RequestRefused
from evalmark.validator.batch.batch_options import BatchOptions, batch_options
from evalmark.validator.batch.ignores import Ignores
from evalmark.validator.check import check_one
from evalmark.validator.config import Config, load_config
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.fix import apply_fixes
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.severity import Safety, Severity
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.strict_json import parse
from evalmark.workbench.page_words import in_page
from evalmark.workbench.placed_text import PlacedText

#: The name of data that has none.
UNNAMED = "suite.json"
#: How often fixes are applied: one can make another possible.
ROUNDS = 10


def check(data: Any, path: str = UNNAMED, root: Path | None = None) -> dict[str, Any]:
    """What is wrong with data: its findings with pointers, and how many there are.

    Args:
        data: The data.
        path: The file that it is of, relative to ``root``.
        root: The folder whose settings count; none count if None.
    """
    started = time.perf_counter()
    text, report, findings = _checked(data, path, root)
    return {
        "kind": report.kind,
        "findings": [_finding(finding, number, text) for number, finding in enumerate(findings)],
        "counts": counts(findings),
        "remarks": list(report.remarks),
        "milliseconds": round(1000 * (time.perf_counter() - started), 1),
    }


def fix(data: Any, wanted: str, path: str = UNNAMED, root: Path | None = None) -> dict[str, Any]:
    """The data with fixes applied.

    Args:
        data: The data.
        wanted: ``safe``, ``all``, or the id of a fix that ``check`` has given for this data.
        path: See ``check``.
        root: See ``check``.

    Raises:
        RequestRefused: There is no such fix: the data is not that of the check.
    """
    applied = 0
    for _ in range(ROUNDS if wanted in ("safe", "all") else 1):
        text, _, findings = _checked(data, path, root)
        if wanted not in ("safe", "all"):
            findings = [f for number, f in enumerate(findings) if _id(f, number) == wanted]
            if not findings:
                raise RequestRefused("the text has changed since it was checked", status=409)
        fixed = apply_fixes(text.text, findings, unsafe=wanted != "safe")
        if not fixed.findings:
            break
        applied += len(fixed.findings)
        data = parse(fixed.text)
    return {"data": data, "applied": applied}


def counts(findings: Sequence[Finding]) -> dict[str, int]:
    """How many findings there are of each severity, and how many can be fixed."""
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    safe = sum(f.fix is not None and f.fix.safety is Safety.SAFE for f in findings)
    fixable = sum(finding.fix is not None for finding in findings)
    return {
        "errors": errors,
        "warnings": len(findings) - errors,
        "fixable": fixable,
        "safely_fixable": safe,
    }


def _checked(
    data: Any, path: str, root: Path | None
) -> tuple[PlacedText, Report, Sequence[Finding]]:
    text = PlacedText.of(path, data)
    reading = Reading(path, text.text, data=data, readable=True, places=text)
    options = options_of(root)
    report = check_one(path, options.asked, reading)
    return text, report, Ignores(options.ignore, options.per_file_ignores).kept(report.findings)


def options_of(root: Path | None) -> BatchOptions:
    """What the settings of a folder ask of a check."""
    return batch_options(Config() if root is None else load_config(str(root)))


def _finding(finding: Finding, number: int, text: PlacedText) -> dict[str, Any]:
    """A finding as the page gets it."""
    place: dict[str, Any] = {"pointer": finding.pointer, "start": None, "end": None}
    if finding.span is not None:
        pointed = text.pointed(finding.span)
        # A finding about the whole file has the place of its first character.
        place = pointed.data() if pointed.pointer or not finding.pointer else place
    fix = finding.fix
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "message": finding.message,
        **place,
        "caret": finding.caret,
        "labels": [
            {**text.pointed(label.span).data(), "text": label.text} for label in finding.labels
        ],
        "notes": [note for note in map(in_page, finding.notes) if note],
        "suggestion": in_page("; ".join(finding.helps)),
        "fix": fix and {"safe": fix.safety is Safety.SAFE, "id": _id(finding, number)},
        "fold": finding.fold,
    }


def _id(finding: Finding, number: int) -> str:
    """The id of the fix of a finding, which another text does not have."""
    return f"{number}.{finding.code}.{finding.span.column if finding.span else 0}"
