"""A large file of rows, split into byte ranges for several workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO, Protocol, TypeVar

from evalmark.validator.edge.opening import open_regular
from evalmark.validator.findings.rule import file_finding
from evalmark.validator.format import Share
from evalmark.validator.reading.lines import Progress, lines
from evalmark.validator.rows.lines import RowFindings

#: Bytes of a range, and of one read.
RANGE, BLOCK = 16_000_000, 1 << 20


@dataclass(frozen=True, slots=True)
class Range:
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


def _died(path: str, new: Callable[[], Checked], stretch: Range, how: str) -> Checked:
    rows = new()
    for number, _, _ in _lines(path, stretch):
        rows.lines = rows.rows = number
    message = f"{rows.rows} rows not checked: the worker process died ({how})"
    rows.findings.add([file_finding("F011", path, message)], 1)
    return rows
