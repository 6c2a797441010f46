"""Every value of a record before and after it was made: kept, moved, converted, left out, added.

Of a migration, a value is looked for by its name and place, in words of the versions of the format
and not of the steps. Of results of another program, it is looked for by what it is, whatever the
importer has read: as a text or number of its own, inside a longer text, or as a time in another
unit. What a text of JSON holds is looked for too.
"""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from evalmark.converters.overrides.places import BOUNDS, UNKNOWN
from evalmark.schemas.errors import PLEASE_REPORT, ConversionError
from evalmark.validator.reading.source import make_pointer

if TYPE_CHECKING:
    from evalmark.converters.records.writer import BuiltRecord

#: Keys of an object, and indices of a list.
Path = tuple[str | int, ...]
#: What a value of results is looked for by: as a text, and its name and row, or "" for any.
Mark = tuple[str, str, str]
#: What newer versions call otherwise; a value may always be elsewhere under its own name.
_RENAMED = {
    "leaderboard_name": ("source_name",), "evaluation_source_name": ("source_name",),
    "evaluation_source_type": ("source_type",), "source_data_urls": ("source_data", "url"),
    "source_data": ("url",), "name": ("id",), "inference_engine": ("name",),
}  # fmt: skip
#: Words that newer versions have others for.
_WORDS = {"leaderboard": "documentation", "evaluation_platform": "evaluation_run"}
#: Characters that no number, word or time has.
_SHORT = 40
#: Places with equal values of which the one that is called most alike is listed.
_COMPARED = 50
#: The first index of a pointer.
_INDEX = re.compile(r"/(\d+)(?=/|$)")
_TURN = re.compile(r"^(interactions|messages)\[")
#: What versions ask for and a source need not state: key -> what may be written.
_ASKED: dict[str | int, tuple[Any, ...]] = {
    "source_type": ("documentation", "hf_dataset", "url", "other"),
    "format": ("jsonl",),
    **dict.fromkeys(BOUNDS, (None,)),
}
#: What a record says of itself and of the file of its samples, which is a new one.
_OWN = ("schema_version", "checksum", "file_path")
#: Names of values of results -> why they decide what is written, and are not written.
_DECIDES = {
    "status": "a log that has not ended is refused",
    "name": "a number of the run, whose name says which it is",
}
KEPT, MOVED, CONVERTED, LEFT_OUT, ADDED = "kept", "moved", "converted", "left out", "added"


class Leaf(NamedTuple):
    """The fate of a value of a source, or the origin of a value of a result.

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


def _all_of(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any, Path]]:
    """Each value of a result, and those inside of a text of JSON; the last path is the text's."""
    for at, leaf in leaves_of(value, path):
        yield at, leaf, at
        if isinstance(leaf, str) and leaf[:1] in ("[", "{"):
            with suppress(ValueError):
                inner = _all_of(json.loads(leaf), at)
                yield from ((place, one, at) for place, one, _ in inner if place != at)


