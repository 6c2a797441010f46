"""Tables of minimal pairs whose columns are declared, as the rows of a set."""

from __future__ import annotations

import csv
from io import BytesIO
from typing import Any, BinaryIO

from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import ConversionError, ParseRejected
from evalmark.validator.formats.pairs.pair_files import ALONE, columns_of_row, is_declared, set_rows
from evalmark.validator.formats.shared.row_findings import first_row
from evalmark.validator.reading.pair_columns import TABLES, PairTables


def declared_pairs(text: str, path: str, tables: PairTables) -> list[dict[str, Any]] | None:
    """The rows of a file that declared columns, or a preset, make pairs; None for another file.

    Raises ConversionError if its rows are not pairs.
    """
    file = BytesIO(text.encode("utf-8", "surrogatepass"))
    if not _is_declared(file, path, tables):
        return None
    pairs: list[dict[str, Any]] = []
    try:
        for line, row, _ in set_rows(file, path, tables=tables):
            if row is ALONE:
                raise ConversionError(f"line {line}: a row without a partner")
            if row is None or not accepts("pairs", row):
                why = f"line {line} is not a row of minimal pairs"
                raise ConversionError(why, needs="report")
            pairs.append(row)
    except (ParseRejected, csv.Error) as error:
        raise ConversionError(str(error), needs="report") from error
    if not pairs:
        raise ConversionError("the file has no pairs")
    return pairs


def _is_declared(file: BinaryIO, path: str, tables: PairTables) -> bool:
    if path.endswith(tuple(TABLES)):
        return is_declared(file, path, tables)
    try:
        row = first_row(file)
    except ParseRejected:
        return False
    return isinstance(row, dict) and columns_of_row(row, tables.columns_for(path)) is not None
