"""Files of rows: one JSON value on each line, read one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, BinaryIO

from ._document import ROW_KINDS, SAMPLE_LABEL, detect
from ._finding import Finding, Label, Span
from ._hit import At, Hit, locate
from ._parse import Rejected, decode, parse
from ._source import Source

if TYPE_CHECKING:
    from ._hit import Named

#: Findings of one rule that are kept for a file; the others are counted.
MAX_FINDINGS = 1000
#: Bytes of one line; what follows is taken for another one.
MAX_LINE = 64 * 1024 * 1024

#: Called now and then with the bytes that were read.
Progress = Callable[[int], None]


def lines(file: BinaryIO, progress: Progress | None = None) -> Iterator[tuple[int, bytes]]:
    """Lines with their 1-based numbers and their ends; only a line feed ends a line."""
    number, done = 0, 0
    while line := file.readline(MAX_LINE):
        number += 1
        done += len(line)
        yield number, line
        if progress and number % 1000 == 0:
            progress(done)


def kind_of_rows(file: BinaryIO) -> str | None:
    """The kind of the first row; what cannot be read counts as a sample. The file is rewound."""
    first = b""
    while not first.strip() and (line := file.readline(MAX_LINE)):
        first = line
    file.seek(0)
    try:
        data = parse(decode(first.strip()))
    except Rejected:
        return "sample" if first.strip() else None
    kind = detect(data)
    if kind in ROW_KINDS:
        return kind
    label = data.get("schema_version") if isinstance(data, dict) else None
    return "sample" if isinstance(label, str) and label.startswith(SAMPLE_LABEL) else None


@dataclass(slots=True)
class RowFindings:
    """Findings of a file of rows: those of a row move to its line, and floods are cut."""

    kept: list[Finding] = field(default_factory=list)
    _counts: dict[str, int] = field(default_factory=dict)

    def add(self, findings: list[Finding], line: int) -> None:
        """Keep findings of the text of a row that stands on ``line``."""
        for finding in findings:
            count = self._counts[finding.code] = self._counts.get(finding.code, 0) + 1
            if count <= MAX_FINDINGS:
                self.kept.append(_moved(finding, line))

    def say(
        self,
        rule: Named,
        message: str,
        path: str,
        line: int,
        source: Source | None = None,
        pointer: str = "",
        fold: str = "",
    ) -> None:
        """Keep what is wrong with the row on ``line``, at a pointer within it."""
        self.add([locate(Hit(message, At(pointer), fold=fold), rule, path, source)], line)

    def close(self) -> list[Finding]:
        """All that is kept; the first of a rule says how many more there were."""
        for index, finding in enumerate(self.kept):
            count = self._counts.pop(finding.code, 0)
            if count > MAX_FINDINGS:
                note = f"{count} of these in all; the first {MAX_FINDINGS} are kept"
                self.kept[index] = replace(finding, notes=(*finding.notes, note))
        return self.kept


def _moved(finding: Finding, line: int) -> Finding:
    """A finding of a row's text, as one of the file that has the row on ``line``."""

    def move(span: Span) -> Span:
        return Span(span.line + line - 1, span.column, span.end_line + line - 1, span.end_column)

    span = move(finding.span) if finding.span else Span(line, 1, line, 1)
    labels = tuple(Label(move(label.span), label.text) for label in finding.labels)
    return replace(finding, span=span, labels=labels, fix=None)
