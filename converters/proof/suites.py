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

from evalmark.converters.proof.leaves import Leaf, is_same, leaves_of
from evalmark.converters.proof.predictions import READ, compared_predictions, refuse
from evalmark.converters.step import SuiteEdit, Supplied, as_list
from evalmark.converters.suites.edits import split_conjunctions, strip_results
from evalmark.converters.tables.sheets import Sheets
from evalmark.validator.format import JsonPath
from evalmark.validator.formats.suites.suite import NO_SPACE_BEFORE, Condition, Region, is_spaced
from evalmark.validator.reading.source import make_pointer, parse_pointer

#: The keys of sentences, which every format has, and those of results of a model.
_KEPT = {"item_number", "condition_name", "region_number", "content"}
_RESULTS = {"metric_value", "oovs"}
#: What all rows of a dataset state alike, and the columns of a long table that items are read from.
_SHARED = ("suite_name", "predictions")
_COLUMNS = ("item_number", "condition_name", "region_number", "content")
#: The name of a suite that nothing names.
_UNNAMED = "suite"
#: The fate of what the new format has no place for.
NO_PLACE = "without a place"


class Shape(NamedTuple):
    """What a suite states, whatever its format is."""

    data: dict[str, Any]  # it, in the shape of a current suite, without its predictions
    predictions: list[Any] | None = None  # objects or formulas; None if the format has none
    texts: Sequence[str] = ()  # sentences that are stated as a whole
    is_whole: bool = False  # whether the format has a place for everything
    metric: Any = ...  # its metric, or several; ``...`` if the format has none


def same_suite(
    source: Any,
    result: Any,
    supplied: Supplied,
    edits: Sequence[SuiteEdit],
    *,
    is_old: bool = False,
) -> tuple[Counter[str], tuple[Leaf, ...]]:
    """The numbers of sentences and predictions, and what the new format has no place for.

    ``is_old`` says that the result has formulas of an older language.

    Raises:
        ConversionError: A sentence, a metric, a prediction, a name or a key would be another.
    """
    names = {normalize("NFC", old): normalize("NFC", new) for old, new in supplied.renames.items()}
    old, new = _source_of(source, supplied), _shape_of(result)
    count = sum(len(item["conditions"]) for item in old.data["items"]) or len(old.texts)
    if new.texts and [*new.texts] != [*_joined_sentences(old.data)]:
        refuse("a sentence would be another, or missing")
    are_stripped = strip_results in edits
    _require_metric(old, new, supplied)
    leaves = [*_require_same(old, new, names, are_stripped=are_stripped)]
    before = old.predictions
    if supplied.predictions is not None and not isinstance(source, dict):
        before = [{"formula": text} for text in supplied.predictions]
    if new.predictions is None or before is None:
        return Counter(sentences=count, lost=len(before or ())), tuple(leaves)
    are_split = split_conjunctions in edits
    origins, numbers = compared_predictions(
        before, new.predictions, names, are_split=are_split, is_old=is_old
    )
    for number, (stated, made) in enumerate(zip(origins, new.predictions, strict=True)):
        own, kept = _own_keys(stated), _own_keys(made, is_typed=isinstance(result, dict))
        if new.is_whole and own != kept:
            refuse(f"/predictions/{number} would have {kept!r:.60}, and not {own!r:.60}")
        leaves += [_left(("predictions", number, key)) for key in own.keys() - kept.keys()]
    return Counter(sentences=count) + numbers, tuple(leaves)


def _left(place: JsonPath) -> Leaf:
    return Leaf(NO_PLACE, make_pointer(place), why="the new format has no place for it")


def _own_keys(stated: Any, *, is_typed: bool = False) -> dict[str, Any]:
    """What a prediction has besides its formula; what states no type is of that of formulas."""
    own = stated if isinstance(stated, dict) else {}
    usual = {} if is_typed and "formula" in own else {"type": "formula"}
    return {key: value for key, value in (usual | own).items() if key not in READ}


