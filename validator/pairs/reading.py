"""The rows of a file of minimal pairs, one after the other: JSON lines, a JSON list, or CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from evalmark.schemas.accepting import acceptor
from evalmark.schemas.backend import Backend
from evalmark.schemas.errors import Rejected
from evalmark.validator.pairs.items import PairItem, item_of
from evalmark.validator.reading.reading import read
from evalmark.validator.rows.lines import lines


class PairRow(NamedTuple):
    """A row, and where it is.

    Attributes:
        line: Its 1-based line; in a JSON list its 1-based position.
        item: Its view; None if it cannot be read, or is not what the schema wants.
    """

    line: int
    item: PairItem | None


def pair_rows(file: BinaryIO, path: str, backend: Backend = Backend.PURE) -> Iterator[PairRow]:
    """Read a file that ``check`` has found to be of pairs; blank lines are skipped.

    Raises:
        Rejected: It is a JSON list or a table that cannot be read at all.
    """
    accepts = acceptor("pairs", backend)
    for number, (line, row) in enumerate(_rows(file, path, backend)):
        item = item_of(row, number, path) if accepts(row) else None
        yield PairRow(line, item)


def _rows(file: BinaryIO, path: str, backend: Backend) -> Iterator[tuple[int, Any]]:
    if path.endswith(".jsonl"):
        for number, line, whole in lines(file):
            if whole is not None and line.strip():
                yield number, read(line, path, backend).data if whole else None
    elif path.endswith(".csv"):
        yield from table_rows(file)
    else:
        reading = read(file.read(), path, backend)
        if not reading.readable or not isinstance(reading.data, list):
            raise Rejected("not a JSON list")
        yield from enumerate(reading.data, 1)


def table_rows(file: BinaryIO) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a CSV table with the 1-based line on which each ends; all cells are texts.

    Cells beyond the header have the key of an empty text, so that a schema sees them.

    Raises:
        Rejected: It is not UTF-8, or a quote is never closed.
    """
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    table = csv.DictReader(text, restkey="", strict=True)
    try:
        for row in table:
            yield table.line_num, row
    except (csv.Error, UnicodeDecodeError) as error:
        raise Rejected(str(error)) from error
    finally:
        text.detach()
