"""Files of minimal pairs: one pass over JSON lines, a JSON list or a table.

Memory grows by 48 bytes a pair, to find duplicates and texts that are both good and bad.
"""

from __future__ import annotations

import os
from functools import partial
from typing import BinaryIO

from evalmark.schemas.backend import backend_for
from evalmark.schemas.errors import Rejected
from evalmark.validator.asked import Asked
from evalmark.validator.findings.file_findings import file_finding
from evalmark.validator.findings.finding import Finding, Span
from evalmark.validator.formats.pairs.pair_files import TABLES, PairTable
from evalmark.validator.formats.pairs.pair_rows import PairRows
from evalmark.validator.formats.pairs.table_row import TableRow, odd_cells
from evalmark.validator.kinds import Document
from evalmark.validator.reading.lines import Progress, file_size, lines
from evalmark.validator.reading.reading import Reading
from evalmark.validator.rows.duplicates import Repeats
from evalmark.validator.rows.lines import Share
from evalmark.validator.rows.ranges import in_ranges

#: Bytes of a file for which starting workers pays.
ENOUGH = 20_000_000


def check_pairs(
    file: BinaryIO,
    path: str,
    asked: Asked,
    *,
    progress: Progress | None = None,
    share: Share | None = None,
    repeats: Repeats | None = None,
) -> list[Finding]:
    """Read a file of pairs to its end; the arguments are those of ``check_samples``.

    ``repeats`` takes in the pairs, to be compared with those of other files.
    """
    size = file_size(file)
    new = partial(PairRows, path, asked, asked.backend or backend_for([size]))
    if path.endswith(tuple(TABLES)):
        rows = new()
        _table(rows, file, path)
    elif share and size > ENOUGH:
        rows = in_ranges(file, path, new, _pass, progress, share)
    else:
        rows = new()
        for number, line, whole in lines(file, progress):
            if whole is not None:
                rows.check(number, line if whole else None)
    return _closed(rows, path, asked, repeats)


def check_list(
    document: Document, reading: Reading, asked: Asked, *, repeats: Repeats | None = None
) -> list[Finding]:
    """Check a JSON list of pairs, or one pair."""
    path = reading.path
    rows = PairRows(path, asked, reading.backend, whole=reading)
    data = document.data
    if isinstance(data, list):
        for number, row in enumerate(data, 1):
            rows.see(row, number, f"/{number - 1}")
    else:
        rows.see(data, 1, "")
    return _closed(rows, path, asked, repeats)


def _closed(rows: PairRows, path: str, asked: Asked, repeats: Repeats | None) -> list[Finding]:
    found = rows.close()
    if repeats is not None:
        repeats.take(rows.repeats, 0)
    if asked.own is None:
        return found
    from evalmark.validator.repository.own_findings import pair_findings  # few have any

    stem = os.path.basename(path).partition(".")[0]
    counts = {uid or stem: count for uid, (count, _) in rows.uids.items()}
    return [*found, *pair_findings(path, asked, counts)]


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
