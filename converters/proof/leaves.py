"""Every value of a record before and after it was made: kept, moved, converted, left out, added.

Of a migration, a value is looked for by its name and place, in words of the versions of the format
and not of the steps. Of results of another program, it is looked for by what it is, whatever the
importer has read: as a text or number of its own, inside a longer text, or as a time in another
unit. What a text of JSON holds is looked for too.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path as File
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from evalmark.converters.formats import Syntax
from evalmark.converters.overrides.places import BOUNDS, UNKNOWN
from evalmark.converters.proof.written import READ
from evalmark.schemas.errors import PLEASE_REPORT, ConversionError
from evalmark.validator.io.opening import read_whole
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
#: Bytes of results beyond which no value is looked for.
_LARGE = 1 << 23
#: Names of values of results -> why they decide what is written, and are not written.
_DECIDES = {
    "status": "a log that has not ended is refused",
    "name": "a number of the run, whose name says which it is",
}
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
        self.new: dict[Path, Any] = {}
        self.texts: dict[Path, Path] = {}
        self.named: defaultdict[tuple[str, Path], list[Path]] = defaultdict(list)
        for place, value, text in _all_of(result):
            self.new[place], self.texts[place] = value, text
            name, indices = _name_of(place)
            ends = range(len(indices) + 1)
            for some in {*(indices[:n] for n in ends), *(indices[n:] for n in ends)}:
                self.named[name, some].append(place)

    def leaves(self) -> Iterator[Leaf]:
        """What has become of each value.

        Raises:
            ConversionError: A value of the source is nowhere, or one of the result from nowhere.
        """
        claimed: set[Path] = set()
        for path, value in self.old.items():
            pointer = make_pointer(path)
            found = dict(self._found(path))
            claimed.update(self.texts[place] for place in found)
            for place, how in found.items():
                fate = CONVERTED if how else KEPT if place == path else MOVED
                yield Leaf(fate, pointer, make_pointer(self.texts[place]), how)
            if not found:
                yield Leaf(LEFT_OUT, pointer, why=self._why(path, value))
        for place, text in self.texts.items():
            if place == text and place not in claimed:
                yield Leaf(ADDED, "", make_pointer(place), self._origin(place))

    def _how(self, path: Path, place: Path) -> str | None:
        """How a value of the source is written at a place of the result; None if it is not."""
        if path not in self.old or place not in self.new:
            return None
        how = _written(self.old[path], self.new[place])
        is_whole = how is None or place == self.texts[place]
        return how if is_whole else "part of a JSON text"

    def _found(self, path: Path) -> Iterator[tuple[Path, str]]:
        """Each place in the result that has a value, and how it is written there if otherwise."""
        own = self._how(path, path)
        if own is None and path[-1] in _OWN and path in self.new:
            own = "that of the result"
        for place in self._near(path) if own is None else ():
            how = self._how(path, place)
            if how is not None and self._how(place, place) is None:  # else it is that of another
                is_list = isinstance(place[-1], int) and not isinstance(path[-1], int)
                yield place, how or ("a list of one" if is_list else "")
        if own is not None:
            yield path, own

    def _near(self, path: Path) -> Iterator[Path]:
        """Where a value may be: under its name, or a newer one, in the same entries of lists."""
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
        """Where a value of the result is from, if from nowhere in the source."""
        value = self.new[path]
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
    if is_same(old, new):
        return ""
    if isinstance(old, str) and isinstance(new, str):
        is_turn = _TURN.match(old) and _TURN.sub("", old) == _TURN.sub("", new)
        return "the word of the version" if is_turn or _WORDS.get(old) == new else None
    if isinstance(new, str):
        return "written as text" if new in (_text(old), repr(old)) else None
    if isinstance(old, str | bool) and isinstance(new, int | float) and not isinstance(new, bool):
        with suppress(ValueError):
            return "written as a number" if float(old) == new else None
    return None


def read_of(path: File, data: Any) -> dict[str, Any]:
    """Results of one file or folder, and of samples beside it, by the names of their files.

    Args:
        path: The file or folder.
        data: Its value, if it has been parsed.

    Returns:
        Nothing if they are large, or not of JSON.
    """
    files = sorted(path.glob("*.json")) if path.is_dir() else []
    if path.name.startswith("results"):  # of the LM evaluation harness, with samples beside it
        date = path.stem.removeprefix("results")
        files += sorted(path.parent.glob(f"samples_*{date}.jsonl"))
    if sum(f.stat().st_size for f in (*files, path) if f.is_file()) > _LARGE:
        return {}
    read = {
        file.name: READ[Syntax.of(file.name)](read_whole(file).decode("utf-8-sig"))
        for file in files
    }
    return read if data is None else {path.name: data, **read}


def made_of(built: BuiltRecord) -> dict[str, Any]:
    """A record and its samples, by the names of their files."""
    samples = READ[Syntax.JSONL](b"".join(built.rows).decode())
    named = {built.paths.samples.name: samples} if samples else {}
    return {built.paths.record.name: json.loads(built.text), **named}


def imported(
    read: Mapping[str, Any], made: Mapping[str, Any], listed: Iterable[str]
) -> Iterator[Leaf]:
    """What has become of each value of results, and which of the records are in none of them.

    ``listed`` is what importers say they do not carry: ``name /a/*/{b,c}: reason``.
    """
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path, value, _ in _all_of(made):
        places[_text(value)].append(make_pointer(path)[1:])
    whole = "\0".join(places)
    patterns = [*map(_pattern, listed)]
    known: set[str] = set()
    for path, value in leaves_of(read):
        source, text = make_pointer(path)[1:], _text(value)
        known.add(text)
        time = ""
        if isinstance(value, float) and math.isfinite(value):
            units = map(_text, (int(value), value * 1000, round(value * 1000)))
            time = next((places[unit][0] for unit in units if unit in places), "")
        why = next((why for pattern, why in patterns if pattern.match(source)), "")
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
    """What matches a place that an importer lists: ``name /a/*/{b,c}: reason``."""
    where, _, why = listed.partition(": ")
    text = re.escape(where.replace(" ", "", 1)).replace(r"\*", "[^/]+")
    text = re.sub(r"\\\{(.+?)\\\}", lambda keys: f"(?:{keys[1].replace(',', '|')})", text)
    return re.compile(f"{text}(?:/|$)"), why
