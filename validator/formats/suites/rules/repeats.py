"""What the rules on duplicates share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator


def repeats(keys: Iterable[Hashable]) -> Iterator[tuple[int, int]]:
    """For each repeat of a key, its index and that of the first one."""
    first: dict[Hashable, int] = {}
    for index, key in enumerate(keys):
        if first.setdefault(key, index) != index:
            yield index, first[key]
