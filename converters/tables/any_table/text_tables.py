"""Texts as grids: separated values, rows of JSON, and scripts of PCIbex."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from evalmark.converters.notes import ConversionNotes
from evalmark.converters.tables.any_table.grid import Grid, grid_of
from evalmark.converters.tables.any_table.words import names_columns
from evalmark.converters.tables.sheets import NO_TABLE, SHAPE
from evalmark.schemas.errors import ConversionError, ParseRejected
from evalmark.validator.findings.phrasing import cited, counted
from evalmark.validator.reading.strict_json import parse
from evalmark.validator.reading.work_budget import MAX_COLUMNS, WorkBudget, require_columns

#: The separators of the cells of a row, the most certain first.
_DELIMITERS = ("\t", ";", ",")
#: Rows among which the names of columns are looked for.
_FIRST = 10
#: Keys whose value is a list of rows.
_LISTS = ("items", "data", "rows", "stimuli", "sentences")


def grid_of_text(text: str) -> Grid:
    """The grid of a text; raises ConversionError if it is not a table."""
    budget = WorkBudget.of(len(text))
    data = _json(text) if text.lstrip().startswith(("{", "[")) else None
    if data is not None:
        return _grid_of_json(data, budget)
    if script := grid_of_script(text):
        return script
    if rows := _separated(text):
        return grid_of(rows, budget=budget)
    raise no_table()


def no_table() -> ConversionError:
    """The refusal of what is not a table, with what one looks like."""
    return ConversionError("this is not a table", SHAPE, needs=NO_TABLE)


def _json(text: str) -> Any:
    try:
        return parse(text)
    except ParseRejected:
        pass
    try:
        return [parse(line) for line in text.split("\n") if line.strip()]
    except ParseRejected:
        return None


def _grid_of_json(data: Any, budget: WorkBudget) -> Grid:
    """The grid of a list of objects, which may be the value of a key."""
    notes = []
    if isinstance(data, dict):
        key = next((key for key in _LISTS if isinstance(data.get(key), list)), None)
        others = [name for name in data if name != key]
        notes = [f"keys that are not read: {', '.join(others)}"] if others else []
        data = data.get(key)
    if not isinstance(data, list) or {*map(type, data)} != {dict}:
        raise no_table()
    names = list(dict.fromkeys(name for row in data for name in row))
    budget.take(cells=len(names) * len(data))
    cells = _texts([[row.get(name) for name in names] for row in data])
    return grid_of([names, *cells], True, notes, budget)


def _texts(rows: Sequence[Sequence[Any]]) -> Iterator[list[str]]:
    """Cells as texts; parts of sentences have bars between them if a column has as many of each."""
    glue = [
        " | " if len({len(cell) if isinstance(cell, list) else 0 for cell in column}) == 1 else " "
        for column in zip_longest(*rows)
    ]
    for row in rows:
        yield [_cell(value, mark) for value, mark in zip(row, glue, strict=False)]


def _cell(value: Any, glue: str) -> str:
    """The text of a value; a list of texts are the parts of a sentence."""
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return glue.join(value)
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _separated(text: str) -> list[list[str]] | None:
    """The cells of separated values; None if the lines are not rows of a table.

    Their delimiter is the one by which a row names columns, or else all rows are equally long.

    Raises:
        ConversionError: A row has more cells than the names of columns.
    """
    tables = {}
    for delimiter in _DELIMITERS:
        if delimiter in text and (rows := _csv_rows(text, delimiter)):
            tables[delimiter] = rows
    for delimiter, rows in tables.items():
        header = next(filter(names_columns, rows[:_FIRST]), None)
        if header is None:
            continue
        longer = (n for n, row in enumerate(rows, 1) if any(row[len(header) :]))
        number = next(longer, None)
        if number is not None and delimiter != "\t":
            cells = counted(len(rows[number - 1]), "cell")
            raise ConversionError(
                ConversionNotes.CELLS(number, cells, len(header)), ConversionNotes.QUOTES()
            )
        return rows
    for rows in tables.values():
        if len(widths := {len(row) for row in rows if any(row)}) == 1 and widths != {1}:
            return rows
    return tables.get("\t")  # cells that were copied


def _csv_rows(text: str, delimiter: str) -> list[list[str]] | None:
    """The rows of a text; None if its quotes are not those of separated values.

    Tabs are in no cell, so that quotes which do not enclose cells are letters.
    """
    is_tab = delimiter == "\t"
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE) if is_tab else (csv.QUOTE_MINIMAL,):
        lines = io.StringIO(text, newline="")
        reader = csv.reader(
            lines, delimiter=delimiter, strict=True, quoting=quoting, skipinitialspace=True
        )
        try:
            first = next(reader, [])
            rows = [first, *reader] if len(first) <= MAX_COLUMNS else []
        except csv.Error:
            continue
        require_columns(len(first))
        return rows
    return None


_STRING = r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
_QUOTED = re.compile(_STRING)
_STRING_OR_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*(?:.*?\*/|.*)", re.DOTALL)
#: The label of an element: a condition, and its item; and the beginning of one without an item.
_LABEL = re.compile(r"""\[\s*\[\s*(["'])([^"'\n]{1,200})\1\s*,\s*(\d{1,9})\s*\]""")
_OTHER = re.compile(rf"\[\s*({_STRING})\s*,\s*[\"'][A-Z]\w*[\"']\s*,\s*\{{")
#: The key of a sentence, where strings are masked, and its value: a text, or the list of its parts.
_KEY = re.compile(r"\bs\s*:\s*")
_VALUE = re.compile(rf"(?:({_STRING})|\[((?:\s|,|{_STRING})*)\])\s*[,}}]")
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))")
_SPACES = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f"}


def grid_of_script(text: str) -> Grid | None:
    """The sentences of a script; None if it has no element with a condition and an item."""
    text = _STRING_OR_COMMENT.sub(lambda found: found.group(1) or " ", text)
    masked = _QUOTED.sub(_mask, text)
    labels = [*_LABEL.finditer(text)]
    if not labels:
        return None
    elements = sorted([*labels, *_OTHER.finditer(text)], key=lambda element: element.start())
    ends = [*(element.start() for element in elements[1:]), len(text)]
    rows: list[tuple[str, str, list[str]]] = []
    unread = []
    for element, end in zip(elements, ends, strict=True):
        name = element.group()[1:].strip() if element.re is _LABEL else ""
        keys = [*_KEY.finditer(masked, element.end() - (not name), end)]
        if name and len(keys) == 1:
            rows.append((element[3], element[2], _parts(text, keys[0].end(), name)))
        elif name and keys:
            raise ConversionError(f"the element {name} has {len(keys)} sentences", "write one each")
        elif name or keys:
            unread.append(name or element[1])
    if not rows:
        raise ConversionError("the script has no element with a sentence `s`")
    notes = [f"elements without an item or a sentence are not read: {', '.join(unread)}"]
    glue = " | " if all(len(parts) > 1 for *_, parts in rows) else " "
    cells = ([item, condition, glue.join(parts)] for item, condition, parts in rows)
    return grid_of([["item", "condition", "sentence"], *cells], True, notes if unread else ())


def _mask(found: re.Match[str]) -> str:
    """A string without what could be a key in it, but a quoted key itself."""
    return " s " if found.group()[1:-1] == "s" else "_" * len(found.group())


def _parts(text: str, at: int, name: str) -> list[str]:
    value = _VALUE.match(text, at)
    if value is None:
        raise ConversionError(
            f"the sentence of {name} is not one text: {cited(text[at : at + 40])}",
            "write it in one pair of quotes",
        )
    return [*_unquoted(value.group(1) or value.group(2))]


def _unquoted(literals: str) -> Iterator[str]:
    for literal in _QUOTED.findall(literals):
        text = _ESCAPE.sub(_character, literal[1:-1])
        try:  # two escapes can be the halves of one character
            yield text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            raise ConversionError(f"half a character is in {literal}") from None


def _character(escape: re.Match[str]) -> str:
    *codes, plain = escape.groups()
    code = next(filter(None, codes), None)
    if code is None:
        return _SPACES.get(plain, plain)
    return chr(min(int(code, 16), 0x10FFFF))
