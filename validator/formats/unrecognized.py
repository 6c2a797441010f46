"""Findings on unrecognized files, and on values that span several lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import PurePath
from typing import BinaryIO

from evalmark.schemas.errors import Rejected
from evalmark.schemas.wide_tables import is_wide_header
from evalmark.validator.findings.finding import Action, Finding
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.findings.rule import file_finding
from evalmark.validator.format import Format
from evalmark.validator.formats.builtin import ROW_KINDS, detect, format_of_columns
from evalmark.validator.formats.incomplete_files import enclosed, evident
from evalmark.validator.formats.pairs.nearest_keys import nearest, renames_text
from evalmark.validator.formats.unreadable_files import nearly_ours
from evalmark.validator.reading.diagnose import undecodable
from evalmark.validator.reading.lines import MAX_LINE
from evalmark.validator.reading.other_formats import (
    CELLS,
    TO_SUITE,
    cells_of,
    is_dataset_row,
    is_table,
    packed,
    stand_in,
)
from evalmark.validator.reading.program_results import reads_results
from evalmark.validator.reading.source import Source
from evalmark.validator.reading.strict_json import decode, spare_stack

#: The name of a column.
_COLUMN = re.compile(r"[^\W\d][\w .()/%-]*")


def unrecognized(
    path: str, formats: Iterable[Format], data: object, *, is_row: bool = False
) -> Finding:
    """The finding for a file of none of the formats that it could have.

    Args:
        path: The file.
        formats: The formats that were looked for.
        data: Its content, or its first row.
        is_row: Whether it is a row.
    """
    if found := nearly_ours(data):
        form, names = found
        return file_finding(
            "F012",
            path,
            f"unrecognized file: {form.name}, but for the spelling of "
            f"{listed(f'`{key}`' for key in names)}",
            helps=tuple(Action.RENAME(key, name) for key, name in names.items()),
            subject=(*names,),
        )
    if is_row and (of_row := evident(data)) and not of_row.has_rows:
        message, help_text = f"each line of the file is a {of_row.name}", _layout(of_row.name)
        return file_finding("F019", path, message, helps=(help_text,))
    if inside := enclosed(data):
        form, key = inside
        where = f"the value of the only key, `{key}`" if key else "an entry of a list"
        help_text = f"write what `{key}` has" if key else "remove the `[` and `]` around it"
        if isinstance(data, list) and len(data) > 1:
            help_text = _layout(form.name, is_list=True)
        return file_finding(
            "F019", path, f"the {form.name} is not the whole file, but {where}", helps=(help_text,)
        )
    looks = "; ".join(f"{form.name}: {form.looks}" for form in formats)
    return file_finding(
        "F012",
        path,
        "unrecognized file: not a suite, record, sample file, memory test or file of minimal pairs",
        notes=(f"looked for {looks}",),
        helps=(way_out(data),),
    )


def way_out(data: object) -> str:
    """A suggestion for parsed JSON of no kind."""
    if data is None or data == []:
        return (
            "the file has no content: a suite is an object with `meta` and `items`, minimal pairs "
            "are rows with two sentences each; add it, or delete the file"
        )
    rows = data if isinstance(data, list) else [data]
    is_rows = all(map(is_dataset_row, rows))
    if is_rows or is_table(data):
        what = "these dataset rows" if is_rows else "this table"
        call = TO_SUITE.format("FILE", "SUITE.json")
        return Action.TERMINAL(f"`evalmark {call}` makes a suite of {what}")
    if call := reads_results(rows[0] if rows else None):
        return call
    near = nearest(rows[0]) if isinstance(rows[0], dict) else None
    if near and near.renames and not near.missing:
        return f"if the rows are minimal pairs, {' and '.join(renames_text(near))}"
    kinds = {detect(row) for row in rows}
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is None:
        text = "`evalmark explain` names the formats of other programs that can be converted"
        return Action.TERMINAL(text)
    return _layout(kind, is_list=isinstance(data, list))


def _layout(kind: str, *, is_list: bool = False) -> str:
    """A suggestion for objects of a kind that are in a list, or on lines, and should not be."""
    if is_list and kind in ROW_KINDS:
        return "write each element on its own line, in a file whose name ends in .jsonl"
    if is_list:
        return f"write each {kind} to a separate file"
    return f"a {kind} has its own file, whose name ends in .json or .yaml"


def not_rows(file: BinaryIO, path: str, *, is_sample: bool = False) -> Finding | None:
    """The finding for a file that does not have an object on each line.

    Args:
        file: It; it is rewound.
        path: Where it lies.
        is_sample: Whether a record says that it has samples; else it may be any file.
    """
    raw = file.read(MAX_LINE)
    file.seek(0)
    if finding := packed(raw, path):
        return finding
    try:
        text = decode(raw)
    except Rejected:
        finding, decoded = undecodable(raw, path)
        if decoded is None and finding.code == "F004":
            return finding
        text = raw.decode("utf-8", "replace")
    source = Source(path, text)
    if is_sample and not text.strip():
        helps = ("write the rows, or remove `detailed_evaluation_results` from the record",)
        return file_finding("F010", path, "file is empty: it has no rows", helps=helps)
    return stand_in(source) or _table(source) or _other_values(text.lstrip(), path, is_sample)


def _other_values(text: str, path: str, is_sample: bool) -> Finding | None:
    """The finding for values over several lines, and for one list of rows."""
    try:
        spare_stack(text)
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        value, end = None, len(text)
        if text.split("\n", 1)[0].strip() not in ("{", "[", "[{"):
            return None  # rows with a mistake
    lines = text.count("\n", 0, end) + 1
    kind, alone = detect(value), not text[end:].strip()
    is_list = alone and isinstance(value, list)
    if lines == 1 and not (is_list and (is_sample or detect(next(iter(value), {})) in ROW_KINDS)):
        return None
    message = f"JSON Lines needs one value on each line, but this one is on lines 1 to {lines}"
    if is_list:
        message = f"file is a JSON array of {len(value)}, not JSON Lines"
    if alone and kind is not None and kind not in ROW_KINDS:
        help_text = f"rename the file to `{PurePath(path).stem}.json`"
    else:
        help_text = f"write each on one line: `jq -c {_filter(value, alone)} FILE > NEW.jsonl`"
    return file_finding("F001", path, message, helps=(help_text,))


def _table(source: Source) -> Finding | None:
    header, *rows = source.text.split("\n", 2)[:2]
    delimiter, ending = ("\t", "tsv") if "\t" in header else (",", "csv")
    names = [name.strip().strip('"') for name in header.split(delimiter)]
    if len(names) < 2 or not all(map(_COLUMN.fullmatch, names)):
        return None
    cells = cells_of(rows[0], delimiter) if rows else []
    if len(cells) != len(names):
        return None
    help_text = "write each row as an object, on its own line"
    if format_of_columns(names) or CELLS.issubset(names) or is_wide_header(names):
        help_text = f"rename the file to `{PurePath(source.path).stem}.{ending}`"
    message = f"file is a table ({ending.upper()}), not JSON Lines"
    return source.finding("F001", message, 0, len(header), helps=(help_text,))


def _filter(value: object, alone: bool) -> str:
    """The filter with which jq takes the values one by one."""
    return "'.[]'" if alone and isinstance(value, list) else "."
