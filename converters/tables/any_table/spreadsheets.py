"""Spreadsheets (.xlsx, .ods) as grids: merged cells have the text of their first one.

Files may come from anyone: members are unpacked within limits, and their XML has no entities.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from evalmark.converters.sources.archive import Archive
from evalmark.converters.tables.any_table.grid import Grid, grid_of
from evalmark.converters.tables.sheets import ITEMS
from evalmark.converters.tables.workbooks import (
    MAX_CELLS,
    MAX_ROWS,
    MAX_UNPACKED,
    SheetReader,
    unpacked_workbook,
)
from evalmark.schemas.errors import ConversionError, require

_DAMAGED = "open it in a spreadsheet program and save it again, or copy its cells"
_MERGED = re.compile(
    rb'<(?:\w+:)?mergeCell\s[^<>]*?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"'
)
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_ODS_SPACES = {f"{_TEXT}{name}" for name in ("s", "tab", "line-break")}
_TOO_LARGE = "the sheet is too large"
#: Cells that a row of a sheet repeats at most: programs repeat the empty ones to the last column.
_REPEATS = 1 << 10


def grid_of_xlsx(raw: bytes) -> Grid:
    """The sheet ``items``, or the first one that has a text.

    Raises:
        ConversionError: The workbook is damaged or too large.
        NotInstalledError: openpyxl is not installed.
    """
    require("openpyxl")
    plain = unpacked_workbook(raw)
    try:
        rows, merged, notes = _sheet_rows(plain)
    except ConversionError:
        raise
    except Exception as error:  # openpyxl raises many kinds, by what is damaged
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ConversionError(f"the workbook is damaged: {reason}", _DAMAGED) from error
    count = sum(map(len, rows))
    for left, top, bottom in merged:
        if top >= len(rows) or left >= len(rows[top]):
            continue
        for row in rows[top + 1 : bottom + 1]:
            count += max(left + 1 - len(row), 0)
            if count > MAX_CELLS:
                raise ConversionError(_TOO_LARGE, "unmerge its cells")
            row += [""] * (left + 1 - len(row))
            row[left] = row[left] or rows[top][left]
    return grid_of(rows, notes=notes)


def _sheet_rows(plain: bytes) -> tuple[list[list[str]], list[tuple[int, int, int]], list[str]]:
    """The texts of a sheet; column, first and last row of each merged range, from 0; a note."""
    from openpyxl import load_workbook
    from openpyxl.utils import column_index_from_string

    book, sources = (
        load_workbook(io.BytesIO(plain), read_only=True, data_only=data_only, keep_links=False)
        for data_only in (True, False)
    )
    visible: list[Any] = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    visible.sort(key=lambda sheet: sheet.title.strip().lower() != ITEMS)
    for sheet in visible:
        rows = SheetReader(sheet.title, has_texts=False).texts(sheet, sources[sheet.title])
        if rows:
            with zipfile.ZipFile(io.BytesIO(plain)) as archive:
                # The only word on where its XML is.
                text = archive.read(sheet._worksheet_path)  # noqa: SLF001
            merged = [
                (column_index_from_string(left.decode()) - 1, int(top) - 1, int(bottom) - 1)
                for left, top, _, bottom in _MERGED.findall(text)
            ]
            others = [one.title for one in visible if one is not sheet]
            return rows, merged, _unread(others)
    raise ConversionError("the workbook has no visible sheet with a text")


def grid_of_ods(raw: bytes) -> Grid:
    """The first sheet of an OpenDocument spreadsheet that has a text.

    Raises:
        ConversionError: The file is damaged or too large, or its XML defines entities.
    """
    content = Archive(io.BytesIO(raw), "the spreadsheet", _DAMAGED).read("content.xml")
    if len(content) > MAX_UNPACKED:
        raise ConversionError(f"the spreadsheet holds more than {MAX_UNPACKED >> 20} MiB")
    if b"<!DOCTYPE" in content.replace(b"\0", b""):
        raise ConversionError("the spreadsheet defines XML entities")
    try:
        root = ET.fromstring(content)  # noqa: S314 - it has no entities
    except ET.ParseError as error:
        raise ConversionError(f"the spreadsheet is damaged: {error}", _DAMAGED) from None
    sheets = [*root.iter(f"{_TABLE}table")]
    for sheet in sheets:
        rows = _ods_rows(sheet)
        if any(map(any, rows)):
            others = [one.get(f"{_TABLE}name", "") for one in sheets if one is not sheet]
            return grid_of(rows, notes=_unread(others))
    raise ConversionError("the spreadsheet has no sheet with a text")


def _unread(sheets: Sequence[str]) -> list[str]:
    return [f"sheets that are not read: {', '.join(sheets)}"] if sheets else []


def _ods_rows(table: ET.Element) -> list[list[str]]:
    rows: list[list[str]] = []
    spans: dict[int, tuple[int, str]] = {}
    count = 0
    for element in table.iter(f"{_TABLE}table-row"):
        row: list[str] = []
        for text, depth in _ods_cells(element):
            column = len(row)
            if column >= MAX_CELLS:
                raise ConversionError(_TOO_LARGE, "delete the empty columns beside it")
            left, above = spans.get(column, (0, ""))
            row.append(text or (above if left else ""))
            spans[column] = (depth - 1, text) if depth > 1 else (max(left - 1, 0), above)
        while row and not row[-1]:
            row.pop()
        copies = _repeats(element, "number-rows-repeated") if any(row) else 1
        count += copies * len(row)
        if len(rows) + copies > MAX_ROWS or count > MAX_CELLS:
            raise ConversionError(_TOO_LARGE, "delete the empty rows below it")
        rows += [list(row) for _ in range(copies)]
    return rows


def _ods_cells(row: ET.Element) -> Iterator[tuple[str, int]]:
    """The text of each cell, and how many rows it covers."""
    for cell in row:
        if cell.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            continue
        text = " ".join(_ods_text(paragraph) for paragraph in cell.findall(f"{_TEXT}p"))
        depth = _number(cell, "number-rows-spanned")
        for _ in range(_repeats(cell, "number-columns-repeated")):
            yield text, depth


def _ods_text(element: ET.Element) -> str:
    """The text of an element; spaces, tabs and line breaks are elements of their own."""
    inner = (_ods_text(child) + (child.tail or "") for child in element)
    space = " " if element.tag in _ODS_SPACES else ""
    return f"{space}{element.text or ''}{''.join(inner)}"


def _repeats(element: ET.Element, name: str) -> int:
    return min(_number(element, name), _REPEATS)


def _number(element: ET.Element, name: str) -> int:
    """A number of repetitions; 1 if there is none."""
    text = element.get(f"{_TABLE}{name}", "1")
    return max(int(text), 1) if text.isdecimal() and len(text) < 8 else 1
