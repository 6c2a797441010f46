"""The texts of a row of pairs, and which of them are compared with each other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from evalmark.validator.formats.pairs.pair_items import PairItem
from evalmark.validator.formats.pairs.pair_sets import SETS


class PairText(NamedTuple):
    """A text that a model reads.

    Attributes:
        at: Pointer of the value that holds it.
        text: The text.
        start: Its first character in that value, where the value holds more than it.
        joins: Whether it is joined to another without a space, so that its own space counts.
    """

    at: str
    text: str
    start: int = 0
    joins: bool = False


class TextKeys(NamedTuple):
    """The keys of the texts of a set.

    Attributes:
        couples: Keys of two texts that must differ, and otherwise be alike.
        singles: Keys of the other texts.
    """

    couples: tuple[tuple[str, str], ...]
    singles: tuple[str, ...]


@cache
def text_keys_of(name: str) -> TextKeys:
    """The keys of the texts of a set whose texts have keys of their own."""
    choices = [sides for _, sides in SETS[name].whole]
    couples: dict[frozenset[str], tuple[str, str]] = {}
    keys: dict[str, None] = {}

    def compare(one: str, other: str) -> None:
        if one != other:
            couples.setdefault(frozenset((one, other)), (one, other))

    for first, *others in choices:
        for side in others:
            compare(first.text, side.text)
            compare(first.context, side.context)
            keys |= dict.fromkeys((first.context, side.context, first.text, side.text))
        compare(choices[0][0].text, first.text)
    compared = {key for couple in couples.values() for key in couple}
    singles = tuple(key for key in keys if key and key not in compared)
    return TextKeys(tuple(couples.values()), singles)


def couples_of(item: PairItem) -> Iterator[tuple[PairText, PairText]]:
    """The texts of a row that must differ, two at a time; the right one first."""
    known = item.set
    if known.split:
        ((first, second),) = (contest.sides for contest in item.contests())
        start = len(first.text) + 1
        yield PairText(first.at, first.text), PairText(first.at, second.text, start)
    elif known.options:
        right, *others = _options(item)
        yield from ((right, other) for other in others)
    else:
        for one, other in text_keys_of(known.name).couples:
            yield _text(item, one), _text(item, other)


def texts_of(item: PairItem) -> Iterator[PairText]:
    """Every text of a row, once."""
    known = item.set
    if known.options:
        column = known.whole[0][1][0]
        yield PairText(f"/{column.context}", item.data[column.context], 0, joins=not known.joint)
        yield from _options(item)
        return
    seen = set()
    for couple in couples_of(item):
        for text in couple:
            if (text.at, text.start) not in seen:
                seen.add((text.at, text.start))
                yield text
    if not known.split:
        yield from (_text(item, key) for key in text_keys_of(known.name).singles)


def has_good_and_bad(item: PairItem) -> bool:
    """Whether a row has one good and one bad text, whatever precedes them."""
    return bool(item.set.split) or not (
        item.set.options or any(side.context for _, some in item.set.whole for side in some)
    )


def _options(item: PairItem) -> list[PairText]:
    (contest,) = item.contests()
    return [PairText(side.at, side.text, 0, joins=not side.joint) for side in contest.sides]


def _text(item: PairItem, key: str) -> PairText:
    return PairText(f"/{key}", item.data[key])
