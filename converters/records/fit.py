"""What migrations share: values fitted to a schema, and values that a file does not state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from evalmark.converters.overrides.places import SAMPLES, generalized
from evalmark.converters.step import Question, Supplied, as_text, spaced
from evalmark.schemas.errors import ConversionError

Object = dict[str, Any]

_MISSING = object()
#: In a note: the format's word for not knowing is written, since the value is missing.
NOT_STATED = "is not stated"
#: The name of objects with free keys.
_FREE = "additional_details"
#: Values that each record has for itself; a note does not repeat them.
_OWN = (SAMPLES, "/model_info/id")
#: Notes with how often each of them holds.
Notes = Counter[str]


def strings(values: Mapping[str, Any], notes: Notes, where: str) -> Object:
    """A map whose values are all strings, without its nulls."""
    kept: Object = {}
    for key, value in values.items():
        if value is None:
            notes[f"null removed from {where}"] += 1
        else:
            if not isinstance(value, str):
                notes[f"a value of {where} written as text"] += 1
            kept[key] = as_text(value)
    return kept


def fit(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], notes: Notes) -> Any:
    """A value written as a bundled schema requires, where its meaning stays the same.

    Values in maps of strings become strings, a string becomes a list of one where a list is
    required, identifiers become strings, and truth values become 0 and 1 where numbers are
    required. Everything else is left as it is.
    """
    schema = resolved(schema, root)
    if "oneOf" in schema:
        schema = branch_of(value, schema["oneOf"], root)
    types = schema.get("type", ())
    types = {types} if isinstance(types, str) else set(types)
    if types == {"string"} and isinstance(value, dict | list):
        notes["an object or a list written as JSON text"] += 1
        return spaced(value)  # as Every Eval Ever's converters write the steps of plans
    if isinstance(value, dict):
        inner = schema.get("additionalProperties")
        known = schema.get("properties", {})
        free = isinstance(inner, dict) and inner.get("type") == "string"
        plain = {k: v for k, v in value.items() if free and k not in known}
        texts = strings(plain, notes, "a map of strings")
        return {
            key: texts[key] if key in plain else fit(child, known.get(key, {}), root, notes)
            for key, child in value.items()
            if key not in plain or key in texts
        }
    if isinstance(value, list):
        items = schema.get("items", {})
        return [fit(child, items, root, notes) for child in value]
    if "array" in types and isinstance(value, str):
        notes["a text written as a list of one"] += 1
        return [value]
    if types == {"string"} and value is not None and not isinstance(value, str):
        notes["a value written as text"] += 1
        return as_text(value)
    if isinstance(value, bool) and "number" in types and "boolean" not in types:
        notes["a truth value written as a number"] += 1
        return float(value)
    return value


def right_maps(
    value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], notes: Notes, version: str
) -> Any:
    """A copy of a value in which optional objects are objects, as a version requires.

    null says nothing and is removed, also where the version has no such details. A text in the
    place of free keys and values becomes one of them, under the name of the object.
    """
    schema = resolved(schema, root)
    if "oneOf" in schema:
        schema = branch_of(value, schema["oneOf"], root)
    if isinstance(value, list):
        items = schema.get("items", {})
        return [right_maps(child, items, root, notes, version) for child in value]
    if not isinstance(value, dict):
        return value
    new: Object = {}
    known = schema.get("properties", {})
    for key, child in value.items():
        if isinstance(child, dict) or (isinstance(child, list) and key != _FREE):
            new[key] = right_maps(child, known.get(key, {}), root, notes, version)
            continue
        is_odd = child is None or key == _FREE
        is_map = _is_map(resolved(known.get(key, {}), root))
        is_empty = child is None and key == _FREE
        if not is_empty and not (is_odd and is_map):
            new[key] = child
        elif child is None:
            allowed = "an object or nothing" if is_map else "nothing"
            notes[f"{key} is null, and {version} allows {allowed} there: it is removed"] += 1
        else:
            new[key] = {key: child}
            notes[f"{key} is not an object: it is kept as one of its values"] += 1
    return new


def _is_map(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "object" or schema.get("additionalProperties") is True


def resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a schema refers to, or the schema itself."""
    if "$ref" not in schema:
        return schema
    found: Mapping[str, Any] = root["definitions"][schema["$ref"].rpartition("/")[2]]
    return found


def branch_of(value: Any, branches: list[Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The branch of a tagged alternative that a value belongs to; an empty schema if none."""
    for branch in branches:
        schema = resolved(branch, root)
        tag = schema.get("properties", {}).get("source_type", {})
        if isinstance(value, dict) and tag.get("const", _MISSING) == value.get("source_type"):
            return schema
    return {}


def needed(
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
        shown = as_text(value)
        if isinstance(value, str) and value.startswith("@"):
            source = holder if siblings is None else siblings
            if not isinstance(source.get(value[1:]), str):
                raise ConversionError(f"{place}: {value[1:]} is not a string")
            value = source[value[1:]]
        holder[key] = value
        is_own = place in _OWN
        notes[f"{place} is supplied" if is_own else f"{place} is {shown}, as supplied"] += 1
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


def put_aside(source: Object, keys: set[str], details: Object, notes: Notes, prefix: str) -> None:
    """Move keys that a version does not have into a map of details."""
    for key in [key for key in source if key in keys]:
        value = source.pop(key)
        if key in details and details[key] != value:
            raise ConversionError(
                f"{prefix}{key} is not in the new version, and additional_details has another {key}"
            )
        details[key] = value
        notes[f"{prefix}{key} is not in the new version: it moves to additional_details"] += 1


def rename_key(holder: Object, old: str, new: str) -> None:
    """Rename a key of an object, if it has it; the order stays."""
    if old not in holder:
        return
    if holder.get(new) is not None:
        raise ConversionError(f"there are both {old} and {new}")
    items = [(new if key == old else key, value) for key, value in holder.items()]
    holder.clear()
    holder.update(items)
