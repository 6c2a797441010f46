"""Defaults for records: values for all, and by collection, model, metric and file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from evalmark.converters.overrides.places import (
    METRIC_KEYS,
    MODEL_KEYS,
    collection_of,
    model_key,
    stored_samples,
)
from evalmark.converters.records.run import UNKNOWN
from evalmark.validator.formats.records.record_fields import models_in, places_of, results_in
from evalmark.validator.formats.shared.field_layout import Fields

#: Key -> value.
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about all records, or about those of a collection.

    Attributes:
        values: Pointer (``*`` is any index) -> value.
        models: Id of a model, or its name if it has none -> values of its ``MODEL_KEYS``.
        metrics: Name or pattern (``* - time``) of a metric or evaluation -> its ``METRIC_KEYS``.
    """

    values: Values = field(default_factory=dict)
    models: Mapping[str, Values] = field(default_factory=dict)
    metrics: Mapping[str, Values] = field(default_factory=dict)

    def updated(self, narrower: Facts) -> Facts:
        """These facts with others, which come first."""
        models, metrics = dict(self.models), dict(self.metrics)
        for table, more in ((models, narrower.models), (metrics, narrower.metrics)):
            for name, values in more.items():
                table[name] = {**table.get(name, {}), **values}
        return Facts({**self.values, **narrower.values}, models, metrics)

    def metric(self, result: Fields) -> Values:
        """The values for the metric of a result: by exact name, else by the first pattern."""
        names = metric_names(result)
        for name in names:
            if name in self.metrics:
                return self.metrics[name]
        for pattern, values in self.metrics.items():
            glob = pattern.replace("[", "[[]").replace("?", "[?]")  # only ``*`` has a meaning
            if "*" in pattern and any(fnmatchcase(name, glob) for name in names):
                return values
        return {}


@dataclass(frozen=True, slots=True)
class Defaults:
    """The content of a file of defaults, as ``read_defaults`` reads it.

    A value from a narrower table counts: of the file, else of the metric or model, else of the
    collection, else of all records. null and "unknown" yield to a wider table that says more.

    Attributes:
        everywhere: About all records.
        collections: Name of a collection -> about its records.
        files: Path of a record, or its end -> pointer -> value.
    """

    everywhere: Facts = field(default_factory=Facts)
    collections: Mapping[str, Facts] = field(default_factory=dict)
    files: Mapping[str, Values] = field(default_factory=dict)

    def updated(self, narrower: Defaults) -> Defaults:
        """These defaults with those of another file, which come first."""
        names = {**self.collections, **narrower.collections}
        collections = {
            name: self.collections.get(name, _NOTHING).updated(
                narrower.collections.get(name, _NOTHING)
            )
            for name in names
        }
        files = {**self.files, **narrower.files}
        return Defaults(self.everywhere.updated(narrower.everywhere), collections, files)

    def values_for(self, record: dict[str, Any], path: str = "") -> dict[str, Any]:
        """The values for a record, by pointer; those of models and metrics have indices."""
        values: dict[str, Any] = {}
        if stored := stored_samples(path):
            values |= dict.fromkeys(places_of("samples_path"), stored)
        about = (self.everywhere, self.collections.get(collection_of(record, path), _NOTHING))
        for facts in about:
            _add(values, facts.values)
        for holder in models_in(record):
            for facts in about:
                named = facts.models.get(model_key(holder), {})
                _add(values, {holder.at(MODEL_KEYS[key]): value for key, value in named.items()})
        for result in results_in(record):
            for facts in about:
                named = facts.metric(result)
                _add(values, {result.at(METRIC_KEYS[key]): value for key, value in named.items()})
        _add(
            values, next((self.files[end] for end in _path_suffixes(path) if end in self.files), {})
        )
        return values

    def unused(self, seen: Iterable[Seen]) -> Iterator[str]:
        """A line for each name in the tables that none of these records has."""
        records = set(seen)
        collections = {record.collection for record in records}
        models = {(record.collection, model) for record in records for model in record.models}
        anywhere = {model for _, model in models}
        for name in self.everywhere.models:
            if name not in anywhere:
                yield f'no record is about the model "{name}"'
        for name, facts in self.collections.items():
            if name not in collections:
                yield f'no record is of the collection "{name}"'
                continue
            for model in facts.models:
                if (name, model) not in models:
                    yield f'no record of "{name}" is about the model "{model}"'
        ends = {end for record in records for end in _path_suffixes(record.path)}
        yield from (f'no record is at "{path}"' for path in self.files if path not in ends)


@dataclass(frozen=True, slots=True)
class Seen:
    """The subject of a record."""

    path: str
    collection: str
    models: tuple[str, ...]

    @staticmethod
    def of(record: dict[str, Any], path: str) -> Seen:
        """The subject of this record."""
        models = tuple(map(model_key, models_in(record)))
        return Seen(path, collection_of(record, path), models)


def metric_names(result: Fields) -> tuple[str, ...]:
    """The names that a table of metrics may have for a result."""
    names = map(result.get, ("name", "metric_id", "metric_name"))
    return tuple(str(name) for name in names if name)


_NOTHING = Facts()
#: Nothing is known.
NO_DEFAULTS = Defaults()


def _add(merged: dict[str, Any], values: Values) -> None:
    """Add values of a narrower table; one that says nothing does not hide one that does."""
    for pointer, value in values.items():
        if pointer not in merged or value not in (None, UNKNOWN):
            merged[pointer] = value


def _path_suffixes(path: str) -> Iterator[str]:
    parts = path.replace("\\", "/").split("/")
    return ("/".join(parts[start:]) for start in range(len(parts)))
