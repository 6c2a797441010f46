"""Unrecognized files: which format they nearly are, and what to write.

A file that cannot be parsed has signs too: its keys, its name, its place.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from pathlib import PurePath
from typing import Any, BinaryIO

from evalmark.schemas.errors import ParseRejected
from evalmark.schemas.wide_tables import is_wide_header
from evalmark.validator.findings.finding import Action, Finding
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.rule import FILE_CODES, NOT_CHECKED, file_finding
from evalmark.validator.format import Format
from evalmark.validator.formats.builtin import (
    FIRST,
    FORMATS,
    ROW_KINDS,
    detect,
    format_at,
    format_of,
    format_of_columns,
    has_keys_of_a_format,
)
from evalmark.validator.formats.explaining.misspelt_keys import nearest_key
from evalmark.validator.formats.records.records_format import (
    RECORD_FORMAT,
    SAMPLE_FORMAT,
    is_in_datastore,
)
from evalmark.validator.io.opening import open_regular, read_or_nothing
from evalmark.validator.reading.lines import LFS_POINTER, MAX_LINE
from evalmark.validator.reading.other_formats import (
    CELLS,
    TO_SUITE,
    WIDE,
    cells_of,
    is_dataset_row,
    is_table,
    packed,
    stand_in,
)
from evalmark.validator.reading.source import Source
from evalmark.validator.reading.strict_json import decode, spare_stack
from evalmark.validator.reading.top_keys import top_keys

#: Bytes of a file, and files of a folder, that tell whether the files of the folder are ours.
_HEAD, _FILES = 1 << 16, 20
#: Keys of an object that may be one of ours.
_KEYS = 30
#: Keys that many programs use: they alone do not say what a file is.
COMMON = frozenset(
    (
        "answer", "characters", "config", "data", "datasets", "duration", "evaluation", "input",
        "items", "label", "max_score", "meta", "model_id", "options", "predictions", "prefix",
        "question", "ratio", "reasoning", "schema_version", "score", "sentence_a", "sentence_b",
        "sentences", "source_sentence", "target_sentence", "test_id", "timestamp", "tokens",
        "total_tokens", "type",
    )
)  # fmt: skip
_YAML = (".yaml", ".yml")
_ENDINGS = (".json", ".jsonl", *_YAML)
_UNREADABLE = FILE_CODES.keys() - NOT_CHECKED - {"F019"}
#: The name of a column.
_COLUMN = re.compile(r"[^\W\d][\w .()/%-]*")


def is_unrecognized(report: Report, raw: bytes | None = None, *, was_ours: bool = False) -> bool:
    """True if a file that nobody has named is skipped: nothing says that it is of any format.

    ``was_ours`` says that it was ours when it could be read.
    """
    codes = {finding.code for finding in report.findings}
    if "F012" in codes:
        return not any(finding.subject for finding in report.findings)  # see ``nearly_ours``
    # Rows that cannot be read count as samples.
    is_known = was_ours or report.kind not in (None, SAMPLE_FORMAT.name)
    if is_known or codes.isdisjoint(_UNREADABLE):
        return False
    return not has_signs(read_or_nothing(report.path) if raw is None else raw, report.path)


def is_worth_parsing(raw: bytes, path: str) -> bool:
    """True if a text that is slow to parse may be of some format, whole or incomplete."""
    if has_keys_of_a_format(raw) or signs_of_ours(raw, path) is not False:
        return True
    return _has_signs_of_others(raw, path) or any(
        _has_most([key for key in keys if key.encode() in raw], keys)
        for form in FORMATS
        for keys in _required(form)
    )


def has_signs(raw: bytes, path: str) -> bool:
    """True if something says that a file that cannot be read is ours, or of another package."""
    signs = signs_of_ours(raw, path)
    if signs or (signs is None and _is_among_ours(path)):
        return True
    return _has_signs_of_others(raw, path)


def _has_signs_of_others(raw: bytes, path: str) -> bool:
    from evalmark.validator.formats.plugins import others_asked  # few files

    def may_be(form: Format) -> bool:
        every = form.signs
        is_placed = form.is_at(path) or form.may_be_at(path)
        return is_placed or any(all(key.encode() in raw for key in keys) for keys in every)

    return others_asked(path, may_be)[0] is not None


def signs_of_ours(raw: bytes, path: str, formats: Collection[Format] = FORMATS) -> bool | None:
    """Whether the beginning of a text is that of a file of ours; None if it does not tell.

    A file is ours by its name, by its place, or by the keys at its top: an object of another
    program may well have ours somewhere inside. A pointer of Git LFS could be any file.
    """
    if raw.startswith(LFS_POINTER.encode()) or format_at(path) in formats:
        return True
    if path.endswith(_ENDINGS) and any(form.may_be_at(path) for form in formats):
        return True
    found = top_keys(raw, path)
    for top, below in found.objects:
        if _is_top_of_ours(top, formats):
            return True
        if found.is_open and any(_may_begin(form, top, below) for form in formats):
            return True
    keys = {key for top, _ in found.objects for key in top}
    is_cut_early = found.is_open and len(keys) == 1 and not path.endswith(_YAML)
    return None if is_cut_early or not keys else False


def _is_top_of_ours(keys: set[str], formats: Collection[Format]) -> bool:
    """True if an object with these keys is of a format, but for slips, or a row of a suite."""
    if any(signs <= keys for signs in (CELLS, WIDE)):
        return True
    for form in formats:
        names = _slips(form, keys)
        if _is_marked(form, {names.get(key, key) for key in keys}):
            return True
    return False


def nearly_ours(data: object) -> tuple[Format, dict[str, str]] | None:
    """The format of an object, or of the first of a list, but for slips in some of its keys.

    Returns:
        The format, and the name that each of these keys should have; None if there is none. All
        other keys are of the format, so that it is not a file of another program.
    """
    first: Any = next(iter(data), None) if isinstance(data, list) else data
    if not isinstance(first, dict):
        return None
    for form in FORMATS:
        names = _slips(form, first.keys())
        if names and form.recognizes({names.get(key) or key: first[key] for key in first}):
            return form, names
    return None


def _slips(form: Format, keys: Collection[str]) -> dict[str, str]:
    """The right names of misspelt keys, if these and keys of the format are all that there is."""
    known = _keys_of(form)
    unknown = [key for key in keys if key not in known]
    if not 0 < len(unknown) < len(keys) <= _KEYS or COMMON.union(unknown).issuperset(keys):
        return {}
    names = {key: nearest_key(key, known, keys) or "" for key in unknown}
    return names if all(names.values()) else {}


def _is_marked(form: Format, keys: set[str]) -> bool:
    is_whole = any(signs <= keys for signs in form.keys)
    return is_whole and (not form.exact_keys or keys <= _keys_of(form))


def _may_begin(form: Format, top: set[str], below: set[str]) -> bool:
    """True if a file of a format that lacks its end, or a bracket, may have these keys."""
    keys = top | below  # without a bracket, keys are one level too deep
    if all(signs.isdisjoint(keys) for signs in form.keys):
        return False  # what all its files have is not here
    known = top & _keys_of(form)
    if 2 * len(known) <= len(top):
        return False  # most keys are of another program
    return _is_marked(form, keys) or (len(known) > 1 and any(signs & top for signs in form.keys))


@cache
def _keys_of(form: Format) -> frozenset[str]:
    keys = frozenset[str]().union(*form.signs)
    return keys.union(*(schema.get("properties", {}) for schema in form.schemas()))


def _is_among_ours(path: str) -> bool:
    """True if the other files of a folder are ours, so that a text without keys is too."""
    folder, name = os.path.split(os.path.abspath(path))
    if not name.endswith(_ENDINGS) or not os.path.isdir(folder):
        return False
    ours, others = _neighbors(folder, os.stat(folder).st_mtime_ns)
    return bool(ours - {name}) and not others - {name}


@lru_cache(maxsize=64)
def _neighbors(folder: str, changed: int) -> tuple[frozenset[str], frozenset[str]]:
    del changed  # a folder is looked at again once it has changed
    names: dict[bool | None, set[str]] = {True: set(), False: set(), None: set()}
    for name in sorted(name for name in os.listdir(folder) if name.endswith(_ENDINGS))[:_FILES]:
        path = os.path.join(folder, name)
        try:
            with open_regular(path) as file:
                names[signs_of_ours(file.read(_HEAD), path)].add(name)
        except OSError:
            continue
    return frozenset(names[True]), frozenset(names[False])


def incomplete(data: object, path: str) -> Format | None:
    """The format of a file that no format recognizes, since it lacks something.

    It has more than half of the keys that the format requires, or the place and name of a record in
    a datastore.
    """
    if nearly_ours(data):
        return None  # it lacks nothing but has slips
    if isinstance(data, list):
        forms = (_format_lacking_keys(row) for row in data[:FIRST] if isinstance(row, dict))
        return next((form for form in forms if form is not None and form.in_lists), None)
    form = _format_lacking_keys(data) if isinstance(data, dict) else None
    return form or (RECORD_FORMAT if _is_placed(path) else None)


def enclosed(data: object) -> tuple[Format, str] | None:
    """The format of what is in a list, or is the value of an object's only key; and the key."""
    if isinstance(data, dict) and len(data) == 1:
        [(key, value)] = data.items()
        return (form, key) if (form := evident(value)) else None
    forms = map(evident, data[:FIRST] if isinstance(data, list) else ())
    return next(((form, "") for form in forms if form), None)


