"""Texts as grids: separated values, JSON, items of PCIbex, and one sentence a line."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any

from evalmark.converters.any_table.grid import Grid, grid_of
from evalmark.schemas.errors import ConversionError, Rejected
from evalmark.validator.reading.strict_json import parse

#: What separates the cells of a row, the most certain first.
_DELIMITERS = ("\t", ";", ",")
#: Share of the rows that have as many cells as most.
_USUAL = 0.8
#: Keys whose value is a list of rows.
_LISTS = ("items", "data", "rows", "stimuli", "sentences")
#: The label of an element of PCIbex: a condition, and its item.
_LABEL = re.compile(r"""\[\s*\[\s*(["'])([^"'\n]{1,200})\1\s*,\s*(\d{1,9})\s*\]""")
_STRING = r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
_SENTENCE = re.compile(rf"\bs\s*:\s*(?:({_STRING})|\[((?:\s|,|{_STRING})*)\])")
_QUOTED = re.compile(_STRING)
#: The number of an example and the letter of its sentence, as articles print them.
_NUMBER = re.compile(r"\(?(\d{1,6})[.):]\)?\s+")
_LETTER = re.compile(r"\(?([a-z])[.)]\)?\s+")
#: What marks a sentence as bad.
_MARKS = ("*", "??", "?", "#")
_LINE_OF_TABLE = re.compile(r"[\s:|]*-[\s:|-]*")


def grid_of_text(text: str, *, has_sentences: bool = True) -> Grid:
    """The grid of a text, whatever it is.

    Args:
        text: The text.
        has_sentences: Whether it may be a list of sentences; any prose would be one.

    Raises:
        ConversionError: It is neither a table nor a list of sentences.
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith(("{", "[")):
        data = _json(text)
        if data is not None:
            return _grid_of_json(data)
    if labels := list(_LABEL.finditer(text)):
        return _grid_of_script(text, labels)
    if text.lstrip().startswith(("{", "[")):
        raise ConversionError("this is neither JSON nor a script of PCIbex")
    lines = text.splitlines()
    if sum(line.startswith("|") for line in lines) > 1:
        return grid_of(_cells_of_bars(lines))
    rows = _separated(text)
    if rows is not None:
        return grid_of(rows)
    if not has_sentences:
        raise ConversionError("this is not a table", "name a list of sentences .txt")
    return _grid_of_sentences(lines)


def _json(text: str) -> Any:
    """The value of JSON or of JSON Lines; None if it is neither."""
    try:
        return parse(text)
    except Rejected:
        pass
    try:
        return [parse(line) for line in text.splitlines() if line.strip()]
    except Rejected:
        return None


def _grid_of_json(data: Any) -> Grid:
    if isinstance(data, dict):
        data = next((data[key] for key in _LISTS if isinstance(data.get(key), list)), data)
    if isinstance(data, dict) and data:
        columns = list(data.values())
        if all(isinstance(column, dict) for column in columns):
            columns = [list(column.values()) for column in columns]
        if all(isinstance(column, list) for column in columns):
            cells = [[_cell(value) for value in row] for row in zip(*columns, strict=False)]
            return grid_of([[*data], *cells], True)
    if isinstance(data, list) and data:
        if all(isinstance(row, dict) for row in data):
            names = list(dict.fromkeys(str(key) for row in data for key in row))
            rows = ([_cell(row.get(name)) for name in names] for row in data)
            return grid_of([names, *rows], True)
        if all(isinstance(row, list) for row in data):
            return grid_of([_cell(value) for value in row] for row in data)
        if all(isinstance(row, str) for row in data):
            return _grid_of_sentences(data)
    raise ConversionError("this JSON is not a list of rows", "write a list of objects, one a row")


def _cell(value: Any) -> str:
    """The text of a value; a list of texts are the parts of a sentence."""
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return " | ".join(value)
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _grid_of_script(text: str, labels: Sequence[re.Match[str]]) -> Grid:
    """The elements of a script of PCIbex that have a label and a sentence."""
    ends = [*(label.start() for label in labels[1:]), len(text)]
    rows = [["item", "condition", "sentence"]]
    for label, end in zip(labels, ends, strict=True):
        if sentence := _SENTENCE.search(text, label.end(), end):
            whole, parts = sentence.groups()
            texts = [_unquoted(part) for part in _QUOTED.findall(whole or parts)]
            rows.append([label.group(3), label.group(2), " | ".join(texts)])
    if len(rows) == 1:
        raise ConversionError("the script has no element with a sentence `s`")
    return grid_of(rows, True)


def _unquoted(literal: str) -> str:
    return re.sub(r"\\(.)", r"\1", literal[1:-1])


def _cells_of_bars(lines: Sequence[str]) -> Iterator[list[str]]:
    """The rows of a table of Markdown."""
    for line in lines:
        if line.startswith("|") and not _LINE_OF_TABLE.fullmatch(line.strip()):
            yield [cell.strip() for cell in line.strip().strip("|").split("|")]


def _separated(text: str) -> list[list[str]] | None:
    """The cells of separated values; None if the lines are no rows of a table."""
    for delimiter in _DELIMITERS:
        if delimiter not in text:
            continue
        if delimiter == "," and text.count(", ") * 2 > text.count(","):
            continue  # commas of sentences
        try:
            rows = [*csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)]
        except csv.Error as error:
            raise ConversionError(f"the table cannot be read: {error}") from None
        widths = Counter(len(row) for row in rows if any(row))
        width, count = max(widths.items(), key=lambda pair: (pair[1], pair[0]), default=(0, 0))
        if width > 1 and (count >= _USUAL * widths.total() or delimiter == "\t"):
            number = next((n for n, row in enumerate(rows, 1) if len(row) > width), None)
            if number is not None and delimiter != "\t":
                raise ConversionError(
                    f"row {number} has {len(rows[number - 1])} cells, and most rows {width}",
                    "put a cell that contains the delimiter in double quotes",
                )
            return rows
    return None


def _grid_of_sentences(lines: Sequence[str]) -> Grid:
    """Sentences, one a line, as a table of items, conditions and sentences.

    Items are the numbers of examples, or paragraphs, or as many lines as are alike; a sentence with
    a star is the bad one.
    """
    blocks = [
        list(block) for has_text, block in groupby(lines, lambda x: bool(x.strip())) if has_text
    ]
    if not blocks:
        raise ConversionError("there is no text")
    texts = [line for block in blocks for line in block]
    if sum(len(text.split()) > 1 or not text.isascii() for text in texts) * 2 < len(texts):
        raise ConversionError(
            "this is neither a table nor a list of sentences",
            "paste rows of a spreadsheet, or one sentence a line",
        )
    if any(_NUMBER.match(text) for text in texts):
        blocks = _numbered(texts)
    elif len(blocks) == 1 or max(map(len, blocks)) == 1:
        blocks = _cut(texts, _lines_an_item(texts))
    rows = [
        [str(number), condition, sentence]
        for number, block in enumerate(blocks, 1)
        for condition, sentence in _conditions(block)
    ]
    return grid_of([["item", "condition", "sentence"], *rows], True)


def _numbered(texts: Sequence[str]) -> list[list[str]]:
    """The lines of each number, without it."""
    blocks: list[list[str]] = []
    before = ""
    for text in texts:
        number = _NUMBER.match(text)
        if not blocks or (number and number.group(1) != before):
            blocks.append([])
        before = number.group(1) if number else before
        blocks[-1].append(text[number.end() :] if number else text)
    if len(blocks) < len(texts):
        return blocks
    whole = [line for block in blocks for line in block]  # every sentence has its own number
    return _cut(whole, _lines_an_item(whole))


def _cut(texts: Sequence[str], size: int) -> list[list[str]]:
    """Texts in groups of a size."""
    return [list(texts[start : start + size]) for start in range(0, len(texts), size)]


def _conditions(block: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The condition and the sentence of each line of an item."""
    lines = [_LETTER.sub("", line.strip(), count=1) for line in block]
    is_marked = [line.startswith(_MARKS) for line in lines]
    is_pair = len(lines) == 2 and sum(is_marked) == 1
    for index, (line, is_bad) in enumerate(zip(lines, is_marked, strict=True)):
        name = ("bad" if is_bad else "good") if is_pair else chr(ord("a") + index % 26)
        yield name, line.lstrip("*?# ") if is_bad else line


def _lines_an_item(texts: Sequence[str]) -> int:
    """How many lines an item has: the number by which lines of an item are most alike."""
    words = [set(text.lower().split()) for text in texts]
    if not any(len(one) > 1 for one in words):
        words = [set(text) for text in texts]  # no spaces between words
    likeness = [len(a & b) / (len(a | b) or 1) for a, b in pairwise(words)]
    best, size = 0.0, 1
    for candidate in range(2, 9):
        if len(texts) % candidate:
            continue
        inside = [like for at, like in enumerate(likeness, 1) if at % candidate]
        across = [like for at, like in enumerate(likeness, 1) if not at % candidate]
        gain = sum(inside) / len(inside) - (sum(across) / len(across) if across else 0.2)
        if gain > max(best, 0.1):
            best, size = gain, candidate
    return size
