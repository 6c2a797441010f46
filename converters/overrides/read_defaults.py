"""Files of defaults: YAML or JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from evalmark.converters.overrides.defaults import MODEL_KEYS, Defaults, Facts
from evalmark.converters.overrides.places import METRIC_KEYS, REVIEWED
from evalmark.converters.overrides.schema_values import problem_of
from evalmark.converters.step import Object
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.escaping import shown
from evalmark.validator.reading.reading import Reading, read_file
from evalmark.validator.reading.source import make_pointer

#: Tables within a collection, and those of the whole file.
_IN_COLLECTIONS = ("models", "metrics")
_IN_FILES = ("collections", *_IN_COLLECTIONS, "files")
_METRICS = "/evaluation_results/*/metric_config"

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
    """Reads the parsed file; ``at`` is always where a table is in it."""

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
            name.replace("\\", "/"): self.values(table, ("files", name), _as_is)
            for name, table in self.tables(data, "files", ()).items()
        }
        return Defaults(self.facts(data, (), _IN_FILES), collections, files)

    def facts(self, table: Table, at: tuple[str, ...], tables: tuple[str, ...]) -> Facts:
        """Pointers and values, and tables of models and metrics among them."""
        for key in table:
            if not key.startswith("/") and key not in tables:
                raise self.unknown(key, at, (*tables, "a pointer such as /eval_library/name"))
        values = {key: value for key, value in table.items() if key.startswith("/")}
        return Facts(
            self.values(values, at, _as_is),
            {
                name: self.values(row, (*at, "models", name), _of_a_model)
                for name, row in self.tables(table, "models", at).items()
            },
            {
                name: self.values(row, (*at, "metrics", name), _of_a_metric)
                for name, row in self.tables(table, "metrics", at).items()
            },
        )

    def tables(self, holder: Table, key: str, at: tuple[str, ...]) -> dict[str, Table]:
        """The tables under a key; an empty one may be left out, or be null."""
        tables = holder.get(key)
        if not isinstance(tables, dict | None):
            raise self.error((*at, key), "expected a table of names")
        for name, table in (tables or {}).items():
            if not isinstance(table, dict | None):
                raise self.error((*at, key, name), "expected a table of keys and values")
        return {name: table or {} for name, table in (tables or {}).items()}

    def values(
        self, table: Table, at: tuple[str, ...], pointer_of: Callable[[str], str | tuple[str, ...]]
    ) -> Object:
        for key, value in table.items():
            pointer = pointer_of(key)
            if isinstance(pointer, tuple):
                raise self.unknown(key, at, pointer)
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


def _as_is(pointer: str) -> str | tuple[str, ...]:
    return pointer if pointer.startswith("/") else ("a pointer such as /eval_library/name",)


def _of_a_model(key: str) -> str | tuple[str, ...]:
    is_key = key in MODEL_KEYS
    return f"/model_info/{MODEL_KEYS[key]}" if is_key else tuple(MODEL_KEYS)


def _of_a_metric(key: str) -> str | tuple[str, ...]:
    return f"{_METRICS}/{key}" if key in METRIC_KEYS else METRIC_KEYS
