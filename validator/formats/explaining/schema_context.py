"""The context of an explanation: the data, its schema, and questions about both."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from evalmark.schemas.files import Schema
from evalmark.validator.findings.finding import At, Mistake
from evalmark.validator.findings.phrasing import similar
from evalmark.validator.format import Advice, Demand, JsonPath
from evalmark.validator.formats.explaining.wording import TYPE_NAMES
from evalmark.validator.reading.source import make_pointer

#: A ``ValidationError``; the stubs type each of its fields as possibly unset, which none is here.
Error = Any

#: Unknown keys of one object that are examined; one with more is probably something else.
MAX_KEYS = 2000
#: Keywords that demand the same of an object with and without a key that is not required.
_OF_MEMBERS = frozenset(
    ("properties", "additionalProperties", "required", "type", "title", "description", "examples")
)
#: Keywords that look at the keys of an object, and at no values but those of named ones.
_DEMANDING = frozenset(
    ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "properties", "required")
) | {"type", "title", "description", "examples"}


@dataclass(frozen=True)
class Context:
    """The data and the schema that an explanation is about."""

    data: Any
    schema: Schema  # bundled
    validator: Any
    advice: Advice

    def name(self, error: Error) -> str:
        """The value of an error: `url` or `url[2]`, in backticks."""
        name = ""
        for token in error.absolute_path:
            name = f"{name}[{token}]" if isinstance(token, int) else token
        return f"`{name}`" if name else "the file"

    def fits(self, value: object, part: object) -> bool:
        """True if a value is valid under a part of the schema."""
        return bool(self.validator.evolve(schema=part).is_valid(value))

    def resolve(self, schema: Schema) -> Schema:
        """A part of the schema, or what it refers to."""
        label = schema.get("$ref", "").rpartition("/")[2]
        resolved: Schema = self.schema["definitions"][label] if label else schema
        return resolved

    def mistake(self, error: Error, message: str = "", **fields: Any) -> Mistake:
        """A mistake at the place of an error, with the violated keyword in the bundled schema."""
        path, _ = followed(self.schema, list(error.absolute_schema_path))
        at = At(make_pointer(error.absolute_path))
        return Mistake(message, at, schema_location=make_pointer(path), **fields)

    def condition(self, error: Error) -> Demand | None:
        """The condition with a value that an error depends on, the innermost one."""
        path = list(error.absolute_schema_path)
        last = max(branches_of(error), default=-1)
        if last < 0 or path[last] != "then":
            return None
        _, parent = followed(self.schema, path[:last])
        holder, at = holder_of(error, last, self.data)
        for key, rule in parent.get("if", {}).get("properties", {}).items():
            if ("const" in rule or "enum" in rule) and isinstance(holder, Mapping):
                value = rule.get("const", rule.get("enum"))
                return Demand(key, value, holder, make_pointer(at))
        return None

    def needs(self, error: Error) -> bool:
        """True if the object around the place of an error must have the key that is there."""
        path = list(error.absolute_path)
        if not path or not isinstance(path[-1], str):
            return True
        around = self.above(error)
        if path[-1] in around.get("required", ()):
            return True
        return not around.keys() <= _OF_MEMBERS and self._demands(
            around, path[-1], self.holder(error)
        )

    def _demands(self, around: Schema, key: str, holder: Mapping[str, Any]) -> bool:
        """True if a schema has errors for an object without a key that it has not with it."""
        if _decides(key, around):  # other nulls are removed too: what is demanded then?
            holder = {k: value for k, value in holder.items() if value is not None or k == key}
        # What the keys of an object demand; most of its values do not matter, and may be many.
        demands = {
            name: around[name] for name in around.keys() - {"properties", "additionalProperties"}
        }
        if id(around) not in self._looked_at:
            self._looked_at[id(around)] = _keys_looked_at(demands)
        keys = self._looked_at[id(around)]
        if keys is not None:
            holder = {name: value if name in keys else None for name, value in holder.items()}
        memo_key = id(around), key, json.dumps(holder)
        if memo_key not in self._needs:
            without = {name: value for name, value in holder.items() if name != key}
            validator = self.validator.evolve(schema=demands)
            come = _errors(validator, without) - _errors(validator, holder)
            self._needs[memo_key] = any(not at for at, _ in come)
        return self._needs[memo_key]

    @cached_property
    def _looked_at(self) -> dict[int, frozenset[str] | None]:
        """Schema of an object (of the whole, which stays) → ``_keys_looked_at``."""
        return {}

    @cached_property
    def _needs(self) -> dict[tuple[int, str, str], bool]:
        """Schema of an object, key, and the object → ``needs``."""
        return {}

    def holder(self, error: Error) -> Any:
        """The object or array that has the value at the place of an error."""
        node = self.data
        for token in list(error.absolute_path)[:-1]:
            node = node[token]
        return node

    def above(self, error: Error) -> Schema:
        """The schema of the object that has the member at the place of an error."""
        path = list(error.absolute_schema_path)
        keywords = ("properties", "additionalProperties")
        last = max((index for index, token in enumerate(path) if token in keywords), default=None)
        return {} if last is None else object_schema(self.schema, path[: last + 1])


def _decides(key: str, schema: Schema) -> bool:
    rules = (schema, *schema.get("allOf", ()))
    return any(key in rule.get("if", {}).get("properties", {}) for rule in rules)


def _keys_looked_at(schema: Schema) -> frozenset[str] | None:
    """The keys whose values matter to what a schema demands of an object; None if all may."""
    if not schema.keys() <= _DEMANDING:
        return None
    below = [schema[name] for name in ("if", "then", "else", "not") if name in schema]
    below += (part for name in ("allOf", "anyOf", "oneOf") for part in schema.get(name, ()))
    keys = frozenset(schema.get("properties", ()))
    for part in below:
        part_keys = _keys_looked_at(part) if isinstance(part, dict) else None
        if part_keys is None:
            return None
        keys |= part_keys
    return keys


def _errors(validator: Any, instance: Any) -> set[tuple[Any, ...]]:
    return {
        (tuple(e.path), (tuple(e.schema_path), e.message)) for e in validator.iter_errors(instance)
    }


def branches_of(error: Error) -> list[int]:
    """Indices of ``then`` and ``else`` in the schema path."""
    path = list(error.absolute_schema_path)
    return [index for index, token in enumerate(path) if token in ("then", "else")]


def holder_of(error: Error, branch: int, data: Any) -> tuple[Any, JsonPath]:
    """The object whose condition led to an error, and its path."""
    below = list(error.absolute_schema_path)[branch + 1 :]
    depth = below.count("properties") + below.count("items")
    at = tuple(error.absolute_path)[: len(error.absolute_path) - depth]
    holder = data
    for token in at:
        holder = holder[token]
    return holder, at


def expectations(branches: list[Schema]) -> Iterator[str]:
    """The values and types that the branches of an untagged alternative allow, merged."""
    yield from (json.dumps(value) for value in constants(branches))
    for branch in branches:
        if "type" in branch and "enum" not in branch and "const" not in branch:
            types = branch["type"]
            yield from (TYPE_NAMES[kind] for kind in ([types] if isinstance(types, str) else types))


def constants(branches: list[Schema]) -> Iterator[Any]:
    """The values that the branches of an untagged alternative list."""
    for branch in branches:
        yield from branch.get("enum", ())
        yield from (branch["const"],) if "const" in branch else ()


def tag_of(branches: list[Schema]) -> str | None:
    """The property by whose constant the branches are told apart."""
    for key, rule in branches[0].get("properties", {}).items():
        if "const" in rule and all(
            "const" in branch.get("properties", {}).get(key, {}) for branch in branches
        ):
            return str(key)
    return None


def tags(branches: list[Schema], tag: str) -> list[str]:
    """The values of a tag, in the order of the branches."""
    return [branch["properties"][tag]["const"] for branch in branches]


def meant_branch(context: list[Error]) -> list[Error]:
    """The errors of the branch of an alternative that a value comes closest to.

    That is a branch whose type is right, and of several the one in which the mistake lies deepest.
    """
    branches: dict[object, list[Error]] = {}
    for error in context:
        branches.setdefault(error.schema_path[0], []).append(error)
    fitting = [
        errors
        for errors in branches.values()
        if not any(e.validator in ("type", "enum", "const") and not e.path for e in errors)
    ]
    return max(
        fitting, key=lambda errors: (max(len(e.path) for e in errors), -len(errors)), default=[]
    )


def meant_keys(instance: Mapping[str, Any], schema: Schema) -> dict[str, str]:
    """Unknown key of an object -> the key of its schema that was probably meant.

    An object may have other keys than those of an open schema, so there only a required key can
    have been meant. A key that is there already never is.
    """
    properties = schema.get("properties", {})
    is_closed = schema.get("additionalProperties") is False
    candidates = properties if is_closed else schema.get("required", ())
    absent = {key for key in candidates if key not in instance}
    meant: dict[str, str] = {}
    for key in islice((key for key in instance if key not in properties), MAX_KEYS):
        if absent:
            # If the most similar key is there, nothing says that a less similar one was meant.
            for name in absent.intersection(
                similar(key, dict.fromkeys((*properties, *candidates)))
            ):
                meant[key] = name
                absent.remove(name)
    return meant


def is_misspelt(key: str, instance: Any, schema: Schema) -> bool:
    """True if a closed object has a missing key under another spelling.

    The unknown key is then reported, with the missing one as the suggestion.
    """
    if schema.get("additionalProperties") is not False:
        return False
    return key in meant_keys(instance, schema).values()


def followed(schema: Schema, path: list[Any]) -> tuple[list[Any], Any]:
    """Follow a schema path; jsonschema leaves ``$ref`` and ``if`` out of it."""
    location: list[Any] = []
    node: Any = schema
    for token in path:
        while isinstance(node, dict) and "$ref" in node and token not in node:
            label = node["$ref"].rpartition("/")[2]
            location, node = ["definitions", label], schema["definitions"][label]
        location.append(token)
        node = node[token]
    return location, node


def object_schema(schema: Schema, path: list[Any]) -> Schema:
    """The schema that lists the properties of the object in which an error is.

    ``path`` is the schema path of the error; a condition lists only what it adds.
    """
    above = path[:-1]
    while above[-1:] in (["then"], ["else"]) or above[-2:-1] == ["allOf"]:
        above = above[: -1 if isinstance(above[-1], str) else -2]
    _, node = followed(schema, above)
    while "$ref" in node:
        node = schema["definitions"][node["$ref"].rpartition("/")[2]]
    return node  # type: ignore[no-any-return]
