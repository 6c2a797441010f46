"""What explaining an error needs: the data, its schema, and questions about both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalmark.validator.explaining.branches import object_schema, walk
from evalmark.validator.explaining.consequences import branches_of, holder_of
from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.reading.pointer import make_pointer

#: Keywords that demand the same of an object with and without a key that is not required.
_OF_MEMBERS = frozenset(
    ("properties", "additionalProperties", "required", "type", "title", "description", "examples")
)
#: Keywords that look at the keys of an object, and at no values but those of named ones.
_DEMANDING = frozenset(
    ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "properties", "required")
) | {"type", "title", "description", "examples"}
#: A ``ValidationError``; the stubs type each of its fields as possibly unset, which none is here.
Error = Any


@dataclass(frozen=True, slots=True)
class Demand:
    """The ``if`` whose ``then`` or ``else`` led to an error.

    Attributes:
        key: The key that it looks at.
        wanted: The value, or the list of values, for which it holds.
        holder: The object that has the key, or lacks it.
        at: Pointer of that object.
    """

    key: str
    wanted: Any
    holder: Mapping[str, Any]
    at: str


@dataclass(frozen=True)
class Context:
    """The data whose mistakes are explained, its (bundled) schema, and a validator of that."""

    data: Any
    schema: Mapping[str, Any]
    validator: Any

    def fits(self, value: Any, part: Any) -> bool:
        """Whether a value is valid under a part of the schema."""
        return bool(self.validator.evolve(schema=part).is_valid(value))

    def resolve(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """A part of the schema, or what it refers to."""
        label = schema.get("$ref", "").rpartition("/")[2]
        resolved: Mapping[str, Any] = self.schema["definitions"][label] if label else schema
        return resolved

    def hit(self, error: Error, message: str = "", **fields: Any) -> Hit:
        """A hit at the place of an error, with the violated keyword in the bundled schema."""
        path, _ = walk(self.schema, list(error.absolute_schema_path))
        at = At(make_pointer(error.absolute_path))
        return Hit(message, at, schema_location=make_pointer(path), **fields)

    def condition(self, error: Error) -> Demand | None:
        """The condition with a value that an error depends on, the innermost one."""
        path = list(error.absolute_schema_path)
        last = max(branches_of(error), default=-1)
        if last < 0 or path[last] != "then":
            return None
        _, parent = walk(self.schema, path[:last])
        holder, at = holder_of(error, last, self.data)
        for key, rule in parent.get("if", {}).get("properties", {}).items():
            if ("const" in rule or "enum" in rule) and isinstance(holder, Mapping):
                wanted = rule.get("const", rule.get("enum"))
                return Demand(key, wanted, holder, make_pointer(at))
        return None

    def needs(self, error: Error) -> bool:
        """Whether the object around the place of an error must have the key that is there."""
        path = list(error.absolute_path)
        if not path or not isinstance(path[-1], str):
            return True
        around = self.above(error)
        if path[-1] in around.get("required", ()):
            return True
        if around.keys() <= _OF_MEMBERS:
            return False
        holder = self.holder(error)
        if _decides(path[-1], around):  # other nulls are removed too: what is demanded then?
            holder = {k: value for k, value in holder.items() if value is not None or k == path[-1]}
        # What the keys of an object demand; most of its values do not matter, and may be many.
        demands = {
            key: around[key] for key in around.keys() - {"properties", "additionalProperties"}
        }
        if id(around) not in self._looked_at:
            self._looked_at[id(around)] = _keys_looked_at(demands)
        keys = self._looked_at[id(around)]
        if keys is not None:
            holder = {key: value if key in keys else None for key, value in holder.items()}
        known = id(around), path[-1], json.dumps(holder)
        if known not in self._needs:
            without = {key: value for key, value in holder.items() if key != path[-1]}
            validator = self.validator.evolve(schema=demands)
            come = _errors(validator, without) - _errors(validator, holder)
            self._needs[known] = any(not at for at, _ in come)
        return self._needs[known]

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

    def above(self, error: Error) -> Mapping[str, Any]:
        """The schema of the object that has the member at the place of an error."""
        path = list(error.absolute_schema_path)
        keywords = ("properties", "additionalProperties")
        last = max((index for index, token in enumerate(path) if token in keywords), default=None)
        return {} if last is None else object_schema(self.schema, path[: last + 1])


def _decides(key: str, schema: Mapping[str, Any]) -> bool:
    """Whether other keys of an object are demanded because of this one."""
    rules = (schema, *schema.get("allOf", ()))
    return any(key in rule.get("if", {}).get("properties", {}) for rule in rules)


def _keys_looked_at(schema: Mapping[str, Any]) -> frozenset[str] | None:
    """The keys whose values matter to what a schema demands of an object; None if all may."""
    if not schema.keys() <= _DEMANDING:
        return None
    below = [schema[name] for name in ("if", "then", "else", "not") if name in schema]
    below += (part for name in ("allOf", "anyOf", "oneOf") for part in schema.get(name, ()))
    keys = frozenset(schema.get("properties", ()))
    for part in below:
        found = _keys_looked_at(part) if isinstance(part, dict) else None
        if found is None:
            return None
        keys |= found
    return keys


def _errors(validator: Any, instance: Any) -> set[tuple[Any, ...]]:
    return {
        (tuple(e.path), (tuple(e.schema_path), e.message)) for e in validator.iter_errors(instance)
    }
