"""Output formats by name: pure functions of findings and a ``Look``, loaded when asked for."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.validator.findings.finding import Finding, Severity, Span
from evalmark.validator.formats.builtin import rule_address
from evalmark.validator.io.escaping import json_text, no_command, shown
from evalmark.validator.io.redaction import masked
from evalmark.validator.outputs.report_texts import Look, Painter, painter
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
    level, span = str(finding.severity), finding.span
    yield f"{paint(f'{level}[{finding.code}]', level)}: {paint(shown(finding.message), 'bold')}"
    lines = [label.span.line for label in finding.labels] + ([span.line] if span else [])
    pad = " " * len(str(max(lines, default=1)))
    place = f":{span.line}:{span.column}" if span else ""
    yield f"{pad}{paint('-->', 'blue')} {shown(finding.path)}{place}"
    if span and source is not None and source.text:
        # Marked lines with their numbers, between empty lines.
        bar = paint("|", "blue")
        yield f"{pad} {bar}"
        for number, line in _marked_lines(finding, span, source, paint, level):
            head = paint(f"{number:>{len(pad)}}", "blue") if number else pad
            yield f"{head} {bar} {line}".rstrip() if number != -1 else f"{pad} {paint('…', 'blue')}"
        yield f"{pad} {bar}"
    equals = paint("=", "blue")
    for text in _remarks(finding, more, show_all):
        yield f"{pad} {equals} {shown(text)}"


def _remarks(finding: Finding, more: int, show_all: bool) -> Iterator[str]:
    notes = list(finding.notes)
    if len(notes) > NOTES and not show_all:
        notes = [*notes[: NOTES - 1], f"{len(notes) - NOTES + 1} more notes; `-v` shows them"]
    if more:
        notes.append(
            f"{more} more like this in the file; `-v` shows {'it' if more == 1 else 'them'}"
        )
    yield from (f"note: {note}" for note in notes)
    yield from (f"help: {help_text}" for help_text in finding.helps)
    yield f"rule: {finding.name}{f' at {finding.pointer}' if finding.pointer else ''}"


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
            yield before + 1, _part(masked(source.line(before + 1)), 0)
        elif before and number > before + 2:
            yield -1, ""
        line = masked(source.line(number))
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


#: Of the JSON formats. They are API: fields are added, never renamed or removed.
VERSION = 1


def json_report(findings: Iterable[Finding], look: Look) -> str:
    """All findings, unfolded, as one JSON object."""
    document = {
        "version": VERSION,
        "findings": [finding_data(finding) for finding in findings],
        "summary": asdict(look.summary),
        **({"verdicts": dict(look.verdicts)} if look.verdicts else {}),
        **({"changes": look.differences.as_data()} if look.differences is not None else {}),
    }
    return json_text(document, indent=2) + "\n"


def json_lines(findings: Iterable[Finding], _: Look | None = None) -> str:
    """All findings, unfolded, one JSON object a line."""
    return "".join(json_text(finding_data(finding)) + "\n" for finding in findings)


def finding_data(finding: Finding) -> dict[str, Any]:
    """One finding as JSON data; lines and columns are 1-based, columns count code points."""
    fix = finding.showable_fix
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": str(finding.severity),
        "message": finding.message,
        "path": finding.path,
        "pointer": finding.pointer,
        **_span_data(finding.span),
        "caret": finding.caret,
        "schema_location": finding.schema_location,
        "labels": [{"text": label.text, **_span_data(label.span)} for label in finding.labels],
        "notes": list(finding.notes),
        "helps": list(finding.helps),
        "subject": list(finding.subject),
        "actions": [{"action": name, "values": values} for name, values in finding.actions],
        "url": rule_address(finding.code),
        "fix": fix and {"safety": str(fix.safety), "edits": [edit._asdict() for edit in fix.edits]},
    }


def _span_data(span: Span | None) -> dict[str, int | None]:
    return span._asdict() if span else dict.fromkeys(Span._fields)


def _sarif(findings: Sequence[Finding], look: Look) -> str:
    from evalmark.validator.outputs.sarif import sarif

    return sarif(findings, look)


def _junit(findings: Sequence[Finding], look: Look) -> str:
    from evalmark.validator.outputs.junit import junit

    return junit(findings, look)


def _markdown(findings: Sequence[Finding], look: Look) -> str:
    from evalmark.validator.outputs.markdown import markdown

    return markdown(findings, look)


#: Name -> function. The choices of ``--format`` are its keys.
REPORTS: dict[str, Callable[[Sequence[Finding], Look], str]] = {
    "full": full,
    "concise": concise,
    "json": json_report,
    "jsonl": json_lines,
    "sarif": _sarif,
    "junit": _junit,
    "github": github,
    "markdown": _markdown,
}


def parsed_outputs(arguments: Sequence[str], checked: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Format and file of each report that is wanted, from ``FORMAT=FILE``.

    Raises:
        UnknownNameError: There is no such format.
        UsageError: A file is missing, is named twice, or is one that is checked.
    """
    outputs: list[tuple[str, str]] = []
    for text in arguments:
        form, equals, path = text.partition("=")
        if not equals or not path or path == "-":
            raise UsageError(
                f"an output needs FORMAT=FILE, such as sarif=evalmark.sarif; got {text!r}"
            )
        if form not in REPORTS:
            raise UnknownNameError("output format", form, tuple(REPORTS))
        real = os.path.realpath(path)
        if real in map(os.path.realpath, (file for _, file in outputs)):
            raise UsageError(f"two outputs would be written to {path}")
        if real in map(os.path.realpath, checked):
            raise UsageError(f"the output {text} would replace a file that is checked")
        outputs.append((form, path))
    return tuple(outputs)


def write_outputs(
    outputs: Sequence[tuple[str, str]], findings: Sequence[Finding], look: Look
) -> list[tuple[str, str]]:
    """Write each report to its file; path and reason of those that cannot be written."""
    from evalmark.validator.io.writing import remove_stale_temp_files, write_atomically

    plain, not_written = replace(look, colour=False), []
    for form, path in outputs:
        text = REPORTS[form](findings, plain)
        remove_stale_temp_files(path)  # temporary files of an interrupted run
        try:
            write_atomically(path, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            not_written.append((path, (error.strerror or str(error)).lower()))
    return not_written
