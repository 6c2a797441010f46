"""Pasted texts and chosen files as suites: recognized formats first, then any table.

The page proposes what the columns of a table are: by their names, else by their cells. A person
sees each proposal, and the suite that it makes, before it counts.
"""

from __future__ import annotations

import base64
import binascii
import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from evalmark.converters.convert_document import convert_document
from evalmark.converters.formats import Syntax
from evalmark.converters.step import Supplied
from evalmark.converters.suites.suite_tables import unrelated
from evalmark.converters.syntax import ParsedText, parse_text
from evalmark.converters.tables.any_table.any_tables import (
    ColumnReading,
    build_tables,
    by_names,
    column_names,
    filled,
    grid_of_bytes,
    is_any_table,
    named_roles,
)
from evalmark.converters.tables.any_table.grid import Grid
from evalmark.converters.tables.any_table.words import (
    ROLE_WORDS,
    Role,
    are_no_texts,
    item_and_letter,
    names_columns,
)
from evalmark.converters.tables.sheets import SHAPE, Sheets
from evalmark.converters.tables.table_files import parse_workbook
from evalmark.schemas.errors import ConversionError, EvalmarkError, RequestRefused
from evalmark.validator.io.paths import is_plain_name
from evalmark.workbench.file_opening import ENDINGS, NO_SUITE, SUITE, Choices, opened
from evalmark.workbench.page_check import in_page, refusal

#: Rows that a proposal looks at, and columns that together are a condition at most.
_ROWS, _FACTORS = 500, 12
#: Marks at the end of a sentence.
_ENDS = (".", "!", "?", "。", "؟", "！", "？", "।", '."', ".”")


def proposed(grid: Grid, header: bool | None, chosen: Mapping[int, Role]) -> ColumnReading:
    """The reading of a grid that the page shows first.

    ``header`` says whether the first row names the columns, None to look; ``chosen`` has what a
    person has said, by index of a column.
    """
    if header is None:
        header = grid.header or _has_header(grid)
    if header and None not in (reading := by_names(grid, chosen)).roles:
        return reading
    names = grid.rows[0] if header else [""] * grid.width
    rows = grid.rows[header : header + _ROWS]
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names]
    return ColumnReading(header, tuple(_proposed_roles(named_roles(names, chosen), columns)))


def _has_header(grid: Grid) -> bool:
    """True if no cell of the first row comes again in its column, as names do not."""
    first, *rest = grid.rows
    if names_columns(first):
        return True
    columns = zip(*rest, strict=True)
    return not any(
        name.isdecimal() or (name and name in column)
        for name, column in zip(first, columns, strict=False)
    )


def _proposed_roles(
    roles: list[Role | None], columns: Sequence[Sequence[str]]
) -> list[Role | None]:
    """The roles of columns with those that their cells suggest where names do not say any."""
    if Role.ITEM not in roles:
        for index in [index for index in _undecided(roles) if _are_ids(columns[index])][:1]:
            roles[index] = Role.ITEM
    _add_conditions(roles, columns)
    _add_texts(roles, columns)
    return roles


def _undecided(roles: Sequence[Role | None]) -> list[int]:
    return [index for index, role in enumerate(roles) if role is None]


def _add_conditions(roles: list[Role | None], columns: Sequence[Sequence[str]]) -> None:
    items = [filled(columns[index]) for index, role in enumerate(roles) if role is Role.ITEM]
    groups: dict[str, list[int]] = {}
    for row, item in enumerate(items[0] if items else ()):
        groups.setdefault(item, []).append(row)
    factors = [index for index, role in enumerate(roles) if role is Role.CONDITION]
    for index in _undecided(roles):
        is_apart = _are_apart([filled(columns[at]) for at in factors], [*groups.values()])
        if len(factors) == _FACTORS or is_apart:
            break
        if _is_factor(filled(columns[index]), [*groups.values()]):
            roles[index] = Role.CONDITION
            factors.append(index)


