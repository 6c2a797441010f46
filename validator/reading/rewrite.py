"""Writing new data into an old text: what did not change keeps its characters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any

from evalmark.schemas.errors import ParseRejected
from evalmark.validator.findings.finding import Edit, apply_edits
from evalmark.validator.reading.source import Place, json_members, root
from evalmark.validator.reading.strict_json import parse

#: Comparisons beyond which elements are matched by position.
MOST = 4_000_000


def align(old: Sequence[Any], new: Sequence[Any]) -> Iterator[tuple[int | None, int | None]]:
    """Pairs of indices, in order: None for the old one is an insertion, for the new one a deletion.

    Elements with the same texts go together even if their numbers differ: after an insertion the
    others are often numbered again. What differs more is matched by position between these.
    """
    before, after = [_texts(value) for value in old], [_texts(value) for value in new]
    first = _count_equal(zip(before, after, strict=False))
    end = _count_equal(zip(reversed(before[first:]), reversed(after[first:]), strict=False))
    yield from ((place, place) for place in range(first))
    ends = len(before) - end, len(after) - end
    middle = before[first : ends[0]], after[first : ends[1]]
    for a, b, c, d in _blocks(*middle):
        both = min(b - a, d - c)
        yield from ((first + a + place, first + c + place) for place in range(both))
        yield from ((first + place, None) for place in range(a + both, b))
        yield from ((None, first + place) for place in range(c + both, d))
    yield from ((ends[0] + place, ends[1] + place) for place in range(end))


def _count_equal(pairs: Iterable[tuple[str, str]]) -> int:
    """The number of pairs of equal texts before the first pair of different ones."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _blocks(old: list[str], new: list[str]) -> Iterator[tuple[int, int, int, int]]:
    if len(old) * len(new) > MOST:
        yield 0, len(old), 0, len(new)
        return
    for _, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield a, b, c, d


def _texts(value: object) -> str:
    """A value as text, with all numbers alike."""
    return json.dumps(_without_numbers(value))


def _without_numbers(value: object) -> Any:
    if isinstance(value, dict):
        return sorted((key, _without_numbers(child)) for key, child in value.items())
    if isinstance(value, list):
        return list(map(_without_numbers, value))
    return 0 if isinstance(value, int | float) and not isinstance(value, bool) else value


_INDENT = re.compile(r"[{\[]\r?\n([ \t]+)")


def rewrite(text: str, new: object, old: object = None) -> str:
    """The JSON text with its data replaced by ``new``, and no other character touched.

    Key order, indentation, line ends and the end of the file stay. ``text`` must be valid JSON, and
    ``old`` is its value, if it has been parsed already.
    """
    old = parse(text) if old is None else old
    writer = _Writer(text)
    writer.value(Place(root(text), len(text)), old, new)
    result = apply_edits(text, writer.edits)
    try:
        faithful = _are_identical(parse(result), new)
    except ParseRejected:
        faithful = False
    # If the rewrite does not parse back to the data, correct data matters more than layout.
    return result if faithful else writer.dump(new, 0) + ("\n" if text.endswith("\n") else "")


def _are_identical(left: object, right: object) -> bool:
    """Equality that tells 1 from 1.0 and from true, and sees the order of keys."""
    return bool(left == right) and json.dumps(left) == json.dumps(right)  # most differ at once


class _Writer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.edits: list[Edit] = []
        indent = _INDENT.search(text)
        self.unit = indent.group(1) if indent else None
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.ascii = text.isascii() and "\\u" in text

    def value(self, place: Place, old: object, new: object) -> None:
        if _are_identical(old, new):
            return
        if isinstance(old, dict) and isinstance(new, dict) and self._object(place, old, new):
            return
        if isinstance(old, list) and isinstance(new, list) and self._array(place, old, new):
            return
        self.edits.append(Edit(place.start, place.end, self.dump(new, place.start)))

    def _object(self, place: Place, old: dict[str, Any], new: dict[str, Any]) -> bool:
        """Edit an object member by member; False if the order of keys does not allow it."""
        kept = [key for key in old if key in new]
        added = [key for key in new if key not in old]
        if list(new) != kept + added or not kept:
            return False
        places = dict(json_members(self.text, place.start))
        order = list(places.values())
        last_kept: Place | None = None
        for index, (key, child) in enumerate(places.items()):
            if key in new:
                self.value(child, old[str(key)], new[str(key)])
                last_kept = child
            else:
                self._remove(order, index, is_first=last_kept is None)
        assert last_kept
        for key in added:
            separator = ", "
            if self.unit is not None and "\n" in self.text[place.start : last_kept.key_start]:
                separator = "," + self.newline + self._indent_at(last_kept.key_start)
            member = f"{separator}{json.dumps(key, ensure_ascii=self.ascii)}: "
            self._insert(last_kept.end, member + self.dump(new[key], last_kept.key_start))
        return True

    def _array(self, place: Place, old: list[Any], new: list[Any]) -> bool:
        """Edit an array element by element; False if none of them is left."""
        pairs = list(align(old, new))
        if not any(before is not None and after is not None for before, after in pairs):
            return False
        order = [child for _, child in json_members(self.text, place.start)]
        separator = self._separator(place, order)
        last_kept: Place | None = None
        waiting: list[Any] = []  # insertions before the first element that is kept
        for pair in pairs:
            match pair:
                case None, int(after):
                    if last_kept is None:
                        waiting.append(new[after])
                    else:
                        self._insert(last_kept.end, separator + self._like(last_kept, new[after]))
                case int(before), int(after):
                    last_kept = order[before]
                    lead = [self._like(last_kept, value) + separator for value in waiting]
                    self._insert(last_kept.start, "".join(lead))
                    waiting = []
                    self.value(last_kept, old[before], new[after])
                case int(before), None:
                    self._remove(order, before, is_first=last_kept is None)
        return True

    def _insert(self, at: int, text: str) -> None:
        if text:
            self.edits.append(Edit(at, at, text))

    def _remove(self, order: list[Place], index: int, *, is_first: bool) -> None:
        if is_first:
            self.edits.append(Edit(order[index].first, order[index + 1].first, ""))
        else:
            self.edits.append(Edit(order[index - 1].end, order[index].end, ""))

    def _separator(self, place: Place, order: list[Place]) -> str:
        if len(order) > 1:
            return self.text[order[0].end : order[1].start]
        if self.unit is not None and "\n" in self.text[place.start : order[0].start]:
            return "," + self.newline + self._indent_at(order[0].start)
        return ", "

    def _like(self, neighbor: Place, value: object) -> str:
        """JSON in the style of a neighbor: on one line if that is on one line."""
        old = self.text[neighbor.start : neighbor.end]
        if "\n" in old or old[0] not in "{[":
            return self.dump(value, neighbor.start)
        tight = ": " not in old and ", " not in old
        separators = (",", ":") if tight else (", ", ": ")
        return json.dumps(value, ensure_ascii=self.ascii, separators=separators)

    def dump(self, value: object, at: int) -> str:
        text = json.dumps(value, indent=self.unit, ensure_ascii=self.ascii)
        return text.replace("\n", self.newline + self._indent_at(at))

    def _indent_at(self, at: int) -> str:
        start = self.text.rfind("\n", 0, at) + 1
        line = self.text[start:at]
        return line[: len(line) - len(line.lstrip(" \t"))]
