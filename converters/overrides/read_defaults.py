"""Files of defaults: YAML or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from evalmark.converters.overrides.defaults import Defaults, Facts
from evalmark.converters.overrides.places import METRIC_KEYS, MODEL_KEYS, REVIEWED
from evalmark.converters.overrides.schema_values import problem_of
from evalmark.converters.step import Object
from evalmark.schemas.errors import UsageError
from evalmark.validator.formats.records.record_fields import places_of
from evalmark.validator.io.escaping import shown
from evalmark.validator.reading.reading import Reading, read_file
from evalmark.validator.reading.source import make_pointer

#: Tables within a collection, and those of the whole file.
_IN_COLLECTIONS = ("models", "metrics")
_IN_FILES = ("collections", *_IN_COLLECTIONS, "files")
#: Keys of a table of models, and of one of metrics -> their pointers.
_OF_MODELS = {key: places_of(field)[0] for key, field in MODEL_KEYS.items()}
_OF_METRICS = {key: places_of(field, "*")[0] for key, field in METRIC_KEYS.items()}
_POINTER = "a pointer such as /eval_library/name"

Table = Mapping[str, Any]


def read_defaults(path: Path) -> Defaults:
    """The defaults in a file; all of it is checked, so that nothing is found out in the middle.

    Raises:
        OSError: The file cannot be read.
        UsageError: It is not a file of defaults, or holds a key or a value that no record can have.
    """
    reading = read_file(path)
    if not reading.readable or not isinstance(reading.data, dict):
        why = f": {reading.findings[0].message}" if reading.findings else ""
        raise UsageError(f"{path}: not an object of pointers and values{why}")
    return _Reader(path, reading).defaults()


@dataclass(frozen=True, slots=True)
class _Reader:
    path: Path
    reading: Reading

    def defaults(self) -> Defaults:
        data = {key: value for key, value in self.reading.data.items() if key != REVIEWED}
        if self.reading.data.get(REVIEWED, True) is not True:
            proposals = "the dataset names and sample paths in it are proposals"
            raise self.error(
                (REVIEWED,), f"{proposals}; if they are right, write `{REVIEWED}: true`"
            )
        collections = {
            name: self.facts(table, ("collections", name), _IN_COLLECTIONS)
            for name, table in self.tables(data, "collections", ()).items()
        }
        files = {
            name.replace("\\", "/"): self.values(table, ("files", name))
            for name, table in self.tables(data, "files", ()).items()
        }
        return Defaults(self.facts(data, (), _IN_FILES), collections, files)

    def facts(self, table: Table, at: tuple[str, ...], tables: tuple[str, ...]) -> Facts:
        for key in table:
            if not key.startswith("/") and key not in tables:
                raise self.unknown(key, at, (*tables, _POINTER))
        values = {key: value for key, value in table.items() if key.startswith("/")}
        return Facts(
            self.values(values, at),
            {
                name: self.values(row, (*at, "models", name), _OF_MODELS)
                for name, row in self.tables(table, "models", at).items()
            },
            {
                name: self.values(row, (*at, "metrics", name), _OF_METRICS)
                for name, row in self.tables(table, "metrics", at).items()
            },
        )

    def tables(self, holder: Table, key: str, at: tuple[str, ...]) -> dict[str, Table]:
        tables = holder.get(key)
        if not isinstance(tables, dict | None):
            raise self.error((*at, key), "expected a table of names")
        for name, table in (tables or {}).items():
            if not isinstance(table, dict | None):
                raise self.error((*at, key, name), "expected a table of keys and values")
        return {name: table or {} for name, table in (tables or {}).items()}

    def values(self, table: Table, at: tuple[str, ...], pointers: Mapping[str, str] = {}) -> Object:
        for key, value in table.items():
            pointer = pointers.get(key, "") if pointers else key
            if not pointer.startswith("/"):
                raise self.unknown(key, at, pointers or (_POINTER,))
            if problem := problem_of(pointer, value):
                raise self.error((*at, key), problem)
        return dict(table)

    def unknown(self, key: str, at: tuple[str, ...], names: Iterable[str]) -> UsageError:
        close = get_close_matches(key, tuple(names), n=1)
        hint = f"did you mean {close[0]}?" if close else f"expected one of: {', '.join(names)}"
        return self.error((*at, key), f"unknown key {key!r}; {hint}")

    def error(self, at: tuple[str, ...], message: str) -> UsageError:
        span = self.reading.source and self.reading.source.value_span(make_pointer(at))
        line = f":{span.line}" if span else ""
        place = " → ".join(at[:-1])
        return UsageError(shown(f"{self.path}{line}: {place + ': ' if place else ''}{message}"))
