"""Signs that a file is one of ours though it lacks keys, or is in a list or an object."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, NamedTuple

from evalmark.schemas.files import load
from evalmark.schemas.versions import VERSIONS
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.rule import file_finding
from evalmark.validator.format import Format
from evalmark.validator.formats.builtin import FIRST, FORMATS, format_of
from evalmark.validator.formats.records.records_format import RECORD
from evalmark.validator.formats.unreadable_files import COMMON, nearly_ours


class Enclosed(NamedTuple):
    """A file of ours inside another value, of which the whole file consists.

    Attributes:
        form: Its format.
        key: The only key of the object that it is in; empty in a list.
        elements: The length of the list.
        on_lines: Whether these are lines.
    """

    form: Format
    key: str = ""
    elements: int = 1
    on_lines: bool = False

    def finding(self, path: str) -> Finding:
        """The finding for the file."""
        name = self.form.name
        if self.key:
            message = f"file is an object whose only key, `{self.key}`, has a {name}"
            help_text = f"write the value of `{self.key}` alone, without the key"
        elif self.on_lines:
            message = f"file has a {name} on each line"
            help_text = f"a {name} is a file of its own, whose name ends in .json or .yaml"
        else:
            message = f"file is a list, whose elements are of the kind {name}"
            help_text = "remove the `[` and `]` around it"
            if self.elements > 1:
                help_text = f"write each {name} to a file of its own"
            if self.form.has_rows:
                help_text = (
                    "write each element on a line of its own, in a file whose name ends in .jsonl"
                )
        return file_finding("F019", path, message, helps=(help_text,))


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
    if isinstance(data, dict) and (form := _lacking(data)):
        return form
    return RECORD if _is_placed(path) else None


def enclosed(data: object) -> Enclosed | None:
    """The file of ours that is in a list, or is the value of an object's only key."""
    if isinstance(data, list):
        for row in data[:FIRST]:
            if form := _evident(row):
                return Enclosed(form, elements=len(data))
    if isinstance(data, dict) and len(data) == 1:
        [(key, value)] = data.items()
        if form := _evident(value):
            return Enclosed(form, key)
    return None


def on_lines(row: object) -> Enclosed | None:
    """The file of ours that a line has, of a format that has no rows."""
    form = _evident(row)
    return Enclosed(form, on_lines=True) if form and not form.has_rows else None


def format_in(data: object, path: str) -> Format | None:
    """The format of what no format recognizes, but for slips, for what it lacks or is in."""
    if found := nearly_ours(data):
        return found[0]
    if form := incomplete(data, path):
        return form
    inside = enclosed(data)
    return inside.form if inside else None


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
        if any(not keys <= data.keys() and _is_most(form, data, keys) for keys in _required(form))
    ]
    # What the predictions of a suite look like tells the format of those that have one.
    return next((form for form in near if form.holds(data)), near[0] if near else None)


def _evident(data: object) -> Format | None:
    """The format of an object inside another value, if most of what it requires is there."""
    if not isinstance(data, dict):
        return None
    form = format_of(data) or _lacking(data)
    if form is None or form.has_no_other_keys:
        return None
    return form if any(_is_most(form, data, keys) for keys in _required(form)) else None


def _is_most(form: Format, data: Collection[str], keys: frozenset[str]) -> bool:
    return _has_most(data, keys) and (not form.has_no_other_keys or keys.issuperset(data))


def _has_most(data: Collection[str], keys: frozenset[str]) -> bool:
    known = keys.intersection(data)
    return len(known) > max(1, len(keys) / 2) and not known <= COMMON


@cache
def _required(form: Format) -> tuple[frozenset[str], ...]:
    """The sets of keys of which a file of a format has to have one."""
    schemas = [version.schema for version in VERSIONS.get(form.name, ())] or [form.name]
    required = dict.fromkeys(frozenset(load(name).get("required", ())) for name in schemas)
    return tuple(keys for keys in required if keys) or form.signs


def _is_placed(path: str) -> bool:
    """True if a file lies and is named as a record in a datastore."""
    if not RECORD.may_lie_at(path):
        return False
    from evalmark.validator.formats.records.rules.datastore_rules import datastore_parts, misplaced

    parts = datastore_parts(path)
    return parts is not None and misplaced(parts) is None and parts[-1].endswith(".json")
