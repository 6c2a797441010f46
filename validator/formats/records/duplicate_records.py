"""Records with the evaluation id, or the results, of another record, and what differs in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evalmark.validator.findings.finding import At, Finding, Hit, locate
from evalmark.validator.findings.phrasing import listed, shown
from evalmark.validator.formats.records.record_rule_table import SAME_CONTENT, SAME_ID
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import Source, make_pointer

#: Places that are named; more are counted.
NAMED = 4
#: The value of a key that an object lacks: not null, which a key can have.
ABSENT = object()


def same_evaluation_id(source: Source, raw: bytes, other: str, other_raw: bytes) -> Finding:
    """The finding for a record whose evaluation id another file has as well.

    See ``Format.same_identity``.
    """
    message = f"duplicate evaluation id: also in {other}"
    notes = (differences(other_raw, raw),)
    hit = Hit(message, At("/evaluation_id"), notes=notes, fold="same id")
    return locate(hit, SAME_ID, source.path, source)


def same_content(source: Source, first: str) -> Finding:
    """The finding for a record with the results of another one."""
    message = f"duplicate record: equals {first} except for its ids and its time of retrieval"
    note = "a new run has another `evaluation_timestamp`"
    hit = Hit(message, At("/evaluation_id"), notes=(note,), fold="same content")
    return locate(hit, SAME_CONTENT, source.path, source)


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
