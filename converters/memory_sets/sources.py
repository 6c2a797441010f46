"""The files that a memory set is read from."""

from __future__ import annotations

import ast
import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from evalmark.converters.step import Object
from evalmark.schemas.errors import ConversionError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read

#: Endings of files in a folder that may be parts of a set.
ENDINGS = (".json", ".jsonl", ".csv", ".parquet")
#: Fields of a CSV file can be whole conversations.
_FIELD = 1 << 30


class SetSource:
    """A file, read when its data are needed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def data(self) -> Any:
        """Its data: a list of rows for JSON Lines, CSV and Parquet.

        Raises:
            ConversionError: It cannot be read.
        """
        reader = _READERS.get(self.path.suffix.lower())
        if reader is None:
            raise ConversionError(f"{self.path} does not end in {_endings_text()}")
        try:
            return reader(self.path)
        except (UnicodeDecodeError, csv.Error) as error:
            raise ConversionError(f"{self.path} cannot be read: {error}") from error

    @cached_property
    def rows(self) -> list[Object]:
        """Its objects: the elements of a list, or the one that it is."""
        entries = self.data if isinstance(self.data, list) else [self.data]
        return [entry for entry in entries if isinstance(entry, dict)]

    def has(self, *keys: str) -> bool:
        """True if the first object of the file has these keys."""
        return bool(self.rows) and set(keys) <= self.rows[0].keys()


def _endings_text() -> str:
    """The endings in words."""
    return f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"


def literal(text: str) -> Any:
    """The value that a text has as JSON or as Python; None if it is neither."""
    for parse in (json.loads, ast.literal_eval):
        with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
            return parse(text)
    return None


def _json(path: Path) -> Any:
    reading = read(read_whole(path), str(path))
    if not reading.readable:
        raise ConversionError(f"{path} cannot be read; `evalmark check` says why")
    return reading.data


def _lines(path: Path) -> list[Any]:
    rows = []
    for number, line in enumerate(read_whole(path).split(b"\n"), 1):
        if line.strip():
            reading = read(line.rstrip(b"\r"), str(path))
            if not reading.readable:
                raise ConversionError(f"{path}:{number}: cannot be read as JSON")
            rows.append(reading.data)
    return rows


def _table(path: Path) -> list[Any]:
    csv.field_size_limit(_FIELD)
    return list(csv.DictReader(io.StringIO(read_whole(path).decode("utf-8-sig"), newline="")))


def _parquet(path: Path) -> list[Any]:
    from evalmark.converters.sources.parquet import parquet_rows  # for Parquet only

    return [node.value for node in parquet_rows(path, str(path), Counter())]


_READERS = {".json": _json, ".jsonl": _lines, ".csv": _table, ".parquet": _parquet}


def sources(paths: Iterable[Path]) -> list[SetSource]:
    """The files, and those in folders.

    Raises:
        ConversionError: There are none.
    """
    files = [file for path in paths for file in _files(path)]
    if not files:
        raise ConversionError(f"no files that end in {_endings_text()}")
    return [SetSource(path) for path in files]


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for file in sorted(path.rglob("*"), key=_natural):
        if file.is_file() and file.suffix.lower() in ENDINGS:
            yield file


def _natural(path: Path) -> list[tuple[int, str]]:
    """A key by which folder 10 comes after folder 9."""
    return [(int(part), "") if part.isdecimal() else (1 << 60, part) for part in path.parts]


def named(files: Sequence[SetSource], *keys: str) -> list[SetSource]:
    """The files whose first object has these keys."""
    return [file for file in files if file.has(*keys)]
