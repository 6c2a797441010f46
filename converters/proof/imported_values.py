"""Every value of another program's results: where it is in the records that were made of them.

Values are compared by columns, which are the values under one name in all rows: what a column of
the results holds is first looked for in columns of the records with the same name, then in all. A
value may be under another name, inside a text of JSON or a longer text, or a time in another unit.
The place of each value is found only for those who ask for a list.
"""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import accumulate, chain
from typing import Any, NamedTuple

from evalmark.converters.proof.leaves import (
    ADDED,
    CONVERTED,
    LEFT_OUT,
    MOVED,
    TIMES,
    Leaf,
    leaf_text,
    leaves_of,
    texts_for,
)
from evalmark.validator.format import JsonPath
from evalmark.validator.reading.source import make_pointer

#: Names of values of results -> why they decide what is written, and are not written.
_DECIDES = {
    "status": "a log that has not ended is refused",
    "name": "a number of the run, whose name says which it is",
}
#: Values that say nothing, as texts.
_SILENT = frozenset(map(leaf_text, (None, {}, [])))
#: Places with equal values of which the one that is most like the source is listed.
_COMPARED = 12
#: A row in the name of a piece of results.
_ROW = re.compile(r"(?<=[/:])\d+")
#: Texts that may be written otherwise: numbers, times, truth values.
_MAY_DIFFER = re.compile(
    r"[\d\s.,:+\-_eTZW]+|\s*[-+]?(?:inf|infinity|nan)\s*|yes|no|true|false", re.IGNORECASE
)
_SLASH = re.compile("/")
#: Names under which a time may be in another unit than in the results.
_TIME = re.compile("time|_ms$|latency|duration")
_TRUTHS = ("\1true", "\1false")
_WORD = re.compile(r"[^\W_]+")


class Found(NamedTuple):
    """A text of results in a column of the records: as it is written there, and why so."""

    column: ValueColumn
    text: str | None  # None: as in the results
    how: str = ""


class ValueColumn:
    """The values under one name, in all rows, entries of lists, and records."""

    def __init__(self, path: tuple[str, ...] = (), *, is_inside: bool = False) -> None:
        self.path, self.is_inside = path, is_inside
        self.name = next((key for key in reversed(path) if key != "*"), "").rpartition(".")[2]
        self.words = frozenset(_WORD.findall(" ".join(path)))
        self.below: dict[str, ValueColumn] = {}
        self.texts: Counter[str] = Counter()
        self.values: list[Any] = []
        self.parsed: dict[str, Any] = {}  # texts of JSON
        self.inside: ValueColumn | None = None  # what they hold
        self.found: dict[str, Found] = {}  # of results: text -> where it is
        self.added: set[str] = set()  # of records: texts that are from nowhere in the results

    def child(self, key: str) -> ValueColumn:
        """The column of a member; entries of lists share one."""
        key = "*" if key.isdecimal() else key
        if (column := self.below.get(key)) is None:
            column = self.below[key] = ValueColumn((*self.path, key), is_inside=self.is_inside)
        return column

    def add(self, values: list[Any], *, parses: bool) -> None:
        """Take in the values of many rows; with ``parses`` also what texts of JSON hold."""
        types = {type(item) for item in values}
        plain = values
        if types & {dict, list}:
            plain = [item for item in values if not item or type(item) not in (dict, list)]
        self.values += plain
        if parses and str in types:
            self._parse(plain)
        for keys, objects in _by_keys(values).items() if dict in types else ():
            for key in keys:
                self.child(key).add([item[key] for item in objects], parses=parses)
        lists = [item for item in values if type(item) is list] if list in types else []
        if entries := [*chain.from_iterable(lists)]:
            self.child("0").add(entries, parses=parses)

    def _parse(self, values: list[Any]) -> None:
        found = []
        for text in values:
            if type(text) is str and text[:1] in ("[", "{"):
                with suppress(ValueError):
                    if inner := json.loads(text):
                        self.parsed[text] = inner
                        found.append(inner)
        if found:
            self.inside = self.inside or ValueColumn(self.path, is_inside=True)
            self.inside.add(found, parses=True)

    def take(self, missing: dict[str, Any], other: ValueColumn) -> None:
        """Find texts in another column, and take them out of those that are missing."""
        if same := missing.keys() & other.texts.keys():
            self.found.update(dict.fromkeys(same, Found(other, None)))
            for text in same:
                del missing[text]

    def likeness(self, other: ValueColumn) -> int:
        """How many words the names have in common."""
        return len(self.words & other.words)

    def columns(self) -> Iterator[ValueColumn]:
        """This column and all below it and inside it."""
        yield self
        for column in (*self.below.values(), *filter(None, [self.inside])):
            yield from column.columns()

    def walk(self, value: Any, path: JsonPath, whole: JsonPath = ()) -> Iterator[_Placed]:
        """Each value with its column and place, and that of the text of JSON that it is in."""
        if isinstance(value, dict | list) and value:
            for key, member in value.items() if isinstance(value, dict) else enumerate(value):
                yield from self.child(str(key)).walk(member, (*path, key), whole)
        else:
            yield self, path, leaf_text(value), whole or path
            if self.inside and isinstance(value, str) and value in self.parsed:
                yield from self.inside.walk(self.parsed[value], path, whole or path)


