"""Every value of a record before and after a conversion: kept, moved, converted, left out, added.

The places and words here are those of the versions of the format, and not those of the steps.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from evalmark.converters.overrides.places import BOUNDS, UNKNOWN
from evalmark.schemas.errors import PLEASE_REPORT, ConversionError
from evalmark.validator.reading.source import make_pointer

#: Keys of an object, and indices of a list.
Path = tuple[str | int, ...]
#: Objects with free keys, where what has no place of its own goes.
_FREE = ("additional_details", "metadata")
#: What is elsewhere in a newer version; ``*`` is every result.
_MOVED: tuple[tuple[Path, Path], ...] = (
    (("interactions",), ("messages",)),
    (("messages",), ("interactions",)),
    (("leaderboard_name",), ("source_metadata", "source_name")),
    (("evaluation_source", "evaluation_source_name"), ("source_metadata", "source_name")),
    (("evaluation_source", "evaluation_source_type"), ("source_metadata", "source_type")),
    (("source_data_urls",), ("source_data",)),
    (("source_data_urls",), ("evaluation_results", "*", "source_data", "url")),
    (("source_data",), ("evaluation_results", "*", "source_data", "url")),
    (("source_data",), ("evaluation_results", "*", "source_data")),
    (("model_info", "name"), ("model_info", "id")),
    (("model_info", "inference_engine"), ("model_info", "inference_engine", "name")),
)
#: Words that newer versions have others for.
_WORDS = {"leaderboard": "documentation", "evaluation_platform": "evaluation_run"}
_TURN = re.compile(r"^(interactions|messages)\[")
#: What versions ask for and a source need not state: key -> what may be written.
_ASKED: dict[str | int, tuple[Any, ...]] = {
    "source_type": ("documentation", "hf_dataset", "url", "other"),
    "format": ("jsonl",),
    **dict.fromkeys(BOUNDS, (None,)),
}
#: What a record says of the file of its samples, which is a new one.
_OF_SAMPLES = {("detailed_evaluation_results", key) for key in ("checksum", "file_path")}
KEPT, MOVED, CONVERTED, LEFT_OUT, ADDED = "kept", "moved", "converted", "left out", "added"


class Leaf(NamedTuple):
    """What has become of a value of a source, or where one of a result is from.

    Attributes:
        fate: ``kept`` in its place, ``moved``, ``converted``, ``left out``, or ``added``.
        source: Its pointer in the source; "" if it is from nowhere in it.
        result: Its pointer in the result; "" if it is nowhere in it.
        why: How it is written there, why it is left out, or where it is from.
    """

    fate: str
    source: str
    result: str = ""
    why: str = ""


def counts(leaves: Iterable[Leaf]) -> Counter[str]:
    """How many values have each fate; one that is in several places counts once."""
    once = {one.source or one.result: one.fate for one in leaves}
    return Counter(once.values())


def leaves_of(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Each value that has no others inside, with its path; empty objects and lists are values."""
    if value and isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves_of(child, (*path, key))
    else:
        yield path, value


