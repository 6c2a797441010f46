"""Changes to a suite that keep its format: on the tree of a formula, never on its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evalmark.converters.step import Data, Object, Stepped
from evalmark.converters.suites.suite_dialects import parsed_formula
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.suites.condition_names import (
    LEGAL,
    is_condition_name,
    names_of_conditions,
    normal_name,
)
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Dialect,
    Logic,
    Node,
    references,
    unparse,
)

_RESULTS = ("metric_value", "oovs")


def rename_conditions(data: Data, supplied: Supplied) -> Stepped:
    """Rename conditions in the items and predictions of a suite of any dialect."""
    renames = {normal_name(old): normal_name(new) for old, new in supplied.renames.items()}
    _require_renames(renames, names_of_conditions(data))

    def renamed(name: object) -> Any:
        return renames.get(normal_name(name), name) if isinstance(name, str) else name

    def in_formula(text: str) -> str:
        tree = parsed_formula(text, Dialect.PYTHON)  # which knows every name there ever was
        spans = {reference.condition_span for reference in references(tree)}  # in chains, twice
        for start, end in sorted(spans, reverse=True):
            text = text[:start] + renamed(text[start:end]) + text[end:]
        return text

    def in_prediction(prediction: Any) -> Any:
        if isinstance(prediction, str):
            return in_formula(prediction)
        if not isinstance(prediction, dict):
            raise ConversionError(f"a prediction is neither text nor object: {prediction!r:.60}")
        new = {**prediction}
        if "formula" in new:
            new["formula"] = in_formula(new["formula"])
        for key in new.keys() & {"l_operand", "r_operand"}:
            new[key] = renamed(new[key])
        return new

    new_data = _each_condition(
        data, lambda c: {**c, "condition_name": renamed(c["condition_name"])}
    )
    return Stepped(_each_prediction(data, new_data, in_prediction))


def _each_prediction(data: Data, new: Data, change: Callable[[Any], Any]) -> Data:
    if "predictions" in data:
        new["predictions"] = [*map(change, data["predictions"])]
    strings = data["meta"].get("string_predictions")
    if strings:
        new["meta"] = {**data["meta"], "string_predictions": [*map(change, strings)]}
    return new


def _require_renames(renames: Mapping[str, str], names: set[str]) -> None:
    for old, new in renames.items():
        if old not in names:
            raise ConversionError(f"cannot rename: no condition is called `{old}`")
        if not is_condition_name(new):
            raise ConversionError(f"cannot rename: `{new}` has characters other than {LEGAL}")
        others = {to for name, to in renames.items() if name != old} | (names - renames.keys())
        if new in others:
            raise ConversionError(f"cannot rename: the name `{new}` is taken")


def split_conjunctions(data: Data) -> Stepped:
    """A prediction for each part of a formula that is joined by ``&`` all through."""
    predictions: list[Object] = []
    notes = []
    for number, prediction in enumerate(data["predictions"], 1):
        parts = _conjuncts(parsed_formula(prediction["formula"]))
        predictions += ({**prediction, "formula": unparse(part)} for part in parts)
        if len(parts) > 1:
            notes.append(
                f"prediction {number} is now {len(parts)}: each is scored on its own, "
                "and an item still needs all of them"
            )
    if not notes:
        return Stepped(data)
    return Stepped({**data, "predictions": predictions}, tuple(notes))


def _conjuncts(node: Node) -> list[Node]:
    """The operands of ``&``; those of an inner ``&`` as well. A mixed level is left as it is."""
    if not isinstance(node, Logic) or any(operator != "&" for operator, _ in node.rest):
        return [node]
    operands = (node.first, *(operand for _, operand in node.rest))
    return [part for operand in operands for part in _conjuncts(operand)]


def strip_results(data: Data) -> Stepped:
    """Remove the results of a model: values, out-of-vocabulary words, its name."""
    count = 0

    def bare(region: Object) -> Object:
        nonlocal count
        kept = {key: value for key, value in region.items() if key not in _RESULTS}
        count += len(region) - len(kept)
        return kept

    new = _each_region(data, bare)
    if "model" in data["meta"]:
        new["meta"] = {key: value for key, value in data["meta"].items() if key != "model"}
        count += 1
    return Stepped(new, (f"{count} results of a model removed",)) if count else Stepped(data)


def _each_condition(data: Data, change: Callable[[Object], Object]) -> Object:
    items = [
        {**item, "conditions": [change(condition) for condition in item["conditions"]]}
        for item in data["items"]
    ]
    return {**data, "items": items}


def _each_region(data: Data, change: Callable[[Object], Object]) -> Object:
    return _each_condition(data, lambda c: {**c, "regions": [change(r) for r in c["regions"]]})
