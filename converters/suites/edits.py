"""Changes to a suite that keep its format: on the tree of a formula, never on its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from evalmark.converters.step import Data, Object, Stepped, Supplied
from evalmark.converters.suites.suite_dialects import parsed_formula
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.suites.condition_names import (
    LEGAL,
    is_condition_name,
    names_of_conditions,
    normal_name,
)
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Dialect,
    Logic,
    Node,
    Number,
    Reference,
    Sum,
    references,
    unparse,
)
from evalmark.validator.formats.suites.suite import NO_SPACE_BEFORE

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
        new = {**prediction}
        if "formula" in new:
            new["formula"] = in_formula(new["formula"])
        for key in new.keys() & {"l_operand", "r_operand"}:
            new[key] = renamed(new[key])
        return new

    new_data = _each_condition(
        data, lambda c: {**c, "condition_name": renamed(c["condition_name"])}
    )
    if "predictions" in data:
        new_data["predictions"] = [in_prediction(prediction) for prediction in data["predictions"]]
    strings = data["meta"].get("string_predictions")
    if strings:
        new_data["meta"] = {**data["meta"], "string_predictions": [in_formula(s) for s in strings]}
    return Stepped(new_data)


def _require_renames(renames: Mapping[str, str], names: set[str]) -> None:
    for old, new in renames.items():
        if old not in names:
            raise ConversionError(f"cannot rename: no condition is called `{old}`")
        if not is_condition_name(new):
            raise ConversionError(f"cannot rename: `{new}` has characters other than {LEGAL}")
        others = {to for of, to in renames.items() if of != old} | (names - renames.keys())
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


def canonical(data: Data) -> Stepped:
    """Every formula as we print it."""
    predictions = [
        {**prediction, "formula": unparse(parsed_formula(prediction["formula"]))}
        for prediction in data["predictions"]
    ]
    same = predictions == data["predictions"]
    return Stepped(data if same else {**data, "predictions": predictions})


def insert_region(data: Data, number: int, name: str) -> Stepped:
    """An empty region before region ``number``; those from there on move by one."""
    regions = _numbers(data)
    if {*regions} != {*range(1, len(data["region_meta"]) + 1)}:
        raise ConversionError("cannot insert a region: the regions are not numbered 1 to N")
    metric = data["meta"]["metric"]
    trees = (parsed_formula(prediction["formula"]) for prediction in data["predictions"])
    if metric != "sum" and any(ref.region is None for tree in trees for ref in references(tree)):
        raise ConversionError(
            f"cannot insert a region: `*` would add its {metric}, which is undefined without text"
        )
    if not 1 <= number <= len(regions) + 1:
        raise ConversionError(
            f"cannot insert region {number}: the suite has {len(regions)} regions"
        )
    moved = _renumbered(data, lambda n: n + (n >= number))
    meta: Object = {}
    for n in range(1, len(regions) + 2):
        meta[str(n)] = name if n == number else moved["region_meta"][str(n)]
    inserted = {"region_number": number, "content": ""}
    unspaced = moved["meta"].get(NO_SPACE_BEFORE)
    if isinstance(unspaced, list) and number + 1 in unspaced:  # sentences stay the same
        moved["meta"] = {**moved["meta"], NO_SPACE_BEFORE: sorted([number, *unspaced])}

    def with_region(condition: Object) -> Object:
        regions = condition["regions"]  # in reading order, which may be another than by number
        behind = (at for at, r in enumerate(regions) if int(r["region_number"]) > number)
        at = next(behind, len(regions))
        return {**condition, "regions": [*regions[:at], inserted, *regions[at:]]}

    return Stepped(_each_condition({**moved, "region_meta": meta}, with_region))


def renumber(data: Data, numbers: dict[int, int]) -> Stepped:
    """Regions get other numbers, in the names, the items and the formulas."""
    regions = _numbers(data)
    for old in numbers:
        if old not in regions:
            raise ConversionError(f"cannot renumber: there is no region {old}")
    new = [numbers.get(number, number) for number in regions]
    if len(set(new)) < len(new) or min(new, default=1) < 1:
        raise ConversionError("cannot renumber: two regions would have one number, or one below 1")
    return Stepped(_renumbered(data, lambda number: numbers.get(number, number)))


def _numbers(data: Data) -> list[int]:
    """The numbers of the regions that have a name."""
    return [int(key) for key in data["region_meta"] if key.isdecimal()]


def _renumbered(data: Data, new: Callable[[int], int]) -> Object:
    def moved(reference: Reference) -> Reference:
        number = reference.region
        return reference if number is None else replace(reference, region=new(number))

    def in_region(region: Object) -> Object:
        number = int(region["region_number"])
        return region if new(number) == number else {**region, "region_number": new(number)}

    changed = _each_region(data, in_region)
    changed["region_meta"] = {
        str(new(int(key))) if key.isdecimal() else key: name
        for key, name in data["region_meta"].items()
    }
    changed["predictions"] = [
        {**p, "formula": unparse(mapped(parsed_formula(p["formula"]), moved))}
        for p in data["predictions"]
    ]
    if isinstance(unspaced := data["meta"].get(NO_SPACE_BEFORE), list):
        changed["meta"] = {**data["meta"], NO_SPACE_BEFORE: sorted(new(int(n)) for n in unspaced)}
    return changed


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


def mapped(node: Node, change: Callable[[Reference], Reference]) -> Node:
    """The tree with every reference changed."""
    match node:
        case Reference():
            return change(node)
        case Sum() | Logic():
            rest = tuple((operator, mapped(operand, change)) for operator, operand in node.rest)
            return replace(node, first=mapped(node.first, change), rest=rest)
        case Comparison():
            return replace(node, left=mapped(node.left, change), right=mapped(node.right, change))
        case Number():
            return node


def _each_condition(data: Data, change: Callable[[Object], Object]) -> Object:
    items = [
        {**item, "conditions": [change(condition) for condition in item["conditions"]]}
        for item in data["items"]
    ]
    return {**data, "items": items}


def _each_region(data: Data, change: Callable[[Object], Object]) -> Object:
    return _each_condition(data, lambda c: {**c, "regions": [change(r) for r in c["regions"]]})
