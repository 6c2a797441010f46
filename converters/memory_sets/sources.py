"""The files that a memory set is read from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from evalmark.converters.step import Object
from evalmark.schemas.errors import ConversionError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read

#: Endings of files in a folder that may be parts of a set.
ENDINGS = (".json", ".jsonl")
_ENDINGS_TEXT = " or ".join(ENDINGS)


class SetSource:
    """A file, read when its data are needed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def data(self) -> Any:
        """Its data: a list of rows for JSON Lines.

        Raises:
            ConversionError: It cannot be read.
        """
        reader = _READERS.get(self.path.suffix.lower())
        if reader is None:
            raise ConversionError(f"{self.path} does not end in {_ENDINGS_TEXT}")
        return reader(self.path)

    @cached_property
    def rows(self) -> list[Object]:
        """Its objects: the elements of a list, or the one that it is."""
        entries = self.data if isinstance(self.data, list) else [self.data]
        return [entry for entry in entries if isinstance(entry, dict)]

    def has(self, *keys: str) -> bool:
        """True if the first object of the file has these keys."""
        return bool(self.rows) and set(keys) <= self.rows[0].keys()


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


_READERS = {".json": _json, ".jsonl": _lines}


def sources(paths: Iterable[Path]) -> list[SetSource]:
    """The files, and those in folders.

    Raises:
        ConversionError: There are none.
    """
    files = [file for path in paths for file in _files(path)]
    if not files:
        raise ConversionError(f"no files that end in {_ENDINGS_TEXT}")
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