def evident(data: object) -> Format | None:
    """The format of which an object has most of the required keys; None if there is none."""
    form = format_of(data) or _format_lacking_keys(data) if isinstance(data, dict) else None
    if form is None or form.exact_keys or not isinstance(data, dict):
        return None
    return form if any(_has_most(data, keys) for keys in _required(form)) else None


def format_in(data: object, path: str) -> Format | None:
    """The format of what no format recognizes, but for slips, for what it lacks or is in."""
    found = nearly_ours(data) or enclosed(data)
    return found[0] if found else incomplete(data, path)


def _format_lacking_keys(data: dict[str, Any]) -> Format | None:
    near = [
        form
        for form in FORMATS
        for keys in _required(form)
        if _has_most(data, keys)
        and not keys <= data.keys()
        and not (form.exact_keys and data.keys() - keys)
    ]
    # What the predictions of a suite look like tells the format of those that have one.
    return next((form for form in near if _values_match(form, data)), near[0] if near else None)


def _values_match(form: Format, data: dict[str, Any]) -> bool:
    return form.values_match is None or form.values_match(data)


def _has_most(data: Collection[str], keys: frozenset[str]) -> bool:
    known = keys.intersection(data)
    return len(known) > max(1, len(keys) / 2) and not known <= COMMON


