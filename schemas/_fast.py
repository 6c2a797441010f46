"""Schemas as jsonschema-rs holds them; it walks the same Python objects, several times faster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import jsonschema_rs
from jsonschema import Draft7Validator, validators

from ._files import Schema, bundle


@cache
def _validator(name: str) -> Any:
    # Formats are no assertions in draft-07, nor with the others.
    return jsonschema_rs.Draft7Validator(bundle(name), validate_formats=False)


def skips_valid_parts(schema: Schema) -> Any:
    """A class of ``jsonschema`` validators that walks only what jsonschema-rs rejects.

    Most members and items of a document are valid, and there is nothing to say of them. The errors
    are those of ``Draft7Validator``.

    Args:
        schema: A bundled schema; it is not changed as long as the class is used.
    """
    if id(schema) not in _SKIPPING:
        _SKIPPING[id(schema)] = (schema, _skipping(schema))
    return _SKIPPING[id(schema)][1]


#: Identity of a schema → the schema, which so stays alive, and its class.
_SKIPPING: dict[int, tuple[Schema, Any]] = {}


def _skipping(schema: Schema) -> Any:
    definitions = {"definitions": schema.get("definitions", {})}
    walk_items = Draft7Validator.VALIDATORS["items"]
    #: Identity of a part of the schema → the part, which so stays alive, and its validator.
    known: dict[int, tuple[Any, Any]] = {}

    def is_valid(part: Any, instance: Any) -> bool:
        if id(part) not in known:
            whole = {**part, **definitions} if isinstance(part, dict) else part
            validator = jsonschema_rs.Draft7Validator(whole, validate_formats=False)
            known[id(part)] = part, validator
        return _is_valid(known[id(part)][1], instance)

    def items(validator: Any, given: Any, instance: Any, parent: Any) -> Iterator[Any]:
        if not isinstance(given, dict) or not isinstance(instance, list):
            yield from walk_items(validator, given, instance, parent) or ()
            return
        for index, item in enumerate(instance):
            if not is_valid(given, item):
                yield from validator.descend(item, given, path=index)

    def properties(validator: Any, given: Any, instance: Any, _: Any) -> Iterator[Any]:
        if not isinstance(instance, dict):
            return
        for key, part in given.items():
            if key in instance and not is_valid(part, instance[key]):
                yield from validator.descend(instance[key], part, path=key, schema_path=key)

    made = {"items": items, "properties": properties}
    return validators.extend(Draft7Validator, made)  # type: ignore[no-untyped-call]


def _is_valid(validator: Any, data: Any) -> bool:
    try:
        return bool(validator.is_valid(data))
    except (ValueError, TypeError, OverflowError, UnicodeError):
        return False


def quick_yes(name: str, otherwise: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A function that says yes if jsonschema-rs does, and asks another one if not."""
    validator = _validator(name)
    return lambda data: _is_valid(validator, data) or otherwise(data)


def says_yes(name: str, data: Any) -> bool:
    """Whether the data is certainly valid; it is not nested deeper than ``validator`` allows."""
    return _is_valid(_validator(name), data)
