"""The proof of a suite: sentences, predictions, names, meta and own keys are as before.

A suite in any format is read without its steps into the shape of a current one, and compared value
by value. A value that is lost is refused, unless the new format has no place for it: that is
listed. One that is new is refused, unless it is supplied.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from unicodedata import normalize

from evalmark.converters.proof.leaves import Leaf, Path, is_same, leaves_of
from evalmark.converters.proof.predictions import READ, compared, refuse
from evalmark.converters.step import SuiteEdit, Supplied, as_list
from evalmark.converters.suites.edits import split_conjunctions, strip_results
from evalmark.converters.tables.sheets import Sheets
from evalmark.validator.formats.suites.suite import NO_SPACE_BEFORE, Condition, Region, is_spaced
from evalmark.validator.reading.source import make_pointer, parse_pointer

#: The keys of sentences, which every format has, and those of results of a model.
_KEPT = {"item_number", "condition_name", "region_number", "content"}
_RESULTS = {"metric_value", "oovs"}
#: The place of the name of a suite, and what a suite is called that nothing names.
_NAME, _UNNAMED = ("meta", "name"), "suite"
#: The fate of what the new format has no place for.
NO_PLACE = "without a place"


class Shape(NamedTuple):
    """What a suite states, whatever its format is.

    Attributes:
        data: It, in the shape of a current suite, without its predictions.
        predictions: Objects or formulas; None if the format has none.
        texts: Sentences that are stated as a whole.
        is_whole: Whether the format has a place for everything.
        metric: Its metric, or several; ``...`` if the format has none.
    """

    data: dict[str, Any]
    predictions: list[Any] | None = None
    texts: Sequence[str] = ()
    is_whole: bool = False
    metric: Any = ...


def same_suite(
    source: Any, result: Any, supplied: Supplied, edits: Sequence[SuiteEdit]
) -> tuple[Counter[str], tuple[Leaf, ...]]:
    """The numbers of sentences and predictions, and what the new format has no place for.

    Raises:
        ConversionError: A sentence, a metric, a prediction, a name or a key would be another.
    """
    names = {normalize("NFC", old): normalize("NFC", new) for old, new in supplied.renames.items()}
    old, new = _shape_of(source), _shape_of(result)
    count = sum(len(item["conditions"]) for item in old.data["items"]) or len(old.texts)
    if new.texts and [*new.texts] != [*_joined(old.data)]:
        refuse("a sentence would be another, or missing")
    are_stripped = strip_results in edits
    leaves = [*_require_same(old, new, names, supplied, are_stripped=are_stripped)]
    before = old.predictions
    if supplied.predictions is not None and not isinstance(source, dict):
        before = [{"formula": text} for text in supplied.predictions]
    if new.predictions is None or before is None:
        return Counter(sentences=count, lost=len(before or ())), tuple(leaves)
    are_split = split_conjunctions in edits
    origins, numbers = compared(before, new.predictions, names, are_split=are_split)
    for number, (stated, made) in enumerate(zip(origins, new.predictions, strict=True)):
        own, kept = _own(stated), _own(made)
        if new.is_whole and own != kept:
            refuse(f"/predictions/{number} would have {kept!r:.60}, and not {own!r:.60}")
        leaves += [_left(("predictions", number, key)) for key in own.keys() - kept.keys()]
    return numbers + Counter(sentences=count), tuple(leaves)


def _left(place: Path) -> Leaf:
    return Leaf(NO_PLACE, make_pointer(place), why="the new format has no place for it")


def _own(stated: Any) -> dict[str, Any]:
    """What a prediction has besides its formula; its type is that of formulas."""
    own = {"type": "formula", **(stated if isinstance(stated, dict) else {})}
    return {key: value for key, value in own.items() if key not in READ}


def _shape_of(data: Any) -> Shape:
    """The shape of data in any format of suites."""
    if isinstance(data, Sheets):
        return _of_sheets(data)
    if isinstance(data, dict) and "items" in data:
        meta = {**data["meta"]}
        predictions = data.get("predictions") or meta.pop("string_predictions", None) or []
        shape = {**data, "meta": meta}
        shape.pop("predictions", None)
        return Shape(shape, predictions, is_whole=True, metric=meta.pop("metric", None))
    entries = as_list(data)
    first = entries[0] if entries and isinstance(entries[0], dict) else {}
    if "conditions" in first:
        formulas = [{"formula": text} for text in first.get("predictions") or ()]
        shape = {"meta": {"name": first.get("suite_name")}, "items": [*map(_of_row, entries)]}
        texts = [text for row in entries for text in row["conditions"].get("content", ())]
        return Shape(shape, formulas if "predictions" in first else None, texts)
    if not first:
        return Shape({"items": []}, texts=[one for one in entries if isinstance(one, str)])
    if "region_number" in first:
        names = {str(int(row["region_number"])): row["region_name"] for row in entries}
        cells = [
            (row["item_number"], row["condition_name"], row["region_number"], row["content"])
            for row in entries
        ]
    else:
        names = {str(number): name for number, name in enumerate([*first][2:], 1)}
        cells = [
            (item, name.strip(), number, text)
            for item, name, *texts in map(dict[str, str].values, entries)
            for number, text in enumerate(texts, 1)
        ]
    return Shape({"region_meta": names, "items": _items(cells)})


def _of_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """The item of a row of a dataset, whose conditions and regions are columns."""
    of = row["conditions"]
    parts = [
        [{"region_number": n, "content": text} for n, text in zip(*columns, strict=True)]
        for columns in ((one["region_number"], one["content"]) for one in of["regions"])
    ]
    both = zip(of["condition_name"], parts, strict=True)
    conditions = [{"condition_name": name, "regions": regions} for name, regions in both]
    return {"item_number": row["item_number"], "conditions": conditions}


def _items(cells: Iterable[tuple[Any, str, Any, str]]) -> list[dict[str, Any]]:
    """The items of cells: number of an item, condition, number of a region, and text."""
    items: dict[int, dict[str, tuple[str, dict[int, str]]]] = {}
    for item, name, region, text in cells:
        conditions = items.setdefault(int(item), {})
        conditions.setdefault(normalize("NFC", name), (name, {}))[1][int(region)] = text
    return [
        {
            "item_number": number,
            "conditions": [
                {
                    "condition_name": name,
                    "regions": [{"region_number": n, "content": of[n]} for n in sorted(of)],
                }
                for name, of in conditions.values()
            ],
        }
        for number, conditions in items.items()
    ]


def _of_sheets(data: Sheets) -> Shape:
    """A table, with those beside it; a key of meta that begins with `/` is a pointer."""
    shape = _shape_of(data.items).data | {"meta": {}}
    for row in data.meta or ():
        *above, key = parse_pointer(row["key"]) if row["key"][:1] == "/" else ("meta", row["key"])
        (shape[above[0]] if above else shape)[key] = _cell(row["value"])
    predictions = [
        {key: cell if key == "formula" else _cell(cell) for key, cell in row.items() if cell}
        for row in data.predictions or ()
    ]
    if data.predictions is None:
        return Shape(shape)
    return Shape(shape, predictions, is_whole=True, metric=shape["meta"].pop("metric", None))


def _cell(cell: str) -> Any:
    """The value of a cell: JSON, or text; spreadsheets write truth values in capitals."""
    try:
        return json.loads(cell.lower() if cell in ("TRUE", "FALSE") else cell)
    except ValueError:
        return cell


def _joined(data: Mapping[str, Any]) -> Iterator[str]:
    """The sentences that a model reads."""
    unspaced = data.get("meta", {}).get(NO_SPACE_BEFORE)
    for item in data["items"]:
        for one in item["conditions"]:
            parts = [(int(part["region_number"]), part["content"]) for part in one["regions"]]
            regions = (Region(n, text, is_spaced(n, unspaced)) for n, text in parts)
            yield Condition(one["condition_name"], tuple(regions)).sentence().text


def _require_same(
    old: Shape, new: Shape, names: Mapping[str, str], supplied: Supplied, *, are_stripped: bool
) -> Iterator[Leaf]:
    """Refuse other values, and list those that the new format has no place for."""
    _require_metric(old, new, supplied)
    one, other = dict(old.data), dict(new.data)
    if not names and one["items"] == other["items"]:
        del one["items"], other["items"]  # the rest need not be read
    elif new.texts and not other["items"]:
        del one["items"], other["items"]  # they are the same as texts
    before, after, left = _values(one), _values(other), dict[Path, None]()
    for place, value in before.items():
        made, key = after.pop(place, ...), place[-1]
        if key == "condition_name" and isinstance(made, str):
            name, made = normalize("NFC", value), normalize("NFC", made)
            value = names.get(name, name)
        is_stripped = are_stripped and _is_result(place)
        if made is ... and key not in _KEPT and (not new.is_whole or is_stripped):
            left[tuple("*" if isinstance(part, int) else part for part in place)] = None
        elif not is_same(value, made) and (place != _NAME or made != supplied.name):
            written = "lost" if made is ... else json.dumps(made)
            refuse(f"{make_pointer(place)} would be {written:.60}, and not {json.dumps(value):.60}")
    for place, value in after.items():
        is_named = place == _NAME and value in (supplied.name, _UNNAMED)
        if not is_named and (place[0] != "region_meta" or value):
            refuse(f"{make_pointer(place)} would be from nowhere: {json.dumps(value):.60}")
    yield from map(_left, left)


def _values(data: dict[str, Any]) -> dict[Path, Any]:
    """The values of a shape by their places; its own parts may be empty."""
    parts = [(), *((name,) for name in ("meta", "region_meta", "items"))]
    return {place: value for place, value in leaves_of(data) if place not in parts}


def _is_result(place: Path) -> bool:
    """True for a value that ``strip_results`` takes away."""
    return place[:2] == ("meta", "model") or not _RESULTS.isdisjoint(place)


def _require_metric(old: Shape, new: Shape, supplied: Supplied) -> None:
    """Refuse another metric: it is the stated one, or that of several which the caller chooses.

    Only a suite without formulas, which is a legacy one, may keep several.
    """
    stated, metric = None if old.metric is ... else old.metric or None, new.metric
    is_one = not supplied.metric or (isinstance(stated, str) and stated != "all")
    chosen = next(iter(as_list(stated or "sum"))) if is_one else supplied.metric
    has_formulas = any("formula" in one for one in new.predictions or () if isinstance(one, dict))
    may_stay = old.metric is not ... and (is_one or not has_formulas)
    if metric is not ... and metric != chosen and not (may_stay and metric == stated):
        refuse(f"the metric is {stated or 'not stated'}, and would be {metric}")
