"""The answer of a question to a store: as a table on a terminal, Markdown, CSV or JSON."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from evalmark.converters.suites.suite_tables import for_spreadsheets
from evalmark.leaderboard.questions.query import notes_of
from evalmark.validator.io.escaping import in_markdown, json_text, shown
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.redaction import redacted
from evalmark.validator.io.terminal import tell

if TYPE_CHECKING:
    from pyarrow import Table


class AnswerLayout(NamedTuple):
    """The part of an answer that a terminal and Markdown show.

    Attributes:
        columns: Names of the columns; all if there are none.
        repeats: How many of the first columns are empty where they repeat the row above.
        once: Columns that are not shown if all rows say the same: a line below says it.
        about: Columns that are never shown: all rows say the same, and the line below says it.
    """

    columns: tuple[str, ...] = ()
    repeats: int = 0
    once: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


#: Question -> what is shown of its answer; the other formats have every column.
LAYOUTS: dict[str, AnswerLayout] = {
    "top": AnswerLayout(
        ("rank", "model", "score", "lower", "upper", "samples", "results", "worst", "best",
         "setting", "source", "remark"),
        once=("samples", "results", "source", "remark"),
        about=("benchmark_name",),
    ),
    "show": AnswerLayout(
        ("benchmark_name", "score", "lower", "upper", "samples", "source", "remark"),
        once=("samples", "source", "remark"),
    ),
    "conflicts": AnswerLayout(
        ("model", "benchmark_name", "kind", "score", "differs", "record", "remark"),
        3,
        once=("kind", "remark"),
    ),
    "compare": AnswerLayout(
        ("benchmark_name", "first", "second", "difference", "lower", "upper", "p_holm",
         "test", "better", "differs", "remark"),
        once=("test", "better", "differs", "remark"),
    ),
}  # fmt: skip
#: Columns whose numbers are told apart, however many digits that takes.
_EXACT = ("score", "worst", "best")
#: Values that are never said of all rows: nothing, and that there is one result.
_PLAIN = ("", "1")
#: Column -> what people read above it.
_HEADINGS = {"benchmark_name": "benchmark", "p_holm": "p"}
#: Digits that a number has at least, and at most, where people read it.
_DIGITS = range(6, 18)
#: Digits of other numbers below a size, where people read them.
_FEW, _LARGE = 3, 100


def as_table(table: Table, layout: AnswerLayout) -> None:
    """Write an answer to the terminal."""
    columns = _shown(table, layout)
    drawn = plain_table((), ())
    for column in columns.each:
        drawn.add_column(
            shown(column.heading),
            justify="right" if column.is_number else "left",
            overflow="fold",
            no_wrap=column.is_number,
        )
    for row in columns.rows(layout.repeats):
        drawn.add_row(*row)
    print_table(drawn)
    if columns.same:
        tell("")
        tell(f"in every row: {columns.same}")


def as_markdown(table: Table, layout: AnswerLayout) -> bytes:
    """An answer as a table of Markdown; its notes if it is empty, since a comment must not be."""
    if not table.num_rows:
        return f"No rows{': ' if notes_of(table) else ''}{'; '.join(notes_of(table))}.\n".encode()
    columns = _shown(table, layout)
    lines = [
        [in_markdown(column.heading) for column in columns.each],
        ["---:" if column.is_number else "---" for column in columns.each],
        *([in_markdown(cell) for cell in row] for row in columns.rows(layout.repeats)),
    ]
    text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    if columns.same:
        text += f"\nIn every row: {in_markdown(columns.same)}\n"
    return text.encode()


def as_csv(table: Table, _: AnswerLayout) -> bytes:
    """An answer as CSV in which no cell is a formula."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.column_names)
    for row in zip(*(map(_whole, column.to_pylist()) for column in table.columns), strict=True):
        writer.writerow(["" if cell is None else redacted(_text(cell, 17)) for cell in row])
    return for_spreadsheets(stream.getvalue()).encode()


def as_json(table: Table, _: AnswerLayout) -> bytes:
    """An answer as one object of JSON: its rows, and its notes."""
    rows = [{name: _json_cell(cell) for name, cell in row.items()} for row in table.to_pylist()]
    data = {"version": 1, "rows": rows, "notes": notes_of(table)}
    return (json_text(data, indent=2) + "\n").encode()


