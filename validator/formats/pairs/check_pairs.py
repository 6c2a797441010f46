"""Files of minimal pairs: one pass over JSON lines, a JSON list or a table.

Memory grows by 48 bytes a pair, to find duplicates and texts that are both good and bad.
"""

from __future__ import annotations

import os
from functools import partial
from typing import BinaryIO

from evalmark.schemas.backend import backend_for
from evalmark.schemas.errors import Rejected
from evalmark.validator.findings.file_findings import file_finding
from evalmark.validator.findings.finding import Span
from evalmark.validator.format import CheckContext, CheckResult, CountedRows, Document, Format
from evalmark.validator.formats.pairs.pair_files import TABLES, PairTable
from evalmark.validator.formats.pairs.pair_rows import PairRows
from evalmark.validator.formats.pairs.shared_rows import PairDigests
from evalmark.validator.formats.pairs.table_row import TableRow, odd_cells
from evalmark.validator.options import CheckOptions
from evalmark.validator.reading.lines import file_size, lines
from evalmark.validator.reading.reading import Reading
from evalmark.validator.rows.ranges import in_ranges

#: Bytes of a file for which starting workers pays.
ENOUGH = 20_000_000


def check_pairs(form: Format, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
    """Read a file of pairs to its end."""
    size, options = file_size(file), context.options
    new = partial(PairRows, form, path, options, options.backend or backend_for([size]))
    if path.endswith(tuple(TABLES)):
        rows = new()
        _table(rows, file, path)
    elif context.share and size > ENOUGH:
        rows = in_ranges(file, path, new, _pass, context.progress, context.share)
    else:
        rows = new()
        for number, line, whole in lines(file, context.progress):
            if whole is not None:
                rows.check(number, line if whole else None)
    return _checked(rows)


def check_list(document: Document, reading: Reading, options: CheckOptions) -> CheckResult:
    """Check a JSON list of pairs, or one pair."""
    assert document.format is not None
    rows = PairRows(document.format, reading.path, options, reading.backend, whole=reading)
    data = document.data
    if isinstance(data, list):
        for number, row in enumerate(data, 1):
            rows.see(row, number, f"/{number - 1}")
    else:
        rows.see(data, 1, "")
    return _checked(rows)


def _checked(rows: PairRows) -> CheckResult:
    """What was found in a file, with how many pairs test what."""
    stem = os.path.basename(rows.path).partition(".")[0]
    found = rows.close()
    groups = {uid or stem: count for uid, (count, _) in rows.uids.items()}
    counted = CountedRows(rows.path, Document(None, rows.format), rows.rows, groups)
    return CheckResult(found, compared=PairDigests(rows.repeats), rows=counted)


def _table(rows: PairRows, file: BinaryIO, path: str) -> None:
    """Check the rows of a table, up to a row that cannot be read."""
    table = None
    try:
        table = PairTable(file, path)
        if not rows.head(table.header, TableRow(path, table.header_text, table)):
            return
        for found in table:
            if found.cells == len(table.header):
                rows.see(found.row, found.line, "", partial(TableRow, path, found.text, table))
            else:
                rows.findings.add([odd_cells(found, table, path)], found.line)
    except Rejected as error:
        line = table.line if table else 1
        code = "F002" if "UTF-8" in str(error) else "F001"
        finding = file_finding(code, path, str(error), span=Span(line, 1, line, 1))
        rows.findings.add([finding], None)


def _pass(_: bytes) -> None:
    """Pairs have no checksum."""
