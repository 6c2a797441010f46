"""The table of the formats that evalmark knows, and what their signs say of a path or of data."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from evalmark.schemas.package import address
from evalmark.validator.findings.rule import Rule
from evalmark.validator.format import Document, Format, as_document
from evalmark.validator.formats.ltm.ltm_format import (
    CONFIG,
    DEFINITION,
    GENERATION,
    LOG,
    RESULT,
    STATS,
)
from evalmark.validator.formats.pairs.pairs_format import PAIRS
from evalmark.validator.formats.records.records_format import RECORD_FORMAT, SAMPLE_FORMAT
from evalmark.validator.formats.suites.suites_format import LEGACY_SUITE, SUITE
from evalmark.validator.io.extensions import own_plugins
from evalmark.validator.reading.lines import LFS_POINTER

#: Our formats. The first one that recognizes an object is its format.
FORMATS: tuple[Format, ...] = (
    SUITE,
    LEGACY_SUITE,
    RECORD_FORMAT,
    DEFINITION,
    RESULT,
    GENERATION,
    STATS,
    CONFIG,
    LOG,
    SAMPLE_FORMAT,
    PAIRS,
    *(form for plugin in own_plugins() for form in plugin.formats() if isinstance(form, Format)),
)
#: Name -> format.
KINDS: dict[str, Format] = {form.name: form for form in FORMATS}

#: The first letters of our codes: of rules on any file, then of those of our formats.
FAMILIES = ("F", *dict.fromkeys(form.family for form in FORMATS))

#: Formats of rows: a .jsonl file has one object of them on each line.
ROW_KINDS = tuple(form.name for form in FORMATS if form.has_rows)
#: Elements of a list that may tell what it is.
FIRST = 100
#: The formats that a path may say.
_PLACED = tuple(form for form in FORMATS if form.matches_path is not None)
_LFS = LFS_POINTER.encode()


def format_at(path: str) -> Format | None:
    """The format that the path of a file says, so that none is skipped for its content."""
    for form in _PLACED:
        if form.is_at(path):
            return form
    return None


def format_of(data: Any) -> Format | None:
    """The format of parsed JSON; None if it is not one of ours."""
    if isinstance(data, list):
        formats = (format_of(row) for row in data[:FIRST] if isinstance(row, dict))
        return next((form for form in formats if form and form.in_lists), None)
    if not isinstance(data, dict):
        return None
    for form in FORMATS:
        if form.recognizes(data):
            return form
    return None


def format_of_columns(header: Collection[str]) -> Format | None:
    """The format whose rows a table with these columns has, perhaps under other names."""
    for nearly in (False, True):
        for form in FORMATS:
            if form.has_columns(header, nearly=nearly):
                return form
    return None


def detect(data: Any) -> str | None:
    """The name of the format of parsed JSON; None if it is not one of ours."""
    form = format_of(data)
    return form.name if form else None


def identify(data: Any, kind: str | None = None, version: str | None = None) -> Document:
    """Parsed JSON as a document; ``kind`` and ``version`` override what it says itself."""
    form = KINDS.get(kind) if kind else format_of(data)
    return as_document(data, form, version)


def has_keys_of_a_format(raw: bytes) -> bool:
    """True if a text has all keys of some format, wherever: a quick test, before it is parsed.

    A pointer of Git LFS could be any file. ``unrecognized`` looks at broken files.
    """
    return raw.startswith(_LFS) or any(all(key in raw for key in keys) for keys in _encoded_keys())


def rule_with(code: str) -> Rule | None:
    """The rule on documents that has a code; it loads the rules of no other family of formats."""
    family = code.rstrip("0123456789")
    rules = (rule for form in FORMATS if form.family == family for rule in form.checks.rules())
    return next((rule for rule in rules if rule.code == code), None)


def rule_address(code: str) -> str | None:
    """URL of the page of one of our rules; None without an address of the site."""
    home = address("Documentation") if code.rstrip("0123456789") in FAMILIES else None
    return f"{home}/rules/{code}.html" if home else None


@cache
def _encoded_keys() -> tuple[tuple[bytes, ...], ...]:
    return tuple(tuple(map(str.encode, sorted(keys))) for form in FORMATS for keys in form.keys)
