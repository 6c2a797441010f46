"""The design of a suite, inferred from its items: which conditions share which texts.

Two conditions are related in a region if they have the same text there in nearly all items, or if
their texts differ by the same words or the same ending in nearly all. An item that breaks a
relation is worth a look: perhaps a text was changed in one condition only, or two sentences were
exchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, compress, count
from operator import ne
from typing import NamedTuple

from evalmark.validator.findings.phrasing import listed, quoted
from evalmark.validator.formats.suites.table import (
    LEAST_ITEMS,
    MANY_ITEMS,
    RegionTexts,
    TextCell,
    TextTable,
)

#: Suites with more conditions are not compared.
MOST_CONDITIONS = 12
#: At most this share of the items, or one item, breaks a relation.
EXCEPTIONS = 0.1
#: A region and a condition.
Key = tuple[int, str]
#: Forms of one word share at least this many letters.
_STEM = 2


class TextDifference(NamedTuple):
    """The words, or the endings of one word, that only one of two texts has."""

    first: str
    second: str
    is_ending: bool = False

    @property
    def reversed(self) -> TextDifference:
        """The difference of the texts in the other order."""
        return TextDifference(self.second, self.first, self.is_ending)


SAME = TextDifference("", "")


class Relation(NamedTuple):
    """Two conditions whose texts in a region differ in the same way in nearly all items."""

    region: int
    first: str
    second: str
    difference: TextDifference

    def relates(self, first: str | None, second: str | None) -> bool:
        """True if two texts of an item have this relation, or one of them is absent."""
        if first is None or second is None:
            return True
        if first == second or self.difference == SAME:
            return first == second and self.difference == SAME
        # An irregular word may differ in another way, but not in the usual way reversed.
        return difference(first, second) not in (SAME, self.difference.reversed)

    def is_exact(self, texts: RegionTexts) -> bool:
        """True if the texts of an item differ in exactly the usual way."""
        first, second = self.texts(texts)
        if first is None or second is None:
            return False
        return difference(first, second) == self.difference

    def texts(self, texts: RegionTexts) -> list[str | None]:
        """The two texts of an item; None where there is none."""
        return [texts.get(name, {}).get(self.region) for name in (self.first, self.second)]

    def stated(self, condition: str, texts: RegionTexts) -> str | None:
        """The text of the other condition, if both are to have one text; None otherwise."""
        if self.difference != SAME or condition not in self[1:3]:
            return None
        return texts[self.second if condition == self.first else self.first].get(self.region)


class Broken(NamedTuple):
    """An item that breaks relations."""

    item: int  # its index
    relations: tuple[Relation, ...]  # those that it breaks
    #: Two conditions whose texts are exchanged; several pairs if any of them would do.
    pairs: tuple[tuple[str, str], ...]
    region: int | None  # the region in which they are; None for whole sentences
    condition: str  # the condition whose texts are wrong, if the item itself says it
    texts: Mapping[int, str]  # the texts of the other conditions that it should have, by region
    is_certain: bool = True  # True if texts that are shared differ, or names are in another order

    def names(self, region: int) -> Sequence[str]:
        """The conditions whose texts in a region break relations."""
        relations = (relation for relation in self.relations if relation.region == region)
        return tuple(dict.fromkeys(name for relation in relations for name in relation[1:3]))

    @property
    def part(self) -> str:
        """The texts that are exchanged, in words."""
        return "sentences" if self.region is None else f"texts of region {self.region}"

    @property
    def cure(self) -> str:
        """What to write, if the item itself says it."""
        texts = [f"{quoted(text)} in region {n}" for n, text in self.texts.items()]
        return f"write {listed(texts)} of condition `{self.condition}`" if texts else ""


class SuiteDesign:
    """Common traits of the items of a suite."""

    def __init__(self, table: TextTable) -> None:
        self.table, self.texts, self.conditions = table, table.texts, table.conditions
        has_pattern = len(table.rows) >= LEAST_ITEMS and len(self.conditions) <= MOST_CONDITIONS
        self.relations = tuple(self._relations()) if has_pattern else ()
        self.crossed = dict(self._crossed()) if has_pattern else {}

    def _relations(self) -> Iterator[Relation]:
        columns = self.table.columns
        for region in self.table.regions:
            for first, second in combinations(self.conditions, 2):
                known = self._difference(columns[region, first], columns[region, second])
                if known is not None:
                    yield Relation(region, first, second, known)

    def _crossed(self) -> Iterator[tuple[int, tuple[Key, Key]]]:
        """The items with two texts, in other regions and conditions, that are one in the others.

        Of a passive and its active sentence, say, each has the words of the other elsewhere.
        """
        count = len(self.table.rows)
        most = max(1, int(EXCEPTIONS * count))
        columns = {
            key: column
            for key, column in self.table.columns.items()
            if None not in column and 2 * len(set(column)) > count
        }
        for first, second in combinations(columns, 2):
            if first[0] == second[0] or first[1] == second[1]:
                continue
            if all(map(ne, columns[first][: most + 1], columns[second][: most + 1])):
                continue  # too many already, as of nearly all columns
            unequal = list(map(ne, columns[first], columns[second]))
            if 0 < sum(unequal) <= most:
                yield from ((i, (first, second)) for i in compress(self.table.rows, unequal))

    def _difference(
        self, first: Sequence[str | None], second: Sequence[str | None]
    ) -> TextDifference | None:
        pairs = [
            (a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None
        ]
        if len(pairs) < LEAST_ITEMS:
            return None
        least = len(pairs) - max(1, int(EXCEPTIONS * len(pairs)))
        equal = sum(a == b for a, b in pairs)
        if equal >= least:
            return SAME
        if equal > len(pairs) - least:
            return None
        ((usual, count),) = Counter(difference(a, b) for a, b in pairs).most_common(1)
        return usual if count >= least else None

    @cached_property
    def broken(self) -> Mapping[int, Broken]:
        """The items that break relations, by their index.

        Where all texts that are shared are the same, and only a usual difference is reversed (one
        woman among ten heads: "herself" for "himself"), the design may vary on purpose: several
        such items are none.
        """
        violated: dict[int, list[Relation]] = {}
        for relation in self.relations:
            columns = (self.table.columns[relation.region, name] for name in relation[1:3])
            is_same = relation.difference == SAME
            for i, first, second in zip(self.table.rows, *columns, strict=True):
                if not (is_same and first == second) and not relation.relates(first, second):
                    violated.setdefault(i, []).append(relation)
        items = {i: self._broken(i, tuple(relations)) for i, relations in sorted(violated.items())}
        doubtful = [i for i, broken in items.items() if not broken.is_certain]
        if len(doubtful) == 1 and len(self.table.rows) >= MANY_ITEMS:
            return items
        return {i: items[i] for i in items if i not in doubtful}

    def _broken(self, item: int, relations: tuple[Relation, ...]) -> Broken:
        texts = self.texts[item]
        pairs, region = self._exchange(texts, relations)
        is_certain = any(relation.difference == SAME for relation in relations) or (
            bool(pairs) and self._restores(pairs[0], tuple(texts))
        )
        rewriting = ("", {}) if pairs else self._rewriting(texts, relations)
        return Broken(item, relations, pairs, region, *rewriting, is_certain)

    def violated(self, texts: RegionTexts) -> tuple[Relation, ...]:
        """The relations that an item breaks."""
        return tuple(r for r in self.relations if not r.relates(*r.texts(texts)))

    def _exchange(
        self, texts: RegionTexts, relations: Sequence[Relation]
    ) -> tuple[tuple[tuple[str, str], ...], int | None]:
        regions = {relation.region for relation in relations}
        named = {name for relation in relations for name in relation[1:3]}
        for region in (None, *(regions if len(regions) == 1 else ())):
            found = {}
            for a, b in combinations(self.conditions, 2):
                ours, theirs = texts.get(a), texts.get(b)
                if named.isdisjoint((a, b)) or ours is None or theirs is None:
                    continue
                if region is not None:
                    our_text, their_text = ours.get(region), theirs.get(region)
                    if our_text is None or their_text is None or our_text == their_text:
                        continue
                    theirs, ours = {**ours, region: their_text}, {**theirs, region: our_text}
                if not self.violated(changed := {**texts, a: theirs, b: ours}):
                    found[a, b] = changed
            if found:
                names = tuple(texts) if region is None else self.conditions
                return self._likeliest(found, names), region
        return (), None

    def _likeliest(
        self, exchanges: Mapping[tuple[str, str], RegionTexts], names: tuple[str, ...]
    ) -> tuple[tuple[str, str], ...]:
        """The exchanges after which an item is most like the others.

        One that also restores the order of the conditions comes first: their names were exchanged.
        """

        def likeness(pair: tuple[str, str]) -> tuple[bool, int]:
            exact = sum(relation.is_exact(exchanges[pair]) for relation in self.relations)
            return self._restores(pair, names), exact

        best = max(map(likeness, exchanges))
        return tuple(pair for pair in exchanges if likeness(pair) == best)

    def _restores(self, pair: tuple[str, str], names: tuple[str, ...]) -> bool:
        """True if the names of an item are in the usual order only after two are exchanged."""
        exchanged = dict(zip(pair, pair[::-1], strict=True))
        order = tuple(exchanged.get(name, name) for name in names)
        return names != self.conditions and order == self.conditions

    def _rewriting(
        self, texts: RegionTexts, relations: Sequence[Relation]
    ) -> tuple[str, Mapping[int, str]]:
        """The one condition that lacks the texts of the others, which are one text, and these.

        One other condition is enough where it has no text at all, and has one in most other items.
        No text is emptied, and no item becomes a copy of another one.
        """
        found = []
        for name in dict.fromkeys(name for relation in relations for name in relation[1:3]):
            regions = {relation.region for relation in relations if name in relation[1:3]}
            stated = {region: self._stated(name, region, texts) for region in regions}
            if any(
                len(set(others)) != 1
                or len(others) < (2 if texts[name][region] else 1)
                or not (texts[name][region] or self._is_usual(name, region))
                for region, others in stated.items()
            ):
                continue
            chosen = {region: others[0] for region, others in stated.items()}
            changed = {**texts, name: {**texts[name], **chosen}}
            if all(chosen.values()) and changed not in self.texts and not self.violated(changed):
                found.append((name, chosen))
        return found[0] if len(found) == 1 else ("", {})

    def _is_usual(self, name: str, region: int) -> bool:
        return 2 * sum(bool(texts[name][region]) for texts in self.texts) > len(self.texts)

    def _stated(self, name: str, region: int, texts: RegionTexts) -> list[str]:
        relations = (relation for relation in self.relations if relation.region == region)
        stated = (relation.stated(name, texts) for relation in relations)
        return [text for text in stated if text is not None]

    def expected(self, cell: TextCell) -> Sequence[str] | None:
        """The one text that others of its item ask for; nothing if none does, None if unclear."""
        broken, name, region = self.broken.get(cell.row), cell.condition.name, cell.region.number
        texts = self.texts[cell.row]
        relations = [r for r in broken.relations if r.region == region] if broken else []
        if not broken or not any(relation.stated(name, texts) for relation in relations):
            return ()
        known = {*self._stated(name, region, texts)}
        new = ({**texts, name: {**texts[name], region: text}} for text in known)
        if any(changed in self.texts for changed in new):
            return None  # the item would be a copy of another one
        if broken.texts:
            known = {broken.texts.get(region, "")} if name == broken.condition else {""}
        return [*known] if len(known) == 1 and all(known) and not broken.pairs else None


def difference(first: str, second: str) -> TextDifference:
    """The words that only one of two texts has, without what they share before and after."""
    if first == second:
        return SAME
    ours, theirs = first.split(), second.split()
    while ours and theirs and ours[0] == theirs[0]:
        del ours[0], theirs[0]
    while ours and theirs and ours[-1] == theirs[-1]:
        del ours[-1], theirs[-1]
    if len(ours) == len(theirs) == 1:
        stem = next(k for k in count() if ours[0][: k + 1] != theirs[0][: k + 1])
        if stem >= _STEM:
            return TextDifference(ours[0][stem:], theirs[0][stem:], is_ending=True)
    return TextDifference(" ".join(ours), " ".join(theirs))
