"""The answer of a question to a store: as a table on a terminal, Markdown, CSV, JSON or Parquet."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from evalmark.converters.steps.suite_tables import for_spreadsheets
from evalmark.validator.io.escaping import json_text, shown
from evalmark.validator.io.plain_table import plain_table, print_table

if TYPE_CHECKING:
    from pyarrow import Table


class AnswerLayout(NamedTuple):
    """The part of an answer that a terminal and Markdown show.

    Attributes:
        columns: Names of the columns; all if there are none.
        repeats: How many of the first columns are empty where they repeat the row above.
    """

    columns: tuple[str, ...] = ()
    repeats: int = 0


#: Question -> what is shown of its answer; the other formats have every column.
LAYOUTS: dict[str, AnswerLayout] = {
    "top": AnswerLayout(
        ("rank", "model", "score", "lower", "upper", "samples", "results", "worst", "source")
    ),
    "show": AnswerLayout(("benchmark", "score", "lower", "upper", "samples", "source")),
    "conflicts": AnswerLayout(("model", "benchmark", "kind", "score", "differs", "record"), 3),
    "duplicates": AnswerLayout(
        ("kind", "group", "model", "benchmark", "score", "record", "file"), 5
    ),
    "bounds": AnswerLayout(
        ("model", "benchmark", "score", "min_score", "max_score", "problem", "hint", "file"), 2
    ),
    "diff": AnswerLayout(
        ("model", "benchmark", "change", "before", "after", "difference", "differs"), 1
    ),
    "compare": AnswerLayout(
        ("benchmark", "first", "second", "difference", "lower", "upper", "items", "p_holm", "test",
         "better", "differs")
    ),
}  # fmt: skip
#: Digits that a number has at least, and at most, where people read it.
_DIGITS = range(6, 18)


def as_table(table: Table, layout: AnswerLayout) -> None:
    """Write an answer to the terminal."""
    names, rows, is_number = _cells(table, layout)
    drawn = plain_table((), ())
    for name in names:
        drawn.add_column(
            shown(name), justify="right" if is_number[name] else "left", overflow="fold"
        )
    for row in rows:
        drawn.add_row(*row)
    print_table(drawn)


def as_markdown(table: Table, layout: AnswerLayout) -> bytes:
    """An answer as a table of Markdown; its notes if it is empty, since a comment must not be."""
    if not table.num_rows:
        from evalmark.leaderboard.questions.query import notes_of

        return f"No rows{': ' if notes_of(table) else ''}{'; '.join(notes_of(table))}.\n".encode()
    names, rows, is_number = _cells(table, layout)
    lines = [names, ["---:" if is_number[name] else "---" for name in names], *rows]
    escaped = [lines[0], *lines[1:2], *([_escaped(cell) for cell in row] for row in rows)]
    escaped[0] = [_escaped(name) for name in names]
    return "".join(f"| {' | '.join(line)} |\n" for line in escaped).encode()


def as_csv(table: Table, _: AnswerLayout) -> bytes:
    """An answer as CSV in which no cell is a formula."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.column_names)
    for row in _rows(table):
        writer.writerow(["" if cell is None else _text(cell, 17) for cell in row])
    return for_spreadsheets(stream.getvalue()).encode()


def as_json(table: Table, _: AnswerLayout) -> bytes:
    """An answer as one object of JSON: its rows, and its notes."""
    from evalmark.leaderboard.questions.query import notes_of

    rows = [{name: json_cell(cell) for name, cell in row.items()} for row in table.to_pylist()]
    data = {"version": 1, "rows": rows, "notes": notes_of(table)}
    return (json_text(data, indent=2) + "\n").encode()


def as_parquet(table: Table, _: AnswerLayout) -> bytes:
    """An answer as a Parquet file."""
    from pyarrow import BufferOutputStream, parquet

    sink = BufferOutputStream()
    parquet.write_table(table, sink)
    return bytes(sink.getvalue().to_pybytes())


#: Output format that programs read -> the bytes of an answer.
ANSWERS: dict[str, Callable[[Any, AnswerLayout], bytes]] = {
    "csv": as_csv,
    "json": as_json,
    "markdown": as_markdown,
    "parquet": as_parquet,
}


def shown_columns(table: Table, layout: AnswerLayout) -> list[str]:
    """Names of the columns that people are shown: of those of a layout, what is not empty."""
    names = [name for name in layout.columns or table.column_names if name in table.column_names]
    if not table.num_rows or not layout.columns:
        return names
    return [name for name in names if table.column(name).null_count < table.num_rows]


def _rows(table: Table) -> list[tuple[Any, ...]]:
    columns = [map(_whole, column.to_pylist()) for column in table.columns]
    return list(zip(*columns, strict=True))


def _cells(
    table: Table, layout: AnswerLayout
) -> tuple[list[str], list[list[str]], Mapping[str, bool]]:
    """Names of columns that are not empty, rows of texts, and which columns hold numbers."""
    names = shown_columns(table, layout)
    columns = {name: [*map(_whole, table.column(name).to_pylist())] for name in names}
    texts = [_column(columns[name]) for name in names]
    rows = [list(row) for row in zip(*texts, strict=True)]
    before: list[str] = []
    for row in rows:
        full = list(row)
        for place in range(layout.repeats):
            if before[: place + 1] != full[: place + 1]:
                break
            row[place] = ""
        before = full
    is_number = {
        name: all(isinstance(x, int | float | Decimal) or x is None for x in columns[name])
        and any(x is not None and not isinstance(x, bool) for x in columns[name])
        for name in names
    }
    return names, rows, is_number


def _column(cells: Sequence[Any]) -> list[str]:
    """The cells of a column, with as few digits as tell its numbers apart."""
    numbers = {cell for cell in cells if isinstance(cell, float)}
    digits = _DIGITS[0]
    while digits < _DIGITS[-1] and len({f"{x:.{digits}g}" for x in numbers}) < len(numbers):
        digits += 1
    return ["" if cell is None else _text(cell, digits) for cell in cells]


def _text(cell: Any, digits: int) -> str:
    if isinstance(cell, float):
        return repr(cell) if digits >= _DIGITS[-1] else f"{cell:.{digits}g}"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str | int | Decimal):
        return str(cell)
    value = json_cell(cell)
    return value if isinstance(value, str) else json_text(value)


def _whole(cell: Any) -> Any:
    """A value; a sum of whole numbers, which DuckDB gives as a decimal, is a whole number."""
    if isinstance(cell, Decimal) and cell.as_tuple().exponent == 0:
        return int(cell)
    return cell


def json_cell(cell: Any) -> Any:
    """A value as JSON can have it: what is not a number of JSON becomes a text."""
    cell = _whole(cell)
    if isinstance(cell, Decimal):
        number = float(cell)
        return number if Decimal(repr(number)) == cell else str(cell)
    if isinstance(cell, float) and not math.isfinite(cell):
        return "NaN" if math.isnan(cell) else "Infinity" if cell > 0 else "-Infinity"
    if isinstance(cell, list | tuple):
        return [json_cell(entry) for entry in cell]
    if isinstance(cell, dict):
        return {str(name): json_cell(entry) for name, entry in cell.items()}
    return cell if isinstance(cell, str | int | float | bool | None) else str(cell)


def _escaped(text: str) -> str:
    """A text in a cell of Markdown."""
    for character in "\\|`*_<[":
        text = text.replace(character, f"\\{character}")
    return shown(text)
