"""The keys that a schema knows, at each place of a document.

A place is the object or array at the end of a path, whatever alternatives and conditions the schema
has for it: a key is known there if one of them names it. An object whose further keys have a schema
of their own, or that lists none, is free: its keys are the user's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from evalmark.schemas.files import Schema, bundle

#: The parts of a schema that describe the same value as it does.
_SAME = ("then", "else")
_SEVERAL = ("allOf", "anyOf", "oneOf")


@dataclass(eq=False, slots=True)
class KnownKeys:
    """The known keys of a place, and the places below it."""

    keys: dict[str, KnownKeys] = field(default_factory=dict)  # with the places of their values
    # patterns of known keys, with the places of their values
    patterns: dict[str, KnownKeys] = field(default_factory=dict)
    items: KnownKeys | None = None  # the place of the elements, if it may be an array
    is_free: bool = True  # whether further keys are the user's

    def child(self, key: str) -> KnownKeys | None:
        """The place of the value of a key; None if the key is unknown."""
        if key in self.keys:
            return self.keys[key]
        return next((self.patterns[text] for text in self.patterns if re.search(text, key)), None)

    def unknown(self, data: Any, path: tuple[str | int, ...] = ()) -> Iterator[Unknown]:
        """The unknown keys of the objects below a place that are not free."""
        if isinstance(data, list) and self.items is not None:
            for index, element in enumerate(data):
                yield from self.items.unknown(element, (*path, index))
        for key, value in data.items() if isinstance(data, dict) else ():
            if (child := self.child(key)) is not None:
                yield from child.unknown(value, (*path, key))
            elif not self.is_free:
                yield path, key, self, data


#: Path of an object, its unknown key, its place, and the object.
Unknown = tuple[tuple[str | int, ...], str, KnownKeys, dict[str, Any]]


@cache
def known_keys(name: str) -> KnownKeys:
    """The place of a whole document of one of our schemas; KeyError if there is no such one."""
    return known_keys_of(bundle(name))


def known_keys_of(schema: Schema) -> KnownKeys:
    """The place of the whole document, under a schema whose references lead to its definitions."""
    made: dict[frozenset[int], KnownKeys] = {}

    def place(parts: list[Any]) -> KnownKeys:
        same = [form for part in parts for form in _schemas_of_value(part, schema)]
        identity = frozenset(map(id, same))
        if identity in made:
            return made[identity]
        found = made[identity] = KnownKeys()
        found.keys = members_of(same, "properties")
        found.patterns = members_of(same, "patternProperties")
        has_free = any(isinstance(form.get("additionalProperties"), dict) for form in same)
        found.is_free = has_free or not (found.keys or found.patterns)
        if items := [form["items"] for form in same if isinstance(form.get("items"), dict)]:
            found.items = place(items)
        return found

    def members_of(same: list[Schema], keyword: str) -> dict[str, KnownKeys]:
        members: dict[str, list[Any]] = {}
        for form in same:
            for name, part in form.get(keyword, {}).items():
                members.setdefault(name, []).append(part)
        return {name: place(parts) for name, parts in members.items()}

    return place([schema])


def _schemas_of_value(part: Any, whole: Schema) -> Iterator[Schema]:
    """The parts of a schema that describe the same value, references resolved."""
    if not isinstance(part, dict):
        return
    if "$ref" in part:
        yield from _schemas_of_value(whole["definitions"][part["$ref"].rpartition("/")[2]], whole)
        return
    yield part
    for keyword in _SAME:
        yield from _schemas_of_value(part.get(keyword), whole)
    for keyword in _SEVERAL:
        for branch in part.get(keyword, ()):
            yield from _schemas_of_value(branch, whole)


def keys_schema(root: KnownKeys) -> Schema:
    """A schema that accepts documents without unknown keys, whatever their values are.

    A place below which all keys are free has none of its own.
    """
    names: dict[KnownKeys, str] = {}
    definitions: Schema = {}

    def schema(place: KnownKeys) -> Any:
        if place not in names:
            if not _has_named(place, set()):
                return True
            name = names[place] = f"odd_{len(names)}"
            definitions[name] = {
                "properties": {key: schema(child) for key, child in place.keys.items()},
                "patternProperties": {key: schema(child) for key, child in place.patterns.items()},
                "items": True if place.items is None else schema(place.items),
                "additionalProperties": place.is_free,
            }
        return {"$ref": f"#/definitions/{names[place]}"}

    return {"allOf": [schema(root)], "definitions": definitions}


def _has_named(place: KnownKeys, seen: set[KnownKeys]) -> bool:
    """True if the keys of an object are not free, here or below."""
    if place in seen:
        return False
    seen.add(place)
    below = [*place.keys.values(), *place.patterns.values(), *filter(None, [place.items])]
    return not place.is_free or any(_has_named(child, seen) for child in below)


def code_of(schema: Schema) -> str:
    """Python code of ``is_odd``: whether a valid document has keys that ``keys_schema`` refuses."""
    functions = "\n".join(_function(*definition) for definition in schema["definitions"].items())
    whole = _odd_below(schema["allOf"][0], "data") or False
    return f"def is_odd(data):\n    return {whole}\n\n{functions}"


def _odd_below(schema: Any, value: str) -> str:
    """The call for a value; empty if all its keys are free."""
    return "" if schema is True else f"{schema['$ref'].rpartition('/')[2]}({value})"


def _function(name: str, place: Schema) -> str:
    known = f"K_{name}"
    matches = {
        f"re.search({text!r}, key)": call for text, call in place["patternProperties"].items()
    }
    unknown = f"not data.keys() <= {known}"
    if matches:
        unknown = f"any(not (key in {known} or {' or '.join(matches)}) for key in data)"
    odd = [] if place["additionalProperties"] else [unknown]
    for key, child in place["properties"].items():
        if below := _odd_below(child, f"data[{key!r}]"):
            odd.append(f"{key!r} in data and {below}")
    for match, child in matches.items():
        if below := _odd_below(child, "value"):
            odd.append(f"any({match} and {below} for key, value in data.items())")
    lines = [f"{known} = frozenset({[*place['properties']]})", f"def {name}(data):"]
    if below := _odd_below(place["items"], "each"):
        lines.append(
            f"    if isinstance(data, list):\n        return any({below} for each in data)"
        )
    lines.append(f"    return isinstance(data, dict) and ({' or '.join(odd) or False})")
    return "\n".join(lines) + "\n"
