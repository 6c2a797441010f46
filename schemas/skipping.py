"""``jsonschema`` validators that visit only the parts that jsonschema-rs rejects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evalmark.schemas.files import Schema
from evalmark.schemas.native import is_valid, validator_of
from evalmark.schemas.ordered import OrderedValidator
from jsonschema import validators


def skips_valid_parts(schema: Schema) -> Any:
    """A class of ``jsonschema`` validators that visits only what jsonschema-rs rejects.

    Most members and items of a document are valid and need no explanation. The errors
    are those of ``OrderedValidator``.

    Args:
        schema: A bundled schema; it is not changed as long as the class is used.
    """
    if id(schema) not in _SKIPPING:
        _SKIPPING[id(schema)] = (schema, _skipping(schema))
    return _SKIPPING[id(schema)][1]


#: Identity of a schema -> the schema (kept alive for that) and its class.
_SKIPPING: dict[int, tuple[Schema, Any]] = {}


def _skipping(schema: Schema) -> Any:
    definitions = {"definitions": schema.get("definitions", {})}
    walk_items = OrderedValidator.VALIDATORS["items"]
    #: Identity of a part of the schema -> the part (kept alive for that) and its validator.
    known: dict[int, tuple[Any, Any]] = {}

    def is_valid_part(part: Any, instance: Any) -> bool:
        if id(part) not in known:
            whole = {**part, **definitions} if isinstance(part, dict) else part
            known[id(part)] = part, validator_of(whole)
        return is_valid(known[id(part)][1], instance)

    def items(validator: Any, given: Any, instance: Any, parent: Any) -> Iterator[Any]:
        if not isinstance(given, dict) or not isinstance(instance, list):
            yield from walk_items(validator, given, instance, parent) or ()
            return
        for index, item in enumerate(instance):
            if not is_valid_part(given, item):
                yield from validator.descend(item, given, path=index)

    def properties(validator: Any, given: Any, instance: Any, _: Any) -> Iterator[Any]:
        if not isinstance(instance, dict):
            return
        for key, part in given.items():
            if key in instance and not is_valid_part(part, instance[key]):
                yield from validator.descend(instance[key], part, path=key, schema_path=key)

    made = {"items": items, "properties": properties}
    return validators.extend(OrderedValidator, made)  # type: ignore[no-untyped-call]
