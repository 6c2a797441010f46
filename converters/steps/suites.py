"""Steps from older dialects of suites to the current one, and the one step back."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from evalmark.converters.step import Data, Step, Stepped, Supplied
from evalmark.converters.steps.old_formulas import current_formula
from evalmark.schemas.errors import ConversionError, FormulaSyntaxError
from evalmark.validator.formats.suites.formula.formula_syntax import (
    CONDITION_NAME,
    Comparison,
    Node,
    Reference,
    parse,
    unparse,
)
from evalmark.validator.formats.suites.suite import USUAL_METRIC, metrics_of
from evalmark.validator.formats.suites.triples import RELATIONS, TRIPLE, formula_of


def legacy_triples(data: Data, supplied: Supplied) -> Stepped:
    """One formula for each legacy comparison, in their order."""
    notes = []
    if "predictions" not in data:
        notes.append("the file has no predictions: an empty list is written")
    predictions = []
    conditions = {
        condition["condition_name"] for item in data["items"] for condition in item["conditions"]
    }
    for prediction in data.get("predictions", []):
        left, right = prediction["l_operand"], prediction["r_operand"]
        for name in (left, right):
            _require_name(name, conditions)
        others = {key: value for key, value in prediction.items() if key not in TRIPLE}
        formula = formula_of(prediction).source
        predictions.append({"type": "formula", "formula": formula, **others})
        if prediction["relation"] == "equals":
            notes.append("`equals` had no stated tolerance; `=` holds within 1e-3 + 1e-5 * |right|")
    meta = {**data["meta"]}
    meta["metric"] = _one_metric(meta["metric"], supplied.metric)
    if supplied.metric is not None and len(metrics_of(data["meta"]["metric"])) > 1:
        named = json.dumps(data["meta"]["metric"])
        notes.append(f"of the metrics {named}, `{supplied.metric}` is kept")
    new = {**data, "meta": meta, "predictions": predictions}
    return Stepped(new, tuple(dict.fromkeys(notes)))


def string_predictions(data: Data, _: Supplied) -> Stepped:
    """Formulas in ``meta.string_predictions`` become predictions."""
    strings = data["meta"]["string_predictions"]
    if not isinstance(strings, list) or not all(isinstance(text, str) for text in strings):
        raise ConversionError("meta.string_predictions is not a list of formulas")
    meta = {key: value for key, value in data["meta"].items() if key != "string_predictions"}
    predictions, notes = _old_formulas(strings)
    return Stepped({**data, "meta": meta, "predictions": predictions}, notes)


def bare_strings(data: Data, _: Supplied) -> Stepped:
    """Predictions that are bare formulas become objects; a missing metric is ``sum``."""
    predictions = data["predictions"]
    if not all(isinstance(prediction, str) for prediction in predictions):
        raise ConversionError("predictions are partly strings and partly objects")
    objects, notes = _old_formulas(predictions)
    meta = data["meta"]
    if "metric" not in meta:
        meta = {**meta, "metric": USUAL_METRIC}
        notes = (*notes, f"the file names no metric; its format meant `{USUAL_METRIC}`")
    return Stepped({**data, "meta": meta, "predictions": objects}, notes)


def bracket_formulas(data: Data, _: Supplied) -> Stepped:
    """Formulas that group with ``[ ]`` group with ``( )``."""
    new: list[dict[str, Any]] = []
    notes: list[str] = []
    for prediction in data["predictions"]:
        source = prediction["formula"]
        if "[" in source or "]" in source:
            formula = current_formula(source)
            new.append({**prediction, "formula": _require_current(formula.text)})
            notes += formula.notes
        else:
            new.append(prediction)
    return Stepped({**data, "predictions": new}, tuple(dict.fromkeys(notes)))


def to_triples(data: Data, _: Supplied) -> Stepped:
    """Each formula as a legacy comparison, where it is one."""
    triples = [_triple(prediction["formula"]) for prediction in data["predictions"]]
    notes = ["`=` has a tolerance, and `equals` states none"] if any(
        triple["relation"] == "equals" for triple in triples
    ) else []  # fmt: skip
    for prediction in data["predictions"]:
        extra = prediction.keys() - {"type", "formula"}
        if extra:
            names = ", ".join(sorted(extra))
            raise ConversionError(f"a legacy prediction cannot hold {names}")
    return Stepped({**data, "predictions": triples}, tuple(notes))


def _triple(formula: str) -> dict[str, Any]:
    tree = _parsed(formula)
    if not isinstance(tree, Comparison):
        raise ConversionError(
            f"a legacy prediction is a single comparison, and `{formula}` is not",
            "split conjunctions first",
            needs="split_conjunctions",
        )
    left, right = (_plain_reference(side, formula) for side in (tree.left, tree.right))
    if left.region != right.region:
        raise ConversionError(
            f"a legacy prediction compares two conditions in one region, and `{unparse(tree)}` "
            "does not"
        )
    relation = next(word for word, sign in RELATIONS.items() if sign == tree.operator)
    return {
        "region_number": left.region,
        "l_operand": left.condition,
        "relation": relation,
        "r_operand": right.condition,
    }


def _parsed(formula: str) -> Node:
    try:
        return parse(formula).tree
    except FormulaSyntaxError as error:
        reason = f"formula `{formula}` cannot be read: {error.message}"
        raise ConversionError(reason, error.help) from error


def _plain_reference(side: Node, formula: str) -> Reference:
    if isinstance(side, Reference) and side.region is not None:
        return side
    raise ConversionError(
        f"a legacy prediction cannot express `{unparse(side)}`, a part of `{formula}`"
    )


def _old_formulas(strings: list[str]) -> tuple[list[Data], tuple[str, ...]]:
    formulas = [current_formula(string) for string in strings]
    predictions = [
        {"type": "formula", "formula": _require_current(formula.text)} for formula in formulas
    ]
    notes = dict.fromkeys(note for formula in formulas for note in formula.notes)
    return predictions, tuple(notes)


def _require_current(formula: str) -> str:
    try:
        parse(formula)
    except FormulaSyntaxError as error:
        raise ConversionError(
            f"formula `{formula}`: {error.message}",
            "rename the condition",
            needs="renames",
            subject="OLD",
        ) from error
    return formula


def _require_name(name: str, conditions: Collection[str]) -> None:
    if not CONDITION_NAME.fullmatch(name):
        if name not in conditions:
            raise ConversionError(
                f"a prediction refers to condition {json.dumps(name)}, which no item has"
            )
        raise ConversionError(
            f"condition `{name}` cannot be named in a formula: "
            "names consist of letters, digits, `_` and `-`",
            "rename it",
            needs="renames",
            subject=name,
        )


def _one_metric(declared: Any, wanted: str | None) -> str:
    offered = metrics_of(declared)
    if wanted in offered:
        return str(wanted)
    if wanted is not None:
        raise ConversionError(f"the suite does not name the metric `{wanted}`, only: {declared}")
    if len(offered) == 1:
        return offered[0]
    raise ConversionError(
        f"the suite has several metrics ({'all' if declared == 'all' else ', '.join(offered)}); "
        "a current suite has one",
        "choose one",
        needs="metric",
    )


SUITE_STEPS = (
    Step("suite-legacy", "suite", legacy_triples, needs="a metric, if it names none or several"),
    Step("suite-strings", "suite", string_predictions),
    Step("suite-bare", "suite", bare_strings),
    Step("suite-brackets", "suite", bracket_formulas),
    Step("suite", "suite-legacy", to_triples, loses="nothing: refused where it is not exact"),
)
