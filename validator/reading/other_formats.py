"""Files of other formats with the extensions of ours: compressed, tables, dataset rows."""

from __future__ import annotations

import csv
import re
from contextlib import suppress
from pathlib import PurePath

from evalmark.validator.findings.finding import Action, Finding
from evalmark.validator.findings.rule import file_finding
from evalmark.validator.reading.lines import CONFLICT, LFS_POINTER
from evalmark.validator.reading.pair_columns import suggestion
from evalmark.validator.reading.source import Source
from evalmark.validator.reading.work_budget import MAX_COLUMNS

#: First bytes of a compressed file -> the format, and what decompresses it.
_PACKED = {
    b"\x1f\x8b": ("gzip", "gunzip < FILE > NEW"),
    b"BZh": ("bzip2", "bunzip2 < FILE > NEW"),
    b"\xfd7zXZ": ("xz", "unxz < FILE > NEW"),
    b"\x28\xb5\x2f\xfd": ("zstd", "unzstd < FILE > NEW"),
    b"PK\x03\x04": ("zip", "unzip FILE"),
}
_MARKER = re.compile(r"^<{7}(?= |$).*$", re.MULTILINE)
_HTML = re.compile(r"\s*<(?:!doctype html|html)\b", re.IGNORECASE)
_YAML = (".yaml", ".yml")
#: The columns of a suite that is written as a table.
CELLS = frozenset({"item_number", "condition_name", "region_number", "content"})
_CELLS = f"{', '.join(sorted(CELLS))}, region_name"
#: The first columns of one with a row for each sentence; the others are its regions.
WIDE = frozenset({"item", "condition"})
#: The columns of what may be next to either; a table of predictions may have more.
_BESIDE = ({"formula"}, {"key", "value"})
_TABLES = (".csv", ".tsv")
#: How names of files of ours end, whatever the files hold.
_OURS = (".json", ".jsonl", ".ndjson", ".yaml", ".yml", *_TABLES)
#: The call that makes a suite of rows.
TO_SUITE = "convert {} --no-predictions -o {}"


def cells_of(line: str, delimiter: str) -> list[str]:
    """The cells of a line of a table; none if it is not one, or has too many."""
    if line.count(delimiter) >= MAX_COLUMNS:
        return []
    with suppress(csv.Error):
        return next(csv.reader([line], delimiter=delimiter), [])
    return []


def packed(raw: bytes, path: str) -> Finding | None:
    """The finding for a file that is compressed."""
    if raw.startswith(b"PK") and path.lower().endswith(".xlsx"):
        message = "file is a workbook of a spreadsheet program"
        call = "`evalmark convert FILE -o SUITE.json` makes a suite of its tables"
        return file_finding("F004", path, message, helps=(Action.TERMINAL(call),))
    if raw.startswith(b"PK") and path.lower().endswith(".eval"):
        message = "file is a log of Inspect"
        helps = (Action.TERMINAL("`evalmark convert FILE -o STORE` makes a record of it"),)
        return file_finding("F004", path, message, helps=helps)
    for first, (name, command) in _PACKED.items():
        if raw.startswith(first):
            message = f"file is compressed with {name}"
            return file_finding("F004", path, message, helps=(f"decompress it: `{command}`",))
    return None


def stand_in(source: Source) -> Finding | None:
    """The finding for a text that is there instead of a file: of Git LFS, of git, of a server."""
    code = "F014" if source.path.endswith(_YAML) else "F001"
    start, end = 0, len(source.text.partition("\n")[0])
    if source.text.startswith(LFS_POINTER):
        message = "file is a Git LFS pointer, not the file itself"
        help_text = "run `git lfs pull`"
    elif _HTML.match(source.text):
        message = "file is an HTML page, as servers send it for an error"
        help_text = "look at it in a browser, and download the file itself"
    elif conflict := _MARKER.search(source.text):
        message, help_text = CONFLICT, "keep one side, and remove the lines that git has added"
        start, end = conflict.span()
    else:
        return None
    return source.finding(code, message, start, end, helps=(help_text,))


