"""Files that share an id, and what differs between two of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evalmark.validator.findings.file_findings import same_evaluation_id, same_suite_name
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.words import listed, shown
from evalmark.validator.formats.known import identify
from evalmark.validator.reading.pointer import make_pointer
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import Source

#: Places that are named; more are counted.
NAMED = 4
#: The value of a key that an object lacks: not null, which a key can have.
ABSENT = object()


def same_identity(
    path: str, raw: bytes, other: str, other_raw: bytes, kind: str | None = None
) -> Report:
    """The report of a file with the evaluation id, or the name, of another one.

    Args:
        path: The file.
        raw: What it holds.
        other: The other file, in words.
        other_raw: What that one holds.
        kind: What the file is, if its content does not tell.
    """
    reading = read(raw, path)
    source, document = reading.source or Source(path, ""), identify(reading.data, kind)
    kind = document.kind
    if document.format and not document.format.is_record:
        return Report(path, kind, None, (same_suite_name(path, other, source),))
    note = differences(other_raw, raw)
    return Report(path, kind, None, (same_evaluation_id(path, other, source, note),))


def differences(one: bytes, other: bytes) -> str:
    """In words, what differs between two records, given as JSON texts."""
    first, second = (read(raw, "") for raw in (one, other))
    if not first.readable or not second.readable:
        return "the two could not be compared"
    found = list(_different(first.data, second.data, ()))
    if not found:
        return "the two records are equal"
    places = listed((_place(*difference) for difference in found), NAMED)
    return f"the two records differ in {places}"


def _different(
    one: Any, other: Any, path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], Any, Any]]:
    """The places at which two values differ: as deep as both have the same shape."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys((*one, *other)):
            if key not in one or key not in other or one[key] != other[key]:
                yield from _different(one.get(key, ABSENT), other.get(key, ABSENT), (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (left, right) in enumerate(zip(one, other, strict=True)):
            if left != right:
                yield from _different(left, right, (*path, index))
    else:
        yield path, one, other


def _place(path: tuple[str | int, ...], one: Any, other: Any) -> str:
    """A place, with both values where they are short."""
    where = make_pointer(path) or "everything"
    if isinstance(one, list) and isinstance(other, list):
        return f"{where} ({len(one)} and {len(other)} entries)"
    if isinstance(one, dict | list) or isinstance(other, dict | list):
        return where
    return f"{where} ({_value(one)} and {_value(other)})"


def _value(value: Any) -> str:
    return "absent" if value is ABSENT else shown(value)
