"""The values that a pointer into a record may have, by the schemas of all versions."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache

from evalmark.converters.records.coerce import resolved
from evalmark.schemas.files import Schema, bundle
from evalmark.schemas.versions import RECORDS
from evalmark.validator.io.escaping import json_text

_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def problem_of(pointer: str, value: object) -> str | None:
    """The reason why a value cannot be supplied for a pointer; None if it can.

    ``null`` supplies nothing, and ``@name`` the value of a sibling: both are always possible.
    """
    places = _at(pointer)
    if not places:
        close = get_close_matches(pointer, _pointers(), n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        return f"no version of records has {pointer}{hint}"
    if value is None or (isinstance(value, str) and value.startswith("@")):
        return None
    if any(_fits(value, schema, root) for schema, root in places):
        return None
    schema, root = places[-1]
    expected = _expected(schema, root)
    return f"{pointer.rpartition('/')[2]} cannot be {json_text(value)}; expected {expected}"


def words_at(pointer: str) -> tuple[str, ...]:
    """The words that the newest version with a pointer allows for it; empty if any string is."""
    places = _at(pointer)
    return tuple(map(str, places[-1][0].get("enum", ()))) if places else ()


@cache
def _at(pointer: str) -> tuple[tuple[Schema, Schema], ...]:
    """The schemas at a pointer, each with the whole schema; the newest version last.

    A key that no version names may still be one of an object with any keys.
    """
    for is_free in (False, True):
        places = []
        for version in RECORDS:
            root = bundle(version.schema)
            schemas: list[Schema] = [root]
            for name in pointer.lstrip("/").split("/"):
                schemas = [s for schema in schemas for s in _member(schema, name, root, is_free)]
            places += [(schema, root) for schema in schemas]
        if places:
            return tuple(places)
    return ()


def _branches(schema: Schema, root: Schema) -> Iterator[Schema]:
    schema = resolved(schema, root)
    yield schema
    for branch in (*schema.get("oneOf", ()), *schema.get("anyOf", ())):
        yield from _branches(branch, root)


def _member(schema: Schema, name: str, root: Schema, is_free: bool) -> Iterator[Schema]:
    for branch in _branches(schema, root):
        if (name == "*" or name.isdecimal()) and isinstance(branch.get("items"), dict):
            yield branch["items"]
        elif name in branch.get("properties", {}):
            yield branch["properties"][name]
        elif is_free and isinstance(branch.get("additionalProperties"), dict):
            yield branch["additionalProperties"]


def _fits(value: object, schema: Schema, root: Schema) -> bool:
    branches = [s for s in _branches(schema, root) if not {"oneOf", "anyOf"} & s.keys()]
    return any(_fits_plainly(value, branch) for branch in branches)


def _fits_plainly(value: object, schema: Schema) -> bool:
    if "const" in schema:
        return bool(value == schema["const"])
    if "enum" in schema and value not in schema["enum"]:
        return False
    types = schema.get("type", ())
    names = (types,) if isinstance(types, str) else tuple(types)
    if not names:
        return True
    if isinstance(value, bool):
        return "boolean" in names
    return any(isinstance(value, _TYPES[name]) for name in names)


def _expected(schema: Schema, root: Schema) -> str:
    words: list[str] = []
    for branch in _branches(schema, root):
        if "const" in branch:
            words.append(str(branch["const"]))
        elif "enum" in branch:
            words += map(str, branch["enum"])
        elif "type" in branch:
            types = branch["type"]
            words += [f"a {name}" for name in ([types] if isinstance(types, str) else types)]
    words = [word.replace("a null", "null") for word in dict.fromkeys(words)]
    return f"one of: {', '.join(words)}" if len(words) > 1 else words[0]


@cache
def _pointers() -> tuple[str, ...]:
    pointers: dict[str, None] = {}

    def walk(schema: Schema, root: Schema, at: str) -> None:
        for branch in _branches(schema, root):
            for name, inner in branch.get("properties", {}).items():
                pointers[f"{at}/{name}"] = None
                walk(inner, root, f"{at}/{name}")
            if isinstance(branch.get("items"), dict):
                walk(branch["items"], root, f"{at}/*")

    for version in RECORDS:
        walk(bundle(version.schema), bundle(version.schema), "")
    return tuple(pointers)
