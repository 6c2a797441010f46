"""``jsonschema`` with errors in the order of the document, and what was slow if time is up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from evalmark.schemas.errors import TimeIsUp
from jsonschema import Draft7Validator, validators

_ANY_ORDER = Draft7Validator.VALIDATORS["additionalProperties"]


def _additional(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """``additionalProperties`` of ``jsonschema`` walks a set, whose order changes by process."""
    if not isinstance(wanted, dict) or not isinstance(instance, dict):
        yield from _ANY_ORDER(validator, wanted, instance, schema) or ()
        return
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for key, value in instance.items():
        if key not in known and not any(re.search(pattern, key) for pattern in patterns):
            yield from validator.descend(value, wanted, path=key)


def _naming(keyword: str, rule: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    """A keyword with regular expressions, which can take for ever: it is named if time is up."""

    def checked(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[Any]:
        try:
            yield from rule(validator, wanted, instance, schema) or ()
        except TimeIsUp as up:
            raise up if up.keyword else TimeIsUp(keyword, schema) from None

    return checked


_OF_DRAFT = Draft7Validator.VALIDATORS
OrderedValidator: Any = validators.extend(  # type: ignore[no-untyped-call]
    Draft7Validator,
    {
        "additionalProperties": _naming("additionalProperties", _additional),
        "pattern": _naming("pattern", _OF_DRAFT["pattern"]),
        "patternProperties": _naming("patternProperties", _OF_DRAFT["patternProperties"]),
    },
)
