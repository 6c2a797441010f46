"""The values of JSON documents, and the pointers that lead to them."""

import copy
from collections.abc import Iterator
from typing import Any

from evalmark.validator.reading.source import parse_pointer


def value_at(data: Any, pointer: str) -> Any:
    """The value that a pointer leads to."""
    for token in parse_pointer(pointer):
        data = data[int(token)] if isinstance(data, list) else data[token]
    return data


def put(data: Any, pointer: str, value: Any) -> Any:
    """The data with another value, in objects that are made; ``...`` takes the member away."""
    node = data = copy.deepcopy(data)
    key: str | int
    *above, key = parse_pointer(pointer)
    for token in above:
        node = node[int(token)] if isinstance(node, list) else node.setdefault(token, {})
    if isinstance(node, list):
        key = int(key)
    if value is ...:
        del node[key]
    else:
        node[key] = value
    return data


def changed(data: Any, changes: dict[str, Any]) -> Any:
    """The data with other values at some pointers; ``...`` takes what is there away."""
    for pointer, value in changes.items():
        data = put(data, pointer, value)
    return data


def places(node: Any, above: str = "") -> Iterator[tuple[Any, Any, str]]:
    """Holder, key and pointer of every member and element, outer ones first."""
    if isinstance(node, dict | list):
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            pointer = f"{above}/{str(key).replace('~', '~0').replace('/', '~1')}"
            yield node, key, pointer
            yield from places(node[key], pointer)


def values(data: Any) -> Iterator[tuple[str, Any]]:
    """The pointer of every value with the value, that of the whole first."""
    yield "", data
    for holder, key, pointer in places(data):
        yield pointer, holder[key]


def objects(data: Any) -> dict[str, dict[str, Any]]:
    """The objects of a document by their pointers."""
    return {pointer: value for pointer, value in values(data) if isinstance(value, dict)}
