"""Persistent collections in plain Python, in the place of the package ``rpds`` in a browser.

``referencing`` and ``jsonschema``, which explain invalid records, keep their registries in the
collections of ``rpds-py``. That package is written in Rust, and there is no build of it for
Pyodide on PyPI. What the two use of it is here, and goes into the site as the module ``rpds``; a
test runs both through the same steps. Changes copy, which is slower than ``rpds`` with many
entries: the registry of our schemas has fewer than a hundred.

Nothing of evalmark imports this module.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any


class HashTrieMap(Mapping[Any, Any]):
    """A dictionary that is never changed: each change gives a new one."""

    __slots__ = ("_entries",)

    def __init__(
        self, value: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = (), **named: Any
    ) -> None:
        self._entries: dict[Any, Any] = {**dict(value), **named}

    @classmethod
    def convert(cls, value: Any) -> HashTrieMap:
        """The value itself if it is such a dictionary, or one with its entries."""
        return value if isinstance(value, cls) else cls(value)

    @classmethod
    def fromkeys(cls, keys: Iterable[Any], value: Any = None) -> HashTrieMap:
        """A dictionary in which every key has the same value."""
        return cls(dict.fromkeys(keys, value))

    def __getitem__(self, key: Any) -> Any:
        return self._entries[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return self._entries == dict(other)

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __repr__(self) -> str:
        return f"HashTrieMap({self._entries!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._entries,)

    def insert(self, key: Any, val: Any) -> HashTrieMap:
        """With another entry."""
        return type(self)({**self._entries, key: val})

    def update(self, *others: Any, **named: Any) -> HashTrieMap:
        """With the entries of others."""
        entries = dict(self._entries)
        for mapping in others:
            entries.update(mapping)
        return type(self)({**entries, **named})

    def remove(self, key: Any) -> HashTrieMap:
        """Without a key, which has to be there."""
        if key not in self._entries:
            raise KeyError(key)
        return self.discard(key)

    def discard(self, key: Any) -> HashTrieMap:
        """Without a key."""
        if key not in self._entries:
            return self
        return type(self)({name: value for name, value in self._entries.items() if name != key})


class HashTrieSet(frozenset[Any]):
    """A set that is never changed: each change gives a new one."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"HashTrieSet({{{', '.join(map(repr, self))}}})"

    def insert(self, value: Hashable) -> HashTrieSet:
        """With another value."""
        return type(self)([*self, value])

    def update(self, *others: Iterable[Any]) -> HashTrieSet:
        """With the values of others."""
        return type(self)(self.union(*others))

    def remove(self, value: Hashable) -> HashTrieSet:
        """Without a value, which has to be there."""
        if value not in self:
            raise KeyError(value)
        return self.discard(value)

    def discard(self, value: Hashable) -> HashTrieSet:
        """Without a value."""
        return type(self)(member for member in self if member != value)


class List:
    """A list that is never changed; it grows and shrinks at its front."""

    __slots__ = ("_values",)

    def __init__(self, value: Iterable[Any] = (), *more: Any) -> None:
        self._values: tuple[Any, ...] = (value, *more) if more else tuple(value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __reversed__(self) -> Iterator[Any]:
        return iter(self._values[::-1])

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, List) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    def __repr__(self) -> str:
        return f"List([{', '.join(map(repr, self._values))}])"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._values,)

    @property
    def first(self) -> Any:
        """The first value."""
        if not self._values:
            raise IndexError("empty list has no first element")
        return self._values[0]

    @property
    def rest(self) -> List:
        """All but the first value."""
        return List(self._values[1:])

    def push_front(self, first: Any) -> List:
        """With another value in front."""
        return List((first, *self._values))

    def drop_first(self) -> List:
        """Without the first value."""
        if not self._values:
            raise IndexError("empty list has no first element")
        return self.rest
