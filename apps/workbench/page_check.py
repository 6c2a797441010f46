"""Checking and fixing the data of a page, as ``evalmark check`` does with a file.

The commands say what to type in a terminal. Whatever the page shows of theirs goes through here.

Rules look places up in the text of a file. A page has data and no text, so the text is written
first, on one line, and what is found in it is led back to the values.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.notes import ConversionNotes
from evalmark.schemas.errors import BrokenFile, ConversionError, RequestRefused
from evalmark.schemas.phrase import Phrase, Wordings
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import Action, Finding, Safety, Span, apply_fixes
from evalmark.validator.findings.report import Report
from evalmark.validator.formats.rule_registry import RULES
from evalmark.validator.io.redaction import redacted
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Members, Source, Start, make_pointer, value_end
from evalmark.validator.reading.strict_json import parse

_AGAIN = "save the file and open it again: the page converts it"
#: The texts that a page has other words for; empty where the page shows it anyway, or only a
#: terminal can do what they say.
_WORDS: dict[Wordings, str] = {
    Action.CONVERT: _AGAIN,
    Action.NAME_CONDITION: "name the condition `{}` in its cell in the table, and in the formulas",
    Action.TERMINAL: "",
    ConversionNotes.NO_PREDICTIONS: "",
    ConversionNotes.NO_SUITE: "",
    ConversionNotes.NO_METRIC: "the value of a region is the sum of the surprisals of its words "
    "(metric, under Details)",
    ConversionNotes.USUAL_METRIC: "the value of a region is the sum of the surprisals of its "
    "words, as in such files",
    ConversionNotes.NO_REGIONS: "the regions have no names yet: write them above the columns",
    ConversionNotes.NO_PLACE: "left out, since a suite has no place for it: {}",
    ConversionNotes.LINE: "row {}: {}",
    ConversionNotes.CELLS: "row {} has {}, and the first row {}",
    ConversionNotes.QUOTES: "a text with the character that separates cells has to be in "
    'double quotes: "…"',
    ConversionNotes.NO_MAPPING: "this is a table of scores, and not of sentences",
    ConversionNotes.OTHER_NUMBERS: "regions have other numbers here than in the file: {}",
    ConversionNotes.NO_COLUMN: "the first row does not name these columns: {}",
}


def in_page(*texts: str) -> str:
    """Texts as a page words them; empty if only a terminal can do what they say."""
    return "; ".join(filter(None, map(_worded, texts)))


def _worded(text: object) -> str:
    if isinstance(text, Phrase):
        return _WORDS.get(text.name, text.name).format(*map(_worded, text.values))
    return redacted(str(text))


def refusal(error: Exception) -> str:
    """Why something is refused, as a page says it."""
    if isinstance(error, BrokenFile):
        broken: Finding = error.findings[0]
        return in_page(f"{broken.path}: {broken.code} {broken.message}", *broken.helps)
    if not isinstance(error, ConversionError):
        return in_page(str(error))
    return in_page(error.reason, *error.helps)


class PointedSpan(NamedTuple):
    """A value, or characters inside a string."""

    pointer: str  # of the value
    #: With ``end``, offsets in the string, in UTF-16 code units; None for the whole value.
    start: int | None = None
    end: int | None = None  # see ``start``


class PlacedText(Source):
    """The text of data, on one line, in which places are led back to values."""

    def pointed(self, span: Span) -> PointedSpan:
        """The innermost value that a span begins in."""
        start, end = span.column - 1, span.end_column - 1
        pointer, at = "", 0
        while inner := self._member_before(pointer, at, start):
            token, (at, _, _) = inner
            pointer += make_pointer((token,))
            if start < at:  # in its key
                return PointedSpan(pointer)
        inside = self.text[at] == '"' and at < start <= end < value_end(self.text, at)
        if not inside:
            return PointedSpan(pointer)
        first = self._units(at, start)
        return PointedSpan(pointer, first, first + self._units(start - 1, end))

    def _units(self, start: int, end: int) -> int:
        """UTF-16 code units of the string characters between the one at ``start`` and ``end``."""
        return utf16(json.loads(f'"{self.text[start + 1 : end]}"'))

    def _member_before(self, pointer: str, at: int, offset: int) -> tuple[str, Start] | None:
        known = self._members.get(pointer)
        if known is None:
            known = self._members[pointer] = Members(self.text, at)
        while known.advance() is not None:
            pass
        starts = list(known.starts.items())
        firsts = [start.key if known.is_object else start.value for _, start in starts]
        count = bisect_right(firsts, offset)
        return starts[count - 1] if count else None


def utf16(text: str) -> int:
    """The length of a text as JavaScript counts it."""
    return len(text) + sum(character > "\uffff" for character in text)


#: The name of data that has none.
UNNAMED = "suite.json"
#: How often fixes are applied: one can make another possible.
ROUNDS = 10


def check(data: Any, path: str = UNNAMED, root: Path | None = None) -> dict[str, Any]:
    """The findings on data, with pointers.

    ``path`` is relative to ``root``, whose settings count; none count if it is None.
    """
    text, report = checked(data, path, root, checker_of(root))
    findings = enumerate(report.in_file)
    return {"findings": [_finding(finding, number, text) for number, finding in findings]}


def fix(data: Any, choice: str, path: str = UNNAMED, root: Path | None = None) -> dict[str, Any]:
    """The data with fixes applied; ``path`` and ``root`` are as in ``check``.

    ``choice`` is ``safe``, the id of a fix that ``check`` has given for this data, or the code of a
    rule, which is then checked even if it is optional. A RequestRefused if there is no such fix:
    the data is not that of the check.
    """
    checker = checker_of(root)
    if choice in RULES:
        checker = checker.asking(select=[choice])

    def look(data: Any) -> tuple[str, Sequence[Finding]]:
        text, report = checked(data, path, root, checker)
        return text.text, report.in_file

    data, applied = _fix_in_rounds(data, choice, look, parse)
    return {"data": data, "applied": applied}


def check_text(text: str, path: str = UNNAMED, root: Path | None = None) -> dict[str, Any]:
    """The findings on the text of any file, with lines and columns.

    The ending of ``path`` says how it is read; see ``check``.
    """
    report = _checked_text(text, path, root)
    units = _units_of(text)
    return {
        "kind": report.kind,
        "findings": [
            {**_describe(finding, number), **_place_in(units, finding)}
            for number, finding in enumerate(report.in_file)
        ],
        # Under the name that the page has for the file.
        "remarks": [remark.replace(report.path, path) for remark in report.remarks],
    }


def fix_text(
    text: str, choice: str, path: str = UNNAMED, root: Path | None = None
) -> dict[str, Any]:
    """The text with fixes applied; see ``fix``."""

    def look(text: str) -> tuple[str, Sequence[Finding]]:
        return text, _checked_text(text, path, root).in_file

    text, applied = _fix_in_rounds(text, choice, look, str)
    return {"text": text, "applied": applied}


def _fix_in_rounds(
    content: Any,
    choice: str,
    look: Callable[[Any], tuple[str, Sequence[Finding]]],
    parsed: Callable[[str], Any],
) -> tuple[Any, int]:
    applied = 0
    for _ in range(ROUNDS if choice == "safe" else 1):
        text, findings = look(content)
        if choice != "safe":
            findings = [
                f for number, f in enumerate(findings) if choice in (_id(f, number), f.code)
            ]
            if not findings:
                raise RequestRefused("the text has changed since it was checked", status=409)
        fixed = apply_fixes(text, findings, unsafe=choice != "safe")
        if not fixed.findings:
            break
        applied += len(fixed.findings)
        content = parsed(fixed.text)
    return content, applied


def checked(data: Any, path: str, root: Path | None, checker: Checker) -> tuple[PlacedText, Report]:
    """Data as text, and the report of a checker on it; see ``check``."""
    place = _place(path, root)
    text = PlacedText(place, json.dumps(data, ensure_ascii=False))
    reading = Reading(place, text.text, data=data, readable=True, places=text)
    return text, checker.reading(reading, is_file=_is_there(place, root))


def _checked_text(text: str, path: str, root: Path | None) -> Report:
    place = _place(path, root)
    return checker_of(root).text(text, place, is_file=_is_there(place, root))


def _place(path: str, root: Path | None) -> str:
    return path if root is None else str(root / path)


def _is_there(place: str, root: Path | None) -> bool:
    return root is not None and Path(place).is_file()


def checker_of(root: Path | None) -> Checker:
    """The check in the settings of a folder."""
    return Checker() if root is None else Checker.of(root)


def _finding(finding: Finding, number: int, text: PlacedText) -> dict[str, Any]:
    place = PointedSpan(finding.pointer)
    if finding.span is not None:
        pointed = text.pointed(finding.span)
        # A finding about the whole file has the place of its first character.
        place = pointed if pointed.pointer or not finding.pointer else place
    labels = [
        {**text.pointed(label.span)._asdict(), "text": label.text} for label in finding.labels
    ]
    return {**_describe(finding, number), **place._asdict(), "labels": labels}


def _describe(finding: Finding, number: int) -> dict[str, Any]:
    fix = finding.fix
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "message": finding.message,
        "pointer": finding.pointer,
        "notes": [note for note in map(in_page, finding.notes) if note],
        "suggestion": in_page(*finding.helps),
        "fix": fix and {"safe": fix.safety is Safety.SAFE, "id": _id(finding, number)},
    }


def _place_in(units: Callable[[int, int], int], finding: Finding) -> dict[str, Any]:
    """The place of a finding in a text: as it is printed, and in UTF-16 code units of the text."""
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
    """A function from a line and column to the offset as JavaScript counts it."""
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