class Tracing:
    """A record or a row of samples, and what it has become, value by value.

    Args:
        source: It before the conversion.
        result: It after that.
        supplied: Pointer -> the value that the caller supplies for it; None if there is none.
    """

    def __init__(self, source: Any, result: Any, supplied: Callable[[str], Any]) -> None:
        self.old, self.supplied = dict(leaves_of(source)), supplied
        self.new = {place: (value, text) for place, value, text in _all_of(result)}
        self.named: defaultdict[tuple[str, Path], list[Path]] = defaultdict(list)
        for place in self.new:
            name, indices = _name_of(place)
            ends = range(len(indices) + 1)
            for some in {*(indices[:n] for n in ends), *(indices[n:] for n in ends)}:
                self.named[name, some].append(place)

    def leaves(self) -> Iterator[Leaf]:
        """The fate of each value.

        Raises:
            ConversionError: A value of the source is nowhere, or one of the result from nowhere.
        """
        claimed: set[Path] = set()
        for path, value in self.old.items():
            pointer, found = make_pointer(path), self._found(path)
            for place, how in found.items():
                text = self.new[place][1]
                claimed.add(text)
                fate = CONVERTED if how else KEPT if place == path else MOVED
                yield Leaf(fate, pointer, make_pointer(text), how)
            if not found:
                yield Leaf(LEFT_OUT, pointer, why=self._why(path, value))
        for place, (_, text) in self.new.items():
            if place == text and place not in claimed:
                yield Leaf(ADDED, "", make_pointer(place), self._origin(place))

    def _how(self, path: Path, place: Path) -> str | None:
        """How a value of the source is written at a place of the result; None if it is not."""
        if path not in self.old or place not in self.new:
            return None
        value, text = self.new[place]
        how = _written(self.old[path], value)
        if how is None:
            return "that of the result" if place == path and path[-1] in _OWN else None
        if not how and isinstance(place[-1], int) and not isinstance(path[-1], int):
            how = "a list of one"
        return how if place == text else "part of a JSON text"

    def _found(self, path: Path) -> dict[Path, str]:
        """Each place in the result that has a value, and how it is written there if otherwise."""
        how = self._how(path, path)
        if how is not None:
            return {path: how}
        free = [place for place in self._near(path) if self._how(place, place) is None]
        found = {place: self._how(path, place) for place in free}
        return {place: how for place, how in found.items() if how is not None}

    def _near(self, path: Path) -> Iterator[Path]:
        """Places of a value: under its name, or a newer one, in the same entries of lists."""
        name, indices = _name_of(path)
        for each in (name, *_RENAMED.get(name, ())):
            for place in self.named.get((each, indices), ()):
                if path[0] != place[0] or _name_of(place)[1][: len(indices)] == indices:
                    yield place

    def _why(self, path: Path, value: Any) -> str:
        """Why a value is not in the result."""
        is_id = path[-1] == "evaluation_result_id"
        reasons = {
            "it says nothing": value in (None, {}, []),
            "it says that something is unknown": value == UNKNOWN,
            "it repeats the name": is_id and value == self.old.get((*path[:-1], "evaluation_name")),
        }
        why = next((why for why, holds in reasons.items() if holds), "")
        return why or _refuse(path, value, "would be lost")

    def _origin(self, path: Path) -> str:
        """The origin of a value of the result that is from nowhere in the source."""
        value = self.new[path][0]
        if self.supplied(make_pointer(path)) is not None:
            return "supplied"
        if value == UNKNOWN or value in (*_ASKED.get(path[-1], ()), {}, []):
            return "asked for, and not stated"
        for other, stated in self.old.items():
            if is_same(stated, value) and path in self._near(other):
                return f"a copy of {make_pointer(other)}"
        return _refuse(path, value, "would be from nowhere")


def _name_of(path: Path) -> tuple[str, Path]:
    """The last key of a path, and the indices of entries in it."""
    name = next((key for key in reversed(path) if isinstance(key, str)), "")
    return name, tuple(key for key in path if isinstance(key, int))


def _refuse(path: Path, value: Any, what: str) -> NoReturn:
    raise ConversionError(f"{make_pointer(path)} {what}: {json.dumps(value)[:60]}", PLEASE_REPORT)


def is_same(old: Any, new: Any) -> bool:
    """True if two values are equal; 1 is not true."""
    return bool(old == new) and isinstance(old, bool) is isinstance(new, bool)


def _written(old: Any, new: Any) -> str | None:
    """How a value is written in a result: "" as it was; None if it is another one."""
    is_text, number = isinstance(old, str), None
    with suppress(ValueError):
        number = float(old) if isinstance(old, str | bool) else None
    ways = {
        "": is_same(old, new),
        "the word of the version": is_text
        and isinstance(new, str)
        and (_TURN.sub("", old) == _TURN.sub("", new) or _WORDS.get(old) == new),
        "written as text": not is_text and new in (_text(old), repr(old)),
        "written as a number": number is not None and is_same(number, new),
    }
    return next((how for how, holds in ways.items() if holds), None)


def made_of(built: BuiltRecord) -> dict[str, Any]:
    """A record and its samples, by the names of their files."""
    samples = [json.loads(line) for line in b"".join(built.rows).splitlines()]
    named = {built.paths.samples.name: samples} if samples else {}
    return {built.paths.record.name: json.loads(built.text), **named}