def _by_keys(values: Iterable[Any]) -> dict[tuple[str, ...], list[dict[str, Any]]]:
    alike: defaultdict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for value in values:
        if value and type(value) is dict:
            alike[tuple(value)].append(value)
    return alike


_Placed = tuple[ValueColumn, JsonPath, str, JsonPath]


class Importing:
    """Results of another program and the records that were made of them, by the names of files.

    ``read`` has file and pointer -> value, ``made`` has file -> record or rows of samples, and
    ``left_out`` the places of what the importer does not carry, and why.
    """

    def __init__(
        self, read: Mapping[str, Any], made: Mapping[str, Any], left_out: Mapping[str, str]
    ) -> None:
        self.read, self.made, self.left_out = read, made, left_out
        #: How many values have each fate; one of the results counts once.
        self.counts: Counter[str] = Counter()
        self._known: set[str] = set()  # what the results say, however it may be written
        self._times: set[str] = set()  # the same in another unit
        self._make_columns()
        for column in self.results.columns():
            self._find(column)
        for column in self.records.columns():
            if not column.is_inside:
                column.added = self._from_nowhere(column)
                self.counts[ADDED] += sum(map(column.texts.__getitem__, column.added))

    def _result(self, place: str) -> ValueColumn:
        return self.results.child(_ROW.sub("*", place))

    def _record(self, name: str) -> ValueColumn:
        return self.records.child(f".{name.rpartition('.')[2]}")

    def _make_columns(self) -> None:
        self.results, self.records, not_carried = ValueColumn(), ValueColumn(), ValueColumn()
        for column, values in self._values_read(not_carried).items():
            column.add(values, parses=False)
        for name, value in self.made.items():
            self._record(name).add([value], parses=True)
        self._find_texts_of_records()
        for column in not_carried.columns():
            self.counts[LEFT_OUT] += len(column.values)
            self._know(dict(zip(map(leaf_text, column.values), column.values, strict=True)))

    def _values_read(self, not_carried: ValueColumn) -> dict[ValueColumn, list[Any]]:
        """The values that were read by their columns; one column has all that are left out."""
        parts: defaultdict[ValueColumn, list[Any]] = defaultdict(list)
        # Only what is not carried, and what it is in, is looked at value by value.
        above = {place[: at.start()] for place in self.left_out for at in _SLASH.finditer(place)}

        def take(place: str, value: Any, column: ValueColumn) -> None:
            if place in self.left_out:
                parts[not_carried].append(value)
            elif place in above and isinstance(value, dict | list):
                for key, member in value.items() if isinstance(value, dict) else enumerate(value):
                    take(place + make_pointer((key,)), member, column.child(str(key)))
            else:
                parts[column].append(value)

        for place, value in self.read.items():
            take(place, value, self._result(place))
        return parts

    def _find_texts_of_records(self) -> None:
        self._columns: defaultdict[str, list[ValueColumn]] = defaultdict(list)  # by text
        self._named: defaultdict[str, list[ValueColumn]] = defaultdict(list)
        for column in sorted(self.records.columns(), key=lambda c: c.is_inside):
            column.texts = Counter(map(leaf_text, column.values))
            self._named[column.name].append(column)
            for text in column.texts:
                self._columns[text].append(column)
        self._texts = [*self._columns]
        self._starts = [*accumulate((len(text) + 1 for text in self._texts), initial=0)]
        self._whole = "\0".join(self._texts)

    def _know(self, values: Mapping[str, Any]) -> None:
        """Note every text that says the same as a value, but for times in another unit."""
        self._known |= values.keys()
        for value in values.values():
            if type(value) is not str:
                self._known.update(texts_for(value))
                self._times.update(texts_for(value, *TIMES))
            elif _MAY_DIFFER.fullmatch(value):
                self._known.update(texts_for(value, *TIMES))

    def _find(self, column: ValueColumn) -> None:
        """Find each text of a column: under its name, elsewhere, or as a part of another text."""
        texts = [*map(leaf_text, column.values)]
        column.texts = Counter(texts)
        missing = dict(zip(texts, column.values, strict=True))
        self._know(missing)
        for text in _SILENT & missing.keys():
            del missing[text]
        named = sorted(self._named[column.name], key=column.likeness, reverse=True)
        for namesake in named:
            column.take(missing, namesake)
        if named:
            self._find_otherwise(column, missing, named)
        self._find_elsewhere(column, missing)
        self._find_otherwise(column, missing, None)
        self._find_parts(column, missing)
        for text, count in column.texts.items():
            self.counts[_fate(text, column.found.get(text))] += count

    def _find_elsewhere(self, column: ValueColumn, missing: dict[str, Any]) -> None:
        """Find texts in the columns that are most like theirs, all those of a column at once."""
        for text in [*missing]:
            if text in missing and (columns := self._columns.get(text)):
                column.take(missing, self._likeliest(column, columns, missing[text]))

    def _find_otherwise(
        self, column: ValueColumn, missing: dict[str, Any], named: Sequence[ValueColumn] | None
    ) -> None:
        for text, value in [*missing.items()]:
            if type(value) is str and not _MAY_DIFFER.fullmatch(value):
                continue
            for other, how in texts_for(value, *TIMES).items():
                columns = self._columns.get(other, [])
                if some := [c for c in columns if named is None or c in named]:
                    likeliest = self._likeliest(column, some, value)
                    column.found[text] = Found(likeliest, other, how)
                    self._known.add(other)
                    del missing[text]
                    break

    def _likeliest(
        self, column: ValueColumn, columns: Sequence[ValueColumn], value: Any
    ) -> ValueColumn:
        def likeness(other: ValueColumn) -> tuple[int, bool]:
            return column.likeness(other), isinstance(value, float) and other.name == "score"

        return max(columns, key=likeness)

    def _find_parts(self, column: ValueColumn, missing: dict[str, Any]) -> None:
        at = 0
        for text, value in missing.items():
            if type(value) is str and (part := value.strip()):
                # Rows are in one order: the next part is behind the last one, if not before it.
                at = max(at, 0)
                if (at := self._whole.find(part, at)) < 0:
                    at = self._whole.find(part)
                if at >= 0:
                    whole = self._texts[bisect(self._starts, at) - 1]
                    column.found[text] = Found(self._columns[whole][0], whole, "part of a text")
                    self._known.add(whole)

    def _from_nowhere(self, column: ValueColumn) -> set[str]:
        unknown = column.texts.keys() - self._known
        if unknown and _TIME.search(column.name):
            unknown -= self._times
        if column.inside is not None and unknown:
            inside = [part for part in column.inside.columns() if part.texts.keys() - self._known]
            if not inside:
                return unknown - column.parsed.keys()
            return {text for text in unknown if not self._is_known_inside(column.parsed.get(text))}
        return unknown

    def _is_known_inside(self, value: Any) -> bool:
        return value is not None and all(leaf_text(v) in self._known for _, v in leaves_of(value))

    def leaves(self) -> Iterator[Leaf]:
        """The fate of each value, and the values of the records that are from none of them."""
        places: defaultdict[tuple[ValueColumn, str], list[JsonPath]] = defaultdict(list)
        in_rows: dict[tuple[ValueColumn, str, str], JsonPath] = {}
        added: list[Leaf] = []
        for name, value in self.made.items():
            for column, path, text, whole in self._record(name).walk(value, (name,)):
                places[column, text].append(path)
                in_rows.setdefault((column, text, _row(path)), path)
                if path == whole and text in column.added:
                    added.append(Leaf(ADDED, "", _pointer(path), "made by the importer"))
        for name, value in self.read.items():
            for column, path, text, _ in self._result(name).walk(value, (name,)):
                found, left = column.found.get(text), self._why_left_out(path)
                if left or found is None:
                    why = "it says nothing" if _is_silent(text) else left or _why_nowhere(path)
                    yield Leaf(LEFT_OUT, _pointer(path), why=why)
                    continue
                there = found.text or text
                here = places[found.column, there][:_COMPARED]
                in_row = in_rows.get((found.column, there, _row(path)))
                place = in_row or max(here, key=partial(_shared_words, path))
                is_sure = in_row and found.column.name == column.name and _row(path)
                why = _how_converted(text, found) or (
                    "" if is_sure else self._doubt(column, found, there)
                )
                yield Leaf(_fate(text, found), _pointer(path), _pointer(place), why)
        yield from added

    def _doubt(self, column: ValueColumn, found: Found, text: str) -> str:
        """Why a place may not be that of a value; "" if there is no other under its name."""
        is_named = found.column.name == column.name
        named = (peer for peer in self._columns[text] if not is_named or peer.name == column.name)
        count = sum(peer.texts[text] for peer in named)
        if count > 1:
            return f"one of {count:,} places with this value"
        return "" if is_named else "under another name"

    def _why_left_out(self, path: JsonPath) -> str:
        """Why the importer does not carry a value; "" if it does."""
        above = accumulate(_pointer(path).split("/"), "{}/{}".format)
        return next(filter(None, map(self.left_out.get, above)), "") if self.left_out else ""


