"""A large sample file, split into byte ranges for several workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO

from evalmark.validator.edge.opening import open_regular
from evalmark.validator.findings.file_findings import file_finding
from evalmark.validator.rows.lines import Progress, Share, lines
from evalmark.validator.rows.sample_rows import Expected, SampleRows

#: Bytes of a range, and of one read.
RANGE, BLOCK = 16_000_000, 1 << 20


@dataclass(frozen=True, slots=True)
class Range:
    """Whole lines of a file, from byte ``start`` to before byte ``end``."""

    start: int
    end: int


def in_ranges(
    file: BinaryIO,
    path: str,
    expected: Expected,
    feed: Callable[[bytes], None],
    progress: Progress | None,
    share: Share,
) -> SampleRows:
    """Check the rows of a file in workers, while this process computes the digest.

    The result is that of checking row by row in one process.
    """
    rows = SampleRows(path, expected)
    work, died = partial(_check, path, expected), partial(_died, path, expected)
    for done in share(_ranges(file, feed), work, died, batch=1):
        rows.take(done.result)
        if progress:
            progress(done.piece.end)
    return rows


def _ranges(file: BinaryIO, feed: Callable[[bytes], None]) -> Iterator[Range]:
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


def _check(path: str, expected: Expected, stretch: Range) -> SampleRows:
    rows = SampleRows(path, expected)
    for number, line, whole in _lines(path, stretch):
        if whole is not None:
            rows.check(number, line if whole else None)
    return rows


def _lines(path: str, stretch: Range) -> Iterator[tuple[int, bytes, bool | None]]:
    with open_regular(path) as file:
        file.seek(stretch.start)
        yield from lines(file, size=stretch.end - stretch.start)


def _died(path: str, expected: Expected, stretch: Range, how: str) -> SampleRows:
    rows = SampleRows(path, expected)
    for number, _, _ in _lines(path, stretch):
        rows.lines = rows.rows = number
    message = f"{rows.rows} rows not checked: the worker process died ({how})"
    rows.findings.add([file_finding("F011", path, message)], 1)
    return rows
