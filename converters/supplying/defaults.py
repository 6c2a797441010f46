"""What the caller knows about records: values for all, by collection, model, metric and file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from evalmark.converters.overrides.places import (
    SAMPLES,
    UNKNOWN,
    collection_of,
    model_key,
    models_of,
    results_of,
    stored_samples,
)

#: Key in a table of models -> where it is, below the model.
MODEL_KEYS = {
    "deployment_type": "additional_details/deployment_type",
    "model_availability": "additional_details/model_availability",
    "id": "id",
}
#: Key -> value.
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known about all records, or about those of a collection.

    Attributes:
        values: Pointer (``*`` is any index) -> value.
        models: Id of a model, or its name if it has none -> values of its ``MODEL_KEYS``.
        metrics: Name or pattern (``* - time``) of a metric or evaluation -> its ``METRIC_KEYS``.
    """

    values: Values = field(default_factory=dict)
    models: Mapping[str, Values] = field(default_factory=dict)
    metrics: Mapping[str, Values] = field(default_factory=dict)

    def updated(self, other: Facts | None) -> Facts:
        """These facts with others, which come first."""
        if other is None:
            return self
        models, metrics = dict(self.models), dict(self.metrics)
        for table, more in ((models, other.models), (metrics, other.metrics)):
            for name, values in more.items():
                table[name] = {**table.get(name, {}), **values}
        return Facts({**self.values, **other.values}, models, metrics)

    def metric(self, result: Mapping[str, Any]) -> Values:
        """What is known about the metric of a result: by exact name, else by the first pattern."""
        names = names_of(result)
        for name in names:
            if name in self.metrics:
                return self.metrics[name]
        for pattern, values in self.metrics.items():
            if "*" in pattern and any(fnmatchcase(name, _literal(pattern)) for name in names):
                return values
        return {}


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a file of defaults holds, as ``read_defaults`` reads it.

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

    def updated(self, other: Defaults) -> Defaults:
        """These defaults with those of another file, which come first."""
        names = {**self.collections, **other.collections}
        collections = {
            name: self.collections.get(name, _NOTHING).updated(other.collections.get(name))
            for name in names
        }
        files = {**self.files, **other.files}
        return Defaults(self.everywhere.updated(other.everywhere), collections, files)

    def values_for(self, record: dict[str, Any], path: str = "") -> dict[str, Any]:
        """The values for a record, by pointer; those of models and metrics have indices."""
        found: dict[str, Any] = {}
        if stored := stored_samples(path):
            found[SAMPLES] = stored
        own = self.collections.get(collection_of(record, path))
        about = (self.everywhere, own) if own else (self.everywhere,)
        for facts in about:
            _add(found, facts.values)
        for at, model in models_of(record):
            for facts in about:
                known = facts.models.get(model_key(model), {})
                _add(found, {f"{at}/{MODEL_KEYS[key]}": v for key, v in known.items()})
        for index, result in results_of(record):
            for facts in about:
                at = f"/evaluation_results/{index}/metric_config"
                _add(found, {f"{at}/{key}": v for key, v in facts.metric(result).items()})
        for end in _ends(path):
            if end in self.files:
                _add(found, self.files[end])
                break
        return found

    def unused(self, seen: Iterable[Seen]) -> Iterator[str]:
        """What the tables name and no record has, of the records that were seen."""
        records = set(seen)
        collections = {one.collection for one in records}
        models = {(one.collection, model) for one in records for model in one.models}
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
        ends = {end for one in records for end in _ends(one.path)}
        yield from (f'no record is at "{path}"' for path in self.files if path not in ends)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a record is about."""

    path: str
    collection: str
    models: tuple[str, ...]

    @staticmethod
    def of(record: dict[str, Any], path: str) -> Seen:
        """What this record is about."""
        models = tuple(model_key(model) for _, model in models_of(record))
        return Seen(path, collection_of(record, path), models)


def names_of(result: Mapping[str, Any]) -> tuple[str, ...]:
    """What a table of metrics may call a result."""
    metric = result.get("metric_config")
    metric = metric if isinstance(metric, dict) else {}
    names = (result.get("evaluation_name"), metric.get("metric_id"), metric.get("metric_name"))
    return tuple(str(name) for name in names if name)


_NOTHING = Facts()
#: Nothing is known.
NO_DEFAULTS = Defaults()


def _add(found: dict[str, Any], values: Values) -> None:
    """Add values of a narrower table; one that says nothing does not hide one that does."""
    for pointer, value in values.items():
        if pointer not in found or value not in (None, UNKNOWN):
            found[pointer] = value


def _literal(pattern: str) -> str:
    """A pattern in which only ``*`` has a meaning."""
    return pattern.replace("[", "[[]").replace("?", "[?]")


def _ends(path: str) -> Iterator[str]:
    """A path, then what is left of it without its first folders."""
    rest = path.replace("\\", "/")
    yield rest
    while "/" in rest:
        rest = rest.partition("/")[2]
        yield rest
