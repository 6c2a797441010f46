"""Workbooks of spreadsheet programs (.xlsx): their sheets as texts of CSV, and back.

openpyxl writes them; nothing but Python reads them.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from evalmark.converters.tables.sheets import ANY_TABLE, BESIDE, ITEMS, Sheets
from evalmark.converters.tables.spreadsheets import Sheet, Workbook, letters
from evalmark.schemas.errors import ConversionError, require

if TYPE_CHECKING:
    from openpyxl import Workbook as WrittenWorkbook

#: Characters of a cell, as Excel counts them: UTF-16.
_LONGEST = 32767
#: Characters that XML cannot hold or its parsers change, and Excel's escaped characters.
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_x[0-9a-fA-F]{4}_")
#: Columns of whole numbers.
_NUMBERS = (["item"], ["item_number"], ["region_number"])
#: The time in each workbook that is written: equal suites are equal files.
_EPOCH = datetime(2000, 1, 1)
_SAVE = "save it as .xlsx, without a password"


@dataclass(slots=True)
class WorkbookTexts:
    """The sheets of a workbook that are read.

    Attributes:
        header: The first row of the table of items, as CSV.
        tables: Name of a table -> its text, as CSV.
        notes: Notes for the reader.
        error: Why they cannot be read; None if they can.
    """

    header: str = ""

    tables: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    error: ConversionError | None = None


def read_workbook(raw: bytes) -> WorkbookTexts:
    """The sheets ``items`` (or the first visible one), ``predictions`` and ``meta``.

    A workbook that is damaged or too large, or has a cell whose text is not certain, has an error.
    """
    done = WorkbookTexts()
    try:
        _read_sheets(Workbook(raw, _SAVE), done)
    except ConversionError as error:
        done.error = error
    return done


def _read_sheets(book: Workbook, done: WorkbookTexts) -> None:
    """Reads the sheets of tables, and names the others."""
    named = {title.strip().lower(): (title, part) for title, _, part in reversed(book.sheets)}
    visible = ((title, part) for title, is_visible, part in book.sheets if is_visible)
    chosen = {name: named[name] for name in (ITEMS, *BESIDE) if name in named}
    first = chosen.get(ITEMS) or next(visible, None)
    if first is None:
        raise ConversionError("the workbook has no visible sheet")
    chosen = {ITEMS: first, **chosen}
    for name, (title, part) in chosen.items():
        sheet = book.sheet(title, part)
        if name == ITEMS:
            done.header = _csv([cell.text for cell in row] for row in sheet.rows[:1])
        if sheet.merged:
            raise ConversionError(
                f'sheet "{title}" has merged cells',
                "split them, and write the text in each cell",
                needs=ANY_TABLE,
            )
        done.tables[name] = _csv(_rectangle(sheet))
        done.notes += _typed(sheet) if name == ITEMS else []
    done.notes += book.unread({part for _, part in chosen.values()})


def _rectangle(sheet: Sheet) -> list[list[str]]:
    """Rows of equal length, without the columns that have no text."""
    rows = sheet.texts()
    width = max(map(len, rows), default=0)
    sheet.budget.take(cells=width * len(rows))
    rows = [row + [""] * (width - len(row)) for row in rows]
    kept = [i for i in range(width) if any(row[i] for row in rows)]
    for column in kept:
        if not rows[0][column].strip():
            first = next(n for n, row in enumerate(rows, 1) if row[column])
            raise ConversionError(
                f'sheet "{sheet.title}" has a text in {letters(column)}{first}, '
                "and no name of the column in its first row",
                "name the column, or delete it",
            )
    return [[row[column] for column in kept] for row in rows]


def _typed(sheet: Sheet) -> list[str]:
    """A note on cells that are not texts, and of no column of numbers."""
    header = [cell.text for row in sheet.rows[:1] for cell in row]
    typed = [
        f"{letters(index)}{number}"
        for number, row in enumerate(sheet.rows, 1)
        for index, cell in enumerate(row)
        if cell.is_typed and (number == 1 or header[index : index + 1] not in _NUMBERS)
    ]
    if not typed:
        return []
    more = f" and {len(typed) - 1} more" if len(typed) > 1 else ""
    return [
        f'sheet "{sheet.title}": {typed[0]}{more} '
        f"{'are' if more else 'is'} a number or TRUE or FALSE, which is read as its text"
    ]


def _csv(rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV; one without a text is an empty line."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    for row in rows:
        writer.writerow(row if any(row) else ())
    return stream.getvalue()


def workbook_bytes(sheets: Sheets) -> bytes:
    """A workbook with a sheet for each table, in which every cell is a text; equal for equal data.

    Raises:
        ConversionError: A text cannot be in a workbook.
        NotInstalledError: openpyxl is not installed.
    """
    require("openpyxl")
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, columns, rows in sheets.tables():
        sheet = book.create_sheet(name)
        sheet.freeze_panes = "A2"
        for index in range(len(columns)):
            # What is written into a new row stays a text, too.
            sheet.column_dimensions[letters(index)].number_format = "@"
        cells = [columns, *(list(row.values()) for row in rows)]
        for number, row in enumerate(cells, 1):
            for index, text in enumerate(row, 1):
                place = f"{letters(index - 1)}{number} of the sheet {name}"
                _put(sheet.cell(number, index), text, place)
    return _saved(book)


def _put(cell: Any, text: str, place: str) -> None:
    """A text into a cell, never a formula."""
    if (odd := _UNWRITABLE.search(text)) or len(text.encode("utf-16-le")) > 2 * _LONGEST:
        what = ascii(odd.group()) if odd else f"a text of more than {_LONGEST:,} characters"
        raise ConversionError(f"{place} would have {what}: .xlsx cannot hold it", "write .csv")
    cell.value = text
    cell.data_type = "s"
    cell.number_format = "@"


def _saved(book: WrittenWorkbook) -> bytes:
    """The file of a workbook, without the time at which it is written."""
    from openpyxl.xml.functions import tostring

    first, last = io.BytesIO(), io.BytesIO()
    book.save(first)
    book.properties.created = book.properties.modified = _EPOCH
    fixed: Mapping[str, bytes] = {"docProps/core.xml": tostring(book.properties.to_tree())}
    with zipfile.ZipFile(first) as source, zipfile.ZipFile(last, "w") as target:
        for info in source.infolist():
            plain = zipfile.ZipInfo(info.filename)
            plain.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(plain, fixed.get(info.filename) or source.read(info))
    return last.getvalue()
