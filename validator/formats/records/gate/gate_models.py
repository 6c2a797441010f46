"""Every Eval Ever's models of a record and a row, which differ from its schema.

The models are lax: null counts as absent for optional values, "1024" is a number, 1 is true, and
some maps hold values of any type. They are strict where the schema is not: a continuous score needs
numbers as bounds. Everything else follows the schema of the version that the models have.

The registered checks of contents look at the raw values and not at what the models make of them,
and they run even if the models reject the record.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from evalmark.validator.findings.phrasing import shown
from evalmark.validator.formats.records.gate.refusal import Refusal
from evalmark.validator.formats.shared.fields import mapping
from evalmark.validator.reading.source import make_pointer

_TRUE_OR_FALSE = ("true", "1", "yes", "on", "t", "y", "false", "0", "no", "off", "f", "n")
#: Maps of a row with values of any type; the schema requires strings.
_FREE = ("metadata", "arguments", "additional_details")
_BOUNDS = ("min_score", "max_score")
_AXES = ("deployment_type", "model_availability")
_LONG = 9_223_372_036_854_775_807
_DIGITS = re.compile(r"[+-]?\d+(?:_\d+)*(?:\.0+)?", re.ASCII)
_SPACE = " \t\n\v\f\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


def misfits(data: Any, schema: Mapping[str, Any]) -> list[Refusal]:
    """The refusals of a record or a row by the models.

    Args:
        data: The parsed JSON.
        schema: The bundled schema of the version that the models have.
    """
    is_row = "interaction_type" in schema["properties"]
    refusals = list(_Models(schema, is_row).walk(data, schema, ()))
    return refusals if refusals or not is_row else list(_interaction(data))


class _Models:
    def __init__(self, schema: Mapping[str, Any], is_row: bool) -> None:
        self.definitions = schema.get("definitions", {})
        self.is_row = is_row

    def walk(
        self, value: Any, schema: Mapping[str, Any], at: tuple[str | int, ...]
    ) -> Iterator[Refusal]:
        reference = schema.get("$ref")
        if isinstance(reference, str):
            schema = self.definitions[reference.rpartition("/")[2]]
        key = at[-1] if at else None
        if key in _BOUNDS and "oneOf" in schema:
            if not _is_bound(value):
                yield _misfit(at, f"{shown(value)} is not a bound")
        elif "oneOf" in schema:
            yield from self._branches(value, schema["oneOf"], at)
        elif "properties" in schema or "additionalProperties" in schema:
            yield from self._members(value, schema, at)
        elif schema.get("type") == "array" or "items" in schema:
            yield from self._elements(value, schema, at)
        elif not _fits(value, schema):
            name = next((token for token in reversed(at) if isinstance(token, str)), "")
            part = "a value" if key == name else "an entry"
            yield _misfit(at, f"{shown(value)} is not {part} of `{name}`")

    def _branches(
        self, value: Any, branches: list[Any], at: tuple[str | int, ...]
    ) -> Iterator[Refusal]:
        """The data of a result: its source type says which branch it has to fit."""
        if not isinstance(value, dict):
            yield _misfit(at, "not an object")
            return
        schemas = [self.definitions[branch["$ref"].rpartition("/")[2]] for branch in branches]
        by_source_type = {
            schema["properties"]["source_type"]["const"]: schema for schema in schemas
        }
        tag = value.get("source_type")
        if "source_type" not in value:
            yield _misfit(at, "`source_type` is missing")
        elif not isinstance(tag, str) or tag not in by_source_type:
            yield _misfit((*at, "source_type"), f"{shown(tag)} is not a source type")
        else:
            yield from self._members(value, by_source_type[tag], at)

    def _members(
        self, value: Any, schema: Mapping[str, Any], at: tuple[str | int, ...]
    ) -> Iterator[Refusal]:
        if not isinstance(value, dict):
            yield _misfit(at, "not an object")
            return
        if self.is_row and at and at[-1] in _FREE:
            return
        properties = schema.get("properties", {})
        required = [name for name in schema.get("required", ()) if name != "additional_details"]
        if _AXES[0] in properties:  # in the models, a map of strings like any other
            yield from _unknown_axes(value, properties, at)
            properties, required = {}, []
        for name in required:
            if name not in value:
                yield _misfit(at, f"`{name}` is missing")
        others = schema.get("additionalProperties", True)
        for name, child in value.items():
            if name not in properties:
                yield from self._other(child, others, (*at, name))
            elif child is not None or name in required:
                yield from self.walk(child, properties[name], (*at, name))
        if "score_type" in properties:
            yield from _needed(value, at)

    def _other(self, value: Any, others: Any, at: tuple[str | int, ...]) -> Iterator[Refusal]:
        """A member that the schema does not list."""
        if others is False:
            yield _misfit(at, f"unknown key `{at[-1]}`")
        elif isinstance(others, dict):
            yield from self.walk(value, others, at)

    def _elements(
        self, value: Any, schema: Mapping[str, Any], at: tuple[str | int, ...]
    ) -> Iterator[Refusal]:
        if not isinstance(value, list):
            yield _misfit(at, "not an array")
        elif len(value) < schema.get("minItems", 0):
            yield _misfit(at, "empty")
        else:
            for index, child in enumerate(value):
                yield from self.walk(child, schema["items"], (*at, index))


def _unknown_axes(
    details: Mapping[str, Any], axes: Mapping[str, Any], at: tuple[str | int, ...]
) -> Iterator[Refusal]:
    """Refuses unrecognized values of the axes of a model, each of which may be absent."""
    for axis in _AXES:
        value = details.get(axis)
        if isinstance(value, str) and value not in axes[axis]["enum"]:
            yield _misfit((*at, axis), f"unrecognized `{axis}`: {shown(value)}")


def _needed(metric: Mapping[str, Any], at: tuple[str | int, ...]) -> Iterator[Refusal]:
    """Refuses a score that lacks what its type requires."""
    needs = {"levels": ("level_names", "has_unknown_level"), "continuous": _BOUNDS}
    for name in needs.get(str(metric.get("score_type")), ()):
        if metric.get(name) is None:
            # A null has a place of its own.
            place = (*at, name) if name in metric else at
            yield _misfit(place, f'score type "{metric["score_type"]}" requires `{name}`')


def _interaction(row: Mapping[str, Any]) -> Iterator[Refusal]:
    """Refuses a row with what its type of interaction forbids, or without what it requires."""
    single = row["interaction_type"] == "single_turn"
    required, forbidden = ("output", "messages") if single else ("messages", "output")
    if row.get(required) is None:
        place = (required,) if required in row else ()
        yield _misfit(place, f"{row['interaction_type']} requires `{required}`")
    if row.get(forbidden) is not None:
        yield _misfit((forbidden,), f"{row['interaction_type']} must not have `{forbidden}`")


def _misfit(at: tuple[str | int, ...], message: str) -> Refusal:
    return Refusal("schema", message, make_pointer(at))


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """True if a value can be read as one of the types of a schema, within its limits."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if values is not None:
        return isinstance(value, str) and value in values
    types = schema.get("type", ())
    types = (types,) if isinstance(types, str) else types
    if value is None:
        return "null" in types
    if "string" in types and isinstance(value, str):
        pattern = schema.get("pattern")
        return pattern is None or bool(re.search(re.sub(r"\$$", r"\\Z", pattern), value))
    number: float | None = None
    if "integer" in types:
        number = as_integer(value)
    elif "number" in types:
        number = as_number(value)
    if number is not None:
        low, high = schema.get("minimum"), schema.get("maximum")
        return (low is None or number >= low) and (high is None or number <= high)
    return "boolean" in types and _is_boolean(value)


