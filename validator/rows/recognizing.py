"""Whether a file has rows, and whose."""

from __future__ import annotations

from typing import BinaryIO

from evalmark.validator.findings.finding import Finding
from evalmark.validator.reading.lines import MAX_LINE
from evalmark.validator.reading.markers import CONFLICT


def may_be_no_rows(file: BinaryIO) -> bool:
    """Whether the first line does not look like a row, an object; rewinds the file."""
    first = file.readline(MAX_LINE).strip()
    file.seek(0)
    return first[:1] != b"{" or first[1:].lstrip()[:1] != b'"' or first[-1:] != b"}"


def merge_conflict(found: list[Finding], path: str) -> Finding | None:
    """The finding on a conflict among those on rows; nothing else is said of the file then."""
    return next((each for each in found if each.path == path and each.message == CONFLICT), None)