#: Output format that programs read -> the bytes of an answer.
ANSWERS: dict[str, Callable[[Any, AnswerLayout], bytes]] = {
    "csv": as_csv,
    "json": as_json,
    "markdown": as_markdown,
}


class _Column(NamedTuple):
    """A column as people read it."""

    heading: str
    cells: list[str]
    is_number: bool


class _Columns(NamedTuple):
    """The columns that people are shown, and what is the same in all rows."""

    each: list[_Column]
    same: str

    def rows(self, repeats: int) -> Iterator[list[str]]:
        """The cells of each row; the first ones are empty where they repeat the row above."""
        before: list[str] = []
        for cells in zip(*(column.cells for column in self.each), strict=True):
            row = list(cells)
            for place in range(min(repeats, len(row))):
                if before[: place + 1] != list(cells[: place + 1]):
                    break
                row[place] = ""
            before = list(cells)
            yield row


def _shown(table: Table, layout: AnswerLayout) -> _Columns:
    """The columns of a layout that are not empty, and those that say the same in all rows."""
    each: dict[str, _Column] = {}
    same = []
    names = [name for name in layout.columns or table.column_names if name in table.column_names]
    if layout.columns and table.num_rows:
        names = [name for name in names if table.column(name).null_count < table.num_rows]
    for name in names:
        values = [*map(_whole, table.column(name).to_pylist())]
        are_numbers = all(isinstance(x, int | float | Decimal | None) for x in values) and any(
            x is not None and not isinstance(x, bool) for x in values
        )
        column = _Column(_HEADINGS.get(name, name), _texts(name, values, layout), are_numbers)
        if name in layout.once and len(values) > 1 and len(set(column.cells)) == 1:
            same += [f"{column.heading} {column.cells[0]}"] if column.cells[0] not in _PLAIN else []
        else:
            each[name] = column
    for end in ("worst", "best"):
        if end in each and each[end].cells == each["score"].cells:
            del each[end]
    if layout.columns and {"lower", "upper"} <= each.keys():
        ends = zip(each["lower"].cells, each.pop("upper").cells, strict=True)
        joined = [f"{lower} to {upper}" if lower and upper else "" for lower, upper in ends]
        each["lower"] = _Column("interval", joined, is_number=True)
    for name in layout.about if table.num_rows else ():
        same.append(f"{_HEADINGS.get(name, name)} {table.column(name)[0].as_py()}")
    return _Columns([*each.values()], ", ".join(same))


def _texts(name: str, cells: Sequence[Any], layout: AnswerLayout) -> list[str]:
    """The cells of a column, with as few digits as tell its numbers apart, or with few."""
    numbers = {cell for cell in cells if isinstance(cell, float)}
    digits = _DIGITS[0]
    if not layout.columns or name in _EXACT:
        while digits < _DIGITS[-1] and len({f"{x:.{digits}g}" for x in numbers}) < len(numbers):
            digits += 1
    elif all(abs(number) < _LARGE for number in numbers):
        digits = _FEW
    return ["" if cell is None else _text(cell, digits) for cell in cells]


def _text(cell: Any, digits: int) -> str:
    if isinstance(cell, float):
        return repr(cell) if digits >= _DIGITS[-1] else f"{cell:.{digits}g}"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str | int | Decimal):
        return str(cell)
    value = _json_cell(cell)
    return value if isinstance(value, str) else json_text(value)


def _whole(cell: Any) -> Any:
    """A value; a sum of whole numbers, which DuckDB gives as a decimal, is a whole number."""
    if isinstance(cell, Decimal) and cell.as_tuple().exponent == 0:
        return int(cell)
    return cell


def _json_cell(cell: Any) -> Any:
    """A value as JSON can have it: what is not a number of JSON becomes a text."""
    cell = _whole(cell)
    if isinstance(cell, Decimal):
        number = float(cell)
        return number if Decimal(repr(number)) == cell else str(cell)
    if isinstance(cell, float) and not math.isfinite(cell):
        return "NaN" if math.isnan(cell) else "Infinity" if cell > 0 else "-Infinity"
    if isinstance(cell, list | tuple):
        return [_json_cell(entry) for entry in cell]
    if isinstance(cell, dict):
        return {str(name): _json_cell(entry) for name, entry in cell.items()}
    return cell if isinstance(cell, str | int | float | bool | None) else str(cell)
