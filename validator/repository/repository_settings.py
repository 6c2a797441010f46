"""The rules, schemas and benchmarks of a repository, from its settings."""

from __future__ import annotations

import json
import math
import os
import posixpath
from typing import Any

from evalmark.schemas.errors import ConfigError, UnknownNameError, UsageError
from evalmark.schemas.hub_benchmarks import DEFAULT, Benchmark, Benchmarks
from evalmark.schemas.own import own_schema
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.formats.hub.repositories import is_id
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.paths import is_below
from evalmark.validator.own_rules import COUNTED, ExpectedCount, OwnRules, OwnSchema, RequiredFields
from evalmark.validator.pair_columns import STATED, PairTables, columns_of
from evalmark.validator.reading.source import parse_pointer
from evalmark.validator.user_config import Table

#: What is said of a benchmark.
_KEYS = ("name", "metric", "min", "max", "unit", "tasks", "lower-is-better")


def benchmarks(table: Table) -> Benchmarks:
    """Our own benchmarks, and those of the settings, which replace them.

    Raises:
        ConfigError: They cannot be used.
    """
    entries = table.data["benchmarks"]
    if not isinstance(entries, dict):
        raise table.wrong("`benchmarks` must be a table of data sets: owner/name")
    by_dataset = dict(DEFAULT)
    for dataset, entry in entries.items():
        if not is_id(dataset):
            raise table.wrong(f'`benchmarks`: "{dataset}" is not the id of a data set: owner/name')
        by_dataset[dataset.lower()] = _benchmark(
            dataset, Table(entry, table.path, _KEYS, f'benchmarks."{dataset}"')
        )
    return by_dataset


def _is_finite(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value)


def _benchmark(dataset: str, table: Table) -> Benchmark:
    for key in ("min", "max", "metric"):
        if not table.has(key):
            raise table.wrong(f"`{table.name}` needs `min`, `max` and `metric`")
    low, high = (table.data[key] for key in ("min", "max"))
    if not all(map(_is_finite, (low, high))) or low >= high:
        raise table.wrong(f"`{table.name}`: `min` and `max` must be numbers, and `min` the smaller")
    lower = table.data.get("lower-is-better")
    if not isinstance(lower, bool | None):
        raise table.wrong(f"`{table.name}`: `lower-is-better` must be true or false")
    return Benchmark(
        dataset,
        table.text("name") or dataset.rpartition("/")[2],
        str(table.text("metric")),
        low,
        high,
        table.text("unit") or ("percent" if (low, high) == (0, 100) else ""),
        table.strings("tasks"),
        lower,
    )


def pair_tables(table: Table) -> PairTables:
    """The columns of tables of minimal pairs: names of columns, and nothing else.

    Raises:
        ConfigError: They cannot be used.
    """
    entries = []
    for entry in table.tables("pairs", ("files", "preset", *STATED)):
        stated = {key: value for key, value in entry.data.items() if key in STATED}
        try:
            columns = columns_of(stated, entry.text("preset") or "")
        except (UsageError, UnknownNameError) as error:
            raise table.wrong(f"`pairs`: {error}") from None
        entries.append((_plain(entry.glob("files")), columns))
    return PairTables(os.path.dirname(os.path.abspath(table.path)), tuple(entries))


_GLOBS = ("files", "suites", "collections", "uids")
#: Which files a glob of these selects: the letters of their rules.
_SELECTS = {"suites": "SG", "collections": "EE", "uids": "MP"}


def own_rules(table: Table) -> OwnRules:
    """The rules that settings add.

    Raises:
        ConfigError: They cannot be used.
    """
    folder = os.path.dirname(os.path.abspath(table.path))
    return OwnRules(
        folder,
        table.strings("collections"),
        tuple(_counts(table)),
        tuple(_required(table)),
        tuple(_schemas(table, folder)),
    )


def _counts(table: Table) -> list[ExpectedCount]:
    counts = []
    for entry in table.tables("expected-counts", (*_GLOBS, *COUNTED)):
        counted = [unit for unit in COUNTED if entry.has(unit)]
        if not counted:
            raise table.wrong(
                f"an entry of `expected-counts` needs {listed(COUNTED).replace(' and ', ' or ')}"
            )
        globs = {key: entry.glob(key) if entry.has(key) else "*" for key in _GLOBS}
        globs["files"] = _plain(globs["files"])
        for unit in counted:
            for key, family in _SELECTS.items():
                if entry.has(key) and COUNTED[unit] != family:
                    raise table.wrong(
                        f"`{unit}` of `expected-counts` is not counted in files that `{key}` "
                        "selects; use `files`"
                    )
            counts.append(ExpectedCount(unit, *_limits(entry, unit), *globs.values()))
    return counts


def _plain(glob: str) -> str:
    """A glob as places are written: no `./` at the beginning, no slash at the end."""
    plain = posixpath.normpath(glob)
    return "*" if plain == "." else plain


def _limits(entry: Table, unit: str) -> tuple[int, int | None]:
    """The smallest and the largest allowed number."""
    value = entry.data[unit]
    if isinstance(value, dict) and value and value.keys() <= {"least", "most"}:
        least, most = value.get("least", 0), value.get("most")
        if _is_count(least) and (most is None or (_is_count(most) and least <= most)):
            return least, most
    elif _is_count(value):
        return value, value
    raise entry.wrong(
        f"`{unit}` of `expected-counts` must be a whole number, or "
        "{ least = N, most = N } with one or both of them"
    )


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _required(table: Table) -> list[RequiredFields]:
    required = []
    for entry in table.tables("required-fields", ("files", "fields")):
        fields = entry.strings("fields")
        if not fields:
            raise table.wrong("an entry of `required-fields` needs `fields`, a list of pointers")
        for field in fields:
            if not field.startswith("/"):
                raise table.wrong(
                    f"`fields` of `required-fields` must be JSON pointers, such as "
                    f"/model_info/name; {field!r} does not begin with /"
                )
        files = entry.glob("files") if entry.has("files") else "*"
        required.append(
            RequiredFields(_plain(files), tuple(tuple(parse_pointer(field)) for field in fields))
        )
    return required


def _schemas(table: Table, folder: str) -> list[OwnSchema]:
    schemas = []
    for entry in table.tables("schemas", ("files", "schema")):
        name = entry.text("schema")
        if not name:
            raise table.wrong("an entry of `schemas` needs `schema`, the path of a JSON schema")
        try:
            bundled = own_schema(_content(name, folder))
        except ConfigError as error:
            raise table.wrong(f"`schemas`: {name}: {error}") from None
        schemas.append(OwnSchema(_plain(entry.glob("files")), name, json.dumps(bundled)))
    return schemas


def _content(name: str, folder: str) -> bytes:
    """The bytes of a schema, which lies in the repository."""
    if "://" in name:
        raise ConfigError("a URL is not opened; write the path of a file of this repository")
    path = os.path.join(folder, name)
    try:
        if not is_below(os.path.realpath(path), os.path.realpath(folder)):
            raise ConfigError("not below the folder of these settings, or hidden in it")
        return read_whole(path)
    except (OSError, ValueError) as error:
        if isinstance(error, ConfigError):
            raise
        reason = getattr(error, "strerror", None) or "not a valid file name"
        raise ConfigError(f"cannot be read: {reason.lower()}") from None