def _add_texts(roles: list[Role | None], columns: Sequence[Sequence[str]]) -> None:
    rest = _undecided(roles)
    texts = [index for index in rest if not are_no_texts(columns[index])]
    is_sentence = len(texts) == 1 and _is_long(columns[texts[0]])
    has_sentences = Role.SENTENCE in roles or Role.VERSION in roles
    for index in rest:
        if has_sentences or (is_sentence and index not in texts):
            roles[index] = Role.IGNORED
        elif index in texts:
            roles[index] = Role.SENTENCE if is_sentence else Role.REGION


def _are_apart(factors: Sequence[Sequence[str]], groups: Sequence[Sequence[int]]) -> bool:
    if not groups or not factors:
        return bool(factors)
    keys = [[tuple(column[row] for column in factors) for row in rows] for rows in groups]
    return all(len(set(key)) == len(key) for key in keys)


def _is_factor(column: Sequence[str], groups: Sequence[Sequence[int]]) -> bool:
    """True if the values are those of a factor: the same ones in each item."""
    values = set(column)
    if any(len(value.split()) > 3 or value.endswith(_ENDS) for value in values):
        return False
    if len(groups) > 1:
        by_group = [{column[row] for row in rows} for rows in groups]
        return len(values) > 1 and all(group_values == values for group_values in by_group)
    is_repeated = 1 < len(values) <= len(column) / 2
    return is_repeated or (len(groups) == 1 and len(values) == len(column) > 1)


def _is_long(column: Sequence[str]) -> bool:
    """True if most cells have several words, or as many letters without spaces."""
    cells = [cell for cell in column if cell]
    several = (
        " " in cell or cell.endswith(_ENDS) or (not cell.isascii() and len(cell) > 6)
        for cell in cells
    )
    return sum(several) * 2 > len(cells)


def _are_ids(column: Sequence[str]) -> bool:
    """True if cells are whole numbers, or those of items and conditions: `1a`, `1b`."""
    cells = [cell for cell in column if cell]
    are_whole = bool(cells) and all(cell.isascii() and cell.isdecimal() for cell in cells)
    return are_whole or item_and_letter(cells) is not None


#: Rows of a table, and sentences of a suite, that a person sees before it is made.
_SHOWN = 3
_SENTENCES = 4
#: The formats of tables of sentences.
_WIDE = ("wide-table", "table")
#: The question of the dialog.
CHOOSE = "choose what the columns are"


