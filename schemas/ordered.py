"""``jsonschema`` with errors in the order of the document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

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


OrderedValidator: Any = validators.extend(  # type: ignore[no-untyped-call]
    Draft7Validator, {"additionalProperties": _additional}
)
