"""Records that repeat others, to a degree: from their id to most of their scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Any

from evalmark.validator.findings.finding import At, Finding, Hit, Severity, locate
from evalmark.validator.findings.phrasing import listed, shown
from evalmark.validator.findings.rule import BEGINNING
from evalmark.validator.formats.records.base_rule_table import OTHERS_RECORD
from evalmark.validator.formats.records.record_rule_table import REPEATED
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import Source, make_pointer

#: Places that are named; more are counted.
NAMED = 4
#: The value of a key that an object lacks: not null, which a key can have.
ABSENT = object()


class Degree(StrEnum):
    """The sense in which a record repeats another one, or no evaluation at all: in words."""

    SAME_ID = "duplicate evaluation id: also in {other}"
    EQUAL = "duplicate record: model, benchmarks and scores are those of {other}"
    ROUNDED = "near-duplicate: model, benchmarks and scores, after rounding, are those of {other}"
    COPIED = "{results} of {of} scores equal those of another model, {model}: {other}"
    CONSTANT = "all {of} scores are the same"
    PERFECT = "all {of} scores are the best possible ones"


def same_evaluation_id(source: Source, raw: bytes, other: str, other_raw: bytes) -> Finding:
    """The finding for a record whose evaluation id another file has as well.

    See ``Format.same_identity``.
    """
    hit = Hit(
        Degree.SAME_ID.format(other=other),
        At("/evaluation_id"),
        notes=(differences(other_raw, raw),),
        fold="same id",
    )
    return locate(hit, REPEATED, source.path, source)


def repeated(source: Source, degree: Degree, **values: object) -> Finding:
    """The warning for a record that repeats another one in some degree, with what that names."""
    notes = ("a new run has another `evaluation_timestamp`",) if degree is Degree.EQUAL else ()
    hit = Hit(degree.format(**values), At("/model_info/id"), notes=notes, fold=degree.name)
    return locate(hit, REPEATED._replace(severity=Severity.WARNING), source.path, source)


def of_others(path: str, counts: Counter[str], author: str) -> Finding:
    """The finding for a record of somebody else that a branch removes or changes; see ``Rule``.

    Args:
        path: The record.
        counts: ``deleted``, ``unreadable``, or how much is ``removed``, ``changed``, and changed in
            other ``fields``.
        author: The name of who has added it; empty if git does not tell.
    """
    words = {"removed": "remove", "changed": "change", "fields": "change"}
    nouns = {"removed": "result", "changed": "score", "fields": "other field"}
    parts = [
        f"{words[kind]}s {count} {nouns[kind]}{'s'[: count - 1]}"
        for kind in words
        if (count := counts[kind])
    ]
    what = " and ".join(parts) + " of" if parts else "removes"
    if counts["unreadable"]:
        what = "makes unreadable"
    whose = f"which {shown(author)} added" if author else "which is not known to be its own"
    message = f"this branch {what} a record of the base, {whose}"
    return replace(locate(Hit(message, At("")), OTHERS_RECORD, path, None), span=BEGINNING)


def differences(left: bytes, right: bytes) -> str:
    """In words, what differs between two records, given as JSON texts."""
    first, second = (read(raw, "") for raw in (left, right))
    if not first.readable or not second.readable:
        return "the two could not be compared"
    found = list(different(first.data, second.data, ()))
    if not found:
        return "the two records are equal"
    places = listed((_place(*difference) for difference in found), NAMED)
    return f"the two records differ in {places}"


def different(
    left: Any, right: Any, path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], Any, Any]]:
    """The places at which two values differ: as deep as both have the same shape."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in dict.fromkeys((*left, *right)):
            if key not in left or key not in right or left[key] != right[key]:
                yield from different(left.get(key, ABSENT), right.get(key, ABSENT), (*path, key))
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index, pair in enumerate(zip(left, right, strict=True)):
            if pair[0] != pair[1]:
                yield from different(*pair, (*path, index))
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
