"""The texts of a suite as one table: item × condition × region, and the words in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from evalmark.validator.findings.finding import At
from evalmark.validator.formats.suites.suite import Condition, Item, Region, Suite

#: Fewer items show no habit.
LEAST_ITEMS = 4
#: Fewer items say nothing about what one of them does that is legal everywhere.
MANY_ITEMS = 8
#: Condition -> region number -> text; with single spaces where regions are joined with spaces.
RegionTexts = Mapping[str, Mapping[int, str]]
#: A word: letters and digits, and the marks between them.
WORD = re.compile(r"\w+(?:['’&,.-]\w+)*")


#: Articles of languages that do not double other words to intensify or multiply them.
ARTICLES = frozenset(
    (
        "the", "a", "an", "der", "die", "das", "ein", "le", "la", "les", "un", "une", "el", "los",
        "het", "een", "il",
    )
)  # fmt: skip


@dataclass(slots=True)
class TextCell:
    """A text of a suite, and where it is. Not frozen, since a suite has thousands."""

    item: Item  # its item
    condition: Condition  # its condition
    region: Region  # its region
    row: int  # the number of the item, from 0
    column: int  # the number of the condition in the item, from 0
    index: int  # the number of the region in the condition, from 0
    text: str  # the text itself
    #: The text with single spaces, where spaces in it are not the only ones of a sentence.
    plain: str

    @property
    def sentence(self) -> tuple[int, int]:
        """Its item and its condition, from 0."""
        return self.row, self.column

    @property
    def before(self) -> tuple[str, ...]:
        """The texts before it in the sentence that are not empty."""
        return tuple(filter(str.strip, self.condition.contents[: self.index]))

    @property
    def after(self) -> tuple[str, ...]:
        """The texts after it in the sentence that are not empty."""
        return tuple(filter(str.strip, self.condition.contents[self.index + 1 :]))

    @property
    def pointer(self) -> str:
        """The pointer of its region."""
        return f"/items/{self.row}/conditions/{self.column}/regions/{self.index}"

    @property
    def at(self) -> str:
        """The pointer of the text."""
        return f"{self.pointer}/content"


class TextTable:
    """The texts of a suite: item × condition × region."""

    def __init__(
        self, items: Sequence[Item], sound: Sequence[bool], cells: Sequence[TextCell]
    ) -> None:
        self.texts: list[dict[str, dict[int, str]]]  # the texts of each item
        self.texts = [{condition.name: {} for condition in item.conditions} for item in items]
        # the items, from 0, that have all their texts in order
        self.rows = [i for i, is_sound in enumerate(sound) if is_sound]
        self._cells = cells
        for cell in cells:
            self.texts[cell.row][cell.condition.name][cell.region.number] = cell.plain
        orders = Counter(map(tuple, self.texts)).most_common(1)
        named = (*(orders[0][0] if orders else ()), *(name for t in self.texts for name in t))
        # the names of the conditions, in the order that most items have
        self.conditions = tuple(dict.fromkeys(named))

    @cached_property
    def at(self) -> Mapping[tuple[int, str, int], At]:
        """Item, condition and region -> the place of the text."""
        cells = reversed(self._cells)
        return {(c.row, c.condition.name, c.region.number): At(c.at) for c in cells}

    @cached_property
    def cells(self) -> Mapping[tuple[int, str], Sequence[TextCell | None]]:
        """Region and condition -> the text of each row; None where there is no such region."""
        number = {i: k for k, i in enumerate(self.rows)}
        regions = sorted({c.region.number for c in self._cells if c.row in number})
        keys = product(regions, self.conditions)
        columns: dict[tuple[int, str], list[TextCell | None]]
        columns = {key: [None] * len(self.rows) for key in keys}
        for cell in self._cells:
            if cell.row in number:
                columns[cell.region.number, cell.condition.name][number[cell.row]] = cell
        return columns

    @cached_property
    def columns(self) -> Mapping[tuple[int, str], Sequence[str | None]]:
        """The same as texts alone."""
        return {key: [cell.plain if cell else None for cell in c] for key, c in self.cells.items()}

    @cached_property
    def regions(self) -> Mapping[int, Mapping[str, Mapping[int, Sequence[TextCell]]]]:
        """Region -> each of its texts -> the rows that have it -> the places of it."""
        regions: dict[int, dict[str, dict[int, list[TextCell]]]] = {}
        for (region, _), cells in self.cells.items():
            holders = regions.setdefault(region, {})
            for cell in filter(None, cells):
                holders.setdefault(cell.plain, {}).setdefault(cell.row, []).append(cell)
        return regions

    @cached_property
    def words(self) -> Mapping[str, Mapping[int, set[int]]]:
        """Each word -> the regions in which it is -> the rows that have it there."""
        words: dict[str, dict[int, set[int]]] = {}
        for region, texts in self.regions.items():
            for text, rows in texts.items():
                for word in WORD.findall(text):
                    words.setdefault(word, {}).setdefault(region, set()).update(rows)
        return words

    @cached_property
    def rows_with(self) -> Mapping[str, set[int]]:
        """Each word -> the rows that have it."""
        return {word: set().union(*regions.values()) for word, regions in self.words.items()}

    def others_with(self, word: str, row: int, region: int | None = None) -> int:
        """The number of other rows that have a word, anywhere or in one region."""
        if region is None:
            rows = self.rows_with.get(word, ())
        else:
            rows = self.words.get(word, {}).get(region, ())
        return len(rows) - (row in rows)

    def filled(self) -> Iterator[tuple[str, Mapping[int, Sequence[TextCell]]]]:
        """Each text of a region that is not empty, and who has it."""
        for texts in self.regions.values():
            yield from (entry for entry in texts.items() if entry[0].strip())

    def alone(self) -> Iterator[tuple[str, Sequence[TextCell]]]:
        """Each text of a region that only one row has, and its places."""
        for text, rows in self.filled():
            if len(rows) == 1:
                yield text, next(iter(rows.values()))


def no_items(suite: Suite) -> Mapping[int, str]:
    """The items, from 0, with a sentence that is a header, a total or a filler, and why.

    None if more than a tenth of the items are so: it is what the suite is about.
    """
    names = {str(name).casefold() for name in suite.region_meta.values() if name}
    contents = {r.content for item in suite.items for c in item.conditions for r in c.regions}
    headers = {text for text in contents if text.strip().casefold() in names}
    bare = {text for text in contents if not any(map(str.isalpha, text))}
    found: dict[int, str] = {}
    for i, item in enumerate(suite.items):
        for condition in item.conditions:
            texts = [text for text in condition.contents if text and not text.isspace()]
            if len(texts) > 1 and (why := _why_no_sentence(texts, headers, bare)):
                found[i] = why
    return found if len(suite.items) >= LEAST_ITEMS and len(found) <= len(suite.items) // 10 else {}


def _why_no_sentence(texts: Sequence[str], headers: set[str], bare: set[str]) -> str:
    if headers and 2 * sum(map(headers.__contains__, texts)) >= max(4, len(texts)):
        return "the names of the regions"
    if texts[0] == texts[1] == texts[-1] and len(texts) > 2 and len(set(texts)) == 1:
        return "one text in every region"
    return "only numbers and marks" if texts[0] in bare and bare.issuperset(texts) else ""
