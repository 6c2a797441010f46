"""Helpers for schemas and errors: what branches allow, which key was meant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from evalmark.validator.explaining.wording import TYPE_NAMES
from evalmark.validator.findings.words import similar


def expectations(branches: list[Mapping[str, Any]]) -> Iterator[str]:
    """What the branches of an untagged alternative allow, merged."""
    yield from (json.dumps(value) for value in constants(branches))
    for branch in branches:
        if isinstance(branch.get("type"), str):
            yield TYPE_NAMES[branch["type"]]


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


def is_misspelt(key: str, instance: Any, schema: Any) -> bool:
    """Whether a closed object has a missing key under another spelling.

    The unknown key is then reported, with the missing one as the suggestion.
    """
    known = schema.get("properties", {})
    if schema.get("additionalProperties") is not False:
        return False
    return any(key in similar(k, known) for k in instance if k not in known)


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