def table(source: Source) -> Finding | None:
    """The finding for a table where JSON is expected."""
    header, _, rest = source.text.partition("\n")
    delimiter = "\t" if "\t" in header else ","
    columns = header.count(delimiter) + 1
    if columns > MAX_COLUMNS and PurePath(source.path).suffix.lower() in _TABLES:
        message = f"table of {columns:,} columns; at most {MAX_COLUMNS:,} are read"
        cure = f"a suite as a table has the columns {_CELLS}"
        return source.finding("F001", message, 0, header.index(delimiter), helps=(cure,))
    names = {name.strip().strip('"') for name in header.split(delimiter)}
    named = PurePath(source.path).suffix.lower() in _TABLES
    if not named and not (names >= CELLS or names >= WIDE):
        return None
    helps = _helps_on_table(source.path, names, named=named)
    if ";" in header and len(names) == 1:
        delimiter = ";"
        helps = ["separate the cells with commas, or with tabs in a .tsv file, not with semicolons"]
    if not _is_of_suite(names):
        first = (cells_of(text, delimiter) for text in (header, rest.partition("\n")[0]))
        if line := suggestion(source.path, delimiter, *first):
            helps.append(f"if its rows are minimal pairs, write this to evalmark.toml: {line}")
    return source.finding("F001", "file is a table, not JSON", 0, len(header), helps=tuple(helps))


def _is_of_suite(names: set[str]) -> bool:
    is_wide = {name.casefold() for name in names} >= WIDE
    return bool(names & CELLS) or is_wide or names in _BESIDE


def _helps_on_table(path: str, names: set[str], *, named: bool) -> list[str]:
    from shlex import quote  # only for a call that is printed

    stem = PurePath(path).stem
    call = TO_SUITE.format(*map(quote, (path if named else f"{stem}.csv", f"{stem}.json")))
    if names >= CELLS:
        renamed = "" if named else f"rename the file to `{stem}.csv`, then "
        return [Action.TERMINAL(f"{renamed}`evalmark {call}` makes a suite of it")]
    if {name.casefold() for name in names} >= WIDE:
        text = f"`evalmark {call}` makes a suite of this table, with a region in each column"
        return [Action.TERMINAL(text)]
    if names in _BESIDE:
        return ["`convert` reads it with the table of the suite that is next to it"]
    columns = f"a suite as a table has the columns {_CELLS}"
    if _is_of_suite(names):
        return [columns]
    return [
        columns,
        Action.TERMINAL(f"if its rows are sentences: `evalmark {call}`"),
        "minimal pairs as a table have columns such as sentence_good, sentence_bad",
    ]


def other_text(source: Source) -> Finding | None:
    """The finding for a text that is not JSON by its name, nor by its beginning."""
    path, text = source.path, source.text
    if path in ("-", "<text>") or path.lower().endswith(_OURS) or text.lstrip()[:1] in ("{", "["):
        return None
    lines: tuple[str, ...] = ()
    count = sum(not line.isspace() for line in text.splitlines())
    if path.lower().endswith(".txt") and count and count % 2 == 0:
        help_text = "if its lines are minimal pairs, alternating wrong and right: `--pairs zorro`"
        lines = (Action.TERMINAL(help_text),)
    return source.finding(
        "F012",
        "unrecognized file: not JSON, JSON Lines, YAML or a table",
        0,
        len(text.partition("\n")[0]),
        helps=("if it is one of these, name it .json, .jsonl, .yaml, .csv or .tsv", *lines),
    )


def is_dataset_row(row: object) -> bool:
    """True if parsed JSON is an item of a suite as a row of a dataset: conditions in columns."""
    return (
        isinstance(row, dict)
        and {"item_number", "conditions"} <= row.keys()
        and isinstance(row["conditions"], dict)
    )


def is_table(rows: object) -> bool:
    """True if parsed JSON is the rows of a table of a suite."""
    return (
        isinstance(rows, list)
        and bool(rows)
        and all(isinstance(row, dict) and row.keys() >= CELLS for row in rows)
    )
