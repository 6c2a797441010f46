"""Every value of a record before and after it was made: kept, moved, converted, left out, added.

Of a migration, a value is looked for by its name and place, in words of the versions of the format
and not of the steps. Of results of another program, it is looked for by what it is, whatever the
importer has read: as a text or number of its own, inside a longer text, or as a time in another
unit. What a text of JSON holds is looked for too.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from evalmark.converters.overrides.places import BOUNDS, UNKNOWN
from evalmark.schemas.errors import PLEASE_REPORT, ConversionError
from evalmark.validator.reading.source import make_pointer

if TYPE_CHECKING:
    from evalmark.converters.records.writer import BuiltRecord

#: Keys of an object, and indices of a list.
Path = tuple[str | int, ...]
#: What newer versions call otherwise; a value may always be elsewhere under its own name.
_RENAMED = {
    "leaderboard_name": ("source_name",), "evaluation_source_name": ("source_name",),
    "evaluation_source_type": ("source_type",), "source_data_urls": ("source_data", "url"),
    "source_data": ("url",), "name": ("id",), "inference_engine": ("name",),
}  # fmt: skip
#: Words that newer versions have others for.
_WORDS = {"leaderboard": "documentation", "evaluation_platform": "evaluation_run"}
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


def imported(
    read: Mapping[str, Any], made: Mapping[str, Any], listed: Iterable[str]
) -> Iterator[Leaf]:
    """The fate of each value of results, and the values of records that are from none of them.

    ``listed`` is what importers say they do not carry: ``name /a/*/{b,c}: reason``.
    """
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path, value, _ in _all_of(made):
        places[_text(value)].append(make_pointer(path)[1:])
    whole = "\0".join(places)
    patterns = [*map(_pattern, listed), (re.compile(""), "")]
    known: set[str] = set()
    for path, value in leaves_of(read):
        source, text = f"{path[0]}{make_pointer(path[1:])}", _text(value)
        known.add(text)
        is_whole = isinstance(value, float) and abs(value) < 1e18
        units = map(_text, (int(value), value * 1000, round(value * 1000)) if is_whole else ())
        time = next((places[unit][0] for unit in units if unit in places), "")
        why = next(why for pattern, why in patterns if pattern.match(source))
        why = "it says nothing" if value in (None, {}, []) else why
        if why:
            yield Leaf(LEFT_OUT, source, why=why)
        elif text in places:
            same = (p for p in places[text] if p.rpartition("/")[2] == str(path[-1]))
            yield Leaf(MOVED, source, next(same, places[text][0]))
        elif time or (isinstance(value, str) and text.strip() in whole):
            how = "a time in another unit" if time else "part of a text"
            yield Leaf(CONVERTED, source, time, how)
        else:
            why = _DECIDES.get(str(path[-1]), "it is nowhere in the record")
            yield Leaf(LEFT_OUT, source, why=why)
    for text, pointers in places.items():
        if text not in known:
            yield from (Leaf(ADDED, "", pointer, "made by the importer") for pointer in pointers)


def _text(leaf: Any) -> str:
    return leaf if isinstance(leaf, str) else json.dumps(leaf, ensure_ascii=False)


def _pattern(listed: str) -> tuple[re.Pattern[str], str]:
    """The pattern of a place that an importer lists: ``name /a/*/{b,c}: reason``."""
    where, _, why = listed.partition(": ")
    text = re.escape(where.replace(" ", "", 1)).replace(r"\*", "[^/]+")
    text = re.sub(r"\\\{(.+?)\\\}", lambda keys: f"(?:{keys[1].replace(',', '|')})", text)
    return re.compile(f"{text}(?:/|$)"), why
