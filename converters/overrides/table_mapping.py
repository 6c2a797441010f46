"""Mappings: the meaning of the columns of a table of scores, in the file of ``--mapping``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalmark.converters.overrides.override_file import Keys, OverrideFile, read_overrides

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
_TABLES = ("columns", "constants", "scores", "values")
_KEYS = (*_TEXTS, *_TABLES, "missing")
#: Key -> value.
Values = Mapping[str, Any]
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
        UsageError: It cannot be used, or names a fact that does not exist.
        OSError: It cannot be read.
    """
    return _Reader(read_overrides(path, "keys and values")).mapping()


@dataclass(frozen=True, slots=True)
class _Reader:
    file: OverrideFile

    def mapping(self) -> TableMapping:
        data, file = self.file.data, self.file
        file.require(data, _KEYS, (), "key")
        columns, constants, scores, values = map(self.table, _TABLES)
        for key, table in (("columns", columns), ("constants", constants), ("values", values)):
            file.require(table, FACTS, (key,), "fact")
        for column, facts in scores.items():
            at = ("scores", column)
            file.require(file.table(facts, at), FACTS, at, "fact")
        self._require_columns(columns, constants, scores)
        self._require_items(columns, constants, scores)
        for fact, meanings in values.items():
            file.table(meanings, ("values", fact))
            if fact not in columns:
                raise file.error(("values", fact), f"{fact} has no column under `columns`")
        missing = data.get("missing", [])
        if not isinstance(missing, list) or not all(isinstance(cell, str) for cell in missing):
            raise file.error(("missing",), "missing is not a list of texts")
        return TableMapping(
            str(file.path),
            **self.texts(),
            columns=columns,
            constants=constants,
            scores=scores,
            missing=frozenset(missing),
            values=values,
        )

    def table(self, key: str) -> dict[str, Any]:
        return self.file.table(self.file.data.get(key, {}), (key,))

    def texts(self) -> dict[str, str | None]:
        texts = {key: self.file.data.get(key) for key in _TEXTS}
        for key, value in texts.items():
            if value is not None and not isinstance(value, str):
                raise self.file.error((key,), f"{key} is not a text")
        if texts["relationship"] not in (None, *_RELATIONSHIPS):
            known = f"expected one of: {', '.join(_RELATIONSHIPS)}"
            why = f"unknown relationship {texts['relationship']!r}; {known}"
            raise self.file.error(("relationship",), why)
        return texts

    def _require_columns(self, columns: Values, constants: Values, scores: Values) -> None:
        for fact, column in columns.items():
            at = ("columns", fact)
            if not isinstance(column, str):
                raise self.file.error(at, f"{fact} is not the name of a column")
            if fact in constants:
                raise self.file.error(at, f"{fact} is both in columns and in constants")
        if scores and "score" in columns:
            why = "scores are given by `scores` or by the column of `score`"
            raise self.file.error(("scores",), why)

    def _require_items(self, columns: Values, constants: Values, scores: Values) -> None:
        tables: dict[Keys, Values] = {("columns",): columns, ("constants",): constants}
        tables |= {("scores", column): facts for column, facts in scores.items()}
        stated = {fact: (*at, fact) for at, table in tables.items() for fact in table}
        others: tuple[str, ...]
        if "sample_id" in columns:
            others, why = COMPUTED, "computed from the rows of items: remove it, or `sample_id`"
        else:
            others, why = OF_ITEMS, "of an item: name the column of `sample_id` under `columns`"
        for fact in others:
            if fact in stated:
                raise self.file.error(stated[fact], f"{fact} is {why}")
