"""Schemas as jsonschema-rs holds them; it walks the same Python objects, several times faster."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
from jsonschema import Draft7Validator, validators

from ._files import Schema, bundle


@cache
def _validator(name: str) -> Any:
    # Formats are no assertions in draft-07, nor with the others.
    return jsonschema_rs.Draft7Validator(bundle(name), validate_formats=False)


def skips_valid_items(schema: Schema) -> Any:
    """A class of ``jsonschema`` validators that walks only the items that jsonschema-rs rejects.

    Most of a large document is its items, and most of them are valid: there is nothing to say of
    them. The errors are those of ``Draft7Validator``.

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
    walk = Draft7Validator.VALIDATORS["items"]
    known: dict[int, Any] = {}

    def items(validator: Any, given: Any, instance: Any, parent: Any) -> Iterator[Any]:
        if not isinstance(given, dict) or not isinstance(instance, list):
            yield from walk(validator, given, instance, parent) or ()
            return
        if id(given) not in known:
            whole = {**given, **definitions}
            known[id(given)] = jsonschema_rs.Draft7Validator(whole, validate_formats=False)
        for index, item in enumerate(instance):
            if not _is_valid(known[id(given)], item):
                yield from validator.descend(item, given, path=index)

    return validators.extend(Draft7Validator, {"items": items})  # type: ignore[no-untyped-call]


def _is_valid(validator: Any, data: Any) -> bool:
    try:
        return bool(validator.is_valid(data))
    except (ValueError, TypeError, OverflowError, UnicodeError):
        return False


def says_yes(name: str, data: Any) -> bool:
    """Whether the data is certainly valid; it is not nested deeper than ``validator`` allows."""
    return _is_valid(_validator(name), data)
