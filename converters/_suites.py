"""The steps by which suites of older dialects become current: data in, data and notes out.

Each step is a pure function; it says which data it is for, and leaves other data alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from evalmark.validator import detect
from evalmark.validator.formula import Dialect, FormulaSyntaxError, parse, references

from ._errors import ConversionError
from ._old_formulas import current_formula

Data = dict[str, Any]

RELATIONS = {"lessthan": "<", "equals": "=", "greaterthan": ">"}
METRICS = ("sum", "mean", "median", "range", "max", "min")

_NAME = re.compile(r"[A-Za-z0-9_-]+")


class Facts(NamedTuple):
    """What a conversion may need and the file does not say.

    Attributes:
        metric: Which of several metrics the suite is about.
        renames: Old condition name → new one.
    """

    metric: str | None = None
    renames: Mapping[str, str] = {}


class Stepped(NamedTuple):
    """The data after a step, and what a reader should know."""

    data: Data
    notes: tuple[str, ...] = ()


def rename_conditions(data: Data, facts: Facts) -> Stepped | None:
    """Rename conditions, in the items and in what predictions say of them."""
    if not facts.renames:
        return None
    names = {
        condition["condition_name"] for item in data["items"] for condition in item["conditions"]
    }
    for old, new in facts.renames.items():
        if old not in names:
            raise ConversionError(f"--rename: no condition is called `{old}`")
        if not _NAME.fullmatch(new):
            raise ConversionError(f"--rename: `{new}` may hold letters, digits, `_` and `-` only")
        others = {to for of, to in facts.renames.items() if of != old}
        others |= names - facts.renames.keys()
        if new in others:
            raise ConversionError(f"--rename: the name `{new}` is taken")

    def renamed(name: Any) -> Any:
        return facts.renames.get(name, name) if isinstance(name, str) else name

    def in_formula(text: str) -> str:
        try:
            tree = parse(text, Dialect.PYTHON).tree  # which knows every name there ever was
        except FormulaSyntaxError as error:
            raise ConversionError(f"formula `{text}` cannot be read: {error.message}") from error
        for reference in reversed(list(references(tree))):
            start, end = reference.condition_span
            text = text[:start] + renamed(reference.condition) + text[end:]
        return text

    def in_prediction(prediction: Any) -> Any:
        if isinstance(prediction, str):
            return in_formula(prediction)
        return {
            key: in_formula(value)
            if key == "formula"
            else renamed(value)
            if key in ("l_operand", "r_operand")
            else value
            for key, value in prediction.items()
        }

    renamed_data: Data = {
        **data,
        "items": [
            {
                **item,
                "conditions": [
                    {**condition, "condition_name": renamed(condition["condition_name"])}
                    for condition in item["conditions"]
                ],
            }
            for item in data["items"]
        ],
    }
    if "predictions" in data:
        renamed_data["predictions"] = [
            in_prediction(prediction) for prediction in data["predictions"]
        ]
    strings = data["meta"].get("string_predictions")
    if strings:
        renamed_data["meta"] = {
            **data["meta"],
            "string_predictions": [in_formula(s) for s in strings],
        }
    return Stepped(renamed_data)


def legacy_triples(data: Data, facts: Facts) -> Stepped | None:
    """One formula for each legacy comparison, in their order."""
    if detect(data) != "suite-legacy":
        return None
    notes = []
    if "predictions" not in data:
        notes.append("the file has no predictions; the list is written empty")
    formulas = []
    for prediction in data.get("predictions", []):
        left, right = prediction["l_operand"], prediction["r_operand"]
        for name in (left, right):
            _require_name(name)
        region = int(prediction["region_number"])
        sign = RELATIONS[prediction["relation"]]
        formulas.append(f"({region};%{left}%) {sign} ({region};%{right}%)")
        if sign == "=":
            notes.append("`equals` had no stated tolerance; `=` holds within 1e-3 + 1e-5 * |right|")
    meta = {**data["meta"]}
    meta["metric"] = _one_metric(meta.get("metric", "sum"), facts.metric)
    if facts.metric is not None:
        named = json.dumps(data["meta"].get("metric"))
        notes.append(f"of the metrics {named}, `{facts.metric}` is kept")
    predictions = [{"type": "formula", "formula": formula} for formula in formulas]
    new = {**data, "meta": meta, "predictions": predictions}
    return Stepped(new, tuple(dict.fromkeys(notes)))


def string_predictions(data: Data, _: Facts) -> Stepped | None:
    """Formulas in ``meta.string_predictions`` become predictions."""
    strings = data["meta"].get("string_predictions")
    if not strings or data.get("predictions"):
        return None
    meta = {key: value for key, value in data["meta"].items() if key != "string_predictions"}
    predictions, notes = _old_formulas(strings)
    return Stepped({**data, "meta": meta, "predictions": predictions}, notes)


def bare_strings(data: Data, _: Facts) -> Stepped | None:
    """Predictions that are bare formulas become objects; a missing metric is ``sum``."""
    predictions = data.get("predictions", [])
    if not any(isinstance(prediction, str) for prediction in predictions):
        return None
    if not all(isinstance(prediction, str) for prediction in predictions):
        raise ConversionError("predictions are partly strings and partly objects")
    objects, notes = _old_formulas(predictions)
    meta = data["meta"]
    if "metric" not in meta:
        meta = {**meta, "metric": "sum"}
        notes = (*notes, "the file names no metric; its format meant `sum`")
    return Stepped({**data, "meta": meta, "predictions": objects}, notes)


def bracket_formulas(data: Data, _: Facts) -> Stepped | None:
    """Formulas that group with ``[ ]`` group with ``( )``."""
    predictions = data.get("predictions", [])
    if not any("[" in p.get("formula", "") or "]" in p.get("formula", "") for p in predictions):
        return None
    new: list[Data] = []
    notes: list[str] = []
    for prediction in predictions:
        source = prediction["formula"]
        if "[" in source or "]" in source:
            formula = current_formula(source)
            new.append({**prediction, "formula": _require_current(formula.text)})
            notes += formula.notes
        else:
            new.append(prediction)
    return Stepped({**data, "predictions": new}, tuple(dict.fromkeys(notes)))


#: Step → function, in the order they are tried.
STEPS: dict[str, Callable[[Data, Facts], Stepped | None]] = {
    "rename conditions": rename_conditions,
    "legacy triples → formulas": legacy_triples,
    "meta.string_predictions → predictions": string_predictions,
    "bare formulas → predictions": bare_strings,
    "bracket formulas → current formulas": bracket_formulas,
}


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
            f"formula `{formula}`: {error.message}", "--rename OLD=NEW renames a condition"
        ) from error
    return formula


def _require_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ConversionError(
            f"condition `{name}` cannot be named in a formula: "
            "names may hold letters, digits, `_` and `-` only",
            f'--rename "{name}=NEW" renames it',
        )


def _one_metric(declared: Any, wanted: str | None) -> str:
    offered = METRICS if declared == "all" else declared
    offered = [offered] if isinstance(offered, str) else list(offered)
    if wanted is not None:
        if wanted not in offered:
            raise ConversionError(f"the suite does not name the metric `{wanted}`: {declared}")
        return wanted
    if len(offered) == 1:
        return str(offered[0])
    raise ConversionError(
        f"the suite names several metrics ({'all' if declared == 'all' else ', '.join(offered)}); "
        "the current form holds one",
        "choose with --metric",
    )
