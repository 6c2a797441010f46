"""Bounds of continuous scores that a record leaves open, on the way to a version that can.

From 0.3.0 on a bound may be null (not stated), "Infinity" or "-Infinity". A version that cannot
hold them is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evalmark.converters.overrides.places import generalized
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
from evalmark.validator.formats.records.record_fields import fields_in, results_in
from evalmark.validator.formats.shared.field_layout import Fields, replaced

#: The fields of a result that bound its score.
_FIELDS = ("low", "high")
#: The rest of a note.
_NULL = "null is written, which the format allows and Every Eval Ever's validator rejects"
#: Names of results in a refusal.
_SHOWN = 3


def can_be_open(version: Version) -> bool:
    """True if a version of records has words for a bound that is not a number."""
    results = bundle(version.schema)["properties"]["evaluation_results"]
    return "oneOf" in results["items"]["properties"]["metric_config"]["properties"]["max_score"]


def bounded(record: Object, bound: Callable[[Fields, str], Any]) -> Object:
    """A copy of a record in which continuous scores have a bound for each that they leave open.

    ``bound`` gets the result, and the field of its bound.
    """
    return _with_results(
        record,
        {
            index: _with_fields(result, {at: bound(result, at) for at in _open(result)})
            for index, result in _by_index(record).items()
        },
    )


def _open(result: Fields) -> list[str]:
    """The fields of the bounds that a result leaves open."""
    is_continuous = result.get("score_type") == "continuous"
    return [field for field in _FIELDS if is_continuous and result.get(field) is None]


def _by_index(record: Object) -> dict[int, Fields]:
    return {int(result.pointer.rpartition("/")[2]): result for result in results_in(record)}


def _with_fields(result: Fields, values: Mapping[str, Any]) -> Object:
    data: Object = result.data
    for field, value in values.items():
        data = replaced(data, result.layout[field], value)
    return data


def _with_results(record: Object, new: Mapping[int, Object]) -> Object:
    fields = fields_in(record)
    results = [new.get(index, old) for index, old in enumerate(fields.entries("results"))]
    return replaced(record, fields.layout["results"], results) if results else record


def with_bounds(record: Object, supplied: Supplied, target: Version) -> Stepped:
    """A record with the bounds that are supplied, and with null for the others.

    Raises:
        ConversionError: There are open bounds, and the target cannot hold them.
    """
    notes, still_open = Notes(), list[tuple[Fields, str]]()

    def bound(result: Fields, field: str) -> Any:
        pointer = result.at(field)
        value = supplied.value(pointer)
        if value is None and supplied.ask is not None:
            supplied.ask(Question(pointer))
        elif value is None:
            notes[f"{generalized(pointer)} {NOT_STATED}: {_NULL}"] += 1
        if not isinstance(value, int | float) or isinstance(value, bool):
            still_open.append((result, field))
        return value

    new = bounded(record, bound)
    if still_open and not can_be_open(target) and supplied.ask is None:
        raise _refusal(still_open, target)
    return Stepped(new, with_counts(notes))


def without_supplied(source: Object, record: Object) -> Object:
    """A converted record without the bounds that its source does not state."""
    before = _by_index(source)
    return _with_results(
        record,
        {
            index: _with_fields(result, dict.fromkeys(_open(before[index])))
            for index, result in _by_index(record).items()
            if index in before
        },
    )


def _refusal(places: Sequence[tuple[Fields, str]], target: Version) -> ConversionError:
    names = list(dict.fromkeys(str(result.get("name")) for result, _ in places))
    keys = list(dict.fromkeys(result.key(field) for result, field in places))
    first = generalized(places[0][0].at(places[0][1]))
    listed = first_of([f'"{name}"' for name in names], _SHOWN)
    plural = len(names) > 1
    return ConversionError(
        f"the continuous score{'s' if plural else ''} of {listed} "
        f"{'have' if plural else 'has'} no {' or no '.join(keys)}, "
        f"and {target.schema} needs numbers as bounds",
        f"supply numbers for {first}, or convert to a version that allows open bounds",
        needs="values",
        subject=first,
    )
