"""Suites as wide tables: a row is a sentence, its cells are the regions."""

from __future__ import annotations

from evalmark.converters.step import Data, Step, Stepped, Supplied
from evalmark.converters.steps.tables import (
    built_suite,
    condition_name,
    require_cells,
    require_predictions,
    whole_number,
)
from evalmark.schemas.errors import ConversionError
from evalmark.validator.reading.other_formats import FIRST_COLUMNS


def wide_table_to_suite(data: Data, supplied: Supplied) -> Stepped:
    """Every column after the second is a region, in order; an empty cell is an empty region."""
    require_predictions(supplied)
    number_of, condition_of = FIRST_COLUMNS
    names = dict(enumerate(list(data[0])[len(FIRST_COLUMNS) :], 1))
    items: dict[int, dict[str, dict[int, str]]] = {}
    for line, row in enumerate(data, 2):
        require_cells(row, names.values(), line)
        item = items.setdefault(whole_number(row, number_of, line), {})
        condition = condition_name(row, condition_of, line).strip()
        if condition in item:
            raise ConversionError(
                f"line {line}: item {row[number_of].strip()} has the condition {condition} twice"
            )
        item[condition] = {number: row[name] for number, name in names.items()}
    return built_suite(items, names, supplied, [])


WIDE_STEPS = (
    Step(
        "wide-table", "suite", wide_table_to_suite,
        needs="predictions, or an empty list of them",
    ),
)  # fmt: skip
