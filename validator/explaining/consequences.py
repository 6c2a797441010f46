"""Which errors only follow from others: one mistake gives one finding.

A condition of a schema (``if``) looks at a key. If that key is missing, misspelt or wrong itself,
the requirements of the condition do not matter: the mistake in the key is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evalmark.validator.explaining.branches import is_misspelt, walk

#: A ValidationError of jsonschema, whose attributes its types leave open.
Error = Any
Path = tuple[str | int, ...]


def independent(errors: list[Error], data: Any, schema: Mapping[str, Any]) -> list[Error]:
    """The errors of a document, or of one branch, that do not only follow from others of them."""
    certain = [e for e in errors if not branches_of(e) and e.validator not in ("not", "contains")]
    wrong = {tuple(e.absolute_path) for e in certain if e.validator != "required"}
    unknown = {
        (*e.absolute_path, key)
        for e in certain
        if e.validator == "additionalProperties"
        for key in e.instance.keys() - e.schema.get("properties", {}).keys()
    }
    return [e for e in errors if not _follows(e, wrong, unknown, data, schema)]


def _follows(
    error: Error, wrong: set[Path], unknown: set[Path], data: Any, schema: Mapping[str, Any]
) -> bool:
    path = tuple(error.absolute_path)
    if error.validator == "not":
        return "then" in error.absolute_schema_path
    if error.validator == "contains" and any(
        at[: len(path)] == path and len(at) > len(path) for at in wrong
    ):
        return True  # an element is wrong; it may be the one that is missing
    if is_key_error(error) and (*path, error.instance) in unknown:
        return True  # reported as an unknown key
    for branch in branches_of(error):
        _, parent = walk(schema, list(error.absolute_schema_path)[:branch])
        holder, at = holder_of(error, branch, data)
        condition = parent.get("if", {})
        keys = {*condition.get("required", ()), *condition.get("properties", {})}
        if any(_is_wrong(key, holder, at, wrong, schema) for key in keys):
            return True
    return False


def _is_wrong(key: str, holder: Any, at: Path, wrong: set[Path], schema: Mapping[str, Any]) -> bool:
    """Whether something else is reported about the key that a condition tests."""
    if not isinstance(holder, Mapping):
        return False
    if key in holder:
        return any(path[: len(at) + 1] == (*at, key) for path in wrong)
    return not at and (key in schema.get("required", ()) or is_misspelt(key, holder, schema))


def is_key_error(error: Error) -> bool:
    """Whether the error is a key that the other keys or values do not allow."""
    return error.validator == "enum" and "propertyNames" in error.absolute_schema_path


def branches_of(error: Error) -> list[int]:
    """Indices of ``then`` and ``else`` in the schema path."""
    path = list(error.absolute_schema_path)
    return [index for index, token in enumerate(path) if token in ("then", "else")]


def holder_of(error: Error, branch: int, data: Any) -> tuple[Any, Path]:
    """The object whose condition led to an error, and its path."""
    below = list(error.absolute_schema_path)[branch + 1 :]
    depth = below.count("properties") + below.count("items")
    at = tuple(error.absolute_path)[: len(error.absolute_path) - depth]
    holder = data
    for token in at:
        holder = holder[token]
    return holder, at
