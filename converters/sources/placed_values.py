"""Values of results with their places: what is missing or of the wrong type is said with both.

A ``Node`` also knows which of its members were asked for. What was not is carried as text
(``rest``), or listed as not carried (``skip``): so nothing is lost without a word.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeGuard, TypeVar

from evalmark.converters.overrides.table_keys import generalized
from evalmark.converters.step import as_text, spaced
from evalmark.schemas.errors import ConversionError
from evalmark.validator.io.escaping import shown
from evalmark.validator.reading.source import Source, make_pointer

T = TypeVar("T")
#: Marks a member that must be there.
REQUIRED: Any = object()
#: Characters of a value that a message shows.
_SHOWN = 60
#: Bytes of results beyond which their values are not kept for a proof, which says so.
_LARGE = 1 << 25


class Pieces(dict[str, Any]):
    """File and pointer -> the value that has been read there; nothing if there are many.

    ``left_out`` has the place of each value that is not carried, and why; ``room`` is how many
    bytes more may be kept.
    """

    def __init__(self, room: int = _LARGE) -> None:
        super().__init__()
        self.room = room
        self.left_out: dict[str, str] = {}

    @property
    def are_too_many(self) -> bool:
        """True if values have been given up, so that nothing can be proved by them."""
        return self.room < 0

    def keep(self, place: str, value: Any, size: int) -> None:
        """Keep a value that is so long in its file."""
        self.room -= size
        self[place] = value
        if self.are_too_many:
            self.clear()

    def leave(self, place: str, why: str) -> None:
        """Keep the place of a value that is not carried."""
        if not self.are_too_many:
            self.left_out[place] = why


class Account(Counter[str]):
    """Files and pointers with how many values of them are not carried, and why.

    ``pieces`` is what has been read, for those who ask for it.
    """

    def __init__(self, pieces: Pieces | None = None) -> None:
        super().__init__()
        self.pieces = Pieces(-1) if pieces is None else pieces


@dataclass(frozen=True, slots=True)
class Piece:
    """The file that values come from, or a piece of it."""

    name: str  # what messages call the file
    text: str = ""  # its JSON, to find positions; "" if there is none
    line: int = 1  # line at which the text begins
    column: int = 1  # column at which it begins
    at: str = ""  # pointer of the piece in the file
    kind: str = ""  # what lists call all files of its kind; "" if it is the only one
    source: Source | None = None  # what finds positions in it, if it is not JSON
    #: Files and pointers with how many values of them are not carried, and why.
    left_out: Account = field(default_factory=Account)

    def holding(self, value: Any, size: int = 0) -> Node:
        """The value of the piece, which has just been read; ``size`` is its own without a text."""
        self.left_out.pieces.keep(f"{self.name}{self.at}", value, size or len(self.text))
        return Node(value, self)

    def place(self, pointer: str) -> str:
        """``name line:column pointer``, as far as they are known."""
        source = Source(self.name, self.text) if self.text else self.source
        span = source.value_span(pointer) if source else None
        at = ""
        if span is not None:
            first = span.line == 1
            at = f":{self.line + span.line - 1}:{span.column + (self.column - 1 if first else 0)}"
        return f"{self.name}{at} {self.at}{pointer}".rstrip()


class Node:
    """A value and its place."""

    __slots__ = ("_asked", "origin", "pointer", "value")

    def __init__(self, value: Any, origin: Piece, pointer: str = "") -> None:
        self.value = value
        self.origin = origin
        self.pointer = pointer
        self._asked: set[str] = set()

    def fail(self, message: str) -> NoReturn:
        """Refuse the file because of this value."""
        raise ConversionError(f"{self.origin.place(self.pointer)}: {message}")

    def wrong(self, expected: str) -> NoReturn:
        """Refuse the file because this value is not what it should be."""
        text = shown(spaced(self.value))
        text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        self.fail(f"expected {expected}, found {text}")

    @property
    def fields(self) -> dict[str, Any]:
        """The members of an object, as they are."""
        if not isinstance(self.value, dict):
            self.wrong("an object")
        return self.value

    def has(self, key: str) -> bool:
        """True if a member says something: it is there, and is not null."""
        return self.fields.get(key) is not None

    def at(self, key: str, otherwise: object = REQUIRED) -> Node:
        """A member of an object; one with the value ``otherwise`` if it is missing or null."""
        member = self.seen(key, otherwise)
        self._asked.add(key)
        return member

    def seen(self, key: str, otherwise: object = REQUIRED) -> Node:
        """``at`` for a member that is carried too: it is not asked for by this."""
        value = self.fields.get(key)
        if value is None:
            if otherwise is REQUIRED:
                self.fail(f"`{shown(key)}` is missing")
            value = otherwise
        return Node(value, self.origin, self.pointer + make_pointer((key,)))

    def _typed(
        self, key: str, otherwise: object, expected: str, fits: Callable[[Any], bool]
    ) -> Any:
        node = self.at(key, otherwise)
        if node.value is not otherwise and not fits(node.value):
            node.wrong(expected)
        return node.value

    def text(self, key: str, otherwise: T = REQUIRED) -> str | T:
        """A member that is a string."""
        value: str | T = self._typed(key, otherwise, "a string", lambda v: isinstance(v, str))
        return value

    def number(self, key: str, otherwise: T = REQUIRED) -> float | T:
        """A member that is a finite number."""
        value: float | T = self._typed(key, otherwise, "a number", is_number)
        return value

    def whole(self, key: str, otherwise: T = REQUIRED) -> int | T:
        """A member that is an integer."""
        value: int | T = self._typed(key, otherwise, "an integer", lambda v: type(v) is int)
        return value

    def flag(self, key: str, otherwise: T = REQUIRED) -> bool | T:
        """A member that is true or false."""
        value: bool | T = self._typed(
            key, otherwise, "true or false", lambda v: isinstance(v, bool)
        )
        return value

    def plain(self, key: str) -> Any:
        """A member, whatever it is; None if it is missing."""
        return self.at(key, None).value

    def each(self, key: str, otherwise: object = REQUIRED) -> Iterator[Node]:
        """The entries of a member that is a list."""
        return self.at(key, otherwise).entries()

    def entries(self) -> Iterator[Node]:
        """The entries of a list."""
        if not isinstance(self.value, list):
            self.wrong("a list")
        for index, value in enumerate(self.value):
            yield Node(value, self.origin, f"{self.pointer}/{index}")

    def members(self) -> Iterator[tuple[str, Node]]:
        """The members of an object, all of them asked for."""
        for key in self.fields:
            yield key, self.at(key, None)

    def names(self) -> list[str]:
        """The keys of an object; they are not asked for by this."""
        return list(self.fields)

    def left(self) -> dict[str, Any]:
        """The members that were not asked for and say something."""
        left = {key: value for key, value in self.fields.items() if key not in self._asked}
        self._asked.update(left)
        return {key: value for key, value in left.items() if leaves(value)}

    def rest(self, prefix: str = "") -> dict[str, str]:
        """``left`` as a map of strings: nested values are compact JSON, so carried whole."""
        return {f"{prefix}{key}": as_text(value) for key, value in self.left().items()}

    def again(self, key: str) -> None:
        """Ask for a member as if it had not been asked for: it is carried only in part."""
        self._asked.discard(key)

    def skip(self, *keys: str, why: str) -> None:
        """Do not carry members, and list them."""
        count = sum(self.at(key, None).left_out(why) for key in keys)
        named = "".join(make_pointer((key,)) for key in keys)
        if len(keys) > 1:
            named = f"/{{{named[1:].replace('/', ',')}}}"
        self._list(named, count, why)

    def skip_all(self, *, why: str, file: str = "") -> None:
        """Do not carry this value; ``file`` is the name for all files of its kind."""
        self._list("", self.left_out(why), why, file)

    def left_out(self, why: str) -> int:
        """How many values this is, which is not carried; lists do not have it yet."""
        self.origin.left_out.pieces.leave(f"{self.origin.name}{self.origin.at}{self.pointer}", why)
        return leaves(self.value)

    def _list(self, named: str, count: int, why: str, file: str = "") -> None:
        if count:
            place = generalized(f"{self.origin.at}{self.pointer}")
            name = file or self.origin.kind or self.origin.name
            self.origin.left_out[f"{name} {place}{named}: {why}"] += count


def is_number(value: object) -> TypeGuard[float]:
    """True if a value is a finite number."""
    return type(value) is int or (type(value) is float and math.isfinite(value))


def leaves(value: object) -> int:
    """The number of values inside a value: null and empty objects and lists say nothing."""
    if isinstance(value, dict):
        return sum(map(leaves, value.values()))
    if isinstance(value, list):
        return sum(map(leaves, value))
    return int(value is not None)
