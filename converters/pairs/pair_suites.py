"""Minimal pairs as suites: the texts of a row are the conditions of an item.

- BLiMP and its family, MultiBLiMP, JBLiMP: the conditions ``good`` and ``bad`` with the common
  beginning, what differs, and the rest; ``(*;%good%) < (*;%bad%)``
- COMPS, DTFit: ``good`` and ``bad`` with context and target; ``(2;%good%) < (2;%bad%)``
- EWoK: ``good_Target1``, ``bad_Target1``, ``good_Target2``, ``bad_Target2`` with context and
  target; a prediction for each target, which counts by itself: see ``<suite>/1`` and ``<suite>/2``
- entity tracking: ``option_1`` (the right one), ``option_2``, … with context and target;
  ``(2;%option_1%) < (2;%option_2%)``, …, which all have to hold: see ``<suite>/all``
- wug tests: refused, since a prediction cannot express a correlation with people's ratios

A model reads exactly the text of the pair, with the joining rule ``core``. Where joining words
would not restore the text, as in Japanese or around two spaces, the text is one region. A text that
begins with a space is refused. Identical texts are kept: their prediction never holds, and a note
says so.

A suite has what a row has, so that ``pair_rows.py`` makes the same rows of it:

- ``meta.name``: the UID, which all rows of a suite share
- ``meta.tags``: field and term, so that scores are averaged over them
- ``meta.pairs.set``: the set that the rows are of
- ``meta.pairs.keys``: the keys of a row, in order
- ``meta.pairs.same``: keys that have the same value in every row
- ``meta.pairs.space``: the key whose text has the space between context and text, if a row has it
- ``item.pair``: what else the row has, apart from the texts
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from evalmark.converters.notes import Told
from evalmark.converters.step import Data, Object, Stepped, Supplied, as_list
from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.pairs.pair_items import Contest, PairItem, item_of
from evalmark.validator.formats.pairs.pair_sets import PairSet
from evalmark.validator.formats.suites.suite import join_regions

Row = Mapping[str, Any]

#: Names of the regions of texts that are compared as a whole, and of texts after a context.
WHOLE, CONDITIONAL = ("beginning", "difference", "rest"), ("context", "target")
#: The region that a text after a context is.
TARGET = 2


class PairLayout(NamedTuple):
    """The layout of the suite of a set.

    Attributes:
        conditions: Names of the conditions of each contest, that of the right side first.
        formulas: The predictions.
        is_whole: Whether whole texts are compared, and not texts after a context.
    """

    conditions: tuple[tuple[str, ...], ...]
    formulas: tuple[str, ...]
    is_whole: bool

    @property
    def names(self) -> tuple[str, ...]:
        """All conditions, in order."""
        return tuple(name for contest in self.conditions for name in contest)


def layout(pair_set: PairSet, options: int = 2) -> PairLayout:
    """The conditions and predictions of a set; ``options`` are how many texts it chooses from."""
    if pair_set.options:
        conditions: tuple[tuple[str, ...], ...] = (
            tuple(f"option_{number}" for number in range(1, options + 1)),
        )
    else:
        conditions = tuple(
            tuple("_".join(filter(None, (side.role, name))) for side in sides)
            for name, sides in pair_set.whole
        )
    is_whole = not any(side.context for _, sides in pair_set.whole for side in sides)
    region = "*" if is_whole else str(TARGET)
    formulas = tuple(
        f"({region};%{right}%) < ({region};%{wrong}%)"
        for right, *others in conditions
        for wrong in others
    )
    return PairLayout(conditions, formulas, is_whole)


def text_keys(pair_set: PairSet) -> tuple[str, ...]:
    """The keys of a row whose texts are compared."""
    sides = (side for _, columns in pair_set.whole for side in columns)
    return tuple(dict.fromkeys(key for s in sides for key in (s.context, s.text) if key))


def pair_items(rows: Data, file: str) -> list[PairItem]:
    """The views of rows, which must be of one set; ``file`` is the name that makes their UIDs."""
    items = []
    for number, row in enumerate(as_list(rows)):
        item = item_of(row, number, file) if accepts("pairs", row) else None
        if item is None:
            raise ConversionError(Told.NO_PAIR(number + 1), needs="report")
        items.append(item)
    sets = dict.fromkeys(item.set.name for item in items)
    if len(sets) > 1:
        raise ConversionError(Told.SETS(", ".join(sets)))
    return items


def by_uid(items: Sequence[PairItem], name: str) -> dict[str, list[Row]]:
    """The rows of each UID, in the order in which they first appear.

    If each row has another one, they number the rows: all are of one suite, which has this name.
    """
    groups: dict[str, list[Row]] = {}
    for item in items:
        groups.setdefault(item.uid, []).append(item.data)
    is_number = len(groups) == len(items) > 1
    return {name: [item.data for item in items]} if is_number else groups


def pairs_to_suite(data: Data, supplied: Supplied) -> Stepped:
    """The suite of rows that have one UID."""
    name = supplied.name or "pairs"
    items = pair_items(data, name)
    pair_set = items[0].set
    if pair_set.ratio:
        raise ConversionError(
            f"{pair_set.title}: scores are correlated with the ratios of people, "
            "which a prediction of a suite cannot do"
        )
    uids = by_uid(items, name)
    if len(uids) > 1:
        raise ConversionError(
            Told.UIDS(len(uids)),
            needs="output",
            subject="FOLDER",
        )
    plan = layout(pair_set, _options(items))
    space = _space(items)
    regions = [_regions(item, plan, space) for item in items]
    used = _places(regions) if plan.is_whole else [*range(len(CONDITIONAL))]
    names = WHOLE if plan.is_whole else CONDITIONAL
    same = _same(items)
    shared = {*same, *text_keys(pair_set)}
    suite = {
        "meta": {
            "name": next(iter(uids)),
            "metric": "sum",
            **_tags(items),
            "pairs": {
                "set": pair_set.name,
                "keys": list(dict.fromkeys(key for item in items for key in item.data)),
                "same": same,
                **({"space": space} if space else {}),
            },
        },
        "region_meta": {str(number): names[place] for number, place in enumerate(used, 1)},
        "predictions": [{"type": "formula", "formula": formula} for formula in plan.formulas],
        "items": [
            {
                "item_number": item.number + 1,
                "pair": {key: value for key, value in item.data.items() if key not in shared},
                "conditions": _conditions(plan, contents, used),
            }
            for item, contents in zip(items, regions, strict=True)
        ],
    }
    is_stated = items[0].label("uid")
    return Stepped(suite, () if is_stated else (Told.NO_UID(),))


def _places(regions: Sequence[Sequence[tuple[str, ...]]]) -> list[int]:
    """The places of regions in which some text of some row has content."""
    columns = zip(*(texts for item in regions for texts in item), strict=True)
    return [place for place, contents in enumerate(columns) if any(contents)]


def _conditions(
    plan: PairLayout, contents: Sequence[tuple[str, ...]], places: Sequence[int]
) -> list[Object]:
    return [
        {
            "condition_name": name,
            "regions": [
                {"region_number": number, "content": texts[place]}
                for number, place in enumerate(places, 1)
            ],
        }
        for name, texts in zip(plan.names, contents, strict=True)
    ]


def _options(items: Sequence[PairItem]) -> int:
    key = items[0].set.options
    counts = {len(item.data[key]) for item in items} if key else {2}
    if len(counts) > 1:
        listed = " and ".join(map(str, sorted(counts)))
        raise ConversionError(
            f"the rows have {listed} options, and all items of a suite have the same conditions"
        )
    return counts.pop()


def _space(items: Sequence[PairItem]) -> str:
    """The key whose texts have the space between context and text; empty if no row writes it."""
    pair_set = items[0].set
    if pair_set.joint or not pair_set.options:
        return ""
    (_, (column,)), *_ = pair_set.whole
    keys = set()
    for item in items:
        for contest in item.contests():
            for side in contest.sides:
                before, after = side.context.endswith(" "), side.text.startswith(" ")
                if before is after:
                    spaces = "two spaces" if before else "no space"
                    raise ConversionError(
                        f"row {item.number + 1} has {spaces} between {column.context} and an "
                        "option: the regions of a suite are joined by one"
                    )
                keys.add(column.context if before else column.text)
    if len(keys) > 1:
        raise ConversionError(
            f"some rows have a space at the end of {column.context}, others at the beginning of "
            f"{column.text}"
        )
    return keys.pop()


def _regions(item: PairItem, plan: PairLayout, space: str) -> list[tuple[str, ...]]:
    """The contents of the regions of each condition of a row."""
    contents: list[tuple[str, ...]] = []
    for contest in item.contests():
        if plan.is_whole:
            contents += cut(*(side.text for side in contest.sides))
        else:
            contents += (
                (side.context.removesuffix(" "), side.text.removeprefix(" "))
                if space
                else (side.context, side.text)
                for side in contest.sides
            )
    _require_exact(item, item.contests(), contents)
    return contents


def cut(good: str, bad: str) -> list[tuple[str, ...]]:
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
        parts.append(
            tuple(" ".join(piece) for piece in (side[:start], middle, rest[len(middle) :]))
        )
    joined = [join_regions(regions).text for regions in parts]
    return parts if joined == [good, bad] else [("", good, ""), ("", bad, "")]


def _equal(words: tuple[str, str]) -> bool:
    return words[0] == words[1]


def _require_exact(
    item: PairItem, contests: Sequence[Contest], regions: Sequence[tuple[str, ...]]
) -> None:
    """Refuse a row whose texts a suite cannot give back, character by character."""
    sides = [side for contest in contests for side in contest.sides]
    for side, contents in zip(sides, regions, strict=True):
        sentence = join_regions(contents)
        start, end = sentence.spans[-1]
        is_target = not side.context or sentence.text[start:end] == side.text.removeprefix(" ")
        if sentence.text != side.whole or not is_target:
            raise ConversionError(
                f"row {item.number + 1}: a suite cannot give back the exact text of "
                f"{side.at.partition('/')[2]}, {json.dumps(side.whole, ensure_ascii=False)}: "
                "space at the beginning of regions is removed, and one space joins them"
            )


def _same(items: Sequence[PairItem]) -> Object:
    """The keys and values that all rows share, apart from texts."""
    first = items[0].data
    texts = text_keys(items[0].set)
    if len(items) == 1:
        return {}
    return {
        key: value
        for key, value in first.items()
        if key not in texts and all(_has(item.data, key, value) for item in items)
    }


def _has(row: Row, key: str, value: object) -> bool:
    """True if a row has a value; ``true`` is not 1."""
    return key in row and json.dumps(row[key]) == json.dumps(value)


def _tags(items: Sequence[PairItem]) -> dict[str, list[str]]:
    tags = [tag for label in ("field", "term") for tag in _one(items, label)]
    return {"tags": list(dict.fromkeys(tags))} if tags else {}


def _one(items: Sequence[PairItem], label: str) -> Iterator[str]:
    labels = {item.label(label) for item in items}
    if len(labels) == 1:
        yield from filter(None, labels)
