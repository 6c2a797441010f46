"""The lines of a file, one after the other, however large it is; and the marks of git in them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from typing import BinaryIO

#: The first line of git's stand-in for a file in Git LFS.
LFS_POINTER = "version https://git-lfs.github.com/spec/"
#: Message for a file that git could not merge.
CONFLICT = "file has a merge conflict"


#: Bytes of a line; longer lines are skipped.
MAX_LINE = 16 * 1024 * 1024

#: Called from time to time with the number of bytes read.
Progress = Callable[[int], None]


def lines(
    file: BinaryIO, progress: Progress | None = None, size: float = math.inf
) -> Iterator[tuple[int, bytes, bool | None]]:
    """Lines with their 1-based numbers and line ends, and whether they are complete.

    Only a line feed ends a line. A line beyond ``MAX_LINE`` comes in pieces, of which the first is
    marked False and the others None. No line is begun after ``size`` bytes.
    """
    number, done = 0, 0
    while done < size and (line := file.readline(MAX_LINE)):
        number += 1
        done += len(line)
        whole = len(line) < MAX_LINE or line.endswith(b"\n")
        yield number, line, whole
        while not whole and (line := file.readline(MAX_LINE)):
            done += len(line)
            yield number, line, None
            whole = line.endswith(b"\n")
        if progress and number % 1000 == 0:
            progress(done)


def fault_of_row(error: Exception, begins: int, ends: int) -> str:
    """What is wrong with a row of cells; an open quote shows only on a later line than its own."""
    return str(error) if begins == ends else f"{error}, in the row that begins on line {begins}"


def file_size(file: BinaryIO) -> int:
    """Bytes of an open file; 0 where it is not a file of the system."""
    try:
        return os.fstat(file.fileno()).st_size
    except OSError:
        return 0
