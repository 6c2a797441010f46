"""A YAML or JSON file that supplies values, and what is wrong in it, with the line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import UsageError
from evalmark.validator.findings.finding import Severity
from evalmark.validator.io.escaping import shown
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import Reading, read
from evalmark.validator.reading.source import make_pointer

#: The keys that lead to a value of a file.
Keys = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OverrideFile:
    """A file of defaults, or a mapping: an object of tables."""

    path: Path
    reading: Reading

    @property
    def data(self) -> dict[str, Any]:
        """All of it."""
        data: dict[str, Any] = self.reading.data
        return data

    def table(self, value: object, at: Keys) -> dict[str, Any]:
        """A value that is a table; a UsageError if it is not."""
        if not isinstance(value, dict):
            raise self.error(at, f"{at[-1]}: expected keys and values")
        return value

    def require(self, table: Iterable[str], names: Iterable[str], at: Keys, noun: str) -> None:
        """Refuse a key of a table that is none of the names."""
        known = tuple(names)
        for key in table:
            if key not in known:
                raise self.unknown(key, at, known, noun)

    def unknown(self, key: str, at: Keys, names: Iterable[str], noun: str = "key") -> UsageError:
        """The error of a key that is none of the names."""
        close = get_close_matches(key, tuple(names), n=1)
        hint = f"did you mean {close[0]}?" if close else f"expected one of: {', '.join(names)}"
        return self.error((*at, key), f"unknown {noun} {key!r}; {hint}")

    def error(self, at: Keys, message: str) -> UsageError:
        """The error of a value, with its line and the tables that hold it."""
        source, pointer = self.reading.source, make_pointer(at)
        span = source and (source.key_span(pointer) or source.value_span(pointer))
        line = f":{span.line}" if span else ""
        place = " → ".join(at[:-1])
        return UsageError(shown(f"{self.path}{line}: {place + ': ' if place else ''}{message}"))


def read_overrides(path: Path, what: str) -> OverrideFile:
    """The file at a path, which ``what`` says what it should be.

    Raises:
        OSError: The file cannot be read.
        UsageError: It is not an object in YAML or JSON.
    """
    name = str(path)
    reading = read(read_whole(path), name if name.endswith((".yaml", ".yml")) else "x.json")
    wrong = next((f for f in reading.findings if f.name != "byte-order-mark"), None)
    if wrong is not None and wrong.severity is Severity.ERROR:
        at = f":{wrong.span.line}:{wrong.span.column}" if wrong.span else ""
        raise UsageError(shown("; ".join((f"{path}{at}: {wrong.message}", *wrong.helps))))
    if not reading.readable or not isinstance(reading.data, dict):
        raise UsageError(shown(f"{path}: expected {what}"))
    return OverrideFile(path, reading)
