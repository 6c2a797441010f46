"""Checking and fixing the data of a page, as ``evalmark check`` does with a file."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import RequestRefused
from evalmark.validator.batch.check_files import BatchOptions, Ignores, batch_options
from evalmark.validator.check import check_one
from evalmark.validator.config import Config, load_config
from evalmark.validator.findings.finding import Finding, Safety, Severity, apply_fixes
from evalmark.validator.findings.report import Report
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.strict_json import parse
from evalmark.workbench.page_words import in_page
from evalmark.workbench.placed_text import PlacedText

#: The name of data that has none.
UNNAMED = "suite.json"
#: How often fixes are applied: one can make another possible.
ROUNDS = 10


def check(
    data: Any,
    path: str = UNNAMED,
    root: Path | None = None,
    *,
    options: BatchOptions | None = None,
) -> dict[str, Any]:
    """What is wrong with data: its findings with pointers, and how many there are.

    Args:
        data: The data.
        path: The file that it is of, relative to ``root``.
        root: The folder whose settings count; none count if None.
        options: What its settings ask for, if that is known already.
    """
    started = time.perf_counter()
    text, report, findings = _checked(data, path, options or options_of(root))
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

    def look(data: Any) -> tuple[str, Sequence[Finding]]:
        text, _, findings = _checked(data, path, options_of(root))
        return text.text, findings

    data, applied = _in_rounds(data, wanted, look, parse)
    return {"data": data, "applied": applied}


def check_text(text: str, path: str = UNNAMED, root: Path | None = None) -> dict[str, Any]:
    """What is wrong with the text of any file, with lines and columns.

    Args:
        text: The text.
        path: The file that it is of, relative to ``root``; its ending says how it is read.
        root: See ``check``.
    """
    started = time.perf_counter()
    report, findings = _checked_text(text, path, root)
    units = _units_of(text)
    return {
        "kind": report.kind,
        "version": report.version,
        "findings": [
            {**_described(finding, number), **_place_in(units, finding)}
            for number, finding in enumerate(findings)
        ],
        "counts": counts(findings),
        "remarks": list(report.remarks),
        "milliseconds": round(1000 * (time.perf_counter() - started), 1),
    }


def fix_text(
    text: str, wanted: str, path: str = UNNAMED, root: Path | None = None
) -> dict[str, Any]:
    """The text with fixes applied; see ``fix``.

    Raises:
        RequestRefused: There is no such fix.
    """

    def look(text: str) -> tuple[str, Sequence[Finding]]:
        return text, _checked_text(text, path, root)[1]

    text, applied = _in_rounds(text, wanted, look, str)
    return {"text": text, "applied": applied}


def _in_rounds(
    content: Any,
    wanted: str,
    look: Callable[[Any], tuple[str, Sequence[Finding]]],
    parsed: Callable[[str], Any],
) -> tuple[Any, int]:
    """Content with fixes applied, and how many: ``look`` gives its text and its findings."""
    applied = 0
    for _ in range(ROUNDS if wanted in ("safe", "all") else 1):
        text, findings = look(content)
        if wanted not in ("safe", "all"):
            findings = [f for number, f in enumerate(findings) if _id(f, number) == wanted]
            if not findings:
                raise RequestRefused("the text has changed since it was checked", status=409)
        fixed = apply_fixes(text, findings, unsafe=wanted != "safe")
        if not fixed.findings:
            break
        applied += len(fixed.findings)
        content = parsed(fixed.text)
    return content, applied


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
    data: Any, path: str, options: BatchOptions
) -> tuple[PlacedText, Report, Sequence[Finding]]:
    text = PlacedText.of(path, data)
    reading = Reading(path, text.text, data=data, readable=True, places=text)
    report = check_one(path, options.asked, reading)
    return text, report, Ignores(options.ignore, options.per_file_ignores).kept(report.findings)


def _checked_text(text: str, path: str, root: Path | None) -> tuple[Report, Sequence[Finding]]:
    options = options_of(root)
    # A lone surrogate cannot be in a file of UTF-8: the check says where it is.
    report = check_one(path, options.asked, text.encode("utf-8", "surrogatepass"))
    return report, Ignores(options.ignore, options.per_file_ignores).kept(report.findings)


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
    labels = [{**text.pointed(label.span).data(), "text": label.text} for label in finding.labels]
    return {**_described(finding, number), **place, "labels": labels}


def _described(finding: Finding, number: int) -> dict[str, Any]:
    """A finding without its place."""
    fix = finding.fix
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "message": finding.message,
        "pointer": finding.pointer,
        "caret": finding.caret,
        "notes": [note for note in map(in_page, finding.notes) if note],
        "suggestion": in_page("; ".join(finding.helps)),
        "fix": fix and {"safe": fix.safety is Safety.SAFE, "id": _id(finding, number)},
        "fold": finding.fold,
    }


def _place_in(units: Callable[[int, int], int], finding: Finding) -> dict[str, Any]:
    """Where a finding is in a text: as it is printed, and in UTF-16 code units of the text."""
    labels = [
        {"line": label.span.line, "column": label.span.column, "text": label.text}
        for label in finding.labels
    ]
    if finding.span is None:
        return {"line": None, "column": None, "start": None, "end": None, "labels": labels}
    line, column, *end = finding.span
    place = {"start": units(line, column), "end": units(*end)}
    return {"line": line, "column": column, **place, "labels": labels}


def _units_of(text: str) -> Callable[[int, int], int]:
    """What gives the offset of a line and column as JavaScript counts it."""
    starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))

    def units(line: int, column: int) -> int:
        offset = min(starts[min(line, len(starts)) - 1] + column - 1, len(text))
        if text.isascii():
            return offset
        return len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2

    return units


def _id(finding: Finding, number: int) -> str:
    """The id of the fix of a finding, which another text does not have."""
    place = f"{finding.span.line}.{finding.span.column}" if finding.span else ""
    return f"{number}.{finding.code}.{place}"
