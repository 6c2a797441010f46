"""What the columns of a table of scores are: the file of ``--mapping``."""

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
}
_KEYS = ("collection", "source", "organization", "relationship", "columns", "constants", "scores",
         "missing")  # fmt: skip
_RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")


@dataclass(frozen=True, slots=True)
class TableMapping:
    """How the rows of a table become results.

    Attributes:
        name: Name of its file.
        collection: First part of the ids of evaluations.
        source: Where the numbers are from: the name of a leaderboard or paper.
        organization: Who publishes them.
        relationship: How it is related to the makers of the models.
        columns: Fact -> the column that holds it.
        constants: Fact -> its value, where it is the same for all rows.
        scores: Column with scores -> facts about it; for tables with one row per model.
        missing: Cells that say nothing, besides empty ones.
    """

    name: str
    collection: str | None = None
    source: str | None = None
    organization: str | None = None
    relationship: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()


def read_mapping(path: Path) -> TableMapping:
    """The mapping in a YAML or JSON file.

    Raises:
        ConfigError: It cannot be used.
        UnknownNameError: It names a fact that does not exist.
        OSError: It cannot be read.
    """
    name = str(path)
    reading = read(read_whole(path), name if name.endswith((".yaml", ".yml")) else "x.json")
    if reading.findings or not reading.readable:
        first = reading.findings[0]
        at = f":{first.span.line}:{first.span.column}" if first.span else ""
        raise ConfigError("; ".join((f"{name}{at}: {first.message}", *first.helps)))
    data = _table(reading.data, name)
    _require(data, _KEYS, "key of a mapping")
    columns = _table(data.get("columns", {}), f"{name}: columns")
    constants = _table(data.get("constants", {}), f"{name}: constants")
    scores = _table(data.get("scores", {}), f"{name}: scores")
    for table in (columns, constants, *(_table(f, f"{name}: scores") for f in scores.values())):
        _require(table, FACTS, "fact of a mapping")
    for fact, column in columns.items():
        if not isinstance(column, str):
            raise ConfigError(f"{name}: columns: {fact} is not the name of a column")
        if fact in constants:
            raise ConfigError(f"{name}: {fact} is both in columns and in constants")
    if scores and "score" in columns:
        raise ConfigError(f"{name}: scores are given by `scores` or by the column of `score`")
    texts = {key: data.get(key) for key in ("collection", "source", "organization", "relationship")}
    for key, value in texts.items():
        if value is not None and not isinstance(value, str):
            raise ConfigError(f"{name}: {key} is not a text")
    if texts["relationship"] is not None:
        _require({texts["relationship"]: None}, _RELATIONSHIPS, "relationship")
    missing = data.get("missing", [])
    if not isinstance(missing, list) or not all(isinstance(cell, str) for cell in missing):
        raise ConfigError(f"{name}: missing is not a list of texts")
    return TableMapping(
        name, **texts, columns=columns, constants=constants, scores=scores,
        missing=frozenset(missing),
    )  # fmt: skip


def _table(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{what}: expected keys and values")
    return value


def _require(table: Mapping[str, Any], known: Any, what: str) -> None:
    for key in table:
        if key not in known:
            raise UnknownNameError(what, str(key), tuple(known))
