"""Rows of minimal pairs that a suite becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evalmark.converters.pairs.pair_suites import (
    TARGET,
    PairLayout,
    layout,
    pair_items,
    pairs_to_suite,
    text_keys,
)
from evalmark.converters.step import Data, Object, Step, Stepped, Supplied
from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import ConversionError, FormulaSyntaxError
from evalmark.validator.formats.pairs.pair_items import item_of
from evalmark.validator.formats.pairs.pair_sets import SETS, PairSet
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Node,
    Reference,
    parse,
)
from evalmark.validator.formats.suites.suite import Condition, Suite, suite_of

#: The set whose keys the rows of a suite have that was not made of pairs.
_USUAL = SETS["blimp"]


def suite_to_pairs(data: Data, _: Supplied) -> Stepped:
    """One row for each item: the texts that a model reads, and what the suite knows of the row."""
    suite = suite_of(data)
    if not suite.items:
        raise ConversionError("the suite has no items")
    if suite.metric != "sum":
        raise ConversionError(
            f"the metric of the suite is {suite.metric}, and pairs compare sums of surprisal"
        )
    origin = data["meta"].get("pairs")
    pair_set = _USUAL if origin is None else SETS.get(origin["set"])
    if pair_set is None:
        raise ConversionError(f"meta.pairs.set is not a set of minimal pairs: {origin['set']!r}")
    plan = layout(pair_set, len(suite.items[0].conditions))
    if plan.is_whole:
        plan = _of_two(suite)
    elif list(map(_tree, suite.formulas)) != list(map(_tree, plan.formulas)):
        raise ConversionError(f"the predictions are not those of {pair_set.title}")
    rows = []
    for item, stated in zip(suite.items, data["items"], strict=True):
        conditions = {condition.name: condition for condition in item.conditions}
        _require_conditions(item.number, conditions, plan)
        texts = _texts(item.number, conditions, plan, pair_set, (origin or {}).get("space", ""))
        if origin is None:
            rows.append({**texts, "UID": suite.name, "pairID": str(item.number)})
            continue
        row = {**origin["same"], **stated.get("pair", {}), **texts}
        rows.append({key: row[key] for key in [*origin["keys"], *row] if key in row})
    _require_rows(rows)
    if origin is not None:
        return Stepped(rows, _notes(rows, suite.name))
    meta = ", ".join(key for key in data["meta"] if key not in ("name", "metric"))
    lost = "left out: regions and their names" + (f", and of meta {meta}" if meta else "")
    return Stepped(rows, (lost,))


def _of_two(suite: Suite) -> PairLayout:
    """The layout of a suite that compares two whole sentences."""
    expected = "expected one prediction, such as (*;%good%) < (*;%bad%)"
    if len(suite.formulas) != 1:
        raise ConversionError(f"the suite has {len(suite.formulas)} predictions", expected)
    (formula,) = suite.formulas
    match _tree(formula):
        case Comparison("<", Reference(None, good), Reference(None, bad)):
            pass
        case Comparison(">", Reference(None, bad), Reference(None, good)):
            pass
        case _:
            raise ConversionError(f"`{formula}` does not compare two whole sentences", expected)
    return PairLayout(((good, bad),), suite.formulas, is_whole=True)


def _tree(formula: str) -> Node | None:
    try:
        return parse(formula).tree
    except FormulaSyntaxError:
        return None


def _require_conditions(number: int, conditions: Mapping[str, Condition], plan: PairLayout) -> None:
    if conditions.keys() != set(plan.names):
        listed = f"{', '.join(conditions) or 'none'}; expected {', '.join(plan.names)}"
        raise ConversionError(f"item {number} has the conditions {listed}")


def _texts(
    number: int,
    conditions: Mapping[str, Condition],
    plan: PairLayout,
    pair_set: PairSet,
    space: str,
) -> Object:
    by_key: Object = {}

    def put(key: str, text: str) -> None:
        if by_key.setdefault(key, text) != text:
            raise ConversionError(f"item {number} has two texts that would be {key} of its row")

    contests = zip(plan.conditions, pair_set.whole, strict=True)
    for names, (_, columns) in contests:
        if pair_set.options:
            (column,) = columns
            parts = [_parts(number, conditions[name]) for name in names]
            after = " " if space == column.text else ""
            for context, _ in parts:
                put(column.context, context + (" " if space == column.context else ""))
            by_key[column.text] = [after + text for _, text in parts]
            continue
        for name, column in zip(names, columns, strict=True):
            if not column.context:
                put(column.text, conditions[name].sentence().text)
                continue
            context, text = _parts(number, conditions[name])
            put(column.context, context)
            put(column.text, text)
    return {key: by_key[key] for key in text_keys(pair_set)}


def _parts(number: int, condition: Condition) -> tuple[str, str]:
    contents = {region.number: region.content for region in condition.regions}
    if contents.keys() != {1, TARGET}:
        raise ConversionError(f"item {number} has other regions than a context and a target")
    return contents[1], contents[TARGET]


def _require_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    for number, row in enumerate(rows, 1):
        if not accepts("pairs", row):
            raise ConversionError(f"item {number} would not be a valid row of minimal pairs")
    pair_items(list(rows), "")


def _notes(rows: Sequence[Mapping[str, Any]], name: str) -> tuple[str, ...]:
    item = item_of(rows[0], file=name)
    if item is None or item.uid == name:
        return ()
    return ("the rows do not state their UID: it is made of the name of their file",)


PAIR_STEPS = (
    Step("pairs", "suite", pairs_to_suite),
    Step("suite", "pairs", suite_to_pairs, loses="regions, meta; nothing if it was made of pairs"),
)
