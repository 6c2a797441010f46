"""Files of rows: one JSON value a line; a large file is split into byte ranges for workers."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, BinaryIO, NamedTuple, Protocol, TypeVar

from evalmark.schemas.errors import ParseRejected
from evalmark.validator.findings.finding import At, Finding, Label, Mistake, Named, Span, locate
from evalmark.validator.findings.rule import file_finding
from evalmark.validator.format import Share
from evalmark.validator.io.opening import open_regular
from evalmark.validator.reading.lines import CONFLICT, MAX_LINE, Progress, lines
from evalmark.validator.reading.source import Source
from evalmark.validator.reading.strict_json import decode, parse


def may_be_no_rows(file: BinaryIO) -> bool:
    """True if the first line does not look like a row, an object; rewinds the file."""
    first = file.readline(MAX_LINE).strip().removeprefix(BOM_UTF8)
    file.seek(0)
    return first[:1] != b"{" or first[1:].lstrip()[:1] != b'"' or first[-1:] != b"}"


def merge_conflict(findings: list[Finding], path: str) -> Finding | None:
    """The finding on a conflict among those on rows; nothing else is said of the file then."""
    return next((f for f in findings if f.path == path and f.message == CONFLICT), None)


#: Findings of one rule that are reported for a file; further ones are counted.
MAX_FINDINGS = 1000
#: Kinds of alike findings that are counted, so that a file cannot fill the memory with them.
MAX_FOLDS = 10 * MAX_FINDINGS
#: Rows in which the same mistake may still be made by hand.
SOME = 3


def first_row(file: BinaryIO, tries: int = 1) -> Any:
    """The first of ``tries`` rows that is JSON, or Rejected; None if empty. Rewinds the file."""
    tried = 0
    try:
        while line := file.readline(MAX_LINE):
            if not line.strip():
                continue
            tried += 1
            try:
                return parse(decode(line.strip().removeprefix(BOM_UTF8)))
            except ParseRejected:
                if tried == tries:
                    raise
    finally:
        file.seek(0)
    if tried:
        raise ParseRejected
    return None


@dataclass(slots=True)
class RowFindings:
    """Findings of a file of rows: moved to the line of their row, and limited in number."""

    path: str
    kept: list[Finding] = field(default_factory=list)
    _counts: Counter[str] = field(default_factory=Counter)  # by code
    _alike: Counter[tuple[str, str]] = field(default_factory=Counter)  # by code and fold

    def add(self, findings: list[Finding], line: int | None) -> None:
        """Add findings of the row on ``line``; None if they have their places in the file."""
        for finding in findings:
            self._counts[finding.code] += 1
            self._count_alike((finding.code, finding.fold), 1)
            if self._counts[finding.code] <= MAX_FINDINGS:
                self.kept.append(finding if line is None else _on_line(finding, line))

    def _count_alike(self, key: tuple[str, str], count: int) -> None:
        if key in self._alike or len(self._alike) < MAX_FOLDS:
            self._alike[key] += count

    def is_beyond(self, rule: Named) -> bool:
        """Count a finding of a rule that has as many as are reported; whether it has."""
        beyond = self._counts[rule.code] >= MAX_FINDINGS
        self._counts[rule.code] += beyond
        return beyond

    def say(
        self,
        rule: Named,
        message: str,
        line: int,
        source: Source | None = None,
        pointer: str = "",
        fold: str = "",
        helps: tuple[str, ...] = (),
    ) -> None:
        """Add a finding of the row on ``line``, at a pointer within it."""
        mistake = Mistake(message, At(pointer), fold=fold, helps=helps)
        self.add([locate(mistake, rule, self.path, source)], line)

    def too_long(self, line: int) -> None:
        """Add the finding for a line above the limit."""
        message = f"line is longer than {MAX_LINE // 2**20} MiB"
        self.add([file_finding("F018", self.path, message, notes=("the line was skipped",))], line)

    def merge(self, findings: list[Finding], note: str) -> None:
        """Keep the first of some findings, with a note, instead of all of them."""
        first, *others = findings
        gone = {*map(id, others)}
        note_first = replace(first, notes=(*first.notes, note))
        kept = (note_first if finding is first else finding for finding in self.kept)
        self.kept = [finding for finding in kept if id(finding) not in gone]
        self._counts[first.code] -= len(others)

    def merge_alike(self, codes: frozenset[str], rows: int) -> None:
        """Keep the first of findings that fold, if more than half of the rows have them."""
        alike: dict[tuple[str, str], list[Finding]] = defaultdict(list)
        for finding in self.kept:
            if finding.fold and finding.code in codes:
                alike[finding.code, finding.fold].append(finding)
        for (code, fold), group in alike.items():
            many = self._alike[code, fold]
            left_out = many - len(group)
            if many >= SOME and many * 2 > rows:
                self._counts[code] -= left_out
                self.merge(group, f"the same in {many - 1} other rows")

    def take(self, following: RowFindings, lines: int) -> None:
        """Append the findings of the rows that follow, which begin ``lines`` lines further down."""
        kept = following.kept
        left_out = following._counts - Counter(finding.code for finding in kept)
        alike = following._alike - Counter((finding.code, finding.fold) for finding in kept)
        self.add(kept, lines + 1)
        self._counts += left_out
        for key, count in alike.items():
            self._count_alike(key, count)

    def close(self) -> list[Finding]:
        """All findings; where some were left out, the first one of a rule says how many."""
        for index, finding in enumerate(self.kept):
            count = self._counts.pop(finding.code, 0)
            if count > MAX_FINDINGS:
                note = f"{count} of these in total; only the first {MAX_FINDINGS} are reported"
                self.kept[index] = replace(finding, notes=(*finding.notes, note))
        return self.kept


def _on_line(finding: Finding, line: int) -> Finding:
    span = finding.span.below(line - 1) if finding.span else Span(line, 1, line, 1)
    labels = tuple(Label(label.span.below(line - 1), label.text) for label in finding.labels)
    return replace(finding, span=span, labels=labels, fix=None)


#: Bytes of a range, and of one read.
RANGE, BLOCK = 16_000_000, 1 << 20


class Range(NamedTuple):
    """Whole lines of a file, from byte ``start`` to before byte ``end``."""

    start: int
    end: int


class Rows(Protocol):
    """Checked rows of a file or of a part of one; can be sent from one process to another."""

    lines: int
    rows: int
    findings: RowFindings

    def check(self, line: int, raw: bytes | None) -> None:
        """Check the row on a line; None for a line that is too long to be read."""

    def take(self, other: Any) -> None:
        """Append the rows of the part that follows this one."""


Checked = TypeVar("Checked", bound=Rows)


def in_ranges(
    file: BinaryIO,
    path: str,
    new: Callable[[], Checked],
    feed: Callable[[bytes], object],
    progress: Progress | None,
    share: Share,
) -> Checked:
    """Check the rows of a file in workers, while this process feeds the file to a digest.

    The result is that of checking row by row in one process. ``new`` makes rows without any; it
    can be sent to another process.
    """
    rows = new()
    work, died = partial(_check, path, new), partial(_died, path, new)
    for done in share(_ranges(file, feed), work, died, batch=1):
        rows.take(done.result)
        if progress:
            progress(done.piece.end)
    return rows


def _ranges(file: BinaryIO, feed: Callable[[bytes], object]) -> Iterator[Range]:
    """The ranges of a file; each has been passed to ``feed`` before it is yielded."""
    start = at = 0
    while block := file.read(BLOCK):
        feed(block)
        at += len(block)
        if at - start >= RANGE and (cut := block.rfind(b"\n") + 1):
            end = at - len(block) + cut
            yield Range(start, end)
            start = end
    if start < at:
        yield Range(start, at)


def _check(path: str, new: Callable[[], Checked], stretch: Range) -> Checked:
    rows = new()
    for number, line, whole in _lines(path, stretch):
        if whole is not None:
            rows.check(number, line if whole else None)
    return rows


def _lines(path: str, stretch: Range) -> Iterator[tuple[int, bytes, bool | None]]:
    with open_regular(path) as file:
        file.seek(stretch.start)
        yield from lines(file, size=stretch.end - stretch.start)


def _died(path: str, new: Callable[[], Checked], stretch: Range, cause: str) -> Checked:
    rows = new()
    for number, _, _ in _lines(path, stretch):
        rows.lines = rows.rows = number
    message = f"{rows.rows} rows not checked: the worker process died ({cause})"
    rows.findings.add([file_finding("F011", path, message)], 1)
    return rows
