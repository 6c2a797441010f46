"""Bounds of continuous scores that a record leaves open, on the way to a version that can.

From 0.3.0 on a bound may be null (not stated), "Infinity" or "-Infinity". On its way there a record
passes through versions in which bounds are numbers: open ones are set aside, and put back at the
end. A version that cannot hold them is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evalmark.converters.overrides.places import BOUNDS, generalized, results_of
from evalmark.converters.records.coerce import Notes
from evalmark.converters.step import (
    NOT_STATED,
    Object,
    Question,
    Stepped,
    Supplied,
    counted,
)
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.files import bundle
from evalmark.schemas.versions import Version
from evalmark.validator.formats.shared.fields import mapping

#: Index of a result and name of its bound -> null or an infinity.
OpenBounds = dict[tuple[int, str], Any]
Change = Callable[[Object], Stepped]
#: The rest of a note.
_NULL = "null is written, which the format allows and Every Eval Ever's validator rejects"
#: Names of results in a refusal.
_SHOWN = 3


def can_be_open(version: Version) -> bool:
    """True if a version of records has words for a bound that is not a number."""
    results = bundle(version.schema)["properties"]["evaluation_results"]
    return "oneOf" in results["items"]["properties"]["metric_config"]["properties"]["max_score"]


def around(target: Version, supplied: Supplied) -> tuple[Change, Change]:
    """The changes of a record before and after the steps to a version."""
    open_bounds: OpenBounds = {}

    def aside(record: Object) -> Stepped:
        notes = Notes()
        new, bounds = set_aside(record, supplied, target, notes)
        open_bounds.update(bounds)
        return Stepped(new, counted(notes))

    return aside, lambda record: Stepped(put_back(record, open_bounds))


def set_aside(
    record: Object, supplied: Supplied, target: Version, notes: Notes
) -> tuple[Object, OpenBounds]:
    """A copy of the record in which every continuous score has numbers as bounds.

    Returns:
        The copy, and the open bounds that ``put_back`` puts in the place of some of them.

    Raises:
        ConversionError: There are open bounds, and the target cannot hold them.
    """
    aside: OpenBounds = {}
    missing: dict[str, list[str]] = {}
    stated = record.get("evaluation_results")
    results = list(stated) if isinstance(stated, list) else []
    for index, result in results_of(record):
        metric = mapping(result.get("metric_config"))
        if metric.get("score_type") != "continuous":
            continue
        open_keys = {
            key: _bound(f"/evaluation_results/{index}/metric_config/{key}", supplied, notes)
            for key in BOUNDS
            if metric.get(key) is None
        }
        if not open_keys:
            continue
        still_open = {key: value for key, value in open_keys.items() if not _is_number(value)}
        for key, value in still_open.items():
            aside[index, key] = value
            missing.setdefault(key, []).append(str(result.get("evaluation_name")))
        numbers = open_keys | dict.fromkeys(still_open, 0)
        results[index] = {**result, "metric_config": {**metric, **numbers}}
    if aside and not can_be_open(target) and supplied.ask is None:
        raise _refusal(missing, target)
    return ({**record, "evaluation_results": results} if results else record), aside


def put_back(record: Object, aside: OpenBounds) -> Object:
    """The record with its open bounds."""
    if not aside:
        return record
    results = list(record["evaluation_results"])
    for (index, key), value in aside.items():
        metric = {**results[index]["metric_config"], key: value}
        results[index] = {**results[index], "metric_config": metric}
    return {**record, "evaluation_results": results}


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


def _bound(pointer: str, supplied: Supplied, notes: Notes) -> Any:
    """The value that is supplied for a bound; null if there is none."""
    value = supplied.value(pointer)
    if value is None and supplied.ask is not None:
        supplied.ask(Question(pointer))
    elif value is None:
        notes[f"{generalized(pointer)} {NOT_STATED}: {_NULL}"] += 1
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _refusal(missing: dict[str, list[str]], target: Version) -> ConversionError:
    names = list(dict.fromkeys(name for evaluations in missing.values() for name in evaluations))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    listed = ", ".join(f'"{name}"' for name in names[:_SHOWN])
    plural = len(names) > 1
    return ConversionError(
        f"the continuous score{'s' if plural else ''} of {listed}{more} "
        f"{'have' if plural else 'has'} no {' or no '.join(missing)}, "
        f"and {target.schema} needs numbers as bounds",
        f"supply numbers for /evaluation_results/*/metric_config/{next(iter(missing))}, "
        "or convert to a version that allows open bounds",
        needs="values",
        subject=f"/evaluation_results/*/metric_config/{next(iter(missing))}",
    )
