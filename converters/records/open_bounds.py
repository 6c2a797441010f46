"""Bounds of continuous scores that a record leaves open, on the way to a version that can.

From 0.3.0 on a bound may be null (not stated), "Infinity" or "-Infinity". A version that cannot
hold them is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evalmark.converters.overrides.places import BOUNDS, generalized, results_of
from evalmark.converters.records.coerce import Notes
from evalmark.converters.step import (
    NOT_STATED,
    Object,
    Question,
    Stepped,
    Supplied,
    with_counts,
)
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.files import bundle
from evalmark.schemas.versions import Version
from evalmark.validator.findings.phrasing import first_of
from evalmark.validator.formats.shared.json_values import mapping

#: The rest of a note.
_NULL = "null is written, which the format allows and Every Eval Ever's validator rejects"
#: Names of results in a refusal.
_SHOWN = 3


def can_be_open(version: Version) -> bool:
    """True if a version of records has words for a bound that is not a number."""
    results = bundle(version.schema)["properties"]["evaluation_results"]
    return "oneOf" in results["items"]["properties"]["metric_config"]["properties"]["max_score"]


def bounded(record: Object, bound: Callable[[str], Any]) -> Object:
    """A copy of a record in which continuous scores have a bound for each that they leave open."""
    stated = record.get("evaluation_results")
    results = list(stated) if isinstance(stated, list) else []
    for index, result in results_of(record):
        metric = mapping(result.get("metric_config"))
        if metric.get("score_type") == "continuous":
            at = f"/evaluation_results/{index}/metric_config"
            bounds = {key: bound(f"{at}/{key}") for key in BOUNDS if metric.get(key) is None}
            results[index] = {**result, "metric_config": {**metric, **bounds}}
    return {**record, "evaluation_results": results} if results else record


def with_bounds(record: Object, supplied: Supplied, target: Version) -> Stepped:
    """A record with the bounds that are supplied, and with null for the others.

    Raises:
        ConversionError: There are open bounds, and the target cannot hold them.
    """
    notes, still_open = Notes(), list[str]()

    def bound(pointer: str) -> Any:
        value = supplied.value(pointer)
        if value is None and supplied.ask is not None:
            supplied.ask(Question(pointer))
        elif value is None:
            notes[f"{generalized(pointer)} {NOT_STATED}: {_NULL}"] += 1
        if not isinstance(value, int | float) or isinstance(value, bool):
            still_open.append(pointer)
        return value

    new = bounded(record, bound)
    if still_open and not can_be_open(target) and supplied.ask is None:
        raise _refusal(record, still_open, target)
    return Stepped(new, with_counts(notes))


def without_supplied(source: Object, record: Object) -> Object:
    """A converted record without the bounds that its source does not state."""
    stated = {index: mapping(result.get("metric_config")) for index, result in results_of(source)}
    results = []
    for index, result in results_of(record):
        metric = stated.get(index, {})
        is_continuous = metric.get("score_type") == "continuous"
        missing = dict.fromkeys(k for k in BOUNDS if is_continuous and metric.get(k) is None)
        results.append(
            {**result, "metric_config": {**mapping(result.get("metric_config")), **missing}}
        )
    return {**record, "evaluation_results": results}


def _refusal(record: Object, pointers: Sequence[str], target: Version) -> ConversionError:
    places = [pointer.split("/") for pointer in pointers]
    results = (record["evaluation_results"][int(index)] for _, _, index, *_ in places)
    names = list(dict.fromkeys(str(result.get("evaluation_name")) for result in results))
    keys = list(dict.fromkeys(key for *_, key in places))
    listed = first_of([f'"{name}"' for name in names], _SHOWN)
    plural = len(names) > 1
    return ConversionError(
        f"the continuous score{'s' if plural else ''} of {listed} "
        f"{'have' if plural else 'has'} no {' or no '.join(keys)}, "
        f"and {target.schema} needs numbers as bounds",
        f"supply numbers for {generalized(pointers[0])}, "
        "or convert to a version that allows open bounds",
        needs="values",
        subject=generalized(pointers[0]),
    )
