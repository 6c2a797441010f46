"""Records with the evaluation id, or the results, of another record, and what differs in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evalmark.validator.findings.finding import At, Finding, Hit, locate
from evalmark.validator.findings.phrasing import listed, shown
from evalmark.validator.formats.records.base_rule_table import NEAR_DUPLICATE, SAME_CONTENT
from evalmark.validator.formats.records.record_rule_table import SAME_ID
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


def repeated(source: Source, first: str, *, is_exact: bool) -> Finding:
    """The finding for a record with the results of another one, perhaps rounded."""
    message = f"near-duplicate: model, benchmarks and scores, after rounding, are those of {first}"
    if is_exact:
        message = f"duplicate record: equals {first} except for its ids and its time of retrieval"
    note = "a new run has another `evaluation_timestamp`"
    hit = Hit(message, At("/evaluation_id"), notes=(note,), fold="same content")
    return locate(hit, SAME_CONTENT if is_exact else NEAR_DUPLICATE, source.path, source)


def differences(left: bytes, right: bytes) -> str:
    """In words, what differs between two records, given as JSON texts."""
    first, second = (read(raw, "") for raw in (left, right))
    if not first.readable or not second.readable:
        return "the two could not be compared"
    different = list(_different(first.data, second.data, ()))
    if not different:
        return "the two records are equal"
    places = listed((_place(*difference) for difference in different), NAMED)
    return f"the two records differ in {places}"


def _different(
    left: Any, right: Any, path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], Any, Any]]:
    """The places at which two values differ: as deep as both have the same shape."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in dict.fromkeys((*left, *right)):
            if key not in left or key not in right or left[key] != right[key]:
                yield from _different(left.get(key, ABSENT), right.get(key, ABSENT), (*path, key))
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index, pair in enumerate(zip(left, right, strict=True)):
            if pair[0] != pair[1]:
                yield from _different(*pair, (*path, index))
    else:
        yield path, left, right


def _place(path: tuple[str | int, ...], left: Any, right: Any) -> str:
    """A place, with both values where they are short."""
    where = make_pointer(path) or "everything"
    if isinstance(left, list) and isinstance(right, list):
        return f"{where} ({len(left)} and {len(right)} entries)"
    if isinstance(left, dict | list) or isinstance(right, dict | list):
        return where
    return f"{where} ({_value(left)} and {_value(right)})"


def _value(value: Any) -> str:
    return "absent" if value is ABSENT else shown(value)
