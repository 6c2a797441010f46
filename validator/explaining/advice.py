"""What a schema rejects, and what the format of the file can say about it beyond its schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evalmark.validator.findings.finding import Hit

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """What a schema rejects, explained.

    Attributes:
        rule: The name of the rule that it breaks, or its code.
        hit: What is wrong and where.
    """

    rule: str
    hit: Hit


@dataclass(frozen=True, slots=True)
class Demand:
    """The ``if`` whose ``then`` or ``else`` led to an error.

    Attributes:
        key: The key that it looks at.
        wanted: The value, or the list of values, for which it holds.
        holder: The object that has the key, or lacks it.
        at: Pointer of that object.
    """

    key: str
    wanted: Any
    holder: Mapping[str, Any]
    at: str


@dataclass(frozen=True)
class Advice:
    """What a format knows about its keys and its schema does not say; by itself, nothing.

    Attributes:
        rules: Key → the rule that is broken if a condition demands the key and it is missing, or if
            the key tells alternatives apart and its value is unknown.
        spellings: How else people write a value, in lower case → the value.
        forms: Pattern of the schema → what it asks for, in words.
    """

    rules: Mapping[str, str] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)
    forms: Mapping[str, str] = field(default_factory=dict)

    def instead(self, key: str, value: Any) -> tuple[str, ...] | None:
        """What to write instead of a value; None if that is what the schema accepts."""
        del key, value
        return None

    def usual(self, data: Any, path: Path) -> tuple[str, ...]:
        """What is usual at a place whose value cannot be read as one that the schema accepts."""
        del data, path
        return ()

    def demanded(self, data: Any, demand: Demand, keys: list[str]) -> tuple[str, ...]:
        """What to add for missing keys that the value of another one demands."""
        del data, demand, keys
        return ()

    def undecided(self, data: Any, demand: Demand) -> tuple[str, ...]:
        """What to add for the missing key of a condition."""
        del data, demand
        return ()


PLAIN = Advice()
