"""Texts of documents, read and written: JSON, YAML, tables and lists."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from evalmark.converters.conversion_formats import PAIRS, Syntax, conversion_format_of
from evalmark.converters.importers.registry import Importer, importer_named, importer_of
from evalmark.converters.suites.suite_tables import (
    COLUMNS,
    format_of_header,
    read_table,
    table_text,
)
from evalmark.converters.tables.sheets import SHAPE, Sheets
from evalmark.schemas.errors import ConversionError
from evalmark.validator.reading.lines import MAX_LINE
from evalmark.validator.reading.pair_columns import NO_TABLES, TABLES, PairTables
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.rewrite import rewrite

#: Keys in each line of an index of Every Eval Ever's flat store.
_INDEX = {"record_type", "object_path", "sha256"}
#: Separators of the cells of a table.
DELIMITERS = {Syntax.CSV: ",", Syntax.TSV: "\t"}


@dataclass(frozen=True, slots=True)
class ParsedText:
    """The text of a file, parsed once for everything that looks at it."""

    text: str  # the text
    path: str  # the file's name; its extension is that of the syntax
    syntax: Syntax  # how the text is written
    data: Any = None  # the parsed value; a list of rows for tables and JSON Lines
    #: Its format: a key of ``FORMATS``, the name of an importer, a record or sample of an unknown
    #: version, or None if it is not recognized. That of JSON Lines is that of the first line.
    format: str | None = None
    importer: Importer | None = None  # what reads it, if it is results of another program
    error: ConversionError | None = None  # why there is no data; None if there is
    lines: tuple[tuple[int, str], ...] = ()  # for each row of JSON Lines its line, and its text
    line: int = 1  # the line of the file on which the text begins, from 1
    notes: tuple[str, ...] = ()  # what a reader should know of how it was read

    @property
    def is_unreadable(self) -> bool:
        """True if not even the format could be found."""
        return self.error is not None and self.format is None


def parse_text(text: str, path: str, tables: PairTables = NO_TABLES) -> ParsedText:
    """Parse a text; what is wrong with it is in ``error``, never an exception."""
    if path.endswith((*TABLES, ".jsonl")):
        from evalmark.converters.sources.declared_pairs import declared_pairs

        try:
            rows = declared_pairs(text, path, tables)
        except ConversionError as error:
            return ParsedText("", path, Syntax.JSONL, [], PAIRS, error=error)
        if rows is not None:
            whole = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
            return ParsedText(whole, path, Syntax.JSONL, rows, PAIRS)
    return _parsed(text, path)


def _parsed(text: str, path: str) -> ParsedText:
    syntax = Syntax.of(path)
    if syntax in DELIMITERS:
        return parsed_table(text, path, DELIMITERS[syntax])
    if syntax is Syntax.JSONL:
        return _parsed_lines(text, path)
    if syntax is Syntax.TXT:
        error = ConversionError("sentences alone are not a suite", SHAPE)
        return ParsedText(text, path, syntax, error=error)
    try:
        data = parsed_value(text, path if syntax is Syntax.YAML else "x.json")
    except ConversionError as error:
        return _of_python(text, path, syntax) or ParsedText(text, path, syntax, error=error)
    name = conversion_format_of(data)
    importer = importer_named(name) if name else importer_of(data, path)
    return ParsedText(text, path, syntax, data, importer.name if importer else name, importer)


def _of_python(text: str, path: str, syntax: Syntax) -> ParsedText | None:
    """Results that are JSON but for ``NaN`` and ``Infinity``, which Python programs write."""
    from evalmark.converters.sources.documents import with_texts

    raw = text.encode("utf-8", "surrogatepass")
    plain = with_texts(raw) if syntax is Syntax.JSON else raw
    if plain is raw:
        return None
    try:
        data = parsed_value(plain.decode("utf-8", "surrogatepass"), "x.json")
    except ConversionError:
        return None
    importer = importer_of(data, path)
    return ParsedText(text, path, syntax, data, importer.name, importer) if importer else None


def parsed_value(text: str, name: str, line: int = 1) -> Any:
    """The value of a JSON or YAML text, which begins on a line of its file."""
    reading = read(text.encode("utf-8", "surrogatepass"), name)
    if reading.findings or not reading.readable:
        first = reading.findings[0]
        span = first.span and first.span.below(line - 1)
        place = f" at {span.line}:{span.column}" if span else ""
        raise ConversionError(f"{first.code} {first.message}{place}")
    return reading.data


def parsed_table(text: str, path: str, delimiter: str) -> ParsedText:
    """Parse the text of a table; what is wrong with it is in ``error``."""
    syntax = Syntax.of(path)
    form = format_of_header(text, delimiter)
    try:
        data = read_table(text, delimiter)
    except ConversionError as error:
        return ParsedText(text, path, syntax, format=form, error=error)
    return ParsedText(text, path, syntax, data, conversion_format_of(data))


def _parsed_lines(text: str, path: str) -> ParsedText:
    texts = enumerate(text.split("\n"), 1)
    lines = tuple((number, line) for number, line in texts if line.strip())
    rows: list[Any] = []
    error = None if lines else ConversionError("the file is empty")
    for number, line in lines:
        try:
            _require_short(line)
            rows.append(parsed_value(line, "x.json", number))
        except ConversionError as refusal:
            error = refusal
            break
    first = conversion_format_of(rows[0]) if rows else None
    if first is None and rows and isinstance(rows[0], dict) and rows[0].keys() >= _INDEX:
        error = ConversionError(
            "an index of Every Eval Ever's flat store lists records and holds none of their values",
            "convert the records that object_path names",
        )
    return ParsedText(text, path, Syntax.JSONL, rows, first, importer_named(first), error, lines)


def _require_short(line: str) -> None:
    """Refuse a line that checks skip: the result would not pass them."""
    if len(line) * 4 >= MAX_LINE and len(line.encode("utf-8", "surrogatepass")) >= MAX_LINE:
        raise ConversionError(f"F018 line is longer than {MAX_LINE >> 20} MiB")


def write_text(data: object, form: str, syntax: Syntax, old: ParsedText) -> str:
    """The text of data; unchanged parts of an old text in the same syntax keep their characters.

    Of several tables, it is that of the items; a workbook has it as CSV.
    """
    same = old if old.syntax is syntax else None
    write = _WRITERS.get((syntax, form)) or _WRITERS.get((syntax, ""))
    if write is None:
        is_table = syntax in (*DELIMITERS, Syntax.XLSX)
        raise ConversionError(
            f"{form or 'this format'} is not written as {syntax}",
            needs="wide_table" if is_table else "",
        )
    return write(data, same)


def _json(data: object, old: ParsedText | None) -> str:
    if old is None or isinstance(data, list) is not isinstance(old.data, list):
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    return old.text if data is old.data else rewrite(old.text, data, old.data)


def _yaml(data: object, old: ParsedText | None) -> str:
    from evalmark.converters.yaml_text import rewrite_yaml, yaml_text

    return yaml_text(data) if old is None else rewrite_yaml(old.text, data)


def _lines(rows: Any, old: ParsedText | None) -> str:
    if old is not None and rows is old.data:
        return old.text
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _table_of(delimiter: str, data: Any, old: ParsedText | None) -> str:
    if old is not None and data is old.data:
        return old.text
    rows = data.items if isinstance(data, Sheets) else data
    columns = list(rows[0] if rows else COLUMNS)
    for number, row in enumerate(rows, 1):
        if list(row) != columns or not all(isinstance(cell, str) for cell in row.values()):
            raise ConversionError(
                f"row {number} has other keys than the first, or a value that is not a text: "
                "a table cannot hold it",
                "write JSON lines (.jsonl)",
            )
    return table_text(rows, delimiter, columns)


#: Syntax and format -> what writes it; JSON and YAML hold every format.
_WRITERS: dict[tuple[Syntax, str], Callable[[Any, ParsedText | None], str]] = {
    (Syntax.JSON, ""): _json,
    (Syntax.YAML, ""): _yaml,
    (Syntax.JSONL, "rows"): _lines,
    (Syntax.JSONL, PAIRS): _lines,
    **{
        (syntax, name): partial(_table_of, delimiter)
        for syntax, delimiter in DELIMITERS.items()
        for name in (PAIRS, "table", "wide-table")
    },
    (Syntax.XLSX, "wide-table"): partial(_table_of, ","),
    (Syntax.TXT, "sentences"): lambda sentences, _: "".join(f"{line}\n" for line in sentences),
}
