"""Tables of a suite that belong together: its items, and sheets or files of what is beside them.

``suite.csv`` has ``suite.predictions.csv`` and ``suite.meta.csv`` next to it; a workbook has a
sheet for each.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ConversionError, ParseRejected
from evalmark.validator.reading.strict_json import parse

#: A row of a table: column -> text.
Row = dict[str, str]
#: The column of formulas in a table of predictions, and the columns of a table of meta.
FORMULA = "formula"
META_COLUMNS = ("key", "value")
#: The need of a table that only ``any_table/`` reads.
ANY_TABLE = "any_table"
#: The need of what is not a table, and what one looks like.
NO_TABLE = "no_table"
SHAPE = "a table has a row of names and rows of cells, such as item,condition,Subject,Verb"
_TRUTH = {"TRUE": True, "FALSE": False}


@dataclass(frozen=True, slots=True)
class Sheets:
    """The tables of a suite."""

    items: list[Row]  # rows of a table of its items, wide or long
    #: A row for each prediction, with its formula; None if there is no such table.
    predictions: list[Row] | None = None
    meta: list[Row] | None = None  # a row for each key of ``meta``; None if there is no such table

    def tables(self) -> Iterator[tuple[str, list[str], list[Row]]]:
        """Name, columns and rows of each table."""
        for field in fields(self):
            rows: list[Row] | None = getattr(self, field.name)
            if rows is not None:
                yield field.name, list(rows[0] if rows else COLUMNS_OF[field.name]), rows


#: The names of the tables; the first is in the file that is named.
ITEMS, *BESIDE = (field.name for field in fields(Sheets))
#: The columns that the other tables have.
COLUMNS_OF = {"predictions": (FORMULA,), "meta": META_COLUMNS}


def place_of(path: Path, table: str) -> Path:
    """The file of a table, next to the file of the items."""
    return path if table == ITEMS else path.with_name(f"{path.stem}.{table}{path.suffix}")


def refused_place(path: Path, places: Collection[Path]) -> ConversionError | None:
    """The reason for which tables cannot be written to these places; None if they can."""
    if not path.suffix:
        cure = f"name the file {path.name}.csv, or make the folder first"
        return ConversionError(f"{path} has no ending", cure)
    for table in BESIDE if path.suffix.lower() in (".csv", ".tsv") else ():
        place = place_of(path, table)
        if place not in places and place.exists():
            reason = f"{place} is there, and would be read with {path.name}"
            return ConversionError(reason, "remove it, or name another file")
    return None


def owner_of(path: Path) -> Path | None:
    """The file of the items that a file of predictions or meta belongs to, by its name."""
    stem, _, table = path.stem.rpartition(".")
    is_beside = stem and table in BESIDE and path.suffix.lower() in (".csv", ".tsv")
    return path.with_name(f"{stem}{path.suffix}") if is_beside else None


def cell_of(value: Any) -> str:
    """Write a text as it is if `value_of` reads the same text back; any other value as JSON."""
    if isinstance(value, str) and value and value_of(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False)


def value_of(cell: str) -> Any:
    """The value of a cell: that of its JSON (truth values also in capitals), or its text."""
    if cell in _TRUTH:
        return _TRUTH[cell]
    try:
        return parse(cell)
    except ParseRejected:
        return cell
