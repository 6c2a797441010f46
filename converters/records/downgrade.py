"""Records and samples to an older version: nothing is lost, or all that would be is listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from evalmark.converters.overrides.places import BOUNDS, generalized
from evalmark.converters.records.coerce import (
    Notes,
    branch_of,
    indexed_results,
    models_of,
    resolved,
)
from evalmark.converters.records.migrate_records import rename_conversation
from evalmark.converters.records.open_bounds import can_be_open
from evalmark.converters.records.run import UNKNOWN
from evalmark.converters.step import Object, Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.files import Schema, bundle
from evalmark.schemas.versions import RECORDS, Version
from evalmark.validator.checker import Checker
from evalmark.validator.formats.shared.json_values import mapping


def to_older(new: Version, old: Version) -> Callable[[Object, Supplied, Notes], Object]:
    """The change of a record or row of one version to an older one."""
    prepare = _without_silence if new in RECORDS else _with_old_names

    def change(data: Object, _: Supplied, __: Notes) -> Object:
        before, after = bundle(new.schema), bundle(old.schema)
        prepare(data, old, after)
        lost = Counter(_lost(data, _renamed(before, after), before, after, after, ""))
        lost.update(_lost_bounds(data, old))
        data = without_nulls(data, after, after)
        data["schema_version"] = old.label
        if not lost:
            checker = Checker(kind=old.kind, schema_version=old.name, schema_only=True)
            report = checker.data(data)
            mistakes = ((f.message, generalized(f.pointer or "/")) for f in report.findings)
            lost.update(f"{message} at {pointer}" for message, pointer in mistakes)
        if lost:
            raise loss_of(old.schema, lost)
        return data

    return change


def loss_of(target: str, lost: Mapping[str, int]) -> ConversionError:
    """The refusal that lists what a version cannot hold, and how often each of it is there."""
    listed = "; ".join(f"{loss} ({n} times)" if n > 1 else loss for loss, n in lost.items())
    return ConversionError(f"{target} cannot hold: {listed}", lost=(target, dict(lost)))


def _renamed(before: Schema, after: Schema) -> Schema:
    """The newer schema with a conversation under its old name, as ``_with_old_names`` has it."""
    members = before["properties"]
    if "messages" not in members or "interactions" not in after["properties"]:
        return before
    return {**before, "properties": {**members, "interactions": members["messages"]}}


def _with_old_names(row: Object, _: Version, after: Schema) -> None:
    if "interactions" in after["properties"]:
        rename_conversation(row, "messages", "interactions")
    _drop_repeated_id(row, after["properties"])


def _without_silence(record: Object, old: Version, after: Schema) -> None:
    """Leave out what says nothing: that something is unknown, or an id that repeats a name."""
    names = after["properties"]
    library = record.get("eval_library")
    silent = ({"name": UNKNOWN, "version": UNKNOWN}, {"name": UNKNOWN})
    if "eval_library" not in names and library in silent:
        del record["eval_library"]
    _drop_unknown_axes(record, after)
    members = names["evaluation_results"]["items"]["properties"]
    for _, result in indexed_results(record):
        _drop_repeated_id(result, members)
        metric = result.get("metric_config")
        if isinstance(metric, dict) and metric.get("score_type") != "continuous":
            for key in () if can_be_open(old) else BOUNDS:
                if metric.get(key, 0) is None:
                    del metric[key]


def _drop_unknown_axes(record: Object, after: Schema) -> None:
    details_schema = after["definitions"]["model_info"]["properties"]["additional_details"]
    axes = {"deployment_type", "model_availability"} - {*details_schema.get("properties", ())}
    for _, model in models_of(record):
        for key in sorted(axes):
            if mapping(model.get("additional_details")).get(key) == UNKNOWN:
                del model["additional_details"][key]
                if not model["additional_details"]:
                    del model["additional_details"]


def _drop_repeated_id(holder: Object, members: Schema) -> None:
    name = holder.get("evaluation_name")
    if "evaluation_result_id" not in members and holder.get("evaluation_result_id") == name:
        holder.pop("evaluation_result_id", None)


def _lost_bounds(record: Object, old: Version) -> Iterator[str]:
    for _, result in indexed_results(record):  # a row has none
        if can_be_open(old):
            return
        metric = result.get("metric_config")
        if not isinstance(metric, dict):
            continue
        for key in BOUNDS:
            if key in metric and not isinstance(metric[key], int | float):
                yield f"an open /evaluation_results/*/metric_config/{key}"
        if "score_type" not in metric and "level_names" not in metric:
            yield "a score without score_type, which it takes for levels"


def _lost(
    value: object, new: Schema, root: Schema, old: Schema, old_root: Schema, at: str
) -> Iterator[str]:
    new, old = resolved(new, root), resolved(old, old_root)
    if "oneOf" in new and "oneOf" in old:
        new = branch_of(value, new["oneOf"], root)
        old = branch_of(value, old["oneOf"], old_root)
    if isinstance(value, list):
        for child in value:
            items = new.get("items", {}), old.get("items", {})
            yield from _lost(child, items[0], root, items[1], old_root, f"{at}/*")
    if not isinstance(value, dict):
        return
    newer, older = new.get("properties", {}), old.get("properties")
    for key, child in value.items():
        if key not in newer or older is None:
            continue  # free keys are free in every version
        if key in older:
            yield from _lost(child, newer[key], root, older[key], old_root, f"{at}/{key}")
        elif child is not None and not isinstance(old.get("additionalProperties"), dict):
            yield f"{at}/{key}"


def without_nulls(value: object, schema: Schema, root: Schema) -> Any:
    """A value without the nulls that an older version does not allow and does not require."""
    schema = resolved(schema, root)
    if isinstance(value, list):
        return [without_nulls(child, schema.get("items", {}), root) for child in value]
    if not isinstance(value, dict):
        return value
    kept: Object = {}
    for key, child in value.items():
        inner = resolved(schema.get("properties", {}).get(key, {}), root)
        types = inner.get("type", "null")
        if child is not None or "null" in types or key in schema.get("required", ()):
            kept[key] = without_nulls(child, inner, root)
    return kept
