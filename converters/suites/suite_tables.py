"""Suites as tables, long or with a column for each region, as dataset rows and as sentences.

A wide table is written only if it is read back equal. What it cannot hold is refused by that.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, combinations
from typing import Any, TypeGuard

from evalmark.converters.notes import ConversionNotes
from evalmark.converters.step import Data, Object, Step, Stepped, as_list
from evalmark.converters.suites.suite_dialects import stated_formula
from evalmark.converters.supplied import NOTHING, Supplied
from evalmark.converters.tables.any_table.words import (
    Role,
    folded,
    is_content,
    is_odd_region,
    is_uid,
    pair_sides,
    role_of_name,
)
from evalmark.converters.tables.sheets import (
    ANY_TABLE,
    FORMULA,
    META_COLUMNS,
    Row,
    Sheets,
    cell_of,
    value_of,
)
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.wide_tables import FIRST_COLUMNS, is_wide_header
from evalmark.validator.findings.finding import Action
from evalmark.validator.findings.phrasing import cited, counted, listed
from evalmark.validator.formats.pairs.pair_sets import set_of
from evalmark.validator.formats.suites.condition_names import normal_name
from evalmark.validator.formats.suites.suite import METRICS, NO_SPACE_BEFORE, USUAL_METRIC, suite_of
from evalmark.validator.reading.lines import fault_of_row
from evalmark.validator.reading.source import make_pointer, parse_pointer
from evalmark.validator.reading.work_budget import WorkBudget, require_columns

#: Number of an item -> condition -> region -> content.
Items = dict[int, dict[str, dict[int, str]]]
#: Help for a table whose cells are separated as some spreadsheets do.
_COMMAS = "separate the cells with commas, or with tabs in a .tsv file, not with semicolons"
_PAIRS = Action.TERMINAL("if its rows are minimal pairs, `--pairs` names their columns")
#: Characters of a value in a refusal.
_SHOWN = 60
#: The name of a suite that neither its format nor its file names.
UNNAMED = "suite"
COLUMNS = ("item_number", "condition_name", "region_number", "region_name", "content")
_WIDE_NAMES = dict(zip(COLUMNS, FIRST_COLUMNS, strict=False))


def format_of_header(text: str, delimiter: str) -> str | None:
    """The format of a table by its header, whatever its rows are."""
    header = [name.strip().strip('"') for name in text.partition("\n")[0].split(delimiter)]
    if text.startswith(COLUMNS[0]) or COLUMNS[2] in text[:200]:
        return "table"
    if is_wide_header(header):
        return "wide-table"
    return None if set_of(dict.fromkeys(header)) is None else "pairs"


def _header(names: Iterable[str]) -> list[str]:
    """The columns of a table: a wide one may name the first two as the files of suites do."""
    header = [name.strip() for name in names]
    first = tuple(_WIDE_NAMES.get(name, name) for name in header[: len(FIRST_COLUMNS)])
    is_long = COLUMNS[2] in header
    return header if is_long or first != FIRST_COLUMNS else [*first, *header[len(first) :]]


class NumberedRow(dict[str, str]):
    """A row of a table, by column; ``number`` counts the rows that a spreadsheet shows, from 1."""

    number = 0


def read_table(
    text: str, delimiter: str = ",", required: Sequence[str] = ()
) -> list[dict[str, str]]:
    """The rows of a table that have a text; every cell is text, and an empty cell is an empty text.

    ``required`` has columns that it must have; those of a suite or of minimal pairs if none are
    given.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 0
    try:
        header = _header(next(reader, []))
        line = reader.line_num
        require_columns(len(header))
        _require_header(header, required)
        rows: list[dict[str, str]] = []
        for number, cells in enumerate(reader, 2):
            begins, line = line + 1, reader.line_num
            if not any(cells):
                continue
            if len(cells) != len(header):
                raise ConversionError(
                    ConversionNotes.CELLS(begins, counted(len(cells), "cell"), len(header)),
                    ConversionNotes.QUOTES() if len(cells) > len(header) else "",
                )
            row = NumberedRow(zip(header, cells, strict=True))
            row.number = number
            rows.append(row)
    except csv.Error as error:
        why = fault_of_row(error, line + 1, reader.line_num)
        raise ConversionError(ConversionNotes.LINE(reader.line_num, why)) from error
    return rows


