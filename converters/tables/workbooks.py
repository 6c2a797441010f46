"""Workbooks of spreadsheet programs (.xlsx): their sheets as texts of CSV, and back.

Files may come from anyone: members are unpacked within limits, and openpyxl gets them unpacked.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any

from evalmark.converters.sources.archive import Archive
from evalmark.converters.tables.sheets import ANY_TABLE, BESIDE, ITEMS, Sheets
from evalmark.schemas.errors import ConversionError, require

if TYPE_CHECKING:
    from openpyxl import Workbook

#: Bytes of all members of a workbook; rows, cells, and characters of texts of a sheet.
MAX_UNPACKED = 1 << 28
MAX_ROWS = 1 << 20
MAX_CELLS = 1 << 22
MAX_TEXT = 1 << 26
#: Characters of a cell, as Excel counts them: UTF-16.
_LONGEST = 32767
#: What XML cannot hold, what its parsers change, and what Excel takes for an escaped character.
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_x[0-9a-fA-F]{4}_")
#: What the program shows of a number is the number only in these formats.
_PLAIN = ("General", "@", "0")
#: Columns of whole numbers.
_NUMBERS = ("item", "item_number", "region_number")
#: The time in each workbook that is written: equal suites are equal files.
_EPOCH = datetime(2000, 1, 1)
_SAVE = "save it as .xlsx, without a password"
_CALCULATE = "open the file in a spreadsheet program and save it, or write the text itself"


@dataclass(slots=True)
class WorkbookTexts:
    """The sheets of a workbook that are read.

    Attributes:
        header: The first row of the table of items, as CSV.
        tables: Name of a table -> its text, as CSV.
        notes: What a reader should know.
        error: Why they cannot be read; None if they can.
    """

    header: str = ""

    tables: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    error: ConversionError | None = None


def read_workbook(raw: bytes) -> WorkbookTexts:
    """The sheets ``items`` (or the first visible one), ``predictions`` and ``meta``.

    A workbook that is damaged or too large, or has a cell whose text is not certain, has an error.

    Raises:
        NotInstalledError: openpyxl is not installed.
    """
    require("openpyxl")
    done = WorkbookTexts()
    try:
        plain = unpacked_workbook(raw)
    except ConversionError as error:
        done.error = ConversionError(error.reason, error.help or _SAVE)
        return done
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and extensions, which do not matter here
            _read_sheets(plain, done)
    except ConversionError as error:
        done.error = error
    except Exception as error:  # openpyxl raises many kinds, by what is damaged
        reason = str(error).partition("\n")[0] or type(error).__name__
        done.error = ConversionError(f"the workbook is damaged: {reason}", _SAVE)
    return done


def unpacked_workbook(raw: bytes) -> bytes:
    """A workbook whose members are not compressed.

    Raises:
        ConversionError: It is damaged, too large, or its XML defines entities.
    """
    plain = io.BytesIO()
    size = 0
    archive = Archive(io.BytesIO(raw), "the workbook", _SAVE)
    with zipfile.ZipFile(plain, "w") as copy:
        for name in archive.names:
            if not name.lower().endswith((".xml", ".rels")):
                continue  # pictures and the like
            content = archive.read(name)
            size += len(content)
            if size > MAX_UNPACKED:
                raise ConversionError(f"the workbook holds more than {MAX_UNPACKED >> 20} MiB")
            if b"<!DOCTYPE" in content.replace(b"\0", b""):
                raise ConversionError("the workbook defines XML entities")
            copy.writestr(zipfile.ZipInfo(name), content)
    return plain.getvalue()


def _read_sheets(plain: bytes, done: WorkbookTexts) -> None:
    """Reads the sheets of tables, and names the others."""
    from openpyxl import load_workbook

    values, formulas = (
        load_workbook(io.BytesIO(plain), read_only=True, data_only=data_only, keep_links=False)
        for data_only in (True, False)
    )
    sheets: list[Any] = values.worksheets
    named = {sheet.title.strip().lower(): sheet for sheet in reversed(sheets)}
    visible = (sheet for sheet in sheets if sheet.sheet_state == "visible")
    chosen: dict[str, Any] = {name: named[name] for name in (ITEMS, *BESIDE) if name in named}
    first = chosen.get(ITEMS) or next(visible, None)
    if first is None:
        raise ConversionError("the workbook has no visible sheet")
    chosen = {ITEMS: first, **chosen}
    done.header = _csv(
        [str(cell.value or "") for cell in row] for row in islice(_limited(first), 1)
    )
    with zipfile.ZipFile(io.BytesIO(plain)) as archive:
        for name, sheet in chosen.items():
            # The only word on where its XML is.
            place = sheet._worksheet_path  # noqa: SLF001
            if re.search(rb"<(?:\w+:)?mergeCell\s", archive.read(place)):
                raise ConversionError(
                    f'sheet "{sheet.title}" has merged cells',
                    "split them, and write the text in each cell",
                    needs=ANY_TABLE,
                )
            reader = SheetReader(sheet.title, name == ITEMS)
            rows = reader.rows(sheet, formulas[sheet.title])
            done.tables[name] = _csv(rows)
            done.notes += reader.notes()
    unread = [s.title for s in sheets if s not in chosen.values() and _has_text(s)]
    if unread:
        done.notes.append(f"sheets that are not read: {', '.join(unread)}")


def _has_text(sheet: Any) -> bool:
    return any(value is not None for row in _limited(sheet) for value in (c.value for c in row))


def _limited(sheet: Any) -> Iterator[Sequence[Any]]:
    """The rows of a sheet, whatever size it states.

    Raises:
        ConversionError: It has too many cells.
    """
    sheet.reset_dimensions()
    cells = 0
    for number, row in enumerate(sheet.iter_rows()):
        cells += len(row)
        if number >= MAX_ROWS or cells > MAX_CELLS:
            raise _too_large(sheet.title)
        yield row


def _too_large(title: str) -> ConversionError:
    return ConversionError(
        f'sheet "{title}" has more than {MAX_ROWS:,} rows or {MAX_CELLS:,} cells',
        "delete the empty rows and columns after the table",
    )


@dataclass(slots=True)
class SheetReader:
    """Reads the cells of a sheet.

    Attributes:
        title: Its name.
        has_texts: Whether its cells are texts that a model reads.
    """

    title: str
    has_texts: bool
    _size: int = 0
    _typed: list[str] = field(default_factory=list)

    def rows(self, values: Any, formulas: Any) -> list[list[str]]:
        """The texts of all rows, without columns and last rows that have none."""
        return self._rectangle(self.texts(values, formulas))

    def texts(self, values: Any, formulas: Any) -> list[list[str]]:
        """The texts of all rows, without last cells and last rows that have none."""
        rows: list[list[str]] = []
        numeric: frozenset[int] = frozenset()
        cells = zip_longest(_limited(values), _limited(formulas), fillvalue=())
        for number, (row, sources) in enumerate(cells, 1):
            texts = [
                self._text(cell, source, (index, number), index in numeric)
                for index, (cell, source) in enumerate(zip_longest(row, sources))
            ]
            while texts and not texts[-1]:
                texts.pop()
            rows.append(texts)
            if number == 1:
                numeric = frozenset(i for i, name in enumerate(texts) if name in _NUMBERS)
        while rows and not rows[-1]:
            rows.pop()
        return rows

    def _rectangle(self, rows: list[list[str]]) -> list[list[str]]:
        """Rows of equal length, without the columns that have no text."""
        width = max(map(len, rows), default=0)
        if width * len(rows) > MAX_CELLS:
            raise _too_large(self.title)
        rows = [row + [""] * (width - len(row)) for row in rows]
        kept = [i for i in range(width) if any(row[i] for row in rows)]
        for column in kept:
            if not rows[0][column].strip():
                first = next(n for n, row in enumerate(rows, 1) if row[column])
                raise ConversionError(
                    f'sheet "{self.title}" has a text in {_letters(column)}{first}, '
                    "and no name of the column in its first row",
                    "name the column, or delete it",
                )
        return [[row[column] for column in kept] for row in rows]

    def _text(self, cell: Any, source: Any, place: tuple[int, int], is_numeric: bool) -> str:
        """The text of a cell.

        Raises:
            ConversionError: What the program shows of it is not known.
        """
        value = cell.value if cell is not None else None
        if value is None:
            if source is not None and source.data_type == "f":
                self._refuse(place, "a formula without a value", _CALCULATE)
            return ""
        if isinstance(value, str):
            if cell.data_type == "e":
                self._refuse(place, f"the error {value}", "correct the cell")
            self._size += len(value)
            if self._size > MAX_TEXT:
                raise ConversionError(f'sheet "{self.title}" has more than {MAX_TEXT:,} characters')
            return value
        if isinstance(value, bool):
            text = str(value).upper()
        elif isinstance(value, int | float) and cell.number_format in _PLAIN:
            text = str(value) if isinstance(value, int) else f"{value:.15g}"
        else:
            what = "a date or time" if cell.is_date else f'a number as "{cell.number_format}"'
            self._refuse(place, what, "format the cell as text, and write its text again")
        if self.has_texts and not is_numeric:
            self._typed.append(_name(place))
        return text

    def _refuse(self, place: tuple[int, int], what: str, cure: str) -> None:
        raise ConversionError(f'sheet "{self.title}" has {what} in {_name(place)}', cure)

    def notes(self) -> list[str]:
        """The cells that are not texts, if there are any."""
        if not self._typed:
            return []
        more = f" and {len(self._typed) - 1} more" if len(self._typed) > 1 else ""
        return [
            f'sheet "{self.title}": {self._typed[0]}{more} '
            f"{'are' if more else 'is'} a number or TRUE or FALSE, which is read as its text"
        ]


def _name(place: tuple[int, int]) -> str:
    """The name of a cell, by the index of its column and the number of its row."""
    return f"{_letters(place[0])}{place[1]}"


def _letters(index: int) -> str:
    from openpyxl.utils import get_column_letter

    return get_column_letter(index + 1)


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
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for name, columns, rows in sheets.tables():
        sheet = book.create_sheet(name)
        sheet.freeze_panes = "A2"
        for index in range(len(columns)):
            # What is written into a new row stays a text, too.
            sheet.column_dimensions[_letters(index)].number_format = "@"
        cells = [columns, *(list(row.values()) for row in rows)]
        for number, row in enumerate(cells, 1):
            for index, text in enumerate(row, 1):
                place = f"{_name((index - 1, number))} of the sheet {name}"
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


def _saved(book: Workbook) -> bytes:
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
