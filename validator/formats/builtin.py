"""The formats that evalmark knows, and how the format of a file is found from its content."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, BinaryIO, NamedTuple

from evalmark.schemas.errors import Rejected
from evalmark.schemas.package import address
from evalmark.schemas.versions import SAMPLE_PREFIX
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
from evalmark.validator.formats.records.records_format import RECORD, SAMPLE
from evalmark.validator.formats.shared.row_findings import first_row
from evalmark.validator.formats.suites.suites_format import LEGACY_SUITE, SUITE
from evalmark.validator.io.extensions import own_plugins
from evalmark.validator.options.pair_columns import PairColumns, PairTables
from evalmark.validator.reading.lines import LFS_POINTER

#: Our formats. The first one that recognizes an object is its format.
FORMATS: tuple[Format, ...] = (
    SUITE,
    LEGACY_SUITE,
    RECORD,
    DEFINITION,
    RESULT,
    GENERATION,
    STATS,
    CONFIG,
    LOG,
    SAMPLE,
    PAIRS,
    *(form for plugin in own_plugins() for form in plugin.formats() if isinstance(form, Format)),
)
#: Name -> format.
KINDS: dict[str, Format] = {form.name: form for form in FORMATS}

#: The first letters of our codes: of rules on any file, then of those of our formats.
FAMILIES = ("F", *dict.fromkeys(form.family for form in FORMATS))

#: Formats of rows: a .jsonl file has one object of them on each line.
ROW_KINDS = tuple(form.name for form in FORMATS if form.has_rows)


class Signs(NamedTuple):
    """Keys at the top of a document that tell its format.

    Attributes:
        keys: Those that it has all of.
        form: The format, if the values fit it too.
        is_common: Whether many other files have them.
    """

    keys: frozenset[str]
    form: Format
    is_common: bool


#: The one table of keys at the top, in the order in which they count.
SIGNS = tuple(
    Signs(keys, form, keys in form.common_signs)
    for form in FORMATS
    for keys in (*form.signs, *form.common_signs)
)
#: Kind of file that a path names -> the formats that such a file may have.
_PLACES: dict[str, tuple[Format, ...]] = {
    ".def.json": (DEFINITION,),
    "definitions": (DEFINITION, RESULT),
    "results": (DEFINITION, RESULT),
    "master_log.jsonl": (LOG,),
}

#: Elements of a list that may tell what it is.
FIRST = 100
#: Rows that may tell what a file is.
FIRST_ROWS = 20

_LFS = LFS_POINTER.encode()


def identify(data: Any, kind: str | None = None, version: str | None = None) -> Document:
    """Decide what parsed JSON is; ``kind`` and ``version`` override what it says itself."""
    form = KINDS.get(kind) if kind else format_of(data)
    return as_document(data, form, version)


def detect(data: Any) -> str | None:
    """The name of the format of parsed JSON; None if it is not one of ours."""
    form = format_of(data)
    return form.name if form else None


def format_of(data: Any) -> Format | None:
    """The format of parsed JSON; None if it is not one of ours."""
    if isinstance(data, list):
        formats = (format_of(row) for row in data[:FIRST] if isinstance(row, dict))
        return next((form for form in formats if form and form.in_lists), None)
    if not isinstance(data, dict):
        return None
    for keys, form, _ in SIGNS:
        is_like = keys.issubset(data) and (not form.has_no_other_keys or len(data) == len(keys))
        if is_like and form.holds(data):
            return form
    return None


def format_of_columns(header: Collection[str]) -> Format | None:
    """The format whose rows a table with these columns has, perhaps under other names."""
    for form in FORMATS:
        if form.recognizes_columns(header):
            return form
    return next((form for form in FORMATS if form.nearly_recognizes_columns(header)), None)


def format_of_table(file: BinaryIO, path: str, tables: PairTables) -> Format | None:
    """The format whose rows a table has; of pairs if columns are declared. Rewinds the file."""
    from evalmark.validator.formats.pairs.pair_files import header_of, is_declared  # few tables

    return PAIRS if is_declared(file, path, tables) else format_of_columns(header_of(file, path))


def format_of_rows(file: BinaryIO, columns: PairColumns | None = None) -> Format | None:
    """The format of the first row that can be parsed; samples if none can. Rewinds the file.

    Args:
        file: The file.
        columns: Those that are declared for its rows.
    """
    try:
        data = first_row(file, tries=FIRST_ROWS)
    except Rejected:
        return SAMPLE
    form = format_of(data)
    if form is not None and form.has_rows:
        return form
    if columns is not None and columns.fits(data if isinstance(data, dict) else ()):
        return PAIRS
    label = data.get("schema_version") if isinstance(data, dict) else None
    return SAMPLE if isinstance(label, str) and label.startswith(SAMPLE_PREFIX) else None


def rule_with(code: str) -> Rule | None:
    """The rule on documents that has a code; it loads the rules of no other family of formats."""
    family = code.rstrip("0123456789")
    rules = (rule for form in FORMATS if form.family == family for rule in form.rules())
    return next((rule for rule in rules if rule.code == code), None)


def format_at(path: str) -> Format | None:
    """The format that the path of a file says, so that none is skipped for its content."""
    for part, formats in _PLACES.items():
        if part in path:
            for form in formats:
                if form.lies_at(path):
                    return form
    return None


@cache
def _encoded_signs() -> tuple[tuple[bytes, ...], ...]:
    """Sets of keys, in UTF-8; a text of some format has all keys of one set."""
    return tuple(
        tuple(key.encode() for key in sorted(signs.keys)) for signs in SIGNS if not signs.is_common
    )


def could_be_ours(raw: bytes) -> bool:
    """True if a text contains the keys of some format; ``unreadable_files`` looks at broken ones.

    A pointer of Git LFS could be any file.

    For files that are slow to read.
    """
    signs = _encoded_signs()
    return raw.startswith(_LFS) or any(all(key in raw for key in keys) for keys in signs)


def rule_address(code: str) -> str | None:
    """URL of the page of one of our rules; None without an address of the site."""
    home = address("Documentation") if code.rstrip("0123456789") in FAMILIES else None
    return f"{home}/rules/{code}.html" if home else None