def _numbered(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Rows with their numbers in the table; parsed JSON has none, and is counted."""
    for number, row in enumerate(rows, 2):
        yield row.number if isinstance(row, NumberedRow) else number, row


def _require_header(header: list[str], required: Sequence[str]) -> None:
    if required or not (is_wide_header(header) or set_of(dict.fromkeys(header)) is not None):
        missing = [name for name in required or COLUMNS if name not in header]
        if missing:
            small = [name.lower() for name in header]
            columns = FIRST_COLUMNS if is_wide_header(small) else missing
            raise ConversionError(
                ConversionNotes.NO_COLUMN(", ".join(columns)),
                _help_on_columns(header, columns, small),
                needs="" if required else ANY_TABLE,
            )
    repeated = next((name for name, count in Counter(header).items() if count > 1), None)
    if repeated is not None:
        raise ConversionError(f'two columns are called "{repeated}"')


def _help_on_columns(header: Sequence[str], columns: Sequence[str], small: Sequence[str]) -> str:
    if len(header) == 1 and ";" in header[0]:
        return _COMMAS
    if list(columns) == list(COLUMNS):
        return _PAIRS
    names = " and ".join(f"`{name}`" for name in columns)
    is_capital = {*columns} <= {*small}
    return f"write {names} in small letters, as evalmark does" if is_capital else ""


def table_text(rows: Sequence[Mapping[str, str]], delimiter: str, columns: Sequence[str]) -> str:
    """The text of a table, with LF line ends and quotes where they are needed."""
    # Not every Python quotes a carriage return by itself.
    has_return = any("\r" in cell for row in rows for pair in row.items() for cell in pair)
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(
        stream,
        columns,
        delimiter=delimiter,
        lineterminator="\n",
        quoting=csv.QUOTE_ALL if has_return else csv.QUOTE_MINIMAL,
    )
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def table_to_suite(data: Data, supplied: Supplied) -> Stepped:
    """Items and conditions in the order in which they first appear."""
    _require_predictions(supplied)
    names: dict[int, str] = {}
    items: Items = {}
    spellings: dict[tuple[int, str], str] = {}
    for line, row in _numbered(data):
        _require_cells(row, COLUMNS, line)
        item, number = (
            _whole_number(row, "item_number", line),
            _whole_number(row, "region_number", line),
        )
        name, condition = row["region_name"], _condition_name(row, "condition_name", line)
        if names.setdefault(number, name) != name:
            raise ConversionError(
                ConversionNotes.LINE(
                    line,
                    f'region {number} is called "{name}" here and "{names[number]}" before',
                )
            )
        condition = spellings.setdefault((item, normal_name(condition)), condition)
        regions = items.setdefault(item, {}).setdefault(condition, {})
        if number in regions:
            raise ConversionError(
                ConversionNotes.LINE(line, f"item {item} has region {number} of {condition} twice")
            )
        regions[number] = row["content"]
    extra = sorted({key for row in data for key in row} - set(COLUMNS))
    notes: list[str] = [ConversionNotes.NO_PLACE(", ".join(extra))] if extra else []
    return _built_suite(items, {n: names[n] for n in sorted(names)}, supplied, notes)


def _require_predictions(supplied: Supplied) -> None:
    if supplied.predictions is None:
        raise ConversionError(
            "a table has no predictions", "supply them, or an empty list", needs="predictions"
        )


def _require_cells(row: Mapping[str, Any], columns: Iterable[str], line: int) -> None:
    """Refuse a row that lacks a cell, or has a value that is not a text, as parsed JSON may."""
    for name in columns:
        if not isinstance(row.get(name), str):
            cell = json.dumps(row[name]) if name in row else "missing"
            raise ConversionError(ConversionNotes.LINE(line, f"{name} is not a text: {cell}"))


def _condition_name(row: Mapping[str, str], column: str, line: int) -> str:
    if not row[column].strip():
        raise ConversionError(
            ConversionNotes.LINE(line, f"{column} is empty"),
            "write the name of the condition in every row",
        )
    return row[column]


def _whole_number(row: Mapping[str, str], column: str, line: int) -> int:
    text = row[column].strip()
    if not text.isascii() or not text.isdecimal():
        raise ConversionError(
            ConversionNotes.LINE(line, f'{column} is not a whole number: "{row[column]}"')
        )
    return int(text)


def _built_suite(
    items: Items,
    names: dict[int, str],
    supplied: Supplied,
    notes: list[str],
) -> Stepped:
    formulas = map(stated_formula, supplied.predictions or ())
    predictions = [{"type": "formula", "formula": formula} for formula in formulas]
    if not predictions:
        notes.append(ConversionNotes.NO_PREDICTIONS())
    if supplied.name is None:
        notes.append(ConversionNotes.NO_SUITE(UNNAMED))
    if supplied.metric is None:
        notes.append(ConversionNotes.NO_METRIC(USUAL_METRIC))
    suite = {
        "meta": {"name": supplied.name or UNNAMED, "metric": supplied.metric or USUAL_METRIC},
        "region_meta": {str(number): name for number, name in names.items()},
        "predictions": predictions,
        "items": [
            {"item_number": number, "conditions": [*map(_condition, conditions.items())]}
            for number, conditions in items.items()
        ],
    }
    return Stepped(suite, tuple(dict.fromkeys(notes)))


def _condition(entry: tuple[str, dict[int, str]]) -> Object:
    name, contents = entry
    regions = [{"region_number": n, "content": text} for n, text in sorted(contents.items())]
    return {"condition_name": name, "regions": regions}


def suite_to_table(data: Data, _: Supplied) -> Stepped:
    """One row for each region, item by item."""
    _require_spaces(data)
    names = data["region_meta"]
    odd = next((key for key, name in names.items() if not isinstance(name, str)), None)
    if odd is not None:
        raise ConversionError(f"the name of region {odd} is not a text, and a table has only texts")
    rows = [
        {
            "item_number": str(int(item["item_number"])),
            "condition_name": condition["condition_name"],
            "region_number": str(int(region["region_number"])),
            "region_name": names.get(str(int(region["region_number"])), ""),
            "content": region["content"],
        }
        for item in data["items"]
        for condition in item["conditions"]
        for region in condition["regions"]
    ]
    _require_order(rows)
    return Stepped(rows, _lost(data))


def _require_spaces(data: Object) -> None:
    """Refuse a suite whose regions are not all joined with spaces: only `meta` can say so."""
    if data["meta"].get(NO_SPACE_BEFORE):
        raise ConversionError(
            f"this format cannot hold `{NO_SPACE_BEFORE}` of `meta`, and would put a space before "
            "each region",
            "convert to `sentences`, which are joined as it says, or remove it from the suite",
        )


def _require_order(rows: Sequence[Mapping[str, str]]) -> None:
    last: dict[tuple[str, str], int] = {}
    for row in rows:
        item, name, number = row[COLUMNS[0]], normal_name(row[COLUMNS[1]]), int(row[COLUMNS[2]])
        if number <= last.get((item, name), -1):
            raise ConversionError(
                f"a table has the regions of an item in the order of their numbers, and region "
                f"{number} of {name} in item {item} is after region {last[item, name]}"
            )
        last[item, name] = number


def suite_to_sentences(data: Data, _: Supplied) -> Stepped:
    """The sentences that a model reads, joined by the rule `core`."""
    suite = suite_of(data)
    sentences = [condition.sentence().text for item in suite.items for condition in item.conditions]
    broken = next((text for text in sentences if "\n" in text or "\r" in text), None)
    if broken is not None:
        raise ConversionError(f"a region breaks a line: {broken!r}")
    return Stepped(sentences, _lost(data))


def suite_to_rows(data: Data, _: Supplied) -> Stepped:
    """One object for each item, as the suites' dataset has them."""
    _require_spaces(data)
    suite = suite_of(data)
    formulas = [prediction["formula"] for prediction in data["predictions"]]
    rows = []
    for item in suite.items:
        joined = [condition.sentence().text for condition in item.conditions]
        rows.append(
            {
                "suite_name": suite.name,
                "item_number": item.number,
                "conditions": {
                    "condition_name": [condition.name for condition in item.conditions],
                    "content": joined,
                    "regions": [
                        {
                            "region_number": [region.number for region in condition.regions],
                            "content": [region.content for region in condition.regions],
                        }
                        for condition in item.conditions
                    ],
                },
                "predictions": formulas,
            }
        )
    names = "region names and all of meta except the name are left out"
    return Stepped(rows, (names, *_other_key_notes(data, data["predictions"])))


def rows_to_suite(data: Data, supplied: Supplied) -> Stepped:
    """The suite of dataset rows; they must be of one suite, and agree on its predictions."""
    rows = as_list(data)
    for number, row in enumerate(rows, 1):
        require_row(row, number)
    name, formulas = _shared_facts(rows)
    items = _items_of(rows)
    numbers = sorted({n for item in items.values() for regions in item.values() for n in regions})
    supplied.use("metric", "predictions")
    if supplied.predictions is not None:
        formulas = supplied.predictions
    elif "predictions" not in rows[0]:
        raise ConversionError(
            "the rows have no predictions", "supply them, or an empty list", needs="predictions"
        )
    name = supplied.name or name or None
    named = Supplied(metric=supplied.metric, name=name, predictions=formulas)
    notes: list[str] = [ConversionNotes.NO_REGIONS()]
    return _built_suite(items, dict.fromkeys(numbers, ""), named, notes)


def _shared_facts(rows: Iterable[Mapping[str, Any]]) -> tuple[str | None, tuple[str, ...]]:
    names = {row.get("suite_name", "") for row in rows}
    if len(names) > 1:
        raise ConversionError(f"the rows belong to several suites: {', '.join(sorted(names))}")
    formulas = {tuple(row.get("predictions", ())) for row in rows}
    if len(formulas) > 1:
        raise ConversionError("the rows have different predictions")
    return next(iter(names), None), next(iter(formulas), ())


def _items_of(rows: Iterable[Mapping[str, Any]]) -> Items:
    items: Items = {}
    for row in rows:
        conditions = row["conditions"]
        if row["item_number"] in items:
            raise ConversionError(f"item {row['item_number']} has several rows")
        item = items.setdefault(row["item_number"], {})
        pairs = zip(conditions["condition_name"], conditions["regions"], strict=True)
        for name, regions in pairs:
            if name in item:
                raise ConversionError(f"item {row['item_number']} has the condition {name} twice")
            item[name] = dict(zip(regions["region_number"], regions["content"], strict=True))
    return items


def require_row(row: Mapping[str, Any], number: int) -> None:
    """Refuse a row of a dataset whose values do not have the types of its columns."""
    conditions = row["conditions"]
    names, regions = conditions.get("condition_name"), conditions.get("regions")
    for place, value, is_right in (
        ("suite_name", row.get("suite_name", ""), _is_text),
        ("item_number", row["item_number"], _is_number),
        ("predictions", row.get("predictions", []), partial(_is_list, fits=_is_text)),
        ("conditions/condition_name", names, partial(_is_list, fits=_is_text)),
        ("conditions/regions", regions, partial(_is_list, fits=_is_columns)),
    ):
        if not is_right(value):
            shown = json.dumps(value, ensure_ascii=False)
            raise ConversionError(f"row {number}: {place} cannot be {shown[:_SHOWN]}")
    if len(names) != len(regions):
        raise ConversionError(
            f"row {number}: {len(names)} names of conditions and {len(regions)} lists of regions"
        )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list(value: object, fits: Callable[[Any], bool]) -> TypeGuard[list[Any]]:
    return isinstance(value, list) and all(map(fits, value))


def _is_columns(value: object) -> bool:
    """True if the regions of a condition are two columns of equal length, each number once."""
    if not isinstance(value, dict):
        return False
    numbers, contents = value.get("region_number"), value.get("content")
    return (
        _is_list(numbers, _is_number)
        and _is_list(contents, _is_text)
        and len(contents) == len(numbers) == len(set(numbers))
    )


def wide_table_to_suite(data: Data, supplied: Supplied) -> Stepped:
    """Every column after the second is a region, in order; an empty cell is an empty region."""
    _require_predictions(supplied)
    number_of, condition_of = FIRST_COLUMNS
    names = dict(enumerate(list(data[0])[len(FIRST_COLUMNS) :], 1))
    items: Items = {}
    for line, row in _numbered(data):
        _require_cells(row, names.values(), line)
        item = items.setdefault(_whole_number(row, number_of, line), {})
        condition = _condition_name(row, condition_of, line).strip()
        if normal_name(condition) in map(normal_name, item):
            raise ConversionError(
                ConversionNotes.LINE(
                    line,
                    f"item {row[number_of].strip()} has the condition {condition} twice",
                )
            )
        item[condition] = {number: row[name] for number, name in names.items()}
    notes = [
        f"the column {cited(name)} is read as region {number}: remove it if it is not one"
        for number, name in names.items()
        if is_odd_region(name, [row[name] for row in data])
    ]
    return _built_suite(items, names, supplied, notes)


def _with_numbers(stepped: Stepped, items_of: Callable[[Data, Supplied], Stepped]) -> Stepped:
    """The suite of a wide table; a note if numbers name its columns, and not those of regions.

    The tables of evalmark, which have the name of a suite, say what the names of its regions are.
    """
    names: Mapping[str, str] = stepped.data["region_meta"]
    stated = {number: _NUMBERED.fullmatch(name) for number, name in names.items()}
    if items_of is not wide_table_to_suite or not all(stated.values()):
        return stepped
    notes = renumbered((old[1], int(new)) for new, old in stated.items() if old)
    return Stepped(stepped.data, (*stepped.notes, *notes))


def renumbered(regions: Iterable[tuple[str, int]]) -> list[str]:
    """A note, if a region has another number in a suite (the second) than in its table."""
    changes = [f"{old} → {new}" for old, new in regions if int(old) != new]
    return [ConversionNotes.OTHER_NUMBERS(listed(changes))] if changes else []


#: The name of a column that is the number of its region.
_NUMBERED = re.compile(r"(?:(?:region|r)[ _-]?)?([0-9]{1,9})", re.IGNORECASE)
#: The keys that tables hold, or that another note is about.
_HELD = frozenset({
    "meta", "region_meta", "predictions", "items", "item_number", "conditions", "condition_name",
    "regions", "region_number", "content", "type", "formula",
})  # fmt: skip


def _lost(data: Object) -> tuple[str, ...]:
    count = len(data["predictions"])
    predictions = f"{count} prediction{'s' * (count != 1)}"
    meta = ", ".join(key for key in data["meta"] if key != "name")
    return (f"left out: {predictions}, and of meta {meta}", *_other_key_notes(data))


def _other_key_notes(data: Object, predictions: Iterable[Object] = ()) -> tuple[str, ...]:
    items = data["items"]
    conditions = [condition for item in items for condition in item["conditions"]]
    regions = (region for condition in conditions for region in condition["regions"])
    every = chain([data], predictions, items, conditions, regions)
    keys = dict.fromkeys(key for entry in every for key in entry if key not in _HELD)
    return (f"left out: {', '.join(keys)}",) if keys else ()


TABLE_STEPS = (
    Step("suite", "table", suite_to_table, loses="predictions, meta"),
    Step("suite", "sentences", suite_to_sentences, loses="everything except the sentences"),
    Step("suite", "rows", suite_to_rows, loses="region names, meta"),
    Step("rows", "suite", rows_to_suite, loses="the joined sentences"),
)

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

    Raises ConversionError if the suite has something that such tables cannot hold.
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
    old, new = (dict(enumerate(data)) if isinstance(data, list) else data for data in (old, new))
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

    ``items_of`` makes the suite of the items alone, of a wide or of a long table. Predictions that
    are supplied come before those of a table.
    """
    if not isinstance(data, Sheets):
        odd = odd_region(data) if items_of is wide_table_to_suite else None
        if odd is not None:
            raise ConversionError(
                f"the column {cited(odd)} may be no region", "remove it",
                needs="columns", subject=odd,
            )  # fmt: skip
        supplied.use("metric", "predictions")
        return _with_numbers(items_of(data, supplied), items_of)
    values = _values_by_place(data.meta or [])
    meta = {place[1]: value for place, value in values.items() if place[0] == "meta"}
    if meta.get("metric") in ("", None):  # an empty cell states none
        meta.pop("metric", None)
    name, metric = meta.get("name"), meta.get("metric")
    if not isinstance(metric, str | None):
        why = f"the metric of a suite in tables cannot be {json.dumps(metric)}"
        raise ConversionError(why, f"write one of {', '.join(METRICS)}")
    supplied.use("predictions", *([] if isinstance(metric, str) else ["metric"]))
    predictions = data.predictions if supplied.predictions is None else None
    if predictions is not None:
        supplied = replace(supplied, predictions=tuple(_formulas(predictions)))
    supplied = replace(
        supplied,
        name=name if isinstance(name, str) else supplied.name,
        metric=metric if isinstance(metric, str) else supplied.metric,
    )
    stepped = items_of(data.items, supplied)
    stepped = stepped if name else _with_numbers(stepped, items_of)
    suite = stepped.data
    for prediction, row in zip(suite["predictions"], predictions or (), strict=False):
        prediction |= {key: value_of(cell) for key, cell in row.items() if cell and key != FORMULA}
    new = {**suite, "meta": meta | {k: v for k, v in suite["meta"].items() if k not in meta}}
    is_replaced = predictions is None and data.predictions
    notes = ("predictions are those supplied, not those of the table",) if is_replaced else ()
    return Stepped(_with_values(new, values), (*stepped.notes, *notes))


def odd_region(data: Sheets | list[Row]) -> str | None:
    """The first column of a wide table that may be no region; tables beside it say that all are."""
    if isinstance(data, Sheets):
        return None
    names = list(data[0])[len(FIRST_COLUMNS) :]
    is_long, sides = any(map(is_content, names)), pair_sides(names)  # a region a row
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


def _values_by_place(rows: list[Row]) -> dict[tuple[str, ...], Any]:
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


def _with_values(suite: Object, values: Mapping[tuple[str, ...], Any]) -> Object:
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
