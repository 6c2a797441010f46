"""Rows of sample files from version to version."""

from __future__ import annotations

from evalmark.converters.records.fit import Notes, Object, fit, put_aside, rename_key
from evalmark.converters.step import Supplied
from evalmark.schemas.files import bundle


def from_0_2_0(row: Object, _: Supplied, notes: Notes) -> Object:
    """`interactions` is renamed to `messages`, and texts become lists."""
    rename_conversation(row, "interactions", "messages")
    schema = bundle("sample-0.2.1")
    extra = row.keys() - schema["properties"].keys()
    if extra:
        stated = row.get("metadata")
        details = stated if isinstance(stated, dict) else {}
        put_aside(row, set(extra), details, notes, "")
        row["metadata"] = details
    performance = row.get("performance")
    if isinstance(performance, dict):
        known = schema["properties"]["performance"]["properties"].keys()
        more = performance.get("additional_details") or {}
        put_aside(performance, performance.keys() - known, more, notes, "performance/")
        if more:
            performance["additional_details"] = more
    fitted: Object = fit(row, schema, schema, notes)
    return fitted


def rename_conversation(row: Object, old: str, new: str) -> None:
    """Rename the key of the turns, also where an answer says in which turn it is."""
    rename_key(row, old, new)
    answers = row.get("answer_attribution")
    for answer in answers if isinstance(answers, list) else ():
        if isinstance(answer, dict) and str(answer.get("source")).startswith(f"{old}["):
            answer["source"] = answer["source"].replace(old, new, 1)
