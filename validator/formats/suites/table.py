"""The texts of a suite as one table: item × condition × region, and the words in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from evalmark.validator.formats.suites.suite import Item, Suite

#: Fewer items show no habit.
LEAST_ITEMS = 8
#: Condition -> region number -> text; with single spaces where regions are joined with spaces.
Texts = Mapping[str, Mapping[int, str]]
#: A word: letters and digits, and the marks between them.
WORD = re.compile(r"\w+(?:['’&,.-]\w+)*")


class TextTable:
    """The texts of the items of a suite.

    Attributes:
        items: The items.
        texts: The texts of each item.
        rows: The items, from 0, that have all their texts in order.
        conditions: The names of the conditions, in the order that most items have.
    """

    def __init__(self, items: Sequence[Item], sound: Sequence[bool]) -> None:
        self.items = items
        self.texts = [texts_of(item) for item in items]
        self.rows = [i for i, is_sound in enumerate(sound) if is_sound]
        orders = Counter(map(tuple, self.texts)).most_common(1)
        named = (*(orders[0][0] if orders else ()), *(name for t in self.texts for name in t))
        self.conditions = tuple(dict.fromkeys(named))

    @cached_property
    def columns(self) -> Mapping[tuple[int, str], Sequence[str | None]]:
        """Region and condition -> the text of each row; None where there is no such region."""
        sound = [self.texts[i] for i in self.rows]
        regions = sorted({n for texts in sound for cells in texts.values() for n in cells})
        return {
            (region, name): [self.texts[i].get(name, {}).get(region) for i in self.rows]
            for region in regions
            for name in self.conditions
        }

    @cached_property
    def regions(self) -> Mapping[int, Mapping[str, Mapping[int, Sequence[str]]]]:
        """Region -> each of its texts -> the rows that have it -> in which conditions."""
        regions: dict[int, dict[str, dict[int, list[str]]]] = {}
        for (region, name), texts in self.columns.items():
            holders = regions.setdefault(region, {})
            for i, text in zip(self.rows, texts, strict=True):
                if text is not None:
                    holders.setdefault(text, {}).setdefault(i, []).append(name)
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

    def opens(self, row: int, name: str, region: int) -> bool:
        """True if a region begins the sentence of a condition of a row."""
        for number, text in self.texts[row].get(name, {}).items():
            if text.strip():
                return number >= region
        return True

    def beginning(self, row: int, name: str) -> str:
        """The first letter of the sentence of a condition of a row."""
        return next((text[0] for text in self.texts[row].get(name, {}).values() if text), "")

    def count(self, region: int, name: str) -> Counter[str | None]:
        """How often each text is in a column."""
        return Counter(self.columns[region, name])

    def filled(self) -> Iterator[tuple[int, str, Mapping[int, Sequence[str]]]]:
        """Each text that is not empty: its region, itself, and who has it."""
        for region, texts in self.regions.items():
            for text, rows in texts.items():
                if text.strip():
                    yield region, text, rows


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
            if len(texts) < 2:
                continue
            if headers and 2 * sum(map(headers.__contains__, texts)) >= max(4, len(texts)):
                found[i] = "the names of the regions"
            elif texts[0] == texts[1] == texts[-1] and len(texts) > 2 and len(set(texts)) == 1:
                found[i] = "one text in every region"
            elif texts[0] in bare and bare.issuperset(texts):
                found[i] = "only numbers and marks"
    return found if len(suite.items) >= LEAST_ITEMS and len(found) <= len(suite.items) // 10 else {}


def texts_of(item: Item) -> Texts:
    """The texts of an item by condition and region.

    Spaces are as written where they are the only ones of a sentence.
    """
    texts = {}
    for condition in item.conditions:
        is_spaced = all(region.is_spaced for region in condition.regions)
        texts[condition.name] = {
            r.number: " ".join(r.content.split()) if is_spaced else r.content
            for r in condition.regions
        }
    return texts