@cache
def _required(form: Format) -> tuple[frozenset[str], ...]:
    required = dict.fromkeys(frozenset(schema.get("required", ())) for schema in form.schemas())
    return tuple(keys for keys in required if keys) or form.keys


def _is_placed(path: str) -> bool:
    if not is_in_datastore(path):
        return False
    from evalmark.validator.formats.records.datastore import datastore_parts, misplaced

    parts = datastore_parts(path)
    return parts is not None and misplaced(parts) is None and parts[-1].endswith(".json")


def unrecognized(
    path: str, formats: Iterable[Format], data: object, *, is_row: bool = False
) -> Finding:
    """The finding for a file of none of the formats that it could have, by its content."""
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
        message, help_text = f"each line of the file is a {of_row.name}", _layout_help(of_row.name)
        return file_finding("F019", path, message, helps=(help_text,))
    if inside := enclosed(data):
        form, key = inside
        problem = f"wrapped in an object with the single key `{key}`" if key else "inside a list"
        help_text = f"keep only the value of `{key}`" if key else "remove the `[` and `]` around it"
        if isinstance(data, list) and len(data) > 1:
            help_text = _layout_help(form.name, is_list=True)
        return file_finding("F019", path, f"the {form.name} is {problem}", helps=(help_text,))
    looks = "; ".join(f"{form.name}: {form.description}" for form in formats)
    return file_finding(
        "F012",
        path,
        "unrecognized file: not a suite, record, sample file, memory test or file of minimal pairs",
        notes=(f"looked for {looks}",),
        helps=(way_out(data),),
    )


def way_out(data: object) -> str:
    """A suggestion for parsed JSON of no kind."""
    # Known files with findings need nothing but ``is_unrecognized``.
    from evalmark.validator.formats.pairs.nearest_keys import nearest, renames_text
    from evalmark.validator.reading.program_results import reads_results

    if data is None or data == []:
        return (
            "the file has no content: a suite is an object with `meta` and `items`, minimal pairs "
            "are rows with two sentences each; add it, or delete the file"
        )
    rows = data if isinstance(data, list) else [data]
    is_rows = all(map(is_dataset_row, rows))
    if is_rows or is_table(data):
        subject = "these dataset rows" if is_rows else "this table"
        call = TO_SUITE.format("FILE", "SUITE.json")
        return Action.TERMINAL(f"`evalmark {call}` makes a suite of {subject}")
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
    return _layout_help(kind, is_list=isinstance(data, list))


def _layout_help(kind: str, *, is_list: bool = False) -> str:
    if is_list and kind in ROW_KINDS:
        return "write each element on its own line, in a file whose name ends in .jsonl"
    if is_list:
        return f"write each {kind} to a separate file"
    return f"a {kind} has its own file, whose name ends in .json or .yaml"


def not_rows(file: BinaryIO, path: str, *, is_sample: bool = False) -> Finding | None:
    """The finding for a file, which is rewound, that does not have an object on each line.

    With ``is_sample`` a record says that it has samples; else it may be any file.
    """
    raw = file.read(MAX_LINE)
    file.seek(0)
    if finding := packed(raw, path):
        return finding
    try:
        text = decode(raw)
    except ParseRejected:
        from evalmark.validator.reading.diagnose import undecodable  # few files

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
        help_text = f"write each on one line: `jq -c {_jq_filter(value, alone)} FILE > NEW.jsonl`"
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


def _jq_filter(value: object, alone: bool) -> str:
    return "'.[]'" if alone and isinstance(value, list) else "."
