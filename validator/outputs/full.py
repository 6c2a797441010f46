"""Findings with the lines they are about, drawn for people."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from evalmark.validator.edge.escaping import no_command, shown
from evalmark.validator.findings.finding import Finding, Span
from evalmark.validator.outputs.colours import Painter, painter
from evalmark.validator.outputs.look import Look
from evalmark.validator.reading.source import Source

#: Columns of a source line that are shown; longer ones are cut around the caret.
WIDTH = 88
#: Columns before the caret that are kept when a line is cut.
LEAD = 36
#: Notes of a finding that are shown.
NOTES = 4


def full(findings: Iterable[Finding], look: Look) -> str:
    """All findings as frames, an empty line between two."""
    frames = []
    paint = painter(look.colour)
    for finding, more in look.folded(findings):
        source = look.source_of(finding.path)
        lines = _frame(finding, source, more, paint, look.show_all)
        frames.append("\n".join(map(no_command, lines)))
    return "\n\n".join(frames) + "\n" if frames else ""


def _frame(
    finding: Finding, source: Source | None, more: int, paint: Painter, show_all: bool
) -> Iterator[str]:
    level = str(finding.severity)
    yield f"{paint(f'{level}[{finding.code}]', level)}: {paint(shown(finding.message), 'bold')}"
    span = finding.span
    spans = [label.span for label in finding.labels] + ([span] if span else [])
    gutter = len(str(max((span.line for span in spans), default=1)))
    pad = " " * gutter
    place = f":{span.line}:{span.column}" if span else ""
    yield f"{pad}{paint('-->', 'blue')} {shown(finding.path)}{place}"
    bar = paint("|", "blue")
    if span and source is not None and source.text:
        yield f"{pad} {bar}"
        for number, line in _marked_lines(finding, span, source, paint, level):
            head = paint(f"{number:>{gutter}}", "blue") if number else pad
            yield f"{head} {bar} {line}".rstrip() if number != -1 else f"{pad} {paint('…', 'blue')}"
        yield f"{pad} {bar}"
    equals = paint("=", "blue")
    notes = list(finding.notes)
    if len(notes) > NOTES and not show_all:
        notes = [*notes[: NOTES - 1], f"{len(notes) - NOTES + 1} more notes (--show-all)"]
    for note in notes:
        yield f"{pad} {equals} note: {shown(note)}"
    if more:
        yield f"{pad} {equals} note: {more} more of these in this file (--show-all)"
    for help_text in finding.helps:
        yield f"{pad} {equals} help: {shown(help_text)}"
    where = f" at {shown(finding.pointer)}" if finding.pointer else ""
    yield f"{pad} {equals} rule: {finding.name}{where}"


def _marked_lines(
    finding: Finding,
    span: Span,
    source: Source,
    paint: Painter,
    level: str,
) -> Iterator[tuple[int, str]]:
    """Line number and text; number 0 for lines of marks, -1 for a gap."""
    marks: dict[int, list[tuple[Span, str, str, str]]] = {}
    marks.setdefault(span.line, []).append((span, "^", finding.caret, level))
    for label in finding.labels:
        marks.setdefault(label.span.line, []).append((label.span, "-", label.text, "blue"))
    before = 0
    for number in sorted(marks):
        if before and number == before + 2:
            yield before + 1, _part(source.line(before + 1), 0)
        elif before and number > before + 2:
            yield -1, ""
        line = source.line(number)
        columns = [mark[0].column for mark in marks[number]]
        # Where not all places fit, the line is shown around that of the finding.
        fit = max(columns) - min(columns) < WIDTH - LEAD
        first = (min(columns) if fit else columns[0]) - 1
        start = max(0, first - LEAD) if len(line) > WIDTH else 0
        yield number, _part(line, start)
        for mark, sign, text, style in marks[number]:
            if mark.column <= start:
                continue  # before the visible part
            end = mark.end_column if mark.end_line == mark.line else len(line) + 1
            # A place after the visible part is marked at the end of that part.
            left = _part(line[: mark.column - 1], start)
            stop = min(end - 1, start + WIDTH)
            count = max(1, _width(shown(_spaced(line[mark.column - 1 : stop]))))
            text_part = f" {shown(text)}" if text else ""
            yield 0, " " * _width(left) + paint(sign * count + text_part, style)
        before = number


def _part(line: str, start: int) -> str:
    """The visible part of a line, escaped."""
    part = shown(_spaced(line[start : start + WIDTH]))
    return ("…" if start else "") + part + ("…" if len(line) > start + WIDTH else "")


def _spaced(text: str) -> str:
    """Tabs count one column, so that carets stay in place."""
    return text.replace("\t", " ")


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
