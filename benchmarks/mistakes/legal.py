"""Which mutants are legal in the version of their file: old versions allow what others forbid.

Our check has no say in it. The draft-07 schema of the version that the file declares decides, by
``jsonschema``, and only for the operators below: what is wrong with their mutants is the shape
alone, which nothing but the schema describes. A time in milliseconds has a legal shape and is still
a mistake, since the format says what the text means.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from evalmark.schemas.files import FILES, bundle
from jsonschema import Draft7Validator

#: Operator → what a version may allow.
OF_SHAPE = {
    "detail_nested": "before 0.2.1, free objects hold values of any type",
    "optional_null": "0.2.0 allows null for the link to samples, and any value for unlisted keys",
    "key_missing": "a free object may have keys that have the names of required ones",
}


def is_legal(kind: str, operator: str, data: Any) -> bool:
    """Whether a mutant is legal in the version that it declares."""
    if operator not in OF_SHAPE or not isinstance(data, dict):
        return False
    schema = f"{kind}-{data.get('schema_version')}"
    return schema in FILES and _validator(schema).is_valid(data)


@cache
def _validator(schema: str) -> Draft7Validator:
    return Draft7Validator(bundle(schema))


def changed(old: Any, new: Any, at: str = "") -> Iterator[str]:
    """The pointers of the values that differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old.keys() & new.keys():
            token = key.replace("~", "~0").replace("/", "~1")
            yield from changed(old[key], new[key], f"{at}/{token}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, pair in enumerate(zip(old, new, strict=True)):
            yield from changed(*pair, f"{at}/{index}")
    elif old != new:
        yield at
