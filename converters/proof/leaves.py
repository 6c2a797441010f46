"""Every value of a record before and after it was made: kept, moved, converted, left out, added.

Values are looked for by their text. Each has to be under its name, or the one that newer versions
have for it, in the same entries of lists: in words of the versions of the format and not of the
steps. What a text of JSON holds is looked for too.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import chain
from typing import Any, NamedTuple

from evalmark.converters.overrides.places import BOUNDS
from evalmark.converters.proof.predictions import refuse
from evalmark.converters.records.run import UNKNOWN
from evalmark.validator.format import JsonPath
from evalmark.validator.reading.source import make_pointer

#: A value as text, the name it is under, and the entries of lists that it is in. The path of a
#: result begins with the name of its file.
_Mark = tuple[str, str, JsonPath]
#: Newer names of keys; a value may always be elsewhere under its own name.
_RENAMED = {
    "leaderboard_name": ("source_name",), "evaluation_source_name": ("source_name",),
    "evaluation_source_type": ("source_type",), "source_data_urls": ("source_data", "url"),
    "source_data": ("url",), "name": ("id",), "inference_engine": ("name",),
}  # fmt: skip
#: Words that newer versions have others for.
_WORDS = {"leaderboard": "documentation", "evaluation_platform": "evaluation_run"}
_TURN = re.compile(r"^(?:interactions|messages)\[")
#: Keys that versions ask for and a source need not state -> what may be written.
_ASKED: dict[str | int, tuple[Any, ...]] = {
    "source_type": ("documentation", "hf_dataset", "url", "other"),
    "format": ("jsonl",),
    **dict.fromkeys(BOUNDS, (None,)),
}
#: Keys by which a record describes itself and its file of samples, which is a new one.
_OWN = ("schema_version", "checksum", "file_path")
KEPT, MOVED, CONVERTED, LEFT_OUT, ADDED = "kept", "moved", "converted", "left out", "added"


class Leaf(NamedTuple):
    """The fate of a value of a source, or the origin of a value of a result.

    Attributes:
        fate: ``kept`` in its place, ``moved``, ``converted``, ``left out``, or ``added``.
        source: Its pointer in the source; "" if it is from nowhere in it.
        result: Its pointer in the result, also inside a text of JSON; "" if it is nowhere in it.
        why: How it is written there, why it is left out, or where it is from.
    """

    fate: str
    source: str
    result: str = ""
    why: str = ""


def leaves_of(value: Any, path: JsonPath = ()) -> Iterator[tuple[JsonPath, Any]]:
    """Each value that has no others inside, with its path; empty objects and lists are values."""
    if value and isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves_of(child, (*path, key))
    else:
        yield path, value


def _all_of(value: Any, path: JsonPath = ()) -> Iterator[tuple[JsonPath, Any, JsonPath]]:
    """Each value of a result, and those inside of a text of JSON; the last path is the text's."""
    for at, leaf in leaves_of(value, path):
        yield at, leaf, at
        if isinstance(leaf, str) and leaf[:1] in ("[", "{"):
            with suppress(ValueError):
                inner = _all_of(json.loads(leaf), at)
                yield from ((place, leaf, at) for place, leaf, _ in inner if place != at)


