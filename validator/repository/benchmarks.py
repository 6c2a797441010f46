"""The benchmarks of a repository, from its settings."""

from __future__ import annotations

import math
from typing import Any

from evalmark.schemas.hub_benchmarks import DEFAULT, Benchmark, Benchmarks
from evalmark.validator.formats.hub.repositories import is_id
from evalmark.validator.repository.table import Table

#: What is said of a benchmark.
_KEYS = ("name", "metric", "min", "max", "unit", "tasks", "lower-is-better")


def benchmarks(table: Table) -> Benchmarks:
    """Our own benchmarks, and those of the settings, which replace them.

    Raises:
        ConfigError: They cannot be used.
    """
    given = table.data["benchmarks"]
    if not isinstance(given, dict):
        raise table.wrong("`benchmarks` must be a table of data sets: owner/name")
    found = dict(DEFAULT)
    for dataset, entry in given.items():
        if not is_id(dataset):
            raise table.wrong(f'`benchmarks`: "{dataset}" is not the id of a data set: owner/name')
        found[dataset.lower()] = _benchmark(
            dataset, Table(entry, table.path, _KEYS, f'benchmarks."{dataset}"')
        )
    return found


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