def convert(text: str, name: str = "", choices: Choices | None = None) -> dict[str, Any]:
    """Text as a suite: its data and notes, or why it cannot become one.

    A table whose columns have to be chosen has them in ``table``, as ``table_answer`` gives them.
    Without a name, the text itself says what it is.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        return _refused(f"there is no text: {SHAPE}")
    whole = _name_of_text(text, name)
    parsed = parse_text(text, whole)
    if not is_any_table(parsed):
        return _recognized_answer(text, whole, choices or {})
    try:
        table = table_answer(text.encode("utf-8", "surrogatepass"), name)
    except ConversionError as error:
        if parsed.syntax in (Syntax.JSON, Syntax.JSONL):
            return _recognized_answer(text, whole, {})
        return _refused(refusal(error))
    return {**_refused(CHOOSE), "table": table}


def _refused(reason: str) -> dict[str, Any]:
    return {"refused": reason, "needs": "", "choices": []}


def _recognized_answer(text: str, whole: str, choices: Choices) -> dict[str, Any]:
    file = opened(text.encode("utf-8", "surrogatepass"), whole, choices)
    if file.refused:
        refused = file.refused
        if refused == NO_SUITE:
            # What else is checked has a page of its own, once it is a file.
            is_file = f"{file.format}, not a suite: save it in the folder and open it there"
            refused = is_file if file.format else f"{refused}: {SHAPE}"
        return {"refused": refused, "needs": file.needs, "choices": list(file.choices)}
    notes = [note for note in map(in_page, file.notes) if note]
    return {"data": file.data, "notes": notes}


def bytes_of(content: str) -> bytes:
    """The bytes of a file that a page sends in Base64; else a RequestRefused."""
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise RequestRefused("`content` is not Base64") from None


def convert_spreadsheet(raw: bytes, name: str) -> dict[str, Any]:
    """A workbook or an OpenDocument spreadsheet, as ``convert`` gives it."""
    try:
        if name.lower().endswith(".xlsx"):
            parsed = parse_workbook(raw, name)
            if not is_any_table(parsed) and parsed.format in _WIDE:
                if parsed.error is not None:
                    raise parsed.error
                return _suite_answer(parsed, name)
        table = table_answer(raw, name)
    except EvalmarkError as error:
        return _refused(refusal(error))
    return {**_refused(CHOOSE), "table": table}


def table_answer(
    raw: bytes,
    name: str,
    *,
    header: bool | None = None,
    roles: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The roles of a table's columns, and the suite that it becomes by them.

    ``header`` says whether the first row names the columns, None to look; ``roles`` has index of a
    column -> value of its role, and the others are proposed. The answer has ``names``, ``roles``
    and ``header`` as they are read, the first ``rows`` and their ``count``, ``choices`` of roles;
    then ``data``, ``notes`` and ``sentences`` of the suite, or ``refused``. A person has to confirm
    what is ``asked``, if it is.
    """
    grid = grid_of_bytes(raw, name)
    reading = proposed(grid, header, _roles(roles or {}, grid.width))
    answer: dict[str, Any] = {
        "names": column_names(grid, header=reading.header),
        "header": reading.header,
        "roles": [role or "" for role in reading.roles],  # a person has to say it
        "rows": [list(row) for row in grid.rows[reading.header : reading.header + _SHOWN]],
        "count": len(grid.rows) - reading.header,
        "choices": dict(ROLE_WORDS),
    }
    try:
        built = build_tables(grid, reading)
        parsed = ParsedText("", name, Syntax.CSV, built.data, _WIDE[0], notes=built.notes)
        suite = _suite_answer(parsed, name)
    except ConversionError as error:
        return {**answer, "refused": refusal(error)}
    first = list(built.data.items[0])
    sentences = [list(row.values()) for row in built.data.items[:_SENTENCES]]
    doubt = unrelated(built.data.items)
    asked = {"asked": doubt} if doubt else {}
    return {**answer, **suite, **asked, "columns": first, "sentences": sentences}


def _suite_answer(parsed: ParsedText, name: str) -> dict[str, Any]:
    stem = PurePosixPath(name).name.partition(".")[0] or None
    has_formulas = isinstance(parsed.data, Sheets) and parsed.data.predictions is not None
    supplied = Supplied(name=stem, predictions=None if has_formulas else ())
    done = convert_document(parsed, to=SUITE, supplied=supplied)
    notes = [note for note in map(in_page, (*parsed.notes, *done.notes)) if note]
    return {"data": done.data, "notes": list(dict.fromkeys(notes))}


def _roles(values: Mapping[str, Any], width: int) -> dict[int, Role]:
    roles = {}
    places = [*map(str, range(width))]
    for index, role in values.items():
        if index not in places or role not in [*Role]:
            raise RequestRefused(f"no column {index}, or no role {role}")
        roles[int(index)] = Role(role)
    return roles


def _name_of_text(text: str, name: str) -> str:
    plain = name if is_plain_name(name) else "pasted"
    if plain.lower().endswith(ENDINGS):
        return plain
    stem = PurePosixPath(plain).name.partition(".")[0]
    return f"{stem}{_ending(text)}"


def _ending(text: str) -> str:
    start = text.lstrip()
    if start.startswith(("{", "[")):
        several = start.startswith("{") and "}\n{" in start.replace("\r", "")
        return ".jsonl" if several else ".json"
    header = text.partition("\n")[0]
    if "\t" in header:
        return ".tsv"  # what spreadsheets copy
    try:
        cells = next(csv.reader(io.StringIO(header)), [])
    except csv.Error:  # a cell is too long
        return ".csv"
    return ".csv" if len(cells) > 1 else ".yaml"
