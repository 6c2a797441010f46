"""Schemas compiled by jsonschema-rs, which is several times faster on Python objects."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jsonschema_rs
from evalmark.schemas.files import PARTS, load, read


@cache
def _validator(name: str) -> Any:
    parts = [(document["$id"], document) for document in map(read, PARTS)]
    return validator_of(load(name), registry=jsonschema_rs.Registry(parts))


def validator_of(schema: Any, **how: Any) -> Any:
    """A schema compiled by jsonschema-rs."""
    # `format` is not an assertion in draft-07; the other validators ignore it too.
    return jsonschema_rs.Draft7Validator(schema, validate_formats=False, **how)


def is_valid(validator: Any, data: Any) -> bool:
    """Whether jsonschema-rs accepts the data."""
    try:
        return bool(validator.is_valid(data))
    except (ValueError, TypeError, OverflowError, UnicodeError):
        return False


def quick_yes(name: str, otherwise: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A function that says yes if jsonschema-rs does, and asks another one if not."""
    validator = _validator(name)
    return lambda data: is_valid(validator, data) or otherwise(data)
