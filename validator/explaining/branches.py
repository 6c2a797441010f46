"""Helpers for schemas and errors: what branches allow, which key and which branch was meant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from evalmark.validator.explaining.wording import TYPE_NAMES
from evalmark.validator.findings.words import similar

#: Unknown keys of one object that are examined; one with more is probably something else.
MAX_KEYS = 2000


def expectations(branches: list[Mapping[str, Any]]) -> Iterator[str]:
    """What the branches of an untagged alternative allow, merged."""
    yield from (json.dumps(value) for value in constants(branches))
    for branch in branches:
        if "type" in branch and "enum" not in branch and "const" not in branch:
            types = branch["type"]
            yield from (TYPE_NAMES[kind] for kind in ([types] if isinstance(types, str) else types))


def constants(branches: list[Mapping[str, Any]]) -> Iterator[Any]:
    """The values that the branches of an untagged alternative list."""
    for branch in branches:
        yield from branch.get("enum", ())
        yield from (branch["const"],) if "const" in branch else ()


def tag_of(branches: list[Mapping[str, Any]]) -> str | None:
    """The property by whose constant the branches are told apart."""
    for key, rule in branches[0].get("properties", {}).items():
        if "const" in rule and all(
            "const" in branch.get("properties", {}).get(key, {}) for branch in branches
        ):
            return str(key)
    return None


def tags(branches: list[Mapping[str, Any]], tag: str) -> list[str]:
    """The values of a tag, in the order of the branches."""
    return [branch["properties"][tag]["const"] for branch in branches]


def meant_branch(context: list[Any]) -> list[Any]:
    """The errors of the branch of an alternative that a value comes closest to.

    That is a branch whose type is right, and of several the one in which the mistake lies deepest.
    """
    branches: dict[Any, list[Any]] = {}
    for error in context:
        branches.setdefault(error.schema_path[0], []).append(error)
    fitting = [
        errors
        for errors in branches.values()
        if not any(e.validator in ("type", "enum", "const") and not e.path for e in errors)
    ]
    return max(
        fitting, key=lambda errors: (max(len(e.path) for e in errors), -len(errors)), default=[]
    )


def misspelt(instance: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, str]:
    """Unknown key of an object -> the key of its schema that was probably meant.

    An object may have other keys than those of an open schema, so there only a required key can
    have been meant. A key that is there already never is.
    """
    known = schema.get("properties", {})
    wanted = known if schema.get("additionalProperties") is False else schema.get("required", ())
    absent = {key for key in wanted if key not in instance}
    found: dict[str, str] = {}
    for key in islice((key for key in instance if key not in known), MAX_KEYS):
        if absent:
            # If the most similar key is there, nothing says that a less similar one was meant.
            for name in absent.intersection(similar(key, dict.fromkeys((*known, *wanted)))):
                found[key] = name
                absent.remove(name)
    return found


def is_misspelt(key: str, instance: Any, schema: Any) -> bool:
    """Whether a closed object has a missing key under another spelling.

    The unknown key is then reported, with the missing one as the suggestion.
    """
    if schema.get("additionalProperties") is not False:
        return False
    return key in misspelt(instance, schema).values()


def walk(schema: Mapping[str, Any], path: list[Any]) -> tuple[list[Any], Any]:
    """Follow a schema path; jsonschema leaves ``$ref`` and ``if`` out of it."""
    location: list[Any] = []
    node: Any = schema
    for token in path:
        while isinstance(node, dict) and "$ref" in node and token not in node:
            label = node["$ref"].rpartition("/")[2]
            location, node = ["definitions", label], schema["definitions"][label]
        location.append(token)
        node = node[token]
    return location, node


def object_schema(schema: Mapping[str, Any], path: list[Any]) -> Mapping[str, Any]:
    """The schema that lists the properties of the object in which an error is.

    Args:
        schema: The whole schema.
        path: The schema path of the error. A condition lists only what it adds.
    """
    above = path[:-1]
    while above[-1:] in (["then"], ["else"]) or above[-2:-1] == ["allOf"]:
        above = above[: -1 if isinstance(above[-1], str) else -2]
    _, node = walk(schema, above)
    while "$ref" in node:
        node = schema["definitions"][node["$ref"].rpartition("/")[2]]
    return node  # type: ignore[no-any-return]
