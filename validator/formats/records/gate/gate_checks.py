"""The registered checks of Every Eval Ever's validator on the contents of a record.

They look at the raw values and not at what the models make of them, and they run even if the models
reject the record.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from evalmark.validator.fields import mapping
from evalmark.validator.findings.words import shown
from evalmark.validator.formats.records.gate.refusal import Refusal

#: What a model has to say about how it was run, and the values that are accepted.
AXES = {
    "deployment_type": ("self_deployed", "externally_managed", "unknown"),
    "model_availability": ("open_weights", "closed_weights", "unknown"),
}
_INFINITE = {"Infinity": math.inf, "-Infinity": -math.inf}


def content_refusals(record: Any) -> list[Refusal]:
    """What the checks of scores and of models refuse."""
    if not isinstance(record, dict):
        return []
    found: list[Refusal] = []
    models = [("/model_info", record.get("model_info"))]
    results = record.get("evaluation_results")
    for index, result in enumerate(results if isinstance(results, list) else ()):
        metric = mapping(result).get("metric_config")
        at = f"/evaluation_results/{index}"
        if not isinstance(metric, dict):
            continue
        found += _of_a_score(result, metric, at)
        judges = mapping(metric.get("llm_scoring")).get("judges")
        above = f"{at}/metric_config/llm_scoring/judges"
        for number, judge in enumerate(judges if isinstance(judges, list) else ()):
            models.append((f"{above}/{number}/model_info", mapping(judge).get("model_info")))
    for at, model in models:
        if isinstance(model, dict):
            found += _of_a_model(model, at)
    return found


def _of_a_model(model: dict[str, Any], at: str) -> Iterator[Refusal]:
    details = model.get("additional_details")
    at = f"{at}/additional_details" if "additional_details" in model else at
    for axis, values in AXES.items():
        value = mapping(details).get(axis)
        if value not in values:
            has_place = isinstance(details, dict) and axis in details
            message = f"`{axis}` is missing"
            if value is not None:
                message = f"unrecognized `{axis}`: {shown(value)}"
            yield Refusal("model deployment", message, f"{at}/{axis}" if has_place else at)


def _of_a_score(result: dict[str, Any], metric: dict[str, Any], at: str) -> Iterator[Refusal]:
    kind, above = metric.get("score_type"), f"{at}/metric_config"
    if kind is not None and (not isinstance(kind, str) or not kind.strip()):
        yield _refused("`score_type` is blank or not a string", f"{above}/score_type")
    bounds: list[float | None] = []
    for key in ("min_score", "max_score"):
        bounds.append(_bound(metric.get(key)))
        if bounds[-1] is None and (kind == "continuous" or metric.get(key) is not None):
            place = f"{above}/{key}" if key in metric else above
            yield _refused(f"`{key}` is missing or not a number", place)
    details = result.get("score_details")
    if not isinstance(details, dict):
        return
    place = f"{at}/score_details"
    score = _finite(details.get("score"))
    if score is None:
        where = f"{place}/score" if "score" in details else place
        yield _refused("`score` is not a number", where)
        return
    yield from _of_an_uncertainty(mapping(details.get("uncertainty")), f"{place}/uncertainty")
    low, high = bounds
    if low is None or high is None:
        return
    if low > high:
        yield _refused("`min_score` is above `max_score`", f"{above}/min_score")
    elif not low <= score <= high:
        yield _refused("`score` is outside its bounds", f"{place}/score")


def _of_an_uncertainty(uncertainty: Any, at: str) -> Iterator[Refusal]:
    error, interval = (
        mapping(uncertainty.get(key)) for key in ("standard_error", "confidence_interval")
    )
    values = {"standard_deviation": uncertainty.get("standard_deviation")}
    values["standard_error/value"] = error.get("value")
    for key in ("lower", "upper", "confidence_level"):
        values[f"confidence_interval/{key}"] = interval.get(key)
    for path, value in values.items():
        if value is not None and _finite(value) is None:
            yield _refused(f"{shown(value)} is not a finite number", f"{at}/{path}")


def _refused(message: str, pointer: str) -> Refusal:
    return Refusal("score metadata", message, pointer)


def _finite(value: Any) -> float | None:
    """The value if it is a number of JSON that a double can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:  # the validator's check ends with an error
        return None


def _bound(value: Any) -> float | None:
    return _INFINITE.get(value) if isinstance(value, str) else _finite(value)
