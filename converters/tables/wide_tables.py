"""Suites as tables for spreadsheets: a column for each region, predictions and meta beside them.

A suite is written only if it is read back equal. What a table cannot hold is refused by that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

from evalmark.converters.step import NOTHING, Data, Object, Step, Stepped, Supplied
from evalmark.converters.suites.suite_tables import (
    COLUMNS,
    table_to_suite,
    wide_table_to_suite,
)
from evalmark.converters.tables.any_table.words import (
    Role,
    folded,
    is_content,
    is_odd_region,
    is_uid,
    role_of_name,
    sides_of,
)
from evalmark.converters.tables.sheets import FORMULA, META_COLUMNS, Row, Sheets, cell_of, value_of
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.wide_tables import FIRST_COLUMNS
from evalmark.validator.findings.phrasing import shown
from evalmark.validator.reading.source import make_pointer, parse_pointer
from evalmark.validator.reading.work_budget import WorkBudget

#: The keys of a suite, and the kind of its predictions, which a table need not name.
_KEYS = ("meta", "region_meta", "predictions", "items")
_USUAL_TYPE = {"type": "formula"}
_REGIONS = "region_meta"
#: Names that no column of a region has: those that say what another table, or row, is.
_TAKEN = frozenset(("", *FIRST_COLUMNS, *COLUMNS, "conditions"))
#: Characters of a region of a suite, at least.
_REGION = 40


def suite_to_wide_table(data: Data, _: Supplied) -> Stepped:
    """A row for each condition of an item, a column for each region.

    Raises:
        ConversionError: The suite has something that such tables cannot hold.
    """
    conditions = [
        (item["item_number"], condition)
        for item in data["items"]
        for condition in item["conditions"]
    ]
    regions = [int(r["region_number"]) for _, condition in conditions for r in condition["regions"]]
    last = max(regions, default=0)
    WorkBudget.of(_REGION * len(regions)).take(cells=max(last, 0) * len(conditions))
    columns = _columns(data[_REGIONS], last)
    rows = [_row(number, condition, columns) for number, condition in conditions]
    if not rows:
        raise ConversionError("a wide table needs an item")
    sheets = Sheets(rows, _prediction_rows(data["predictions"]), _meta_rows(data, columns))
    back = table_to_suite_with(wide_table_to_suite, sheets, NOTHING).data
    if (lost := _difference(data, back)) is not None:
        pointer = make_pointer(lost)
        is_result = "metric_value" in lost
        raise ConversionError(
            f"a wide table cannot hold {pointer}", needs="strip_results" if is_result else ""
        )
    return Stepped(sheets)


def _difference(old: Any, new: Any, at: tuple[str | int, ...] = ()) -> tuple[str | int, ...] | None:
    """The place of the first value that is another, or is lost; None if there is none."""
    old, new = (dict(enumerate(one)) if isinstance(one, list) else one for one in (old, new))
    if isinstance(old, dict) and old:
        others = new if isinstance(new, dict) else {}
        places = (
            _difference(old.get(key, ...), others.get(key, ...), (*at, key)) for key in old | others
        )
        return next((place for place in places if place is not None), None)
    return None if old == new and isinstance(old, bool) is isinstance(new, bool) else at


def _columns(names: Mapping[str, Any], last: int) -> dict[int, str]:
    """The column of each region up to the last: its name, or its number if that is not a name."""
    counts = Counter(name for name in names.values() if isinstance(name, str))
    columns = {}
    for number in range(1, last + 1):
        name = names.get(str(number))
        is_usable = (
            isinstance(name, str)
            and name not in _TAKEN
            and name == name.strip()
            and not name.isdecimal()
            and counts[name] == 1
        )
        columns[number] = name if is_usable and isinstance(name, str) else str(number)
    return columns


def _row(number: float, condition: Object, columns: Mapping[int, str]) -> Row:
    contents = {int(r["region_number"]): r["content"] for r in condition["regions"]}
    first = (str(int(number)), condition["condition_name"])
    texts = {column: contents.get(region, "") for region, column in columns.items()}
    return dict(zip(FIRST_COLUMNS, first, strict=True)) | texts


def _prediction_rows(predictions: list[Object]) -> list[Row]:
    """A row for each prediction; the columns after its formula are its other keys."""
    keys = dict.fromkeys(key for prediction in predictions for key in prediction if key != FORMULA)
    if all(prediction.items() >= _USUAL_TYPE.items() for prediction in predictions):
        keys.pop("type", None)
    return [
        {FORMULA: prediction[FORMULA]}
        | {key: cell_of(prediction[key]) if key in prediction else "" for key in keys}
        for prediction in predictions
    ]


def _meta_rows(data: Object, columns: Mapping[int, str]) -> list[Row]:
    """A row for each key of meta, each name that is not a column, and each other key of a suite."""
    values = {
        make_pointer(("meta", key)) if _is_odd(key) else key: v for key, v in data["meta"].items()
    }
    shown = {str(number): column for number, column in columns.items()}
    for number, name in data[_REGIONS].items():
        if shown.get(number) != name:
            values[make_pointer((_REGIONS, number))] = name
    values |= {make_pointer((key,)): value for key, value in data.items() if key not in _KEYS}
    return [
        dict(zip(META_COLUMNS, (key, cell_of(value)), strict=True)) for key, value in values.items()
    ]


def _is_odd(key: str) -> bool:
    """True if a key would be taken for a pointer."""
    return key.startswith("/")


def table_to_suite_with(
    items_of: Callable[[Data, Supplied], Stepped], data: Data, supplied: Supplied
) -> Stepped:
    """The suite of a table, with the predictions and meta of the tables beside it.

    Args:
        items_of: The suite of the items alone: that of a wide or of a long table.
        data: The rows of the items, or all tables.
        supplied: Facts that the tables do not state; predictions come before those of a table.
    """
    if not isinstance(data, Sheets):
        odd = odd_region(data) if items_of is wide_table_to_suite else None
        if odd is not None:
            raise ConversionError(
                f"the column {shown(odd)} may be no region", "remove it",
                needs="columns", subject=odd,
            )  # fmt: skip
        return items_of(data, supplied)
    values = _placed(data.meta or [])
    meta = {place[1]: value for place, value in values.items() if place[0] == "meta"}
    predictions = data.predictions if supplied.predictions is None else None
    if predictions is not None:
        supplied = replace(supplied, predictions=tuple(_formulas(predictions)))
    name, metric = meta.get("name"), meta.get("metric")
    supplied = replace(
        supplied,
        name=name if isinstance(name, str) else supplied.name,
        metric=metric if isinstance(metric, str) else supplied.metric,
    )
    stepped = items_of(data.items, supplied)
    suite = stepped.data
    for prediction, row in zip(suite["predictions"], predictions or (), strict=False):
        prediction |= {key: value_of(cell) for key, cell in row.items() if cell and key != FORMULA}
    new = {**suite, "meta": meta | {k: v for k, v in suite["meta"].items() if k not in meta}}
    is_replaced = predictions is None and data.predictions
    notes = ("predictions are those supplied, not those of the table",) if is_replaced else ()
    return Stepped(_completed(new, values), (*stepped.notes, *notes))


def odd_region(data: Sheets | list[Row]) -> str | None:
    """The first column of a wide table that may be no region; tables beside it say that all are."""
    if isinstance(data, Sheets):
        return None
    names = list(data[0])[len(FIRST_COLUMNS) :]
    is_long, sides = any(map(is_content, names)), sides_of(names)  # a region a row
    odd = (
        name
        for name in names
        if (is_long and role_of_name(name) is Role.LABEL)
        or is_uid(name)
        or folded(name) in sides
        or is_odd_region(name, [row[name] for row in data])
    )
    return next(odd, None)


def unrelated(rows: list[Row]) -> str:
    """The doubt about a wide table in which the sentences of no item have a word in common.

    The rows of such a table are probably not sentences of one item: it is turned, or has results.
    Empty if there is none.
    """
    items: dict[str, list[set[str]]] = {}
    for item, _, *cells in map(dict.values, rows):
        words = {part for text in cells for part in re.findall(r"\w+", text.casefold())}
        if len(words) > 1 and all(map(str.isascii, words)):
            items.setdefault(item, []).append(words)
    several = [sentences for sentences in items.values() if len(sentences) > 1]
    is_odd = len(several) > 1 and not any(
        first & second for sentences in several for first, second in combinations(sentences, 2)
    )
    return (
        "the sentences of an item have no word in common, in any of the items: are the rows of one "
        "item its sentences?"
    ) * is_odd


def _formulas(rows: list[Row]) -> list[str]:
    lacking = next((n for n, row in enumerate(rows, 1) if not row[FORMULA].strip()), None)
    if lacking is not None:
        raise ConversionError(f"prediction {lacking} has no formula")
    return [row[FORMULA] for row in rows]


def _placed(rows: list[Row]) -> dict[tuple[str, ...], Any]:
    """The values of a table of meta, by their place in a suite."""
    values: dict[tuple[str, ...], Any] = {}
    for row in rows:
        key, cell = (row[column] for column in META_COLUMNS)
        pointer = key if _is_odd(key) else make_pointer(("meta", key))
        place = tuple(parse_pointer(pointer))
        if place in values:
            raise ConversionError(f'meta has "{key}" twice')
        is_named = len(place) == 2 and place[0] in ("meta", _REGIONS)
        if not is_named and (len(place) > 1 or place[0] in _KEYS):
            raise ConversionError(
                f'meta has no place for "{key}"', "write a key of meta, such as author"
            )
        values[place] = value_of(cell)
    return values


def _completed(suite: Object, values: Mapping[tuple[str, ...], Any]) -> Object:
    """A suite with the values that are outside of its meta."""
    names = dict(suite[_REGIONS])
    others = {place[0]: value for place, value in values.items() if len(place) == 1}
    renames = {place[1]: value for place, value in values.items() if place[0] == _REGIONS}
    for number, value in renames.items():
        if names.get(number, number) != number:
            raise ConversionError(
                f'meta has a name for region {number}, whose column is called "{names[number]}"',
                f"remove the row {make_pointer((_REGIONS, number))} of meta",
            )
        names[number] = value
    return {**suite, _REGIONS: names, **others}


WIDE_STEPS = (
    Step("suite", "wide-table", suite_to_wide_table),
    *(
        Step(
            name,
            "suite",
            partial(table_to_suite_with, items_of),
            needs="predictions, or an empty list of them, if no table has them",
        )
        for name, items_of in (("table", table_to_suite), ("wide-table", wide_table_to_suite))
    ),
)
