"""``jsonschema`` validators for explanations: errors in the order of the document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from evalmark.schemas.backend import is_valid, validator_of
from evalmark.schemas.files import Schema
from jsonschema import Draft7Validator, validators

_ANY_ORDER = Draft7Validator.VALIDATORS["additionalProperties"]


def _additional(validator: Any, allowed: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """``additionalProperties`` of ``jsonschema`` walks a set, whose order changes by process."""
    if not isinstance(allowed, dict) or not isinstance(instance, dict):
        yield from _ANY_ORDER(validator, allowed, instance, schema) or ()
        return
    properties, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for key, value in instance.items():
        if key not in properties and not any(re.search(pattern, key) for pattern in patterns):
            yield from validator.descend(value, allowed, path=key)


OrderedValidator: Any = validators.extend(  # type: ignore[no-untyped-call]
    Draft7Validator, {"additionalProperties": _additional}
)


def skips_valid_parts(schema: Schema) -> Any:
    """A class of ``jsonschema`` validators that visits only what jsonschema-rs rejects.

    The errors are those of ``OrderedValidator``. ``schema`` is bundled, and does not change while
    the class is used.
    """
    if id(schema) not in _SKIPPING:
        _SKIPPING[id(schema)] = (schema, _skipping(schema))
    return _SKIPPING[id(schema)][1]


#: Identity of a schema -> the schema (kept alive for that) and its class.
_SKIPPING: dict[int, tuple[Schema, Any]] = {}


class _Skipping:
    def __init__(self, schema: Schema) -> None:
        self._definitions = {"definitions": schema.get("definitions", {})}
        self._walk_items = OrderedValidator.VALIDATORS["items"]
        #: Identity of a part of the schema -> the part (kept alive for that) and its validator.
        self._known: dict[int, tuple[Any, Any]] = {}

    def _is_valid(self, part: Any, instance: Any) -> bool:
        entry = self._known.get(id(part))
        if entry is None:
            whole = {**part, **self._definitions} if isinstance(part, dict) else part
            entry = self._known[id(part)] = part, validator_of(whole)
        return is_valid(entry[1], instance)

    def items(self, validator: Any, parts: Any, instance: Any, parent: Any) -> Iterator[Any]:
        if not isinstance(parts, dict) or not isinstance(instance, list):
            yield from self._walk_items(validator, parts, instance, parent) or ()
            return
        for index, item in enumerate(instance):
            if not self._is_valid(parts, item):
                yield from validator.descend(item, parts, path=index)

    def properties(self, validator: Any, parts: Any, instance: Any, _: Any) -> Iterator[Any]:
        if not isinstance(instance, dict):
            return
        for key, part in parts.items():
            if key in instance and not self._is_valid(part, instance[key]):
                yield from validator.descend(instance[key], part, path=key, schema_path=key)

    def all_of(self, validator: Any, parts: Any, instance: Any, _: Any) -> Iterator[Any]:
        for index, part in enumerate(parts):
            if not self._is_valid(part, instance):
                yield from validator.descend(instance, part, schema_path=index)

    def condition(self, validator: Any, part: Any, instance: Any, around: Any) -> Iterator[Any]:
        branches = [name for name in ("then", "else") if name in around]
        if all(self._is_valid(around[name], instance) for name in branches):
            return  # whether the condition holds or not
        # Only the yes of jsonschema-rs counts.
        holds = self._is_valid(part, instance) or validator.evolve(schema=part).is_valid(instance)
        branch = "then" if holds else "else"
        if branch in around:
            yield from validator.descend(instance, around[branch], schema_path=branch)


def _skipping(schema: Schema) -> Any:
    kw = _Skipping(schema)
    made = {"items": kw.items, "properties": kw.properties, "allOf": kw.all_of, "if": kw.condition}
    return validators.extend(OrderedValidator, made)  # type: ignore[no-untyped-call]
