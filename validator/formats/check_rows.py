"""Check a file of rows: find its format from its rows or its columns, check it as that does."""

from __future__ import annotations

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
from evalmark.validator.formats.shared.row_findings import first_row, may_be_no_rows, merge_conflict
from evalmark.validator.options.pair_columns import PairTables


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
    tables = context.options.pairs
    if path.endswith(".jsonl"):
        at_path = format_at(path)
        if at_path is None and (finding := no_rows(file, path)):
            return None, CheckResult([finding])
        form, remarks = _format_of_lines(file, path, requested or at_path, tables)
        if form is None or not form.has_rows:
            return None, CheckResult([_unrecognized(file, path)], remarks)
    else:
        form, remarks = _format_of_cells(file, path, requested, tables)
        if form is None or not form.has_tables:
            return None
    result = _of_format(form, file, path, context)
    result.remarks = (*result.remarks, *remarks)
    return form, result


def _format_of_lines(
    file: BinaryIO, path: str, form: Format | None, tables: PairTables
) -> tuple[Format | None, tuple[str, ...]]:
    """The format of a file of JSON Lines, and remarks on formats that cannot be used."""
    form = form or format_of_rows(file, tables.of(path))
    return (form, ()) if form else _other(file, path, is_table=False)


def _format_of_cells(
    file: BinaryIO, path: str, form: Format | None, tables: PairTables
) -> tuple[Format | None, tuple[str, ...]]:
    """The format of a table, and remarks on formats that cannot be used."""
    form = form or format_of_table(file, path, tables)
    return (form, ()) if form else _other(file, path, is_table=True)


def _other(file: BinaryIO, path: str, *, is_table: bool) -> tuple[Format | None, tuple[str, ...]]:
    """The format of another package, and remarks on formats that cannot be used."""
    from evalmark.validator.formats.plugins import other_of_rows, other_of_table  # few files

    return (other_of_table if is_table else other_of_rows)(file, path)


def _of_format(form: Format, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
    """The findings of rows as their format has them, and of the rules of their repository."""
    result = form.check_rows(file, path, context)
    if conflict := merge_conflict(result.findings, path):
        result.findings = [conflict]
    elif context.options.repository_rules is not None and result.rows is not None:
        from evalmark.validator.formats.shared.repository_findings import (
            row_findings,  # few have any
        )

        result.findings += row_findings(result.rows, context.options)
    return result


def no_rows(file: BinaryIO, path: str, *, is_sample: bool = False) -> Finding | None:
    """The finding for a file that does not have an object on each line; see ``not_rows``."""
    if not may_be_no_rows(file):
        return None
    from evalmark.validator.formats.unrecognized import not_rows  # for other files only

    return not_rows(file, path, is_sample=is_sample)


def _unrecognized(file: BinaryIO, path: str) -> Finding:
    """The finding for rows of no format that has any."""
    from evalmark.validator.formats.unrecognized import unrecognized  # for other files only

    return unrecognized(path, [KINDS[name] for name in ROW_KINDS], _first_row(file))


def _first_row(file: BinaryIO) -> Any:
    """The first row of a file; an object if it cannot be read."""
    try:
        return first_row(file)
    except Rejected:  # a kind was asked for, whatever the rows are
        return {}
