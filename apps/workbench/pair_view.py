"""Minimal pairs as the page shows them: a row is an item, and each of its texts a condition.

- BLiMP and its family: ``good`` and ``bad`` with the common beginning, what differs, and the rest
- COMPS, DTFit: ``good`` and ``bad`` with context and target; EWoK: the two for each target
- entity tracking: ``option_1`` (the right one), ``option_2``, … with context and target

The regions of a text, joined, are exactly the text, or the file is not shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, takewhile
from typing import Any

from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.pairs.pair_items import Contest, PairItem, Side, item_of
from evalmark.validator.formats.suites.suite import join_regions

#: Names of the regions of texts that are compared as a whole, and of texts after a context.
WHOLE, CONDITIONAL = ("beginning", "difference", "rest"), ("context", "target")


def items_by_uid(rows: Sequence[Any], name: str) -> dict[str, list[PairItem]]:
    """The items of each UID, in the order in which they first appear.

    If each row has another one, they number the rows: all are of one suite, which has this name.

    Raises:
        ConversionError: The rows are not of one set.
    """
    groups: dict[str, list[PairItem]] = {}
    for number, row in enumerate(rows):
        item = item_of(row, number, name) if accepts("pairs", row) else None
        if item is None:
            raise ConversionError(f"row {number + 1} does not have the two texts of a minimal pair")
        groups.setdefault(item.uid, []).append(item)
    items = [item for group in groups.values() for item in group]
    if len(sets := dict.fromkeys(item.set.name for item in items)) > 1:
        raise ConversionError(f"the rows have the columns of several data sets: {', '.join(sets)}")
    return {name: items} if len(groups) == len(items) > 1 else groups


def suite_of_pairs(items: Sequence[PairItem], name: str) -> dict[str, Any]:
    """The suite that the page shows for the pairs of a UID.

    Raises ConversionError if it would not show their exact texts, or rows choose among more texts.
    """
    contests = [item.contests() for item in items]
    if items[0].set.ratio:
        raise ConversionError("scores are correlated with ratios of people, without a right text")
    names, *others = map(_names, contests)
    if others.count(names) < len(others):
        raise ConversionError("the rows choose among different numbers of texts")
    sides = [side for row in contests for contest in row for side in contest.sides]
    is_whole = not any(side.context for side in sides)
    texts = [
        [*chain.from_iterable(_regions(item, contest.sides, is_whole=is_whole) for contest in row)]
        for item, row in zip(items, contests, strict=True)
    ]
    regions = WHOLE if is_whole else CONDITIONAL
    region = "*" if is_whole else len(CONDITIONAL)
    used = [at for at in range(len(regions)) if any(parts[at] for row in texts for parts in row)]
    return {
        "meta": {"name": name, "metric": "sum"},
        "region_meta": {str(number): regions[at] for number, at in enumerate(used, 1)},
        "predictions": [
            {"type": "formula", "formula": f"({region};%{right}%) < ({region};%{wrong}%)"}
            for right, wrong in _comparisons(names)
        ],
        "items": [
            {"item_number": item.number + 1, "conditions": _conditions([*chain(*names)], row, used)}
            for item, row in zip(items, texts, strict=True)
        ],
    }


def _conditions(
    names: Sequence[str], texts: Sequence[Sequence[str]], used: Sequence[int]
) -> list[dict[str, Any]]:
    return [
        {
            "condition_name": name,
            "regions": [
                {"region_number": number, "content": parts[at]} for number, at in enumerate(used, 1)
            ],
        }
        for name, parts in zip(names, texts, strict=True)
    ]


def _comparisons(names: Iterable[Sequence[str]]) -> Iterator[tuple[str, str]]:
    for right, *others in names:
        for wrong in others:
            yield right, wrong


def _names(contests: Sequence[Contest]) -> list[tuple[str, ...]]:
    """The conditions of each contest, that of the right text first."""
    return [
        tuple(
            f"option_{number}" if side.role == "option" else "_".join(filter(None, (side.role, c)))
            for number, side in enumerate(sides, 1)
        )
        for c, sides in contests
    ]


def _regions(item: PairItem, sides: Sequence[Side], *, is_whole: bool) -> list[tuple[str, ...]]:
    if is_whole:
        parts = _cut(*(side.text for side in sides))
    else:
        parts = [(side.context.removesuffix(" "), side.text.removeprefix(" ")) for side in sides]
    for side, contents in zip(sides, parts, strict=True):
        if join_regions(contents).text != side.whole:
            text = json.dumps(side.whole, ensure_ascii=False)
            raise ConversionError(
                f"row {item.number + 1}: one space joins regions, not as in {text}"
            )
    return parts


def _cut(good: str, bad: str) -> list[tuple[str, ...]]:
    """The common beginning, what differs, and the common rest of two texts, by words.

    If these could not be joined to the same texts, a text is one region: in scripts without
    spaces, or where there are several spaces.
    """
    words = good.split(" "), bad.split(" ")
    start = sum(1 for _ in takewhile(_equal, zip(*words, strict=False)))
    left = [side[start:] for side in words]
    end = sum(1 for _ in takewhile(_equal, zip(*map(reversed, left), strict=False)))
    parts = []
    for side, rest in zip(words, left, strict=True):
        middle = rest[: len(rest) - end]
        pieces = (side[:start], middle, rest[len(middle) :])
        parts.append(tuple(" ".join(piece) for piece in pieces))
    joined = [join_regions(regions).text for regions in parts]
    return parts if joined == [good, bad] else [("", good, ""), ("", bad, "")]


def _equal(words: tuple[str, str]) -> bool:
    return words[0] == words[1]
