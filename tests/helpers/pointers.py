"""The values that JSON pointers lead to."""

from __future__ import annotations

import copy
from typing import Any

from evalmark.validator.reading.source import parse_pointer


def value_at(data: Any, pointer: str) -> Any:
    """The value that a pointer leads to."""
    for token in parse_pointer(pointer):
        data = data[int(token)] if isinstance(data, list) else data[token]
    return data


def put(data: Any, pointer: str, value: Any) -> Any:
    """The data with another value; ``...`` takes the member away."""
    data = copy.deepcopy(data)
    key: str | int
    parent, _, key = pointer.rpartition("/")
    node = value_at(data, parent)
    if isinstance(node, list):
        key = int(key)
    if value is ...:
        del node[key]
    else:
        node[key] = value
    return data
