"""What is pasted or dropped into the page: rows of a spreadsheet, tables, pairs, old suites."""

from __future__ import annotations

import csv
import io
from pathlib import PurePosixPath
from typing import Any

from evalmark.converters.convert import convert_text as to_current
from evalmark.converters.formats import Syntax
from evalmark.converters.steps.tables import COLUMNS, format_of_header
from evalmark.converters.syntax import DELIMITERS
from evalmark.validator.edge.paths import is_plain_name
from evalmark.validator.reading.other_formats import FIRST_COLUMNS, is_wide_header
from evalmark.workbench.opened import ENDINGS, Choices, opened
from evalmark.workbench.page_words import in_page

#: What a table without the names of its columns is told.
NO_HEADER = (
    "the first row has to name the columns: `item`, `condition`, and then each region; "
    "for minimal pairs, `sentence_good` and `sentence_bad`"
)


def convert(text: str, name: str = "", choices: Choices | None = None) -> dict[str, Any]:
    """Text as a suite: its data and notes, or why it cannot become one.

    Args:
        text: What was pasted, or the text of a file.
        name: The name of the file; without one, the text itself says what it is.
        choices: See ``open_file``.
    """
    whole = _named(text, name)
    delimiter = DELIMITERS.get(Syntax.of(whole))
    text = _with_known_header(text, delimiter) if delimiter else text
    if delimiter and format_of_header(text, delimiter) is None:
        return {"refused": NO_HEADER, "needs": "", "choices": []}
    found = opened(text.encode("utf-8"), whole, choices or {})
    if found.format is None and Syntax.of(whole) is Syntax.YAML and not name:
        return {"refused": NO_HEADER, "needs": "", "choices": []}
    if found.refused:
        answer: dict[str, Any] = {"refused": in_page(found.refused) or found.refused}
        return {**answer, "needs": found.needs, "choices": list(found.choices)}
    notes = [note for note in map(in_page, found.notes) if note]
    return {"data": found.data, "notes": notes, "format": found.format}


def _with_known_header(text: str, delimiter: str) -> str:
    """The text with the names of columns as formats write them: people write ``Item``, too."""
    header, line_end, rows = text.partition("\n")
    cells = header.split(delimiter)
    names = [cell.strip().strip('"').lower() for cell in cells]
    if is_wide_header(names):
        first = len(FIRST_COLUMNS)  # the names of regions stay as they are
        header = delimiter.join((*map(str.lower, cells[:first]), *cells[first:]))
    elif set(COLUMNS) <= set(names) or format_of_header(text, delimiter) is None:
        header = header.lower()
    return f"{header}{line_end}{rows}"


def convert_text(text: str, name: str) -> dict[str, Any]:
    """The text of a file in the current format of its kind, as ``evalmark convert`` writes it.

    Raises:
        ConversionError: It cannot be converted exactly.
    """
    done = to_current(text, path=name)
    return {"text": done.text, "notes": list(done.notes), "format": done.format}


def _named(text: str, name: str) -> str:
    """A name that says how the text is written."""
    plain = name if is_plain_name(name) else "pasted"
    if plain.lower().endswith(ENDINGS):
        return plain
    stem = PurePosixPath(plain).name.partition(".")[0]
    return f"{stem}{_ending(text)}"


def _ending(text: str) -> str:
    """The ending of a text without a name."""
    start = text.lstrip()
    if start.startswith(("{", "[")):
        several = start.startswith("{") and "}\n{" in start.replace("\r", "")
        return ".jsonl" if several else ".json"
    header = text.partition("\n")[0]
    if "\t" in header:
        return ".tsv"  # what spreadsheets copy
    return ".csv" if len(next(csv.reader(io.StringIO(header)), [])) > 1 else ".yaml"
