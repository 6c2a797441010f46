"""The grid of the first sheet of a spreadsheet: merged cells have the text of their first one."""

from __future__ import annotations

from evalmark.converters.tables.any_table.grid import Grid, grid_of
from evalmark.converters.tables.sheets import ITEMS
from evalmark.converters.tables.spreadsheets import Sheet, Workbook, open_sheets, unread
from evalmark.schemas.errors import ConversionError

_DAMAGED = "open it in a spreadsheet program and save it again, or copy its cells"


def grid_of_spreadsheet(raw: bytes, *, is_open: bool) -> Grid:
    """The grid of the sheet ``items``, or the first one that has a text.

    ``is_open`` says that it is an OpenDocument spreadsheet. A ConversionError if it is damaged, too
    large, or has no such sheet.
    """
    sheet, notes = _open_sheet(raw) if is_open else _sheet(raw)
    sheet.fill()
    return grid_of(sheet.texts(), notes=notes, budget=sheet.budget)


def _sheet(raw: bytes) -> tuple[Sheet, list[str]]:
    """The sheet ``items`` of a workbook, or the first one that has a text; a note on others."""
    book = Workbook(raw, _DAMAGED)
    visible = [(title, part) for title, is_visible, part in book.sheets if is_visible]
    visible.sort(key=lambda entry: entry[0].strip().lower() != ITEMS)
    for title, part in visible:
        sheet = book.sheet(title, part)
        if sheet.rows:
            return sheet, unread([other for other, _ in visible if other != title])
    raise ConversionError("the workbook has no visible sheet with a text")


def _open_sheet(raw: bytes) -> tuple[Sheet, list[str]]:
    """The first sheet of an OpenDocument spreadsheet that has a text; a note on others."""
    sheets = [*open_sheets(raw, _DAMAGED)]
    first = next((sheet for sheet in sheets if sheet.rows), None)
    if first is None:
        raise ConversionError("the spreadsheet has no sheet with a text")
    return first, unread([sheet.title for sheet in sheets if sheet is not first])
