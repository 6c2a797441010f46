"""Mappings: the meaning of the columns of a table of scores, in the file of ``--mapping``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ConfigError, UnknownNameError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read

#: Fact -> what it is. A column holds it, or all rows have the same.
FACTS = {
    "model": "id of the model, as on the hub",
    "model_name": "its name",
    "developer": "who made it",
    "deployment_type": "self_deployed or externally_managed",
    "model_availability": "open_weights or closed_weights",
    "benchmark": "name of the data",
    "hf_repo": "its repository on the hub",
    "split": "its split",
    "url": "where it is, if it is not on the hub",
    "metric": "name of the metric",
    "metric_id": "stable id of the metric",
    "metric_kind": "kind of metric, for example accuracy",
    "unit": "unit of the score, for example percent",
    "score": "the score",
    "min_score": "least possible score, or -Infinity",
    "max_score": "greatest possible score, or Infinity",
    "lower_is_better": "true or false",
    "samples": "number of samples",
    "standard_error": "standard error of the score",
    "lower": "lower end of its confidence interval",
    "upper": "upper end of its confidence interval",
    "confidence_level": "level of that interval, for example 0.95",
    "time": "when it was computed: a date, or a Unix timestamp",
    "name": "evaluation_name; made of benchmark, split and metric if it is not given",
    "sample_id": "id of the item, where a row is the answer to one item",
    "input": "what the model was given for the item",
    "reference": "what was expected",
    "output": "what the model answered",
}
#: Facts of a score that are computed if a row is the answer to one item.
COMPUTED = ("samples", "standard_error", "lower", "upper", "confidence_level")
#: Facts of an item.
OF_ITEMS = ("sample_id", "input", "reference", "output")
_TEXTS = ("collection", "source", "organization", "relationship")
_KEYS = (*_TEXTS, "columns", "constants", "scores", "missing", "values")
_RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")


@dataclass(frozen=True, slots=True)
class TableMapping:
    """The mapping from rows of a table to results."""

    name: str  # name of its file
    collection: str | None = None  # first part of the ids of evaluations
    source: str | None = None  # where the numbers are from: the name of a leaderboard or paper
    organization: str | None = None  # who publishes them
    relationship: str | None = None  # how it is related to the makers of the models
    columns: Mapping[str, str] = field(default_factory=dict)  # fact -> the column that holds it
    #: Fact -> its value, where it is the same for all rows.
    constants: Mapping[str, Any] = field(default_factory=dict)
    #: Column with scores -> facts about it; for tables with one row per model.
    scores: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()  # cells that say nothing, besides empty ones
    #: Fact -> text of a cell -> what it means; other cells mean what they say.
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def is_of_items(self) -> bool:
        """True if a row is the answer to one item."""
        return "sample_id" in self.columns


def read_mapping(path: Path) -> TableMapping:
    """The mapping in a YAML or JSON file.

    Raises:
        ConfigError: It cannot be used.
        UnknownNameError: It names a fact that does not exist.
        OSError: It cannot be read.
    """
    name = str(path)
    data = _table(_parsed(path), name)
    _require(data, _KEYS, "key of a mapping")
    columns = _table(data.get("columns", {}), f"{name}: columns")
    constants = _table(data.get("constants", {}), f"{name}: constants")
    scores = _table(data.get("scores", {}), f"{name}: scores")
    values = _table(data.get("values", {}), f"{name}: values")
    per_score = [_table(facts, f"{name}: scores") for facts in scores.values()]
    for table in (columns, constants, values, *per_score):
        _require(table, FACTS, "fact of a mapping")
    _require_columns(columns, constants, name)
    _require_items(
        {fact for table in (columns, constants, *per_score) for fact in table}, columns, name
    )
    for fact, meanings in values.items():
        _table(meanings, f"{name}: values: {fact}")
        if fact not in columns:
            raise ConfigError(f"{name}: values: {fact} has no column under `columns`")
    if scores and "score" in columns:
        raise ConfigError(f"{name}: scores are given by `scores` or by the column of `score`")
    texts = _texts(data, name)
    missing = data.get("missing", [])
    if not isinstance(missing, list) or not all(isinstance(cell, str) for cell in missing):
        raise ConfigError(f"{name}: missing is not a list of texts")
    cells = frozenset(missing)
    return TableMapping(
        name,
        **texts,
        columns=columns,
        constants=constants,
        scores=scores,
        missing=cells,
        values=values,
    )


def _require_items(facts: set[str], columns: Mapping[str, str], name: str) -> None:
    if "sample_id" in columns:
        for fact in COMPUTED:
            if fact in facts:
                raise ConfigError(
                    f"{name}: {fact} is computed from the rows of items: remove it, or `sample_id`"
                )
    elif lone := [fact for fact in OF_ITEMS if fact in facts]:
        raise ConfigError(
            f"{name}: {lone[0]} is of an item: name the column of `sample_id` under `columns`"
        )


def _require_columns(columns: dict[str, Any], constants: dict[str, Any], name: str) -> None:
    for fact, column in columns.items():
        if not isinstance(column, str):
            raise ConfigError(f"{name}: columns: {fact} is not the name of a column")
        if fact in constants:
            raise ConfigError(f"{name}: {fact} is both in columns and in constants")


def _parsed(path: Path) -> Any:
    name = str(path)
    reading = read(read_whole(path), name if name.endswith((".yaml", ".yml")) else "x.json")
    if reading.findings or not reading.readable:
        first = reading.findings[0]
        at = f":{first.span.line}:{first.span.column}" if first.span else ""
        raise ConfigError("; ".join((f"{name}{at}: {first.message}", *first.helps)))
    return reading.data


def _texts(data: Mapping[str, Any], name: str) -> dict[str, str | None]:
    texts = {key: data.get(key) for key in _TEXTS}
    for key, value in texts.items():
        if value is not None and not isinstance(value, str):
            raise ConfigError(f"{name}: {key} is not a text")
    relationship = texts["relationship"]
    if relationship is not None:
        _require({relationship: None}, _RELATIONSHIPS, "relationship")
    return texts


def _table(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{place}: expected keys and values")
    return value


def _require(table: Mapping[str, Any], names: Any, noun: str) -> None:
    for key in table:
        if key not in names:
            raise UnknownNameError(noun, str(key), tuple(names))