class Tracing:
    """A record or a row of samples, and what it has become, value by value.

    ``supplied`` has the value of a pointer that the caller supplies; None if there is none.
    """

    def __init__(self, source: Any, result: Any, supplied: Callable[[str], Any]) -> None:
        self.old, self.supplied = dict(leaves_of(source)), supplied
        self.new = {at: (value, text, make_pointer(at)) for at, value, text in _all_of(result)}
        self.places: defaultdict[_Mark, list[JsonPath]] = defaultdict(list)
        for place, (value, *_) in self.new.items():
            name, indices = _name_and_indices(place)
            ends = range(len(indices) + 1)
            for entries in {*(indices[:n] for n in ends), *(indices[n:] for n in ends)}:
                self.places[leaf_text(value), name, entries].append(place)

    def leaves(self) -> Iterator[Leaf]:
        """The fate of each value, and the values of the result that are from none of them.

        A ConversionError if a value of the source is nowhere, or one of the result from nowhere.
        """
        claimed: set[JsonPath] = set()
        for path, value in self.old.items():
            pointer, here = make_pointer(path), self._here(path)
            found = self._nearby_places(path) if here is None else {path: here}
            is_left_out = True
            for place, how in found.items():
                if place != path and self._here(place) is not None:
                    continue  # another value is there in its own place
                new, text, at = self.new[place]
                claimed.add(text)
                inside = "part of a JSON text" if place != text else ""
                why = how or _how_written(value, new) or inside
                is_left_out = False
                yield Leaf(CONVERTED if why else KEPT if place == path else MOVED, pointer, at, why)
            if is_left_out:
                yield Leaf(LEFT_OUT, pointer, why=self._why_missing(path, value))
        for place, (value, text, at) in self.new.items():
            if place == text and place not in claimed:
                yield Leaf(ADDED, "", at, self._origin(place, value))

    def _here(self, path: JsonPath) -> str | None:
        """How a value is written in its own place; None if it is not there."""
        if path not in self.old or path not in self.new:
            return None
        how = texts_for(self.old[path], *_VERSIONS).get(leaf_text(self.new[path][0]))
        return "that of the result" if how is None and path[-1] in _OWN else how

    def _nearby_places(self, path: JsonPath) -> dict[JsonPath, str]:
        """Places under the name of a value, or a newer one, in the same entries of lists."""
        name, indices = _name_and_indices(path)
        names, near = (name, *_RENAMED.get(name, ())), dict[JsonPath, str]()
        for text, how in texts_for(self.old[path], *_VERSIONS).items():
            for place in chain(*(self.places.get((text, name, indices), ()) for name in names)):
                is_one = isinstance(place[-1], int) and not isinstance(path[-1], int)
                if path[0] != place[0] or _name_and_indices(place)[1][: len(indices)] == indices:
                    near.setdefault(place, "a list of one" if is_one else how)
        return near

    def _why_missing(self, path: JsonPath, value: Any) -> str:
        is_id = path[-1] == "evaluation_result_id"
        reasons = {
            "it says nothing": value in (None, {}, []),
            "it says that something is unknown": value == UNKNOWN,
            "it repeats the name": is_id and value == self.old.get((*path[:-1], "evaluation_name")),
        }
        why = next((why for why, holds in reasons.items() if holds), "")
        return why or refuse(f"{make_pointer(path)} would be lost: {json.dumps(value)[:60]}")

    def _origin(self, place: JsonPath, value: Any) -> str:
        if self.supplied(make_pointer(place)) is not None:
            return "supplied"
        if value == UNKNOWN or value in (*_ASKED.get(place[-1], ()), {}, []):
            return "asked for, and not stated"
        for other, stated in self.old.items():
            if is_same(stated, value) and place in self._nearby_places(other):
                return f"a copy of {make_pointer(other)}"
        return refuse(f"{make_pointer(place)} would be from nowhere: {json.dumps(value)[:60]}")


def _name_and_indices(path: JsonPath) -> tuple[str, JsonPath]:
    name = next((key for key in reversed(path) if isinstance(key, str)), "")
    return name, tuple(key for key in path if isinstance(key, int))


def is_same(old: Any, new: Any) -> bool:
    """True if two values are equal; 1 is not true."""
    return bool(old == new) and isinstance(old, bool) is isinstance(new, bool)


def leaf_text(leaf: Any) -> str:
    """A value as text; equal numbers have the same one, and what is not a text is marked."""
    if isinstance(leaf, str):
        return leaf
    if type(leaf) is int:
        return f"\1{leaf}"
    is_whole = isinstance(leaf, float) and leaf.is_integer()
    return f"\1{json.dumps(int(leaf) if is_whole else leaf)}"


def _how_written(old: Any, new: Any) -> str:
    """How a value is written that says the same; "" if as before."""
    kinds = {str: "written as text", bool: "written as a truth value"}
    return "" if is_same(old, new) else kinds.get(type(new), "written as a number")


def _second(value: str) -> str:
    moment = datetime.fromisoformat(value)
    return str(int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()))


#: Values of a type, a text that may be written for one, and what it is called if that has another
#: meaning than the value has as it is.
_Way = tuple[type, Callable[[Any], str], str]
_TRUTHS = {"yes": True, "no": False, "true": True, "false": False}
_WAYS: tuple[_Way, ...] = (
    (object, leaf_text, ""),
    (object, str, ""),
    (str, lambda word: leaf_text(_TRUTHS[word.lower()]), ""),
    (str, lambda number: leaf_text(float(number)), ""),
)
_WORD, _UNIT = "the word of the version", "a time in another unit"
_VERSIONS: tuple[_Way, ...] = (
    (bool, lambda truth: leaf_text(int(truth)), ""),
    (str, _WORDS.__getitem__, _WORD),
    (str, partial(_TURN.sub, "interactions["), _WORD),
    (str, partial(_TURN.sub, "messages["), _WORD),
)
TIMES: tuple[_Way, ...] = (
    (float, lambda seconds: leaf_text(int(seconds) or seconds), _UNIT),
    (float, lambda seconds: leaf_text(seconds * 1000), _UNIT),
    (float, lambda seconds: leaf_text(round(seconds * 1000)), _UNIT),
    (str, _second, _UNIT),
)


def texts_for(value: Any, *others: _Way) -> Mapping[str, str]:
    """Each text that may be written for a value, and what it is called."""
    plain = isinstance(value, str | int | float | bool | None)
    return _ways_of_plain(value, *others) if plain else _each_way(value, *others)


def _each_way(value: Any, *others: _Way) -> Mapping[str, str]:
    texts: dict[str, str] = {}
    for kind, conversion, how in (*_WAYS, *others):
        if isinstance(value, kind):
            with suppress(LookupError, OverflowError, ValueError):
                for text in (marked := conversion(value), marked.removeprefix("\1")):
                    texts.setdefault(text, how)
    return texts


#: Values of rows repeat; 1, 1.0 and true are different ones.
_ways_of_plain = lru_cache(100_000, typed=True)(_each_way)
