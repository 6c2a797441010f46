"""Files of the tables of a suite: a workbook, or a text for each table, read and written."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from evalmark.converters.formats import CONVERTIBLE, WIDE_TABLE, Syntax
from evalmark.converters.suites.suite_tables import format_of_header, read_table, table_text
from evalmark.converters.syntax import DELIMITERS, ParsedText, parsed_table
from evalmark.converters.tables.sheets import BESIDE, COLUMNS_OF, ITEMS, Row, Sheets, place_of
from evalmark.schemas.errors import ConversionError, ParseRejected
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.paths import leads_out
from evalmark.validator.reading.strict_json import decode


def with_tables_beside(parsed: ParsedText) -> ParsedText:
    """The parsed table of a suite, with the tables of predictions and meta next to its file.

    They were not named, so a link out of the folder is refused: a folder may be anyone's.
    """
    if parsed.error is not None or not _may_have_tables(parsed):
        return parsed
    texts = {}
    for table in BESIDE:
        place = place_of(Path(parsed.path), table)
        if place.is_symlink() and leads_out(str(place), os.path.realpath(place.parent)):
            return _refused(parsed, f"{place.name} is a link out of its folder", "copy the file")
        try:
            texts[table] = decode(read_whole(place).removeprefix(BOM_UTF8))
        except FileNotFoundError:
            continue
        except ParseRejected:
            return _refused(parsed, f"{place.name} is not UTF-8 text")
        except OSError as error:
            return _refused(parsed, f"{place.name} cannot be read: {error.strerror}")
    return _with_tables(parsed, texts, DELIMITERS[parsed.syntax])


def _refused(parsed: ParsedText, reason: str, cure: str = "") -> ParsedText:
    return replace(parsed, data=None, error=ConversionError(reason, cure))


def parse_workbook(raw: bytes, path: str) -> ParsedText:
    """Parse a file of a spreadsheet program; what is wrong with it is in ``error``."""
    from evalmark.converters.tables.spreadsheets import read_workbook

    workbook = read_workbook(raw)
    if workbook.error is not None:
        form = format_of_header(workbook.header, ",")
        return ParsedText("", path, Syntax.XLSX, format=form, error=workbook.error)
    tables = dict(workbook.tables)
    parsed = parsed_table(tables.pop(ITEMS), path, ",")
    parsed = replace(parsed, text="", syntax=Syntax.XLSX, notes=tuple(workbook.notes))
    return _with_tables(parsed, tables, ",")


def _may_have_tables(parsed: ParsedText) -> bool:
    form = CONVERTIBLE.get(parsed.format or "")
    return form is not None and form.is_table


def _with_tables(parsed: ParsedText, texts: Mapping[str, str], delimiter: str) -> ParsedText:
    if not texts or parsed.error is not None or not _may_have_tables(parsed):
        return parsed
    rows: dict[str, list[Row]] = {}
    for table, text in texts.items():
        try:
            rows[table] = read_table(text, delimiter, COLUMNS_OF[table])
        except ConversionError as refusal:
            return _refused(parsed, f"{table}: {refusal.reason}", refusal.help)
    return replace(parsed, data=Sheets(parsed.data, **rows))


def written_tables(data: Sheets | list[Row], syntax: Syntax) -> dict[str, bytes]:
    """The content of each file of the tables of a suite, by the name of its table.

    Raises ConversionError if a table would not be read back equal; a workbook needs openpyxl.
    """
    sheets = data if isinstance(data, Sheets) else Sheets(data)
    if syntax is Syntax.XLSX:
        from evalmark.converters.tables.spreadsheets import workbook_bytes

        content = workbook_bytes(sheets)
        back = parse_workbook(content, "x.xlsx")
        files = {ITEMS: content}
    elif syntax in DELIMITERS:
        files = {
            name: table_text(rows, DELIMITERS[syntax], columns).encode("utf-8")
            for name, columns, rows in sheets.tables()
        }
        back = _read_back(files, syntax)
    else:
        raise ConversionError(
            f"a wide table is not written as {syntax}", "name the file .csv, .tsv or .xlsx"
        )
    _require_equal(sheets, back)
    return files


def _read_back(files: Mapping[str, bytes], syntax: Syntax) -> ParsedText:
    try:
        texts = {name: decode(content) for name, content in files.items()}
    except ParseRejected:
        raise ConversionError("a table cannot hold a NUL character") from None
    delimiter = DELIMITERS[syntax]
    parsed = parsed_table(texts.pop(ITEMS), f"x.{syntax}", delimiter)
    return _with_tables(parsed, texts, delimiter)


def _require_equal(sheets: Sheets, back: ParsedText) -> None:
    if back.error is not None:
        raise ConversionError(f"the table would not be read back: {back.error.reason}")
    if back.format != WIDE_TABLE:
        raise ConversionError(
            f"the table would be read as {back.format}, by the names of its columns",
            "rename a region",
        )
    data = back.data if isinstance(back.data, Sheets) else Sheets(back.data)
    for (name, _, old), (_, _, new) in zip(sheets.tables(), data.tables(), strict=False):
        for number, (row, again) in enumerate(zip(old, new, strict=False), 2):
            if column := next((c for c in row if row[c] != again.get(c)), None):
                raise ConversionError(
                    f'row {number} of {name} would be read back with another text in "{column}"'
                )
    if data != sheets:
        raise ConversionError("the tables would not be read back equal")
