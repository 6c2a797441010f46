"""Keys and values that the schema of a document knows: in words, and for completion."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from evalmark.schemas.files import Schema, bundle
from evalmark.schemas.ordered_errors import OrderedValidator
from evalmark.schemas.versions import VERSIONS
from evalmark.validator.format import Document
from evalmark.validator.reading.source import member

_BRANCHES = ("anyOf", "oneOf")
#: Values that a hover lists.
_SHOWN = 12


class KnownKey(NamedTuple):
    """A key that an object may have.

    Attributes:
        name: The key.
        text: Its description.
        is_required: Whether the object needs it, as it is.
    """

    name: str
    text: str
    is_required: bool


def schema_of(document: Document) -> Schema | None:
    """The bundled schema of a document; None if it has none."""
    if document.format is None:
        return None
    own = document.format.own_schema()
    return own or (bundle(document.schema) if document.schema else None)


class SchemaHelp:
    """A schema and the data that it is asked about."""

    def __init__(self, schema: Schema, data: object) -> None:
        self.schema, self.data = schema, data
        self._validator = OrderedValidator(schema)

    def parts(self, path: Sequence[str]) -> list[Schema]:
        """The parts of the schema that hold for the value at a path, conditional ones included."""
        parts, value = [self.schema], self.data
        for token in path:
            whole = [part for each in parts for part in self._whole(each, value)]
            parts = [part for each in whole for part in _below(each, token)]
            value = member(value, token)
        return [part for each in parts for part in self._whole(each, value)]

    def _whole(self, part: Schema, value: object) -> Iterator[Schema]:
        """A part, and those that it includes for a value."""
        part = self._meant(part)
        yield part
        for inner in part.get("allOf", ()):
            yield from self._whole(inner, value)
        for keyword in _BRANCHES:
            branches = part.get(keyword, [])
            meant = [branch for branch in branches if self._may_be(branch, value)]
            for branch in meant or branches:
                yield from self._whole(branch, value)
        if "if" in part and isinstance(value, dict):
            fits = self._validator.evolve(schema=part["if"]).is_valid(value)
            inner = part.get("then" if fits else "else")
            if isinstance(inner, dict):
                yield from self._whole(inner, value)

    def _meant(self, part: Schema) -> Schema:
        """A part, or the one that it refers to; a schema that is true or false says nothing."""
        if not isinstance(part, dict):
            return {}
        label = part.get("$ref", "").rpartition("/")[2]
        defined: Schema = self.schema.get("definitions", {}).get(label, part)
        return defined

    def _may_be(self, branch: Schema, value: object) -> bool:
        """True if no constant of a branch contradicts a value that is not finished."""
        branch = self._meant(branch)
        if not isinstance(value, dict):
            return True
        for key, rule in branch.get("properties", {}).items():
            allowed = [rule["const"]] if "const" in rule else rule.get("enum")
            if allowed and key in value and value[key] not in allowed:
                return False
        return True

    def keys(self, path: Sequence[str]) -> list[KnownKey]:
        """The keys that the object at a path may have, the required ones first."""
        found: dict[str, str] = {}
        required: set[str] = set()
        for part in self.parts(path):
            required |= set(part.get("required", ()))
            for name, rule in part.get("properties", {}).items():
                whole = self._whole(rule, None)
                text = next((p["description"] for p in whole if "description" in p), "")
                found[name] = found.get(name) or text
        found = {**dict.fromkeys(sorted(required), ""), **found}
        known = [KnownKey(name, text, name in required) for name, text in found.items()]
        return sorted(known, key=lambda key: not key.is_required)

    def values(self, path: Sequence[str]) -> list[str]:
        """The values at a path that the schema lists, or shows as examples, as JSON."""
        parts = self.parts(path)
        listed = [value for part in parts for value in _listed(part)]
        if not listed and any(part.get("type") == "boolean" for part in parts):
            listed = [True, False]
        shown = listed or [value for part in parts for value in part.get("examples", ())]
        return list(dict.fromkeys(json.dumps(value, ensure_ascii=False) for value in shown))

    def words(self, path: Sequence[str], document: Document) -> str:
        """Markdown about the value at a path: description, type, values, example, versions."""
        parts = self.parts(path)
        if not parts:
            return ""
        types = dict.fromkeys(
            kind
            for part in parts
            for kind in ([part["type"]] if isinstance(part.get("type"), str)
                         else part.get("type", ()))
        )  # fmt: skip
        needed = any(key.name == path[-1] and key.is_required for key in self.keys(path[:-1]))
        head = " · ".join(
            filter(None, [f"**{path[-1]}**", " or ".join(types), "required" if needed else ""])
        )
        lines = [head, *dict.fromkeys(p["description"] for p in parts if "description" in p)]
        listed = [f"`{json.dumps(v, ensure_ascii=False)}`" for p in parts for v in _listed(p)]
        if listed:
            more = "" if len(listed) <= _SHOWN else " …"
            lines.append(f"One of: {', '.join(dict.fromkeys(listed[:_SHOWN]))}{more}")
        examples = [example for part in parts for example in part.get("examples", ())]
        if examples:
            lines.append(f"Example: `{json.dumps(examples[0], ensure_ascii=False)}`")
        if versions := _versions_with(path, document):
            lines.append(versions)
        return "\n\n".join(lines)


def _versions_with(path: Sequence[str], document: Document) -> str:
    kind = document.kind or ""
    names = [
        version.name
        for version in VERSIONS.get(kind, ())
        if SchemaHelp(bundle(version.schema), document.data).parts(path)
    ]
    if not names:
        return ""
    span = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    return f"In versions {span}" if len(names) > 1 else f"In version {span} only"


def _below(part: Schema, token: str) -> Iterator[Schema]:
    if token in part.get("properties", {}):
        yield part["properties"][token]
    elif isinstance(part.get("additionalProperties"), dict) and "type" in part:
        yield part["additionalProperties"]
    items = part.get("items")
    if token.isdecimal() and isinstance(items, dict):
        yield items


def _listed(part: Schema) -> list[Any]:
    return [part["const"]] if "const" in part else list(part.get("enum", ()))