def _fate(text: str, found: Found | None) -> str:
    return LEFT_OUT if found is None else CONVERTED if _how_converted(text, found) else MOVED


def _how_converted(text: str, found: Found) -> str:
    """How a text is written in the records; "" if as in the results."""
    if found.how or (found.column.is_inside and found.text in (None, text)):
        return found.how or "part of a JSON text"
    if found.text in (None, text):
        return ""
    if not found.text.startswith("\1"):
        return "written as text"
    return f"written as a {'truth value' if found.text in _TRUTHS else 'number'}"


def _is_silent(text: str) -> bool:
    return text in _SILENT or not text.strip()


def _why_nowhere(path: JsonPath) -> str:
    return _DECIDES.get(str(path[-1]), "it is nowhere in the record")


def _pointer(path: JsonPath) -> str:
    return f"{path[0]}{make_pointer(path[1:])}"


def _row(path: JsonPath) -> str:
    keys = (str(key) for key in path[1:] if isinstance(key, int) or key.isdecimal())
    row = _ROW.search(str(path[0]))
    return row[0] if row else next(keys, "")


def _shared_words(path: JsonPath, place: JsonPath) -> int:
    return len(_words(path) & _words(place))


@lru_cache(10_000)
def _words(path: JsonPath) -> frozenset[str]:
    return frozenset(_WORD.findall(" ".join(map(str, path))))
