"""What migrations share: values in the shape of a schema, and supplied that were not stated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from evalmark.converters.step import Supplied, counted, text_of
from evalmark.schemas.errors import ConversionError

Object = dict[str, Any]

_MISSING = object()


class Notes(Counter[str]):
    """Notes with how often each of them holds."""

    def texts(self) -> tuple[str, ...]:
        """The notes as a reader sees them."""
        return counted(self)


def strings(values: Mapping[str, Any], notes: Notes, where: str) -> Object:
    """A map whose values are all strings; null says nothing and is left out."""
    kept: Object = {}
    for key, value in values.items():
        if value is None:
            notes[f"null left out of {where}"] += 1
        else:
            if not isinstance(value, str):
                notes[f"a value of {where} written as text"] += 1
            kept[key] = text_of(value)
    return kept


def fit(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], notes: Notes) -> Any:
    """A value in the shape of a bundled schema, where that is a matter of writing alone.

    Maps of strings get strings, lists of strings get lists, identifiers get strings, truth values
    become 0 and 1 where numbers are asked for. What is no matter of writing is left as it is.
    """
    reference = schema.get("$ref")
    if isinstance(reference, str):
        schema = root["definitions"][reference.rpartition("/")[2]]
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
        return text_of(value)
    if isinstance(value, bool) and "number" in types and "boolean" not in types:
        notes["a truth value written as a number"] += 1
        return float(value)
    return value


def _branch(value: Any, branches: list[Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The branch of a tagged alternative that a value belongs to; none fits anything else."""
    for branch in branches:
        reference = branch.get("$ref")
        schema = root["definitions"][reference.rpartition("/")[2]] if reference else branch
        tag = schema.get("properties", {}).get("source_type", {})
        if isinstance(value, dict) and tag.get("const", _MISSING) == value.get("source_type"):
            found: Mapping[str, Any] = schema
            return found
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
    """Set a value that the new form needs and the old one lacks.

    It is what the caller has said, or the format's own word for not knowing.

    Args:
        holder: The object that is to have the value; it is changed.
        key: The value's key.
        pointer: Where it stands, with ``*`` for indices: the name under which it can be said.
        supplied: What the caller has said; ``@name`` stands for the value of a sibling.
        notes: Is told what was assumed.
        unknown: What the format has for "nobody knows"; None if it has nothing.
        siblings: What ``@name`` looks in; the holder if None.

    Raises:
        ConversionError: Nobody has said it, and there is nothing to assume.
    """
    if holder.get(key) is not None:
        return
    value = supplied.values.get(pointer, _MISSING)
    said = text_of(value) if value is not _MISSING else ""
    if isinstance(value, str) and value.startswith("@"):
        source = holder if siblings is None else siblings
        if not isinstance(source.get(value[1:]), str):
            raise ConversionError(f"{pointer}: there is no {value[1:]} to take it from")
        value = source[value[1:]]
    if value is not _MISSING:
        holder[key] = value
        notes[f"{pointer} is {said}, as you have said"] += 1
    elif unknown is not None:
        holder[key] = unknown
        notes[f'{pointer} is not known: "{unknown}" (say it with --set {pointer}=VALUE)'] += 1
    else:
        raise ConversionError(
            f"the file does not say {pointer.rpartition('/')[2]}, which the new form needs",
            f"say it with --set {pointer}=VALUE",
        )


def put_aside(source: Object, keys: set[str], details: Object, notes: Notes, prefix: str) -> None:
    """Move keys without a home into a map of details.

    Raises:
        ConversionError: The map has another value under one of them.
    """
    for key in [key for key in source if key in keys]:
        value = source.pop(key)
        if key in details and details[key] != value:
            raise ConversionError(
                f"{prefix}{key} has no home, and where it could go {key} is taken"
            )
        details[key] = value
        notes[f"{prefix}{key} has no home in the new form and goes to additional_details"] += 1


def rename_key(holder: Object, old: str, new: str) -> None:
    """Rename a key of an object, if it has it; the order stays.

    Raises:
        ConversionError: The object has a value under the new key as well.
    """
    if old not in holder:
        return
    if holder.get(new) is not None:
        raise ConversionError(f"there are both {old} and {new}")
    items = [(new if key == old else key, value) for key, value in holder.items()]
    holder.clear()
    holder.update(items)
