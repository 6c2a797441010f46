"""What an operator is, and the mistakes that any JSON file can have."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

#: Makes one mistake in the data, in place; False if there is no room for it. Its name and the first
#: line of its docstring are its entry in the table. A mistake is one that a careful reader of the
#: file, and of the files that belong to it, could see: a number mistyped as another plausible
#: number is none.
Operator = Callable[[Any, random.Random], bool]


def holders(node: Any, *keys: str) -> Iterator[dict[str, Any]]:
    """All objects that have all of the keys, in the order of the file."""
    if isinstance(node, dict):
        if all(key in node for key in keys):
            yield node
        for value in node.values():
            yield from holders(value, *keys)
    elif isinstance(node, list):
        for value in node:
            yield from holders(value, *keys)


def one(found: Iterable[Any], r: random.Random) -> Any:
    """One of them; None if there are none."""
    listed = list(found)
    return r.choice(listed) if listed else None


def rename(holder: dict[str, Any], old: str, new: str) -> bool:
    """Rename a key where it is."""
    members = [(new if key == old else key, value) for key, value in holder.items()]
    holder.clear()
    holder.update(members)
    return True


def put(holder: Any, key: Any, value: Any) -> bool:
    """Another value at a key that is there; False if it is the same."""
    if holder is None or (type(holder[key]) is type(value) and holder[key] == value):
        return False
    holder[key] = value
    return True


def misspelt(word: str, r: random.Random) -> str:
    """A letter left out, doubled or swapped with the next."""
    at = r.randrange(max(1, len(word) - 1))
    ways = [word[:at] + word[at + 1 :], word[: at + 1] + word[at:]]
    if at + 1 < len(word) and word[at] != word[at + 1]:
        ways.append(word[:at] + word[at + 1] + word[at] + word[at + 2 :])
    return r.choice([way for way in ways if way and way != word] or [word + "x"])


def named(name: str, change: Operator) -> Operator:
    """An operator with its entry in the table."""
    change.__name__ = name
    return change


def camel(word: str) -> str:
    """``region_number`` as ``regionNumber``."""
    first, *rest = word.split("_")
    return first + "".join(part.capitalize() for part in rest)


def key_missing(*keys: str) -> Operator:
    """An operator that leaves out one of the keys."""

    def missing(data: Any, r: random.Random) -> bool:
        """A key that the format asks for is missing."""
        found = [(holder, key) for key in keys for holder in holders(data, key)]
        if not found:
            return False
        holder, key = r.choice(found)
        del holder[key]
        return True

    return named("key_missing", missing)


def key_misspelt(*keys: str) -> Operator:
    """An operator that misspells one of the keys."""

    def misspelt_key(data: Any, r: random.Random) -> bool:
        """A key is misspelt, or written in camel case."""
        key = r.choice(keys)
        holder = one(holders(data, key), r)
        if holder is None:
            return False
        new = camel(key) if "_" in key and r.random() < 0.3 else misspelt(key, r)
        return new not in holder and rename(holder, key, new)

    return named("key_misspelt", misspelt_key)
