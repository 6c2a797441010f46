"""Spreadsheets (.xlsx, .ods) as sheets of cells: one pass, each part of a file once.

Files may come from anyone: their XML has no entities, and what they repeat is counted first.
openpyxl writes workbooks of the sheets of a suite; nothing but Python reads them.
"""

from __future__ import annotations

import csv
import io
import math
import posixpath
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree as ET

from evalmark.converters.sources.archive import Archive
from evalmark.converters.tables.sheets import ANY_TABLE, BESIDE, ITEMS, Sheets
from evalmark.schemas.errors import ConversionError, TooMuchError, require
from evalmark.validator.reading.work_budget import WorkBudget, require_columns

if TYPE_CHECKING:
    from openpyxl import Workbook as WrittenWorkbook


_PLACE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
#: A value or a text that is not empty, in the XML of a sheet.
_TEXT = re.compile(rb"<(?:\w+:)?[vt](?:\s[^<>]*)?>[^<]")
#: The formats in which the program shows a number as it is.
_PLAIN = ("General", "@", "0")
#: Formats that have a number and no code.
_FORMATS = {0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%"}
_FORMATS |= {11: "0.00E+00", 49: "@", **dict.fromkeys((*range(14, 23), 45, 46, 47), "d")}
#: Parts of a format that are shown as they are, and letters of a date or time in the rest.
_VERBATIM = re.compile(r'".*?"|\[(?!hh?\]|mm?\]|ss?\])[^\]]*\]')
_DATE = re.compile(r"(?<![_\\])[dmhys]", re.IGNORECASE)
_CALCULATE = "open the file in a spreadsheet program and save it, or write the text itself"
_AS_TEXT = "format the cell as text, and write its text again"
_SPACES = ("s", "tab", "line-break")
_OPEN_SHEET, _OPEN_ROW = "table", "table-row"
#: Digits of a number; a double has 17.
_DIGITS = 400


class SheetCell(NamedTuple):
    """A cell of a sheet."""

    text: str = ""  # its text, as the program shows it
    is_typed: bool = False  # whether it is a number, or TRUE or FALSE
    doubt: str = ""  # its content, if its text is not known
    cure: str = ""  # the advice in that case


_EMPTY = SheetCell()


@dataclass(slots=True)
class Sheet:
    """A sheet of a spreadsheet."""

    title: str  # its name
    budget: WorkBudget  # that of its file
    #: Its cells, without last cells and last rows that are empty.
    rows: list[list[SheetCell]] = field(default_factory=list)
    #: Column, first and last row of each merged range, from 0.
    merged: list[tuple[int, int, int]] = field(default_factory=list)

    def put(self, row: int, column: int, cell: SheetCell, copies: int = 1) -> None:
        """Put a cell, and copies of it to its right, in its place, from 0."""
        if not (cell.text or cell.doubt):
            return
        require_columns(column + copies)
        new = max(row + 1 - len(self.rows), 0)
        before = len(self.rows[row]) if not new else 0
        self.budget.take(
            cells=new + max(column + copies - before, 0), characters=copies * len(cell.text)
        )
        self.rows += ([] for _ in range(new))
        cells = self.rows[row]
        cells += [_EMPTY] * (column - before)
        cells[column : column + copies] = [cell] * copies

    def repeat(self, row: int, copies: int) -> None:
        """Put copies of a row below it."""
        cells = self.rows[row]
        size = sum(len(cell.text) for cell in cells)
        self.budget.take(cells=copies * len(cells), characters=copies * size)
        self.rows += (list(cells) for _ in range(copies))

    def fill(self) -> None:
        """Put the text of the first row of merged cells in the others, where they are empty."""
        for column, top, bottom in self.merged:
            if top >= len(self.rows) or column >= len(self.rows[top]):
                continue
            self.budget.take(cells=bottom - top)
            cell = self.rows[top][column]
            for row in range(top + 1, min(bottom + 1, len(self.rows))):
                if self.rows[row][column : column + 1] in ([], [_EMPTY]):
                    self.put(row, column, cell)

    def texts(self) -> list[list[str]]:
        """The texts of all rows; raises ConversionError if the text of a cell is not known."""
        for number, row in enumerate(self.rows, 1):
            for column, cell in enumerate(row):
                if cell.doubt:
                    place = f"{letters(column)}{number}"
                    raise ConversionError(
                        f'sheet "{self.title}" has {cell.doubt} in {place}', cell.cure
                    )
        return [[cell.text for cell in row] for row in self.rows]


class Workbook:
    """A workbook (.xlsx); its sheets are read when they are asked for, each part once.

    Raises:
        ConversionError: It is damaged or too large, or its XML defines entities.
    """

    def __init__(self, raw: bytes, cure: str) -> None:
        self.budget = WorkBudget.of(len(raw))
        self._file = _Xml(raw, "the workbook", cure, self.budget)
        self._read: dict[str, Sheet] = {}
        self._strings: list[str] | None = None
        with self._file.whole():
            self._formats = self._styles()
            targets = {
                rel.get("Id"): posixpath.normpath(posixpath.join("/xl", rel.get("Target", "")))[1:]
                for rel in self._file.root("xl/_rels/workbook.xml.rels")
                if rel.get("Type", "").endswith("/worksheet")
            }
            # the title of each sheet, whether it is visible, and its part
            self.sheets = [
                (sheet.get("name", ""), sheet.get("state", "visible") == "visible", targets[key])
                for sheet in self._file.root("xl/workbook.xml").iterfind("{*}sheets/{*}sheet")
                for name, key in sheet.items()
                if name.endswith("}id") and key in targets
            ]
            self.budget.open_sheets(len(self.sheets))

    def sheet(self, title: str, part: str) -> Sheet:
        """A sheet with its cells."""
        if part not in self._read:
            with self._file.whole():
                self._read[part] = self._sheet(title, part)
        return self._read[part]

    def unread(self, parts: set[str]) -> list[str]:
        """A note with the sheets of other parts that have a text."""
        has_text: dict[str, bool] = dict.fromkeys(parts, False)
        for _, _, part in self.sheets:
            if part not in has_text:
                has_text[part] = bool(_TEXT.search(self._file.content(part)))
        return unread([title for title, _, part in self.sheets if has_text[part]])

    def _styles(self) -> list[str]:
        if "xl/styles.xml" not in self._file.names:
            return []
        root = self._file.root("xl/styles.xml")
        codes = dict(_FORMATS)
        for node in root.iterfind("{*}numFmts/{*}numFmt"):
            codes[int(node.get("numFmtId", ""))] = node.get("formatCode", "")
        ids = (int(node.get("numFmtId", "0")) for node in root.iterfind("{*}cellXfs/{*}xf"))
        return [codes.get(number, f"format {number}") for number in ids]

    def _sheet(self, title: str, part: str) -> Sheet:
        sheet = Sheet(title, self.budget)
        row = column = -1
        for event, element in self._file.elements(part):
            tag = _local(element)
            if event == "start":
                if tag == "row":
                    row, column = int(element.get("r", row + 2)) - 1, -1
            elif tag == "c":
                place = element.get("r")
                row, column = _place(place) if place else (row, column + 1)
                sheet.put(row, column, self._cell(element))
                element.clear()
            elif tag == "mergeCell":
                first, _, last = element.get("ref", "").partition(":")
                (top, left), (bottom, _) = _place(first), _place(last or first)
                sheet.merged.append((left, top, bottom))
        return sheet

    def _cell(self, element: ET.Element) -> SheetCell:
        value, is_formula, inner = "", False, _EMPTY.text
        for child in element:
            tag = _local(child)
            if tag == "v":
                value = child.text or ""
            elif tag == "is":
                inner = _rich(child)
            is_formula |= tag == "f"
        kind = element.get("t", "n")
        if kind == "inlineStr":
            return SheetCell(inner)
        if not value:
            return (
                SheetCell("", False, "a formula without a value", _CALCULATE)
                if is_formula
                else _EMPTY
            )
        if kind == "s":
            return SheetCell(self._string(int(value)))
        if kind == "e":
            return SheetCell("", False, f"the error {value}", "correct the cell")
        if kind == "b":
            return SheetCell("TRUE" if int(value) else "FALSE", is_typed=True)
        if kind == "n":
            return self._number(value, int(element.get("s", 0)))
        return SheetCell("", False, "a date or time", _AS_TEXT) if kind == "d" else SheetCell(value)

    def _number(self, value: str, style: int) -> SheetCell:
        code = self._formats[style] if self._formats or style else "General"
        if _DATE.search(_VERBATIM.sub("", code.partition(";")[0])) and code not in _PLAIN:
            return SheetCell("", False, "a date or time", _AS_TEXT)
        if len(value) > _DIGITS:
            raise ValueError(f"a number has {len(value):,} digits")
        number = float(value) if re.search("[.eE]", value) else int(value)
        if code not in _PLAIN:
            return SheetCell("", False, f'a number as "{code}"', _AS_TEXT)
        if not math.isfinite(number):
            raise ValueError(f"{value} is not a number")
        return SheetCell(
            str(number) if isinstance(number, int) else f"{number:.15g}", is_typed=True
        )

    def _string(self, index: int) -> str:
        if self._strings is None:
            self._strings = []
            for event, element in self._file.elements("xl/sharedStrings.xml"):
                if event == "end" and _local(element) == "si":
                    self._strings.append(_rich(element).replace("x005F_", ""))
                    element.clear()
        return self._strings[index]


def open_sheets(raw: bytes, cure: str) -> Iterator[Sheet]:
    """The sheets of an OpenDocument spreadsheet; errors are those of ``Workbook``."""
    budget = WorkBudget.of(len(raw))
    file = _Xml(raw, "the spreadsheet", cure, budget)
    sheet, row, number = Sheet("", budget), 0, 0
    with file.whole():
        for event, element in file.elements("content.xml"):
            tag = _local(element)
            if event == "start" and tag == _OPEN_SHEET:
                number += 1
                budget.open_sheets(number)
                sheet, row = Sheet(_attribute(element, "name"), budget), 0
            elif event == "end" and tag == _OPEN_ROW:
                row += _put_open_row(sheet, row, element)
                element.clear()
            elif event == "end" and tag == _OPEN_SHEET:
                yield sheet


def _put_open_row(sheet: Sheet, row: int, element: ET.Element) -> int:
    """Put a row of an OpenDocument spreadsheet; how many rows it is."""
    column = 0
    for cell in element:
        if _local(cell) not in ("table-cell", "covered-table-cell"):
            continue
        paragraphs = (_open_text(child, sheet.budget) for child in cell if _local(child) == "p")
        copies = _number(cell, "number-columns-repeated")
        sheet.put(row, column, SheetCell(" ".join(paragraphs)), copies)
        depth = _number(cell, "number-rows-spanned")
        if depth > 1 and row < len(sheet.rows) and column < len(sheet.rows[row]):
            sheet.budget.take(cells=copies)
            sheet.merged += ((column + n, row, row + depth - 1) for n in range(copies))
        column += copies
    copies = _number(element, "number-rows-repeated")
    if row < len(sheet.rows):
        sheet.repeat(row, copies - 1)
    return copies


def _open_text(element: ET.Element, budget: WorkBudget, depth: int = 0) -> str:
    """The text of an element; spaces, tabs and line breaks are elements of their own."""
    inner = (_open_text(child, budget, depth + 1) + (child.tail or "") for child in element)
    space = " " if _local(element) in _SPACES else ""
    return f"{space}{element.text or ''}{''.join(inner)}"


class _Xml:
    def __init__(self, raw: bytes, name: str, cure: str, budget: WorkBudget) -> None:
        self._name, self._cure, self._budget = name, cure, budget
        with self.whole():
            self._archive = Archive(io.BytesIO(raw), name, cure)
        self.names = self._archive.names

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Report parse errors as a damaged file."""
        try:
            yield
        except ConversionError as error:
            if isinstance(error, TooMuchError) or error.helps:
                raise
            raise ConversionError(error.reason, self._cure) from error
        except (ET.ParseError, LookupError, ValueError) as error:
            reason = str(error).partition("\n")[0]
            raise ConversionError(f"{self._name} is damaged: {reason}", self._cure) from error

    def content(self, part: str) -> bytes:
        self._budget.take(characters=self._archive.size(part))
        content = self._archive.read(part)
        plain = content.replace(b"\0", b"")  # in UTF-16, too
        if b"<!DOCTYPE" in plain:
            raise ConversionError(f"{self._name} defines XML entities")
        self._budget.take(parts=plain.count(b"<"))
        return content

    def elements(self, part: str) -> Iterator[tuple[str, ET.Element]]:
        depth = 0
        parser = ET.iterparse(io.BytesIO(self.content(part)), ("start", "end"))  # noqa: S314 - no entities
        for event, element in parser:
            depth += 1 if event == "start" else -1
            self._budget.enter(depth)
            yield event, element

    def root(self, part: str) -> ET.Element:
        element = ET.Element("none")
        for _, element in self.elements(part):  # noqa: B007 - the last end is that of the root
            pass
        return element


def unread(titles: list[str]) -> list[str]:
    """A note on the sheets that are not read."""
    return [f"sheets that are not read: {', '.join(titles)}"] if titles else []


def letters(index: int) -> str:
    """The name of a column, by its index.

    >>> letters(27)
    'AB'
    """
    name = ""
    while index >= 0:
        index, rest = divmod(index, 26)
        name, index = chr(ord("A") + rest) + name, index - 1
    return name


def _place(name: str) -> tuple[int, int]:
    """Row and column of a cell, from 0, by its name."""
    found = _PLACE.fullmatch(name.replace("$", ""))
    if found is None:
        raise ValueError(f"{name[:20]} is not a cell")
    column = 0
    for letter in found[1]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(found[2]) - 1, column - 1


def _rich(element: ET.Element) -> str:
    """The text of an element ``si`` or ``is``, without its formats and readings."""
    texts = []
    for child in element:
        tag = _local(child)
        texts += (
            [child] if tag == "t" else [run for run in child if _local(run) == "t"] * (tag == "r")
        )
    return "".join(run.text or "" for run in texts)


def _local(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _attribute(element: ET.Element, name: str) -> str:
    return element.get(f"{element.tag.rpartition('}')[0]}}}{name}", "")


def _number(element: ET.Element, name: str) -> int:
    """A number of repetitions; 1 if there is none."""
    text = _attribute(element, name)
    return max(int(text), 1) if text.isdecimal() and len(text) < 8 else 1


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
    """The sheets of a workbook that are read."""

    header: str = ""  # the first row of the table of items, as CSV

    tables: dict[str, str] = field(default_factory=dict)  # name of a table -> its text, as CSV
    notes: list[str] = field(default_factory=list)  # notes for the reader
    error: ConversionError | None = None  # why they cannot be read; None if they can


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
        done.notes += _typed_cell_notes(sheet) if name == ITEMS else []
    done.notes += book.unread({part for _, part in chosen.values()})


def _rectangle(sheet: Sheet) -> list[list[str]]:
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


def _typed_cell_notes(sheet: Sheet) -> list[str]:
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

    Raises ConversionError if a text cannot be in a workbook; a NotInstalledError without openpyxl.
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
                _write_cell(sheet.cell(number, index), text, place)
    return _bytes_of_book(book)


def _write_cell(cell: Any, text: str, place: str) -> None:
    """A text into a cell, never a formula."""
    if (odd := _UNWRITABLE.search(text)) or len(text.encode("utf-16-le")) > 2 * _LONGEST:
        cause = ascii(odd.group()) if odd else f"a text of more than {_LONGEST:,} characters"
        raise ConversionError(f"{place} would have {cause}: .xlsx cannot hold it", "write .csv")
    cell.value = text
    cell.data_type = "s"
    cell.number_format = "@"


def _bytes_of_book(book: WrittenWorkbook) -> bytes:
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
