"""A JSON schema that a repository adds: checked, and bundled as ours are.

Nothing but the bytes of the schema is read: a reference to another document is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any
from urllib.parse import unquote

from evalmark.schemas.errors import ConfigError
from evalmark.schemas.files import Schema

DRAFT = "http://json-schema.org/draft-07/schema#"

#: Keywords whose value is a schema, a list of schemas, or an object of them.
_ONE = frozenset(
    (
        "additionalItems",
        "additionalProperties",
        "contains",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
    )
)
_LISTS = frozenset(("allOf", "anyOf", "items", "oneOf"))
_OBJECTS = frozenset(("dependencies", "patternProperties", "properties"))
#: Keywords whose schemas are applied to the same value.
_IN_PLACE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependencies")
#: Characters of a value that an error shows.
_SHOWN = 80


def own_schema(raw: bytes) -> Schema:
    """The schema as one document, in which every ``$ref`` points to its own definitions.

    Raises:
        ConfigError: It is not a JSON schema of draft-07, or needs another document.
    """
    try:
        document = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        place = f"line {error.lineno}: " if isinstance(error, json.JSONDecodeError) else ""
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "cannot be parsed"
        raise ConfigError(f"not JSON: {place}{reason}") from None
    if not isinstance(document, dict):
        raise ConfigError("a schema must be an object")
    draft = document.get("$schema")
    if not isinstance(draft, str) or draft.rstrip("#") != DRAFT.rstrip("#"):
        instead = f", not {_json(draft)}" if "$schema" in document else ""
        raise ConfigError(f'`$schema` must be "{DRAFT}"{instead}')
    try:
        _require_valid(document)
        bundled = _Bundler(document).bundle()
        _require_end(bundled)
    except RecursionError:
        raise ConfigError("nested too deep") from None
    return bundled


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _require_valid(document: Schema) -> None:
    """Compare a schema with that of schemas."""
    from jsonschema import Draft7Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft7Validator.check_schema(document)
    except SchemaError as error:
        place = "/".join(map(str, error.absolute_path))
        raise ConfigError(f"/{place} cannot be {_json(error.instance)} in draft-07") from None


class _Bundler:
    """Moves everything that a reference leads to into ``definitions``, as ``files.bundle`` does."""

    def __init__(self, document: Schema) -> None:
        self.document = document
        base = document.get("$id")
        self.base = base.rstrip("#") if isinstance(base, str) else ""
        self.labels: dict[str, str] = {}  # pointer -> label
        self.definitions: Schema = {}

    def bundle(self) -> Schema:
        whole: Schema = self.taken_in(self.document, is_root=True)
        return {**whole, "definitions": self.definitions} if self.definitions else whole

    def taken_in(self, node: Any, *, is_root: bool = False) -> Any:
        """A part of the schema with its references rewritten; true and false become objects."""
        if not isinstance(node, dict):
            return {} if node else {"not": {}}
        if isinstance(node.get("$ref"), str):
            return {"$ref": f"#/definitions/{self.label(node['$ref'])}"}
        if not is_root and isinstance(node.get("$id"), str):
            raise ConfigError(f"`$id` {_json(node['$id'])} below the root is not supported")
        taken: Schema = {}
        for key, value in node.items():
            if key in ("definitions", "$id", "$schema"):
                continue
            taken[key] = self.member(key, value)
        return taken

    def member(self, key: str, value: Any) -> Any:
        """The value of a keyword, with the schemas in it taken in."""
        if key in _LISTS and isinstance(value, list):
            return [self.taken_in(child) for child in value]
        if key in _OBJECTS:
            return {
                name: child if isinstance(child, list) else self.taken_in(child)
                for name, child in value.items()
            }
        if key in ("additionalProperties", "additionalItems") and isinstance(value, bool):
            return value
        return self.taken_in(value) if key in _ONE else value

    def label(self, reference: str) -> str:
        """The name of the definition that a reference leads to."""
        document, mark, pointer = reference.partition("#")
        if document and (document != self.base or not mark):
            raise ConfigError(
                f"`$ref` {_json(reference)} leads to another document, which evalmark does not "
                "open: copy that part into `definitions`"
            )
        if pointer not in self.labels:
            name = re.sub(r"[^\w.-]", "_", pointer.rpartition("/")[2]) or "root"
            taken = set(self.labels.values())
            number = 2
            label = name
            while label in taken:
                label, number = f"{name}-{number}", number + 1
            self.labels[pointer] = label
            target = self.target(pointer, reference)
            self.definitions[label] = {}  # ends the recursion of a recursive reference
            self.definitions[label] = self.taken_in(target, is_root=not pointer)
        return self.labels[pointer]

    def target(self, pointer: str, reference: str) -> Any:
        """The value that a pointer leads to."""
        node: Any = self.document
        for token in unquote(pointer).split("/")[1:]:
            key = token.replace("~1", "/").replace("~0", "~")
            if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
                node = node[int(key)]
            elif isinstance(node, dict) and key in node:
                node = node[key]
            else:
                raise ConfigError(f"`$ref` {_json(reference)} leads nowhere")
        if (pointer and not pointer.startswith("/")) or not isinstance(node, dict | bool):
            raise ConfigError(f"`$ref` {_json(reference)} does not lead to a schema")
        return node


def _require_end(bundled: Schema) -> None:
    """Refuse references that lead back to themselves without going into the value."""
    graph = {name: set(_same_value(part)) for name, part in bundled.get("definitions", {}).items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = ", ".join(f"`{name}`" for name in dict.fromkeys(error.args[1]))
        raise ConfigError(f"`$ref`s lead in a circle: {circle}") from None


def _same_value(node: Any) -> Iterator[str]:
    """The definitions that are applied to the same value as a part of the schema."""
    if not isinstance(node, dict):
        return
    if "$ref" in node:
        yield node["$ref"].rpartition("/")[2]
        return
    for key in _IN_PLACE:
        value = node.get(key, ())
        if key == "dependencies" and value:
            value = list(value.values())
        for child in value if isinstance(value, list | tuple) else [value]:
            yield from _same_value(child)
