"""Check a file of rows: find its format from its rows or its columns, check it as that does."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, BinaryIO

from evalmark.schemas.errors import Rejected
from evalmark.validator.findings.finding import Finding
from evalmark.validator.format import CheckContext, CheckResult, Format
from evalmark.validator.formats.builtin import (
    KINDS,
    ROW_KINDS,
    format_at,
    format_of_rows,
    format_of_table,
)
from evalmark.validator.formats.shared.row_findings import first_row, merge_conflict


def check_rows(
    file: BinaryIO, path: str, requested: Format | None, context: CheckContext
) -> tuple[Format | None, CheckResult] | None:
    """Check a file of rows; None for a table that is another one.

    Args:
        file: The file.
        path: Its path.
        requested: The format that the caller asks for.
        context: The circumstances of the check.
    """
    tables, form, is_table = context.pairs, requested, not path.endswith(".jsonl")
    if is_table:
        form = form or format_of_table(file, path, tables)
    else:
        at_path = format_at(path)
        if at_path is None and context.no_rows and (finding := context.no_rows(file, path)):
            return None, CheckResult([finding])
        form = form or at_path or format_of_rows(file, tables.of(path))
    remarks: tuple[str, ...] = ()
    if form is None:
        from evalmark.validator.formats.plugins import other_of_rows, other_of_table  # few files

        form, remarks = (other_of_table if is_table else other_of_rows)(file, path)
    if form is None and not is_table:
        from evalmark.validator.formats.incomplete_files import incomplete  # few files

        form = incomplete(_first_row(file), path)
    if form is None or not (form.has_tables if is_table else form.has_rows):
        return None if is_table else (None, CheckResult([_unrecognized(file, path)], remarks))
    result = form.check_rows(file, path, context)
    if conflict := merge_conflict(result.findings, path):
        result.findings = [conflict]
    result.remarks = (*result.remarks, *remarks)
    return form, result


def _unrecognized(file: BinaryIO, path: str) -> Finding:
    """The finding for rows of no format that has any."""
    from evalmark.validator.formats.unrecognized import unrecognized  # for other files only

    formats = [KINDS[name] for name in ROW_KINDS]
    return unrecognized(path, formats, _first_row(file), is_row=True)


def _first_row(file: BinaryIO) -> Any:
    """The first row; an empty one if a kind was asked for, whatever the rows are."""
    with suppress(Rejected):
        return first_row(file)
    return {}
