"""What a file is: its format by its path, its keys, its columns or the first of its rows.

The signs are those of the formats (``Format``). Ours are asked first, then those of other packages,
and then ``unrecognized`` looks for a format of which the file lacks something.
"""

from __future__ import annotations

from typing import Any, BinaryIO, NamedTuple

from evalmark.schemas.errors import ParseRejected
from evalmark.schemas.versions import SAMPLE_PREFIX
from evalmark.validator.format import Format
from evalmark.validator.formats.builtin import FIRST, format_at, format_of, format_of_columns
from evalmark.validator.formats.pairs.pairs_format import PAIRS
from evalmark.validator.formats.records.records_format import SAMPLE_FORMAT
from evalmark.validator.formats.shared.row_findings import first_row
from evalmark.validator.reading.pair_columns import PairColumns, PairTables

#: Rows that may tell what a file is.
FIRST_ROWS = 20


class Recognized(NamedTuple):
    """The format of a file, and lines on formats of packages that could not be asked."""

    form: Format | None
    remarks: tuple[str, ...] = ()


def recognize(path: str, data: Any) -> Recognized:
    """The format of a parsed document."""
    if form := format_at(path) or format_of(data):
        return Recognized(form)
    from evalmark.validator.formats.plugins import others_asked  # few files
    from evalmark.validator.formats.unrecognized import incomplete

    form, remarks = others_asked(path, lambda form: _is_of(form, path, data))
    return Recognized(form or incomplete(data, path), remarks)


def recognize_rows(path: str, file: BinaryIO, tables: PairTables) -> Recognized:
    """The format of a file with a JSON value on each line. Rewinds the file."""
    if form := format_at(path) or _format_of_rows(file, tables.columns_for(path)):
        return Recognized(form)
    from evalmark.validator.formats.plugins import others_asked  # few files
    from evalmark.validator.formats.unrecognized import incomplete

    row = first_row_or(file, None)
    form, remarks = others_asked(path, lambda form: form.has_rows and _is_of(form, path, row))
    return Recognized(form or incomplete({} if row is None else row, path), remarks)


def recognize_table(path: str, file: BinaryIO, tables: PairTables) -> Recognized:
    """The format whose rows a table has; of pairs if columns are declared. Rewinds the file."""
    from evalmark.validator.formats.pairs.pair_files import header_of, is_declared  # few tables

    if is_declared(file, path, tables):
        return Recognized(PAIRS)
    header = header_of(file, path)
    if form := format_of_columns(header):
        return Recognized(form)
    from evalmark.validator.formats.plugins import others_asked  # few files

    return Recognized(
        *others_asked(
            path,
            lambda form: (
                form.has_tables
                and (form.has_columns(header) or form.has_columns(header, nearly=True))
            ),
        )
    )


def first_row_or(file: BinaryIO, default: Any) -> Any:
    """The first row of a file; the default if it cannot be parsed. Rewinds the file."""
    try:
        return first_row(file)
    except ParseRejected:
        return default


def _is_of(form: Format, path: str, data: Any) -> bool:
    if form.is_at(path):
        return True
    if isinstance(data, list):
        rows = (row for row in data[:FIRST] if isinstance(row, dict))
        return form.in_lists and any(map(form.recognizes, rows))
    return isinstance(data, dict) and form.recognizes(data)


def _format_of_rows(file: BinaryIO, columns: PairColumns | None) -> Format | None:
    """The format of the first row that can be parsed; samples if none can."""
    try:
        data = first_row(file, tries=FIRST_ROWS)
    except ParseRejected:
        return SAMPLE_FORMAT
    form = format_of(data)
    if form is not None and form.has_rows:
        return form
    if columns is not None and columns.fits(data if isinstance(data, dict) else ()):
        return PAIRS
    label = data.get("schema_version") if isinstance(data, dict) else None
    return SAMPLE_FORMAT if isinstance(label, str) and label.startswith(SAMPLE_PREFIX) else None