class Tracing:
    """A record or a row of samples, and what it has become, value by value.

    Args:
        source: It before the conversion.
        result: It after that.
        supplied: Pointer -> the value that the caller supplies for it; None if there is none.
    """

    def __init__(self, source: Any, result: Any, supplied: Callable[[str], Any]) -> None:
        self.source, self.supplied = source, supplied
        self.old, self.new = dict(leaves_of(source)), dict(leaves_of(result))
        self.texts: dict[tuple[Path, Path], bool] = {}
        self.free: defaultdict[Path, list[Path]] = defaultdict(list)
        for path in self.new:
            for at, key in enumerate(path[:-1], 1):
                if key in _FREE:
                    self.free[path[at:]].append(path)

    def leaves(self) -> Iterator[Leaf]:
        """What has become of each value.

        Raises:
            ConversionError: A value of the source is nowhere, or one of the result from nowhere.
        """
        claimed: set[Path] = set()
        for path, value in self.old.items():
            pointer = make_pointer(path)
            if path in self.new and _is_same(value, self.new[path]):
                claimed.add(path)
                yield Leaf(KEPT, pointer, pointer)
                continue
            found = list(self._found(path, value))
            claimed.update(place for place, _ in found)
            for place, how in found:
                yield Leaf(CONVERTED if how else MOVED, pointer, make_pointer(place), how)
            if not found:
                yield Leaf(LEFT_OUT, pointer, why=self._why(path, value))
        for path in self.new:
            if path not in claimed:
                yield Leaf(ADDED, "", make_pointer(path), self._origin(path))

    def _found(self, path: Path, value: Any) -> Iterator[tuple[Path, str]]:
        """Each place in the result that has a value, and how it is written there if otherwise."""
        for place in self._places(path):
            for exact, note in ((place, ""), ((*place, 0), "a list of one")):
                how = _written(value, self.new[exact]) if exact in self.new else None
                if how is not None:
                    yield exact, note or how
        if path in self.new and (path in _OF_SAMPLES or path[-1] == "schema_version"):
            yield path, "that of the result"
        for end in range(len(path) - 1, 0, -1):
            for place in self._places(path[:end]):
                if self._is_text_of(path[:end], place):
                    yield place, "part of a JSON text"
                    return

    def _is_text_of(self, path: Path, place: Path) -> bool:
        """True if a text of the result is that of an object or list of the source."""
        if isinstance(self.new.get(place), str) and (path, place) not in self.texts:
            value = self.source
            for key in path:
                value = value[key]
            self.texts[path, place] = self.new[place] in _texts(value)
        return self.texts.get((path, place), False)

    def _places(self, path: Path) -> Iterator[Path]:
        """Where a value may be: in its place, moved, or among free values."""
        yield path
        yield (*path, path[-1])  # in the place of free values, one of them
        for old, new in _MOVED:
            if path[: len(old)] == old:
                many = len(self.source.get("evaluation_results", ())) if "*" in new else 1
                for index in range(many):
                    moved = (index if key == "*" else key for key in new)
                    yield (*moved, *path[len(old) :])
        for start in range(len(path)):
            indices = [key for key in path[:start] if isinstance(key, int)]
            for place in self.free.get(path[start:], ()):
                if [key for key in place if isinstance(key, int)][: len(indices)] == indices:
                    yield place

    def _why(self, path: Path, value: Any) -> str:
        """Why a value is not in the result."""
        if value is None or value in ({}, []):
            return "it says nothing"
        if value == UNKNOWN:
            return "it says that something is unknown"
        name = (*path[:-1], "evaluation_name")
        if path[-1] == "evaluation_result_id" and value == self.old.get(name):
            return "it repeats the name"
        raise _wrong(path, value, "would be lost")

    def _origin(self, path: Path) -> str:
        """Where a value of the result is from, if from nowhere in the source."""
        value = self.new[path]
        if self.supplied(make_pointer(path)) is not None:
            return "supplied"
        if value == UNKNOWN or value in (*_ASKED.get(path[-1], ()), {}, []):
            return "asked for, and not stated"
        for other in self.old:
            if path in self._places(other) and _is_same(self.old[other], value):
                return f"a copy of {make_pointer(other)}"
        raise _wrong(path, value, "would be from nowhere")


def _wrong(path: Path, value: Any, what: str) -> ConversionError:
    return ConversionError(f"{make_pointer(path)} {what}: {json.dumps(value)[:60]}", PLEASE_REPORT)


def _is_same(old: Any, new: Any) -> bool:
    return bool(old == new) and isinstance(old, bool) is isinstance(new, bool)


def _texts(value: Any) -> tuple[str, ...]:
    """A value as JSON text, as it is written with and without spaces, and as Python has it."""
    compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return compact, json.dumps(value, ensure_ascii=False), repr(value)


def _written(old: Any, new: Any) -> str | None:
    """How a value is written in a result: "" as it was; None if it is another one."""
    if _is_same(old, new):
        return ""
    if isinstance(old, str) and isinstance(new, str):
        is_turn = _TURN.match(old) and _TURN.sub("", old) == _TURN.sub("", new)
        return "the word of the version" if is_turn or _WORDS.get(old) == new else None
    if isinstance(new, str):
        return "written as text" if new in _texts(old) else None
    if isinstance(old, str | bool) and isinstance(new, int | float) and not isinstance(new, bool):
        with suppress(ValueError):
            return "written as a number" if float(old) == new else None
    return None
