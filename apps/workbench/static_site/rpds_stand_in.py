"""Persistent collections in plain Python, in the place of the package ``rpds``.

``referencing`` and ``jsonschema``, which explain invalid records, keep their registries in the
collections of ``rpds-py``. That package is written in Rust: there is no build of it for Pyodide on
PyPI, and none that fits every machine of ``evalmark.pyz``. What the two use of it is here, and goes
into archives as the module ``rpds``; a test runs both through the same steps. Changes copy, which
is slower with many entries: the registry of our schemas has fewer than a hundred.

Nothing of evalmark imports this module.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any


class HashTrieMap(Mapping[Any, Any]):
    """A dictionary that is never changed: each change gives a new one."""

    __slots__ = ("_entries",)

    def __init__(self, value: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = ()) -> None:
        self._entries = dict(value)

    @classmethod
    def convert(cls, value: Any) -> HashTrieMap:
        """The value itself if it is such a dictionary, or one with its entries."""
        return value if isinstance(value, cls) else cls(value)

    def __getitem__(self, key: Any) -> Any:
        return self._entries[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def insert(self, key: Any, val: Any) -> HashTrieMap:
        """With another entry."""
        return HashTrieMap({**self._entries, key: val})

    def update(self, other: Any) -> HashTrieMap:
        """With the entries of another one."""
        return HashTrieMap({**self._entries, **dict(other)})

    def remove(self, key: Any) -> HashTrieMap:
        """Without a key, which has to be there."""
        entries = dict(self._entries)
        del entries[key]
        return HashTrieMap(entries)


class HashTrieSet(frozenset[Any]):
    """A set that is never changed: each change gives a new one."""

    __slots__ = ()

    def insert(self, value: Hashable) -> HashTrieSet:
        """With another value."""
        return HashTrieSet([*self, value])

    def update(self, other: Iterable[Any]) -> HashTrieSet:
        """With the values of another one."""
        return HashTrieSet(self.union(other))

    def discard(self, value: Hashable) -> HashTrieSet:
        """Without a value."""
        return HashTrieSet(self - {value})


class List(tuple[Any, ...]):
    """A list that is never changed; it grows at its front."""

    __slots__ = ()

    def push_front(self, first: Any) -> List:
        """With another value in front."""
        return List((first, *self))
