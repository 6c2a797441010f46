"""Tools of migrations: values fitted to a schema, and values that a file does not state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from evalmark.converters.overrides.places import generalized
from evalmark.converters.step import NOT_STATED, Object, Question, Supplied, as_text, spaced
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.files import Schema
from evalmark.validator.formats.shared.json_values import mapping

_MISSING = object()
#: The name of objects with free keys.
_FREE = "additional_details"
#: Notes with how often each of them holds.
Notes = Counter[str]


def fit(value: object, schema: Schema, root: Schema) -> Any:
    """A value written as a bundled schema requires, where its meaning stays the same.

    Values in maps of strings become strings, a string becomes a list of one where a list is
    required, identifiers become strings, and truth values become 0 and 1 where numbers are
    required. Everything else is left as it is.
    """
    schema = schema_of(value, schema, root)
    types = schema.get("type", ())
    types = {types} if isinstance(types, str) else set(types)
    if types == {"string"} and isinstance(value, dict | list):
        return spaced(value)  # as Every Eval Ever's converters write the steps of plans
    if isinstance(value, dict):
        return _fit_members(value, schema, root)
    if isinstance(value, list):
        return [fit(child, schema.get("items", {}), root) for child in value]
    if "array" in types and isinstance(value, str):
        return [value]
    if types == {"string"} and value is not None:
        return as_text(value)
    if isinstance(value, bool) and "number" in types and "boolean" not in types:
        return float(value)
    return value


def _fit_members(value: Object, schema: Schema, root: Schema) -> Object:
    """An object with fitted members; free ones are strings if the schema says so, without null."""
    members, inner = schema.get("properties", {}), schema.get("additionalProperties")
    is_free = isinstance(inner, dict) and inner.get("type") == "string"
    return {
        key: as_text(child)
        if is_free and key not in members
        else fit(child, members.get(key, {}), root)
        for key, child in value.items()
        if not is_free or key in members or child is not None
    }


def indexed_results(record: Object) -> Iterator[tuple[int, Object]]:
    """Index and object of each result."""
    results = record.get("evaluation_results")
    for index, result in enumerate(results if isinstance(results, list) else ()):
        if isinstance(result, dict):
            yield index, result


def models_of(record: Object) -> Iterator[tuple[str, Object]]:
    """The pointer and the object of each model: the one that was evaluated, then the judges."""
    model = record.get("model_info")
    if isinstance(model, dict):
        yield "/model_info", model
    for index, result in indexed_results(record):
        judges = mapping(mapping(result.get("metric_config")).get("llm_scoring")).get("judges")
        for number, judge in enumerate(judges if isinstance(judges, list) else ()):
            if isinstance(judge, dict) and isinstance(judge.get("model_info"), dict):
                at = f"/evaluation_results/{index}/metric_config/llm_scoring/judges/{number}"
                yield f"{at}/model_info", judge["model_info"]


def right_maps(value: object, schema: Schema, root: Schema) -> Any:
    """A copy of a value in which optional objects are objects, as a version requires.

    null says nothing and is removed, also where the version has no such details. A text in the
    place of free keys and values becomes one of them, under the name of the object.
    """
    schema = schema_of(value, schema, root)
    if isinstance(value, list):
        return [right_maps(child, schema.get("items", {}), root) for child in value]
    if not isinstance(value, dict):
        return value
    new: Object = {}
    for key, child in value.items():
        inner = schema.get("properties", {}).get(key, {})
        is_map = _is_map(resolved(inner, root))
        if isinstance(child, dict) or (isinstance(child, list) and key != _FREE):
            new[key] = right_maps(child, inner, root)
        elif child is not None or not (is_map or key == _FREE):
            new[key] = {key: child} if key == _FREE and is_map else child
    return new


def _is_map(schema: Schema) -> bool:
    return schema.get("type") == "object" or schema.get("additionalProperties") is True


def schema_of(value: object, schema: Schema, root: Schema) -> Schema:
    """The schema that a value follows: the target of a reference, the branch of its tag."""
    schema = resolved(schema, root)
    return branch_of(value, schema["oneOf"], root) if "oneOf" in schema else schema


def resolved(schema: Schema, root: Schema) -> Schema:
    """The target of a schema's reference, or the schema itself."""
    if "$ref" not in schema:
        return schema
    target: Schema = root["definitions"][schema["$ref"].rpartition("/")[2]]
    return target


def branch_of(value: object, branches: list[Any], root: Schema) -> Schema:
    """The branch of a tagged alternative that a value belongs to; an empty schema if none."""
    for branch in branches:
        schema = resolved(branch, root)
        tag = schema.get("properties", {}).get("source_type", {})
        if isinstance(value, dict) and tag.get("const", _MISSING) == value.get("source_type"):
            return schema
    return {}


def complete(
    holder: Object,
    key: str,
    pointer: str,
    supplied: Supplied,
    notes: Notes,
    *,
    unknown: str | None = None,
    siblings: Mapping[str, Any] | None = None,
    stand_in: str = "",
) -> None:
    """Set a value that the new version requires, if it is missing.

    It is what the caller supplies under the pointer, or ``unknown``, the format's own word for not
    knowing, if it has one. A supplied ``@name`` is the value of that sibling, which is a member of
    ``siblings``, or of the holder. ``stand_in`` is written if the caller only asks what is missing.
    """
    if holder.get(key) is not None:
        return
    value = supplied.value(pointer)
    place = generalized(pointer)
    if value is not None:
        if isinstance(value, str) and value.startswith("@"):
            source = holder if siblings is None else siblings
            if not isinstance(source.get(value[1:]), str):
                raise ConversionError(f"{place}: {value[1:]} is not a string")
            value = source[value[1:]]
        holder[key] = value
    elif supplied.ask is not None:
        supplied.ask(Question(pointer, unknown))
        holder[key] = unknown or stand_in or "unknown"
    elif unknown is not None:
        holder[key] = unknown
        notes[f'{place} {NOT_STATED}: "{unknown}" is written'] += 1
    else:
        raise ConversionError(
            f"the file does not state {place.rpartition('/')[2]}, which the new version requires",
            f"supply a value for {place}",
            needs="values",
            subject=place,
        )


def put_aside(source: Object, keys: set[str], details: Object, prefix: str) -> None:
    """Move keys that a version does not have into a map of details."""
    for key in [key for key in source if key in keys]:
        value = source.pop(key)
        if key in details and details[key] != value:
            raise ConversionError(
                f"{prefix}{key} is not in the new version, and additional_details has another {key}"
            )
        details[key] = value


def rename_key(holder: Object, old: str, new: str) -> None:
    """Rename a key of an object, if it has it; the order stays."""
    if old not in holder:
        return
    if holder.get(new) is not None:
        raise ConversionError(f"there are both {old} and {new}")
    items = [(new if key == old else key, value) for key, value in holder.items()]
    holder.clear()
    holder.update(items)
