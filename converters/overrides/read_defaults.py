"""Files of defaults: YAML or JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.converters.overrides.defaults import Defaults, Facts
from evalmark.converters.overrides.override_file import OverrideFile, read_overrides
from evalmark.converters.overrides.schema_values import problem_of
from evalmark.converters.overrides.table_keys import METRIC_KEYS, MODEL_KEYS, REVIEWED
from evalmark.converters.step import Object
from evalmark.validator.formats.records.record_fields import places_of

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
    return _Reader(read_overrides(path, "an object of pointers and values")).defaults()


@dataclass(frozen=True, slots=True)
class _Reader:
    file: OverrideFile

    def defaults(self) -> Defaults:
        data = {key: value for key, value in self.file.data.items() if key != REVIEWED}
        if self.file.data.get(REVIEWED, True) is not True:
            proposals = "the dataset names and sample paths in it are proposals"
            raise self.file.error(
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
                raise self.file.unknown(key, at, (*tables, _POINTER))
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
            raise self.file.error((*at, key), f"{key}: expected a table of names")
        for name, table in (tables or {}).items():
            if not isinstance(table, dict | None):
                raise self.file.error((*at, key, name), "expected a table of keys and values")
        return {name: table or {} for name, table in (tables or {}).items()}

    def values(self, table: Table, at: tuple[str, ...], pointers: Mapping[str, str] = {}) -> Object:
        for key, value in table.items():
            pointer = pointers.get(key, "") if pointers else key
            if not pointer.startswith("/"):
                raise self.file.unknown(key, at, pointers or (_POINTER,))
            if problem := problem_of(pointer, value):
                raise self.file.error((*at, key), problem)
        return dict(table)
