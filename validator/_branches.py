"""The branches of a ``oneOf`` or ``anyOf``: what tells them apart, and what they ask for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ._wording import TYPE_NAMES


def expectations(branches: list[Mapping[str, Any]]) -> Iterator[str]:
    """What the branches of an untagged alternative ask for, merged."""
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
