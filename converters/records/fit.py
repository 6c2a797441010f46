"""What migrations share: values fitted to a schema, and values that a file does not state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from evalmark.converters.step import Supplied, as_text
from evalmark.schemas.errors import ConversionError

Object = dict[str, Any]

_MISSING = object()
#: In a note: the format's word for not knowing is written, since the value is missing.
NOT_STATED = "is not stated"
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
    schema = _resolved(schema, root)
    if "oneOf" in schema:
        schema = _branch(value, schema["oneOf"], root)
    types = schema.get("type", ())
    types = {types} if isinstance(types, str) else set(types)
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


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in schema:
        return schema
    found: Mapping[str, Any] = root["definitions"][schema["$ref"].rpartition("/")[2]]
    return found


def _branch(value: Any, branches: list[Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The branch of a tagged alternative that a value belongs to; an empty schema if none."""
    for branch in branches:
        schema = _resolved(branch, root)
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
) -> None:
    """Set a value that the new version requires, if it is missing.

    It is what the caller supplies under the pointer, or ``unknown``, the format's own word for not
    knowing, if it has one. ``*`` in the pointer is any index; a supplied ``@name`` is the value of
    that sibling, which is a member of ``siblings``, or of the holder.
    """
    if holder.get(key) is not None:
        return
    value = supplied.values.get(pointer, _MISSING)
    shown = as_text(value) if value is not _MISSING else ""
    if isinstance(value, str) and value.startswith("@"):
        source = holder if siblings is None else siblings
        if not isinstance(source.get(value[1:]), str):
            raise ConversionError(f"{pointer}: {value[1:]} is not a string")
        value = source[value[1:]]
    if value is not _MISSING:
        holder[key] = value
        notes[f"{pointer} is {shown}, as supplied"] += 1
    elif unknown is not None:
        holder[key] = unknown
        notes[f'{pointer} {NOT_STATED}: "{unknown}" is written'] += 1
    else:
        raise ConversionError(
            f"the file does not state {pointer.rpartition('/')[2]}, which the new version requires",
            f"supply a value for {pointer}",
            needs="values",
            subject=pointer,
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