def _is_bound(value: Any) -> bool:
    """Bounds are the only numbers that have one accepted spelling."""
    if value is None or value in ("Infinity", "-Infinity"):
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and _is_double(value)


def _is_double(value: float) -> bool:
    try:
        float(value)
    except OverflowError:
        return False
    return True


def as_number(value: Any) -> float | None:
    """The value as the models read a number; None if they do not."""
    if isinstance(value, bool | int | float):
        return float(value) if _is_double(value) else None
    if not isinstance(value, str):
        return None
    text = value.strip(_SPACE)
    if "_" in text and ("__" in text or text[0] == "_" or text[-1] == "_"):
        return None
    plain = text.replace("_", "")
    if not plain.isascii() or plain != plain.strip():
        return None
    try:
        return float(plain)
    except ValueError:
        return None


def as_integer(value: Any) -> int | None:
    """The value as the models read a whole number; None if they do not."""
    if isinstance(value, bool | int):
        return int(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() and -_LONG < value < _LONG else None
    if not isinstance(value, str) or len(value) > 4300:
        return None
    text = value.strip(_SPACE)
    return int(text.partition(".")[0]) if _DIGITS.fullmatch(text) else None


def _is_boolean(value: Any) -> bool:
    if isinstance(value, str):
        return value.lower() in _TRUE_OR_FALSE
    return isinstance(value, bool | int | float) and value in (0, 1)


#: Fields that say how a model was run, and the values that are accepted.
AXES = {
    "deployment_type": ("self_deployed", "externally_managed", "unknown"),
    "model_availability": ("open_weights", "closed_weights", "unknown"),
}
_INFINITE = {"Infinity": math.inf, "-Infinity": -math.inf}


def content_refusals(record: Any) -> list[Refusal]:
    """The refusals by the checks of scores and of models."""
    if not isinstance(record, dict):
        return []
    refusals: list[Refusal] = []
    models = [("/model_info", record.get("model_info"))]
    results = record.get("evaluation_results")
    for index, result in enumerate(results if isinstance(results, list) else ()):
        metric = mapping(result).get("metric_config")
        at = f"/evaluation_results/{index}"
        if not isinstance(metric, dict):
            continue
        refusals += _of_a_metric(metric, f"{at}/metric_config")
        refusals += _of_a_score(result, metric, at)
        judges = mapping(metric.get("llm_scoring")).get("judges")
        above = f"{at}/metric_config/llm_scoring/judges"
        for number, judge in enumerate(judges if isinstance(judges, list) else ()):
            models.append((f"{above}/{number}/model_info", mapping(judge).get("model_info")))
    for at, model in models:
        if isinstance(model, dict):
            refusals += _of_a_model(model, at)
    return refusals


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


def _of_a_metric(metric: dict[str, Any], at: str) -> Iterator[Refusal]:
    kind = metric.get("score_type")
    if kind is not None and (not isinstance(kind, str) or not kind.strip()):
        yield _refused("`score_type` is blank or not a string", f"{at}/score_type")
    for key in ("min_score", "max_score"):
        bound = metric.get(key)
        if _bound(bound) is None and (kind == "continuous" or bound is not None):
            place = f"{at}/{key}" if key in metric else at
            yield _refused(f"`{key}` is missing or not a number", place)


def _of_a_score(result: dict[str, Any], metric: dict[str, Any], at: str) -> Iterator[Refusal]:
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
    low, high = _bound(metric.get("min_score")), _bound(metric.get("max_score"))
    if low is None or high is None:
        return
    if low > high:
        yield _refused("`min_score` is above `max_score`", f"{at}/metric_config/min_score")
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
