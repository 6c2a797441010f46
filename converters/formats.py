"""Which form a file has: more than its kind, since one kind has had many forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from evalmark.schemas.accepting import accepts
from evalmark.schemas.versions import RECORDS, SAMPLES
from evalmark.validator.kinds import detect, identify
from evalmark.validator.kinds import fitting_version as fits

#: Form → what it is, for ``--list`` and messages.
FORMS: dict[str, str] = {
    "suite": "a suite as tools read it today",
    "suite-triples": "a suite whose predictions are l_operand, relation, r_operand",
    "suite-strings": "a suite whose formulas stand in meta.string_predictions",
    "suite-bare": "a suite whose predictions are bare formulas",
    "suite-brackets": "a suite whose formulas group with [ ]",
    "table": "a suite as a long table: one row for each region (CSV or TSV)",
    "rows": "a suite as dataset rows: one object for each item, conditions in columns",
    "sentences": "one sentence a line, item by item (TXT)",
    **{version.schema: f"a record of version {version.name}" for version in RECORDS},
    **{version.schema: f"samples of version {version.name}" for version in SAMPLES},
    "ltm-definition-1": "an LTM definition with time_jumps and token_spacings",
    "ltm-definition-2": "an LTM definition whose waits have all three keys",
    "ltm-definition-3": "an LTM definition of today",
    "lm-eval": "results of the LM evaluation harness",
    "inspect": "a log of Inspect (JSON)",
    "ltm-run": "results of an LTM run: the folder of an agent",
}

#: What a form becomes if nobody says what: the current form of the same thing.
CURRENT: dict[str, str] = {
    **{form: "suite" for form in FORMS if form.startswith("suite") or form in ("table", "rows")},
    **{form: "record-0.3.0" for form in FORMS if form.startswith("record")},
    **{form: "sample-0.3.0" for form in FORMS if form.startswith("sample")},
    **{form: "ltm-definition-3" for form in FORMS if form.startswith("ltm-definition")},
    "lm-eval": "record-0.3.0",
    "inspect": "record-0.3.0",
    "ltm-run": "record-0.3.0",
}

_CELLS = {"item_number", "condition_name", "region_number", "content"}
_WAIT = {"tokens", "time", "percentage_finished"}


def form_of(data: Any) -> str | None:
    """The form of parsed data; None if it is none that is converted."""
    if isinstance(data, list) and data:
        if all(_is_row(row) for row in data):
            return "rows"
        return (
            "table" if all(isinstance(row, dict) and row.keys() >= _CELLS for row in data) else None
        )
    if not isinstance(data, dict):
        return None
    kind = detect(data)
    if kind in ("suite", "suite-legacy"):
        return _suite_form(data)
    if kind == "record" or kind == "sample":
        declared = identify(data, kind).version
        # Labels are unreliable: what a file fits counts, if it does not fit what it says.
        fitting = fits(data, kind) if declared is None or not _fits(data, kind, declared) else None
        return f"{kind}-{fitting or declared}"
    if kind == "ltm-definition":
        return f"ltm-definition-{_generation(data)}"
    if _is_row(data):
        return "rows"
    if {"results", "configs"} <= data.keys() and isinstance(data["results"], dict):
        return "lm-eval"
    if {"eval", "status"} <= data.keys() and isinstance(data["eval"], dict):
        return "inspect"
    return None


def _fits(data: Any, kind: str, version: str) -> bool:
    name = f"{kind}-{version}"
    return name in FORMS and accepts(name, data)


def _suite_form(data: Mapping[str, Any]) -> str:
    if detect(data) == "suite-legacy":
        return "suite-triples"
    predictions = data.get("predictions")
    meta = data.get("meta")
    if isinstance(meta, dict) and meta.get("string_predictions") and not predictions:
        return "suite-strings"
    predictions = predictions if isinstance(predictions, list) else []
    if any(isinstance(prediction, str) for prediction in predictions):
        return "suite-bare"
    formulas = [p.get("formula") for p in predictions if isinstance(p, dict)]
    if any(isinstance(f, str) and re.search(r"[\[\]]", f) for f in formulas):
        return "suite-brackets"
    return "suite"


def _generation(data: Mapping[str, Any]) -> int:
    if "time_jumps" in data or "token_spacings" in data:
        return 1
    waits = data.get("waits")
    if isinstance(waits, list) and waits:
        whole = all(isinstance(wait, dict) and wait.keys() == _WAIT for wait in waits)
        return 2 if whole else 3
    return 3


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and {"item_number", "conditions"} <= row.keys()
        and isinstance(row["conditions"], dict)
    )