def _source_of(data: Any, supplied: Supplied) -> Shape:
    """The shape of a source, with what its format leaves to the caller, or to nobody."""
    shape = _shape_of(data)
    if not isinstance(data, dict) or "items" not in data:
        items, meta = shape.data["items"], shape.data.setdefault("meta", {})
        if not (isinstance(data, Sheets) and "name" in meta):
            meta["name"] = supplied.name or meta.get("name") or _UNNAMED
        regions = [condition["regions"] for item in items for condition in item["conditions"]]
        numbers = {str(region["region_number"]): "" for entries in regions for region in entries}
        shape.data["region_meta"] = numbers | shape.data.get("region_meta", {})
        for entries in regions if shape.texts == () else ():  # a table may have them in any order
            entries.sort(key=lambda region: int(region["region_number"]))
    return shape


def _shape_of(data: Any) -> Shape:
    if isinstance(data, Sheets):
        return _read_sheets(data)
    if isinstance(data, dict) and "items" in data:
        return _read_object(data)
    entries = as_list(data)
    first = entries[0] if entries and isinstance(entries[0], dict) else {}
    if not first:
        return Shape({"items": []}, texts=[entry for entry in entries if isinstance(entry, str)])
    if any(row.get(key) != first.get(key) for row in entries for key in _SHARED):
        refuse("the rows would be of several suites")
    is_wide = [*first][:2] == ["item", "condition"]  # whatever its regions are called
    if "conditions" in first and not is_wide:
        return _read_rows(entries)
    return _read_cells(entries) if "region_number" in first and not is_wide else _read_wide(entries)


def _read_cells(rows: Sequence[Any]) -> Shape:
    """A table with a region in each row."""
    both = {(str(int(row["region_number"])), row["region_name"]) for row in rows}
    names = dict(sorted(both))
    if len(names) < len(both):
        refuse("a region would have several names")
    cells = [tuple(map(row.__getitem__, _COLUMNS)) for row in rows]
    return Shape({"region_meta": names, "items": _items(cells)})


def _read_wide(rows: Sequence[Any]) -> Shape:
    """A table with a region in each column."""
    names = {str(number): name for number, name in enumerate([*rows[0]][2:], 1)}
    cells = [
        (item, name.strip(), number, text)
        for item, name, *texts in map(dict[str, str].values, rows)
        for number, text in enumerate(texts, 1)
    ]
    return Shape({"region_meta": names, "items": _items(cells)})


def _read_object(data: Mapping[str, Any]) -> Shape:
    meta = {**data["meta"]}
    predictions = data.get("predictions") or meta.pop("string_predictions", None) or []
    shape = {**data, "meta": meta}
    shape.pop("predictions", None)
    return Shape(shape, predictions, is_whole=True, metric=meta.pop("metric", None))


def _read_rows(rows: Sequence[Any]) -> Shape:
    shape = {"meta": {"name": rows[0].get("suite_name")}, "items": [*map(_read_row, rows)]}
    texts = [text for row in rows for text in row["conditions"].get("content", ())]
    formulas = [{"formula": text} for text in rows[0].get("predictions") or ()]
    return Shape(shape, formulas, texts)


def _read_row(row: Mapping[str, Any]) -> dict[str, Any]:
    columns = row["conditions"]
    conditions = [
        {
            "condition_name": name,
            "regions": [
                {"region_number": number, "content": text}
                for number, text in zip(parts["region_number"], parts["content"], strict=True)
            ],
        }
        for name, parts in zip(columns["condition_name"], columns["regions"], strict=True)
    ]
    return {"item_number": row["item_number"], "conditions": conditions}


def _items(cells: Iterable[tuple[Any, str, Any, str]]) -> list[dict[str, Any]]:
    items: dict[int, dict[str, dict[str, Any]]] = {}
    for item, name, region, text in cells:
        empty = {"condition_name": name, "regions": []}
        condition = items.setdefault(int(item), {}).setdefault(normalize("NFC", name), empty)
        condition["regions"].append({"region_number": int(region), "content": text})
    return [
        {"item_number": number, "conditions": [*conditions.values()]}
        for number, conditions in items.items()
    ]


