"""Signs that a file is one of ours though it lacks keys, or is in a list or an object."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from evalmark.validator.format import Format
from evalmark.validator.formats.builtin import FIRST, FORMATS, format_of
from evalmark.validator.formats.records.records_format import RECORD
from evalmark.validator.formats.unreadable_files import COMMON, nearly_ours


def incomplete(data: object, path: str) -> Format | None:
    """The format of a file that no format recognizes, since it lacks something.

    It has more than half of the keys that the format requires, or the place and name of a record in
    a datastore.
    """
    if nearly_ours(data):
        return None  # it lacks nothing but has slips
    if isinstance(data, list):
        forms = (_lacking(row) for row in data[:FIRST] if isinstance(row, dict))
        return next((form for form in forms if form is not None and form.in_lists), None)
    form = _lacking(data) if isinstance(data, dict) else None
    return form or (RECORD if _is_placed(path) else None)


def enclosed(data: object) -> tuple[Format, str] | None:
    """The format of what is in a list, or is the value of an object's only key; and the key."""
    if isinstance(data, dict) and len(data) == 1:
        [(key, value)] = data.items()
        return (form, key) if (form := evident(value)) else None
    forms = map(evident, data[:FIRST] if isinstance(data, list) else ())
    return next(((form, "") for form in forms if form), None)


def evident(data: object) -> Format | None:
    """The format of an object inside another value, if most of what it requires is there."""
    form = format_of(data) or _lacking(data) if isinstance(data, dict) else None
    if form is None or form.has_no_other_keys or not isinstance(data, dict):
        return None
    return form if any(_has_most(data, keys) for keys in _required(form)) else None


def format_in(data: object, path: str) -> Format | None:
    """The format of what no format recognizes, but for slips, for what it lacks or is in."""
    found = nearly_ours(data) or enclosed(data)
    return found[0] if found else incomplete(data, path)


def may_be_incomplete(raw: bytes) -> bool:
    """True if a text has more than half of the keys of some format, anywhere."""
    return any(
        _has_most([key for key in keys if key.encode() in raw], keys)
        for form in FORMATS
        for keys in _required(form)
    )


def _lacking(data: dict[str, Any]) -> Format | None:
    """The format that an object would have, but for keys that it lacks."""
    near = [
        form
        for form in FORMATS
        for keys in _required(form)
        if _has_most(data, keys)
        and not keys <= data.keys()
        and not (form.has_no_other_keys and data.keys() - keys)
    ]
    # What the predictions of a suite look like tells the format of those that have one.
    return next((form for form in near if form.holds(data)), near[0] if near else None)


def _has_most(data: Collection[str], keys: frozenset[str]) -> bool:
    known = keys.intersection(data)
    return len(known) > max(1, len(keys) / 2) and not known <= COMMON


@cache
def _required(form: Format) -> tuple[frozenset[str], ...]:
    """The sets of keys of which a file of a format has to have one."""
    required = dict.fromkeys(frozenset(schema.get("required", ())) for schema in form.schemas())
    return tuple(keys for keys in required if keys) or form.signs


def _is_placed(path: str) -> bool:
    """True if a file lies and is named as a record in a datastore."""
    if not RECORD.may_lie_at(path):
        return False
    from evalmark.validator.formats.records.datastore import datastore_parts, misplaced

    parts = datastore_parts(path)
    return parts is not None and misplaced(parts) is None and parts[-1].endswith(".json")
