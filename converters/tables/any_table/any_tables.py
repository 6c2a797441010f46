"""Any table as the tables of a suite: the file, what its columns are, and what it becomes."""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from pathlib import PurePath

from evalmark.converters.formats import WIDE_TABLE, Syntax
from evalmark.converters.step import Stepped
from evalmark.converters.suites.suite_tables import odd_region, unrelated
from evalmark.converters.syntax import ParsedText
from evalmark.converters.tables.any_table.column_reading import (
    ASK,
    ColumnReading,
    build_tables,
    by_names,
    names_of,
)
from evalmark.converters.tables.any_table.grid import Grid
from evalmark.converters.tables.any_table.text_tables import grid_of_text, no_table
from evalmark.converters.tables.any_table.words import ROLE_WORDS, Role
from evalmark.converters.tables.sheets import ANY_TABLE, NO_TABLE
from evalmark.schemas.errors import ConversionError, Rejected, TooMuchError
from evalmark.validator.reading.strict_json import decode

#: Endings of files that are tables, whatever their first row says.
_TABLES = (".csv", ".tsv", ".xlsx", ".ods")
#: The first bytes of a zip archive.
_ZIP = b"PK\x03\x04"
#: The first bytes of the text of tables from older programs.
_UTF16 = (BOM_UTF16_LE, BOM_UTF16_BE)


def grid_of_bytes(raw: bytes, name: str) -> Grid:
    """The grid of a file, whose name says only whether a zip archive is ``.ods``.

    Raises:
        ConversionError: It is not a table.
    """
    raw = raw.removeprefix(BOM_UTF8)
    if raw.startswith(_ZIP):
        is_open = name.lower().endswith(".ods") or b"opendocument.spreadsheet" in raw[:200]
        from evalmark.converters.tables.any_table.first_sheet import grid_of_spreadsheet

        return grid_of_spreadsheet(raw, is_open=is_open)
    try:
        return grid_of_text(raw.decode("utf-16") if raw.startswith(_UTF16) else decode(raw))
    except (Rejected, UnicodeDecodeError) as error:
        reason = str(error) if isinstance(error, Rejected) else ""
        raise ConversionError(
            reason or "the text is not UTF-8", "save it as CSV UTF-8, or copy its cells"
        ) from None


def described(grid: Grid, reading: ColumnReading) -> str:
    """The role of each column, in one line."""
    names = names_of(grid, header=reading.header)
    words = dict.fromkeys(reading.roles)
    parts = (
        f"{ROLE_WORDS[role]}: {', '.join(names[index] for index in reading.columns(role))}"
        for role in words
        if role and role is not Role.IGNORED
    )
    return f"columns are read as {'; '.join(parts)}"


def table_of_bytes(raw: bytes, name: str, roles: Mapping[str, str] | None = None) -> Stepped:
    """The tables of a suite that a file is by the names of its columns, with a note on these.

    Args:
        raw: The content of the file.
        name: Its name.
        roles: Name or number of a column -> the value of its role, where its name does not say it.

    Raises:
        ConversionError: It is not a table, or its columns do not make a suite.
    """
    grid = grid_of_bytes(raw, name)
    reading = by_names(grid, _by_index(grid, roles or {}))
    is_table = PurePath(name).suffix.lower() in _TABLES
    if not is_table and not roles and not reading.is_named:
        raise no_table()  # prose with commas, or objects with any keys
    built = build_tables(grid, reading)
    if not roles and (doubt := unrelated(built.data.items)):
        raise ConversionError(doubt, "say what a column is", needs=ASK, subject="NAME")
    return Stepped(built.data, (described(grid, reading), *built.notes))


def _by_index(grid: Grid, roles: Mapping[str, str]) -> dict[int, Role]:
    """The index of each column -> its role.

    Raises:
        ConversionError: There is no such column or role.
    """
    names = names_of(grid, header=True)
    places = {str(number): number - 1 for number in range(1, len(names) + 1)}
    places |= {name: index for index, name in enumerate(names)}
    for name, role in roles.items():
        if name not in places:
            raise ConversionError(f'no column is called "{name}"', f"it has {', '.join(names)}")
        if role not in [*Role]:
            raise ConversionError(f'"{role}" is not what a column is', f"write {', '.join(Role)}")
    return {places[name]: Role(role) for name, role in roles.items()}


#: Endings of files that may be any table; JSON is one only if its names say so.
_JSON = (".json", ".jsonl")
_ENDINGS = (".csv", ".tsv", ".txt", ".xlsx", ".ods", ".js", *_JSON, "")
#: Those that nothing else reads.
_ENDINGS_OF_OTHERS = (".ods", ".js", ".txt")


def parsed_any_table(
    raw: bytes, path: str, parsed: ParsedText | None, columns: Mapping[str, str]
) -> ParsedText | None:
    """The parsed wide table that a file becomes; None if it is better read otherwise.

    Args:
        raw: The content of the file.
        path: Its name.
        parsed: How it is read by its name; None if it is not UTF-8 text.
        columns: See ``table_of_bytes``; with any, the file is read in this way.
    """
    ending = PurePath(path).suffix.lower()
    is_open = parsed is None or is_any_table(parsed)
    if not columns and (ending not in _ENDINGS or not is_open):
        return None
    if parsed is not None and isinstance(parsed.error, TooMuchError):
        return None  # it would be read again to be refused again
    try:
        built = table_of_bytes(raw, path, columns)
    except ConversionError as refusal:
        is_other = ending in _ENDINGS_OF_OTHERS or _needs_this(parsed)
        is_table = refusal.needs == ASK or (ending != ".xlsx" and refusal.needs != NO_TABLE)
        if not (columns or is_table or is_other):
            return None  # what reads files of this name has the better reason
        return ParsedText("", path, Syntax.CSV, error=refusal)
    return ParsedText(
        raw.decode("utf-8", "replace"),
        path,
        Syntax.CSV if ending == ".jsonl" else Syntax.of(path),
        built.data,
        WIDE_TABLE,
        notes=built.notes,
    )


def is_any_table(parsed: ParsedText) -> bool:
    """True if nothing recognizes a file, or what does would take any column for a region."""
    if parsed.format == WIDE_TABLE and parsed.error is None:
        is_doubtful = isinstance(parsed.data, list) and unrelated(parsed.data)
        return odd_region(parsed.data) is not None or bool(is_doubtful)
    return parsed.importer is None and (parsed.format is None or _needs_this(parsed))


def _needs_this(parsed: ParsedText | None) -> bool:
    return parsed is not None and parsed.error is not None and parsed.error.needs == ANY_TABLE