class Importing:
    """Records that were made of results: where each value of these is."""

    def __init__(self, made: Mapping[str, Any]) -> None:
        self.marked: defaultdict[Mark, list[str]] = defaultdict(list)
        self.known, self.holders = set[str](), set[str]()
        for path, value, text in _all_of(made):
            pointer = make_pointer(path)[1:]
            if text != path:  # of a text of JSON, each value is listed
                self.holders.add(make_pointer(text)[1:])
            row = str(path[1]) if isinstance(path[1], int) else ""
            for mark in _marks(path, row, _text(value)):
                self.marked[mark].append(pointer)
        self.texts = [text for text, name, row in self.marked if not name + row]
        self.starts = [*accumulate((len(text) + 1 for text in self.texts), initial=0)]
        self.whole = "\0".join(self.texts)

    def leaves(self, read: Mapping[str, Any], left_out: Mapping[str, str]) -> Iterator[Leaf]:
        """The fate of each value of results, and the values of records that are from none of them.

        ``left_out`` has the places of what importers do not carry, and why.
        """
        for path, value in leaves_of(read):
            source = f"{path[0]}{make_pointer(path[1:])}"
            above = accumulate(source.split("/"), "{}/{}".format) if left_out else ()
            why = next(filter(None, map(left_out.get, above)), "")
            yield self._leaf(path, source, value, why)
        for text in self.texts:
            for pointer in self.marked[text, "", ""] if text not in self.known else ():
                if pointer not in self.holders:
                    yield Leaf(ADDED, "", pointer, "made by the importer")

    def _leaf(self, path: Path, source: str, value: Any, why: str) -> Leaf:
        """The fate of a value, which is left out if it says ``why``."""
        text, others = _text(value), [*_others(value)]
        self.known.update((text, *(other for other, _ in others if isinstance(value, str))))
        if value in (None, {}, []):
            return Leaf(LEFT_OUT, source, why="it says nothing")
        for other, how in ((text, ""), *others) if not why else ():
            if place := self._place(path, source, other):
                self.known.add(other)
                pointer, whose = place
                return Leaf(CONVERTED if how else MOVED, source, pointer, how or whose)
        at = self.whole.find(text.strip()) if isinstance(value, str) and text.strip() else -1
        if at >= 0 and not why:
            whole = self.texts[bisect(self.starts, at) - 1]
            return Leaf(CONVERTED, source, self.marked[whole, "", ""][0], "part of a text")
        otherwise = _DECIDES.get(str(path[-1]), "it is nowhere in the record")
        return Leaf(LEFT_OUT, source, why=why or (otherwise if text.strip() else "it says nothing"))

    def _place(self, path: Path, source: str, text: str) -> tuple[str, str] | None:
        """The place that a text has under the name that is most like it, and how sure that is."""
        row = found[1] if (found := _INDEX.search(source)) else ""
        mark = next((mark for mark in _marks(path, row, text) if mark in self.marked), None)
        if mark is None:
            return None
        places = self.marked[mark]
        if len(places) == 1:
            return places[0], "" if mark[1] else "under another name"
        alike = max(places[:_COMPARED], key=partial(_alike, source))
        return alike, f"one of {len(places):,} places with this value"


def _marks(path: Path, row: str, text: str) -> list[Mark]:
    """What a value is looked for by, the surest first; a name may be behind others and a dot."""
    name = _name_of(path)[0].rpartition(".")[2]
    return [(text, each, at) for each in (name, "") for at in dict.fromkeys((row, ""))]


def _others(value: Any) -> Iterator[tuple[str, str]]:
    """Other ways to write a value, each as a text, and what it is then."""
    time = "a time in another unit"
    if isinstance(value, float) and abs(value) < 1e18:
        units = (int(value), value * 1000, round(value * 1000))
        yield from ((_text(unit), time) for unit in units if unit)
    if isinstance(value, str) and len(value) < _SHORT:
        word = {"yes": "true", "no": "false"}.get(value.lower(), value.lower())
        if word in ("true", "false"):
            yield word, "written as a truth value"
        with suppress(ValueError):
            yield _text(float(value)), "written as a number"
        with suppress(ValueError, OverflowError):
            moment = datetime.fromisoformat(value)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            yield str(int(moment.timestamp())), time


def _alike(one: str, other: str) -> int:
    """How many characters at their ends two pointers share."""
    ends = zip(reversed(one), reversed(other), strict=False)
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], ends))


def _text(leaf: Any) -> str:
    return leaf if isinstance(leaf, str) else json.dumps(leaf, ensure_ascii=False)
