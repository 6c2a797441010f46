"""Rows of sample files from version to version."""

from __future__ import annotations

import copy

from evalmark.converters.records.fit import Notes, Object, fit, put_aside
from evalmark.converters.step import Data, Facts, Step, Stepped
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.files import bundle

_LABEL = "instance_level_eval_"


def from_0_2_0(data: Data, _: Facts) -> Stepped:
    """`interactions` are called messages, and texts stand in lists."""
    row, notes = copy.deepcopy(data), Notes()
    if "interactions" in row:
        if row.get("messages") is not None:
            raise ConversionError("a row has interactions and messages")
        row = {"messages" if key == "interactions" else key: value for key, value in row.items()}
    schema = bundle("sample-0.2.1")
    extra = row.keys() - schema["properties"].keys()
    if extra:
        details = row.get("metadata") if isinstance(row.get("metadata"), dict) else {}
        put_aside(row, set(extra), details, notes, "")
        row["metadata"] = details
    performance = row.get("performance")
    if isinstance(performance, dict):
        known = schema["properties"]["performance"]["properties"].keys()
        more = performance.get("additional_details") or {}
        put_aside(performance, performance.keys() - known, more, notes, "performance/")
        if more:
            performance["additional_details"] = more
    return _stepped(fit(row, schema, schema, notes), f"{_LABEL}0.2.1", notes)


def from_0_2_1(data: Data, _: Facts) -> Stepped:
    """The label changes."""
    return _stepped(copy.deepcopy(data), f"{_LABEL}0.2.2", Notes())


def from_0_2_2(data: Data, _: Facts) -> Stepped:
    """The label loses its prefix."""
    return _stepped(copy.deepcopy(data), "0.3.0", Notes())


def _stepped(row: Object, label: str, notes: Notes) -> Stepped:
    return Stepped({**row, "schema_version": label}, notes.texts())


SAMPLE_STEPS = (
    Step("sample-0.2.0", "sample-0.2.1", from_0_2_0),
    Step("sample-0.2.1", "sample-0.2.2", from_0_2_1),
    Step("sample-0.2.2", "sample-0.3.0", from_0_2_2),
)
