"""What can be done with files of no kind of ours, and with values over several lines."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any, BinaryIO

from evalmark.validator.findings.file_findings import file_finding
from evalmark.validator.findings.finding import Finding
from evalmark.validator.kinds import KINDS, ROW_KINDS, detect
from evalmark.validator.pairs.renaming import nearest, renames_text
from evalmark.validator.reading.lines import MAX_LINE
from evalmark.validator.reading.other_formats import TO_SUITE, is_dataset_row, is_table, packed
from evalmark.validator.reading.strict_json import spare_stack


def unrecognized(path: str, note: str, data: Any) -> Finding:
    """The finding for a file of no kind; ``data`` is its content, or its first row."""
    return file_finding(
        "F012",
        path,
        "unrecognized file: not a suite, record, sample file, memory test or file of minimal pairs",
        notes=(note,),
        helps=(way_out(data),),
    )


def way_out(data: Any) -> str:
    """What can be done with parsed JSON of no kind."""
    rows = data if isinstance(data, list) else [data]
    if data is None or data == []:
        return "the file has no rows: add them, or delete it"
    if rows and all(map(is_dataset_row, rows)):
        return f"`evalmark {TO_SUITE.format('FILE')}` makes a suite of these dataset rows"
    if is_table(data):
        return f"`evalmark {TO_SUITE.format('FILE')}` makes a suite of this table"
    near = nearest(rows[0]) if rows and isinstance(rows[0], dict) else None
    if near and near.renames and not near.missing:
        return f"if the rows are minimal pairs, {' and '.join(renames_text(near))}"
    kinds = {detect(row) for row in rows}
    kind = kinds.pop() if len(kinds) == 1 else None
    if not isinstance(data, list) and kind and KINDS[kind].in_lists and kind not in ROW_KINDS:
        return "write the lines as one list: `jq -s . FILE > NEW.json`"
    if isinstance(data, list) and kind in ROW_KINDS:
        return "write each element on a line of its own, in a file whose name ends in .jsonl"
    if isinstance(data, list) and kind is not None:
        return f"write each {kind} to a file of its own"
    if kind is not None:
        return f"a {kind} is a file of its own, whose name ends in .json or .yaml"
    return "`evalmark convert --list` names the formats of other programs that can be converted"


def not_rows(file: BinaryIO, path: str) -> Finding | None:
    """The finding for a file of rows that is compressed, or has a value over several lines."""
    raw = file.read(MAX_LINE)
    file.seek(0)
    if finding := packed(raw, path):
        return finding
    text = raw.decode("utf-8", "replace").lstrip()
    message = "JSON Lines has one value on each line"
    try:
        spare_stack(text)
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        value, end = None, len(text)
        if text.split("\n", 1)[0].strip() not in ("{", "[", "[{"):
            return None  # rows with a mistake
    lines = text.count("\n", 0, end) + 1
    if lines == 1:
        return None
    message += f"; this one is on lines 1 to {lines}"
    kind, alone = detect(value), not text[end:].strip()
    if alone and kind is not None and kind not in ROW_KINDS:
        help_text = f"rename the file to `{PurePath(path).stem}.json`"
    else:
        help_text = f"write each on one line: `jq -c {_filter(value, alone)} FILE > NEW.jsonl`"
    return file_finding("F001", path, message, helps=(help_text,))


def _filter(value: Any, alone: bool) -> str:
    """What tells jq which values there are."""
    return "'.[]'" if alone and isinstance(value, list) else "."
