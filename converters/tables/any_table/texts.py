"""Texts as grids: separated values, tables with bars, JSON, scripts and lists of sentences."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from evalmark.converters.notes import Told
from evalmark.converters.tables.any_table.grid import Grid, grid_of
from evalmark.converters.tables.any_table.scripts import grid_of_script
from evalmark.converters.tables.any_table.sentences import grid_of_sentences
from evalmark.converters.tables.any_table.words import names_columns
from evalmark.schemas.errors import ConversionError, Rejected
from evalmark.validator.findings.phrasing import listed, shown
from evalmark.validator.reading.strict_json import parse
from evalmark.validator.reading.work_budget import WorkBudget

#: The separators of the cells of a row, the most certain first.
_DELIMITERS = ("\t", ";", ",")
#: Share of the rows that have as many cells as most.
_USUAL = 0.8
#: Rows among which the names of columns are looked for.
_FIRST = 10
#: Keys whose value is a list of rows.
_LISTS = ("items", "data", "rows", "stimuli", "sentences")
_LINE_END = re.compile(r"\r\n|\r|\n")
#: The line below the names of the columns of a table with bars, and what separates its cells.
_RULE = re.compile(r"[\s:|+]*-[\s:|+-]*")
_BAR = re.compile(r"(?<!\\)\|")
_BAR_OR_RULE = re.compile(rf"{_BAR.pattern}|^\s*[-+]*--[-+]*\s*$")
#: A comma or semicolon of sentences, and of numbers.
_IN_PROSE = r"(?m){0}(?=\s|$)|(?<=\d){0}(?=\d+(?:[ .]|$))"
_GAP = re.compile(r" {2,}|\t")


def grid_of_text(text: str, *, has_sentences: bool, size: int) -> Grid:
    """The grid of a text, whatever it is.

    Args:
        text: The text.
        has_sentences: Whether it may be a list of sentences; any prose would be one.
        size: How many lines an item of that has, if it does not say so.

    Raises:
        ConversionError: It is neither a table nor a list of sentences.
    """
    budget = WorkBudget.of(len(text))
    is_json = text.lstrip().startswith(("{", "["))
    data = _json(text) if is_json else None
    if data is not None:
        return _grid_of_json(data, budget)
    if script := grid_of_script(text):
        return script
    if is_json:
        raise ConversionError("this is neither JSON nor a script of PCIbex", needs="formats")
    lines = _LINE_END.split(text)
    if cells := _cells_of_bars(lines):
        unread = [shown(line) for line in lines if line.strip() and not _BAR_OR_RULE.search(line)]
        notes = [f"lines outside of the table are not read: {listed(unread)}"]
        return grid_of(cells, notes=notes if unread else (), budget=budget)
    rows = _separated(text) or _aligned(lines)
    if rows:
        return grid_of(rows, budget=budget)
    if not has_sentences:
        cure = "name a list of sentences .txt"
        raise ConversionError("this is neither a table nor a script", cure, needs="formats")
    return grid_of_sentences(lines, size)


def _json(text: str) -> Any:
    """The value of JSON or of JSON Lines; None if it is neither."""
    try:
        return parse(text)
    except Rejected:
        pass
    try:
        return [parse(line) for line in _LINE_END.split(text) if line.strip()]
    except Rejected:
        return None


def _grid_of_json(data: Any, budget: WorkBudget) -> Grid:
    notes = []
    if isinstance(data, dict):
        key = next((key for key in _LISTS if isinstance(data.get(key), list)), None)
        others = [name for name in data if name != key]
        if key is not None and others:
            notes = [f"keys that are not read: {', '.join(others)}"]
        data = _rows_of_columns(data, budget) if key is None else data[key]
    kinds = {*map(type, data)} if isinstance(data, list) else set()
    if kinds == {dict}:
        names = list(dict.fromkeys(name for row in data for name in row))
        budget.take(cells=len(names) * len(data))
        cells = _texts([[row.get(name) for name in names] for row in data])
        return grid_of([names, *cells], True, notes, budget)
    if kinds == {list}:
        budget.take(cells=max(map(len, data)) * len(data))
        return grid_of(_texts(data), None, notes, budget)
    if kinds == {str}:
        return grid_of_sentences(data)
    cure = "write a list of objects, one a row"
    raise ConversionError("this JSON is not a list of rows", cure, needs="formats")


def _rows_of_columns(data: dict[str, Any], budget: WorkBudget) -> list[dict[str, Any]] | None:
    """The rows of columns that are lists, or objects with the same keys; None if they are not."""
    columns = {
        name: dict(enumerate(column)) if isinstance(column, list) else column
        for name, column in data.items()
    }
    if not all(isinstance(column, dict) for column in columns.values()):
        return None
    keys = dict.fromkeys(key for column in columns.values() for key in column)
    budget.take(cells=len(keys) * len(columns))
    return [{name: column.get(key) for name, column in columns.items()} for key in keys]


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


def _cells_of_bars(lines: Sequence[str]) -> list[list[str]]:
    """The cells of each line of a table of Markdown or a database; empty if it is none."""
    rules = [at for at, line in enumerate(lines) if _RULE.fullmatch(line.strip())]
    has_rule = any(at and _BAR.search(lines[at - 1]) for at in rules)
    if not has_rule and sum(line.lstrip().startswith("|") for line in lines) < 2:
        return []
    below = {*rules[:1], *(at for at in rules if "--" in lines[at])}
    return [[] if at in below else _cells(line) for at, line in enumerate(lines)]


def _cells(line: str) -> list[str]:
    """The cells of a line with bars."""
    parts = _BAR.split(line.strip())
    if len(parts) == 1:
        return []
    first, last = (not parts[0].strip()), (not parts[-1].strip())
    return [part.replace("\\|", "|") for part in parts[first : len(parts) - last]]


def _separated(text: str) -> list[list[str]] | None:
    """The cells of separated values; None if the lines are not rows of a table."""
    for delimiter in _DELIMITERS:
        if delimiter not in text:
            continue
        rows = _csv_rows(text, delimiter)
        if rows is None:
            continue
        header = next(filter(names_columns, rows[:_FIRST]), None)
        is_prose = len(re.findall(_IN_PROSE.format(delimiter), text)) * 2 > text.count(delimiter)
        if header is None and is_prose and delimiter != "\t":
            continue  # commas of sentences
        widths = Counter(len(row) for row in rows if any(row))
        width, count = max(widths.items(), key=lambda pair: (pair[1], pair[0]), default=(0, 0))
        width = len(header) if header else width
        if width > 1 and (header or count >= _USUAL * widths.total() or delimiter == "\t"):
            number = next((n for n, row in enumerate(rows, 1) if any(row[width:])), None)
            if number is not None and delimiter != "\t":
                raise ConversionError(
                    f"row {number} has {len(rows[number - 1])} cells, and most rows {width}",
                    Told.QUOTES(),
                )
            return rows
    return None


def _csv_rows(text: str, delimiter: str) -> list[list[str]] | None:
    """The rows of a text; None if its quotes are not those of separated values.

    Tabs are in no cell, so that quotes which do not enclose cells are letters.
    """
    is_tab = delimiter == "\t"
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE) if is_tab else (csv.QUOTE_MINIMAL,):
        lines = io.StringIO(text, newline="")
        try:
            return [
                *csv.reader(
                    lines, delimiter=delimiter, strict=True, quoting=quoting, skipinitialspace=True
                )
            ]
        except csv.Error:
            continue
    return None


def _aligned(lines: Sequence[str]) -> list[list[str]] | None:
    """The cells of columns with several spaces between them, below their names."""
    rows = [_GAP.split(line.strip()) for line in lines if line.strip()]
    is_table = bool(rows) and names_columns(rows[0]) and len({*map(len, rows)}) == 1
    return rows if is_table else None
