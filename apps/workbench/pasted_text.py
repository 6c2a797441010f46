"""Pasted texts and chosen files as suites: recognized formats first, then any table."""

from __future__ import annotations

import base64
import binascii
import csv
import io
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from evalmark.converters.convert_document import convert_document
from evalmark.converters.formats import Syntax
from evalmark.converters.step import Supplied
from evalmark.converters.syntax import ParsedText, parse_text
from evalmark.converters.tables.any_table.any_tables import grid_of_bytes, is_any_table
from evalmark.converters.tables.any_table.reading import names_of
from evalmark.converters.tables.any_table.suite_tables import build_tables
from evalmark.converters.tables.any_table.words import ROLE_WORDS, Role
from evalmark.converters.tables.sheets import SHAPE, Sheets
from evalmark.converters.tables.table_files import parse_workbook
from evalmark.converters.tables.wide_tables import unrelated
from evalmark.schemas.errors import ConversionError, EvalmarkError, RequestRefused
from evalmark.validator.io.paths import is_plain_name
from evalmark.workbench.column_proposals import proposed
from evalmark.workbench.file_opening import ENDINGS, NO_SUITE, SUITE, Choices, opened
from evalmark.workbench.page_check import in_page, refusal

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

    Args:
        text: What was pasted, or the text of a file.
        name: The name of the file; without one, the text itself says what it is.
        choices: See ``open_file``.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        return _refused(f"there is no text: {SHAPE}")
    whole = _named(text, name)
    parsed = parse_text(text, whole)
    if not is_any_table(parsed):
        return _recognized(text, whole, choices or {})
    try:
        table = table_answer(text.encode("utf-8", "surrogatepass"), name)
    except ConversionError as error:
        if parsed.syntax in (Syntax.JSON, Syntax.JSONL):
            return _recognized(text, whole, {})
        return _refused(refusal(error))
    return {**_refused(CHOOSE), "table": table}


def _refused(reason: str) -> dict[str, Any]:
    return {"refused": reason, "needs": "", "choices": []}


def _recognized(text: str, whole: str, choices: Choices) -> dict[str, Any]:
    """The answer of a text whose name says how it is written, if it is in any format."""
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
    """The bytes of a file that a page sends.

    Raises:
        RequestRefused: They are not written in Base64.
    """
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

    Args:
        raw: The table.
        name: The name of its file, or nothing.
        header: Whether its first row names the columns; None to look.
        roles: Index of a column -> value of its role; the others are proposed.

    Returns:
        ``names``, ``roles`` and ``header`` as they are read, the first ``rows`` and their
        ``count``, ``choices`` of roles; then ``data``, ``notes`` and ``sentences`` of the suite,
        or ``refused``. A person has to confirm what is ``asked``, if it is.

    Raises:
        ConversionError: It is not a table.
    """
    grid = grid_of_bytes(raw, name)
    reading = proposed(grid, header, _roles(roles or {}, grid.width))
    answer: dict[str, Any] = {
        "names": names_of(grid, header=reading.header),
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
    """The suite of a wide table; one without predictions has an empty list of them."""
    stem = PurePosixPath(name).name.partition(".")[0] or None
    has_formulas = isinstance(parsed.data, Sheets) and parsed.data.predictions is not None
    supplied = Supplied(name=stem, predictions=None if has_formulas else ())
    done = convert_document(parsed, to=SUITE, supplied=supplied)
    notes = [note for note in map(in_page, (*parsed.notes, *done.notes)) if note]
    return {"data": done.data, "notes": list(dict.fromkeys(notes))}


def _roles(values: Mapping[str, Any], width: int) -> dict[int, Role]:
    """The roles that a page has chosen.

    Raises:
        RequestRefused: A column or a role does not exist.
    """
    roles = {}
    places = [*map(str, range(width))]
    for index, role in values.items():
        if index not in places or role not in [*Role]:
            raise RequestRefused(f"no column {index}, or no role {role}")
        roles[int(index)] = Role(role)
    return roles


def _named(text: str, name: str) -> str:
    """A name that says how the text is written."""
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