def _read_sheets(data: Sheets) -> Shape:
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


def _joined_sentences(data: Mapping[str, Any]) -> Iterator[str]:
    unspaced = data.get("meta", {}).get(NO_SPACE_BEFORE)
    for item in data["items"]:
        for condition in item["conditions"]:
            parts = [(int(part["region_number"]), part["content"]) for part in condition["regions"]]
            regions = (Region(n, text, is_spaced(n, unspaced)) for n, text in parts)
            yield Condition(condition["condition_name"], tuple(regions)).sentence().text


def _require_same(
    old: Shape, new: Shape, names: Mapping[str, str], *, are_stripped: bool
) -> Iterator[Leaf]:
    """Refuse other values, and list those that the new format has no place for."""
    old_data, new_data = dict(old.data), dict(new.data)
    are_same_texts = bool(new.texts) and not new_data["items"]
    if are_same_texts or (not (names or are_stripped) and old_data["items"] == new_data["items"]):
        del old_data["items"], new_data["items"]  # these need not be read
    before, after, left = _values(old_data), _values(new_data), dict[JsonPath, None]()
    for place, value in before.items():
        made, key = after.pop(place, ...), place[-1]
        if key == "condition_name" and isinstance(made, str):
            value, made = _renamed(value, names), normalize("NFC", made)
        is_stripped = are_stripped and _is_result(place)
        may_be_left = key not in _KEPT and (is_stripped or not new.is_whole)
        if made is ... and may_be_left:
            left[tuple("*" if isinstance(part, int) else part for part in place)] = None
        else:
            _require_value(place, value, made, is_stripped=is_stripped)
    _require_nothing_more(after)
    yield from map(_left, left)


def _require_nothing_more(rest: Mapping[JsonPath, Any]) -> None:
    for place, value in rest.items():
        if place[0] != "region_meta" or value:  # a table has an empty name for a region without one
            refuse(f"{make_pointer(place)} would be from nowhere: {json.dumps(value):.60}")


def _renamed(name: str, names: Mapping[str, str]) -> str:
    name = normalize("NFC", name)
    return names.get(name, name)


def _require_value(place: JsonPath, value: Any, made: Any, *, is_stripped: bool) -> None:
    """Refuse another value at a place, or any where results are stripped; ``...`` is none."""
    if is_stripped and made is not ...:
        refuse(f"{make_pointer(place)} would still be there")
    if not is_same(value, made):
        written = "lost" if made is ... else json.dumps(made)
        refuse(f"{make_pointer(place)} would be {written:.60}, and not {json.dumps(value):.60}")


def _values(data: dict[str, Any]) -> dict[JsonPath, Any]:
    parts = [(), *((name,) for name in ("meta", "region_meta", "items"))]
    return {place: value for place, value in leaves_of(data) if place not in parts}


def _is_result(place: JsonPath) -> bool:
    return place[:2] == ("meta", "model") or not _RESULTS.isdisjoint(place)


def _require_metric(old: Shape, new: Shape, supplied: Supplied) -> None:
    """Refuse another metric: it is the stated one, or that of several which the caller chooses.

    Only a suite without formulas, which is a legacy one, may keep several.
    """
    stated, metric = None if old.metric is ... else old.metric or None, new.metric
    is_one = not supplied.metric or (isinstance(stated, str) and stated != "all")
    chosen = next(iter(as_list(stated or "sum"))) if is_one else supplied.metric
    has_formulas = any("formula" in p for p in new.predictions or () if isinstance(p, dict))
    may_stay = old.metric is not ... and (is_one or not has_formulas)
    if metric is not ... and metric != chosen and not (may_stay and metric == stated):
        refuse(f"the metric is {stated or 'not stated'}, and would be {metric}")
