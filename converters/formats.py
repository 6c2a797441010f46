"""The formats of documents: more than kinds, since one kind has had many formats."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from evalmark.schemas.accepting import accepts
from evalmark.schemas.errors import UnknownNameError
from evalmark.schemas.versions import RECORDS, SAMPLES, Version
from evalmark.validator.kinds import KINDS, detect, identify
from evalmark.validator.kinds import fitting_version as fits


class Syntax(StrEnum):
    """How a document is written."""

    JSON = "json"
    YAML = "yaml"
    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    TXT = "txt"

    @staticmethod
    def of(path: str) -> Syntax:
        """The syntax that a file's extension stands for; JSON for any other extension."""
        extension = path.rpartition(".")[2].lower()
        return _EXTENSIONS.get(extension, Syntax.JSON)


_EXTENSIONS = {"yml": Syntax.YAML, **{str(syntax): syntax for syntax in Syntax}}


@dataclass(frozen=True, slots=True)
class Format:
    """A format that documents are converted from or to.

    Attributes:
        kind: What the document is, whatever its format: a key of ``CURRENT``.
        what: A description.
        schema: The schema that a document of this format follows, if there is one.
        version: Version of a record or sample.
        syntax: How it is written, if neither as JSON nor as YAML.
    """

    kind: str
    what: str
    schema: str | None = None
    version: Version | None = None
    syntax: Syntax | None = None


def _versions(what: str, versions: tuple[Version, ...]) -> dict[str, Format]:
    return {v.schema: Format(v.kind, f"{what} {v.name}", v.schema, v) for v in versions}


def _definition(what: str) -> Format:
    return Format("ltm-definition", what, "ltm-definition")


#: Name of a format -> the format.
FORMATS: dict[str, Format] = {
    "suite": Format("suite", "a suite as current tools read it", "suite"),
    "suite-legacy": Format(
        "suite", "a suite whose predictions are l_operand, relation, r_operand", "suite-legacy"
    ),
    "suite-strings": Format("suite", "a suite with its formulas in meta.string_predictions"),
    "suite-bare": Format("suite", "a suite whose predictions are bare formulas"),
    "suite-brackets": Format("suite", "a suite whose formulas group with [ ]"),
    "table": Format(
        "suite", "a suite as a table: one row per region (CSV or TSV)", syntax=Syntax.CSV
    ),
    "rows": Format(
        "suite",
        "a suite as dataset rows: one object per item, conditions in columns",
        syntax=Syntax.JSONL,
    ),
    "sentences": Format("suite", "one sentence a line, item by item (TXT)", syntax=Syntax.TXT),
    **_versions("a record of version", RECORDS),
    **_versions("samples of version", SAMPLES),
    "ltm-definition-1": _definition("an LTM definition with time_jumps and token_spacings"),
    "ltm-definition-2": _definition("an LTM definition whose waits have all three keys"),
    "ltm-definition-3": _definition("a current LTM definition"),
}

#: What a conversion can be to: a format, or another syntax of the same one.
TARGETS = (*FORMATS, Syntax.JSON.value, Syntax.YAML.value)

#: Kind -> its current format.
CURRENT: dict[str, str] = {
    "suite": "suite",
    "record": RECORDS[-1].schema,
    "sample": SAMPLES[-1].schema,
    "ltm-definition": "ltm-definition-3",
}

_CELLS = {"item_number", "condition_name", "region_number", "content"}
_WAIT = {"tokens", "time", "percentage_finished"}


def require_known(what: str, given: str | None, known: Collection[str]) -> None:
    """Refuse a name that is given and does not exist.

    Raises:
        UnknownNameError: There is no such name.
    """
    if given is not None and given not in known:
        raise UnknownNameError(what, given, known)


def format_of(data: Any) -> str | None:
    """The format of parsed data: a key of ``FORMATS``, or None.

    A record or sample of an unknown version has a format that is not in ``FORMATS``.
    """
    if isinstance(data, list) and data:
        if all(_is_row(row) for row in data):
            return "rows"
        is_table = all(isinstance(row, dict) and row.keys() >= _CELLS for row in data)
        return "table" if is_table else None
    if not isinstance(data, dict):
        return None
    kind = detect(data)
    if kind in _DIALECTS:
        return _DIALECTS[kind](data)
    if kind in FORMATS:
        return kind
    if kind is not None and KINDS[kind].is_versioned:
        declared = identify(data, kind).version
        # Labels are unreliable: if a file does not fit its own, the version that it fits counts.
        name = f"{kind}-{declared}"
        if name in FORMATS and accepts(name, data):
            return name
        return f"{kind}-{fits(data, kind) or declared}"
    return "rows" if _is_row(data) else None


def kind_of(format_name: str) -> str:
    """The kind of a format; the version in its name may be unknown."""
    known = FORMATS.get(format_name)
    return known.kind if known else format_name.partition("-")[0]


def _suite_dialect(data: Mapping[str, Any]) -> str:
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


def _generation(data: Mapping[str, Any]) -> str:
    if "time_jumps" in data or "token_spacings" in data:
        return "ltm-definition-1"
    waits = data.get("waits")
    if not isinstance(waits, list) or not waits:
        return "ltm-definition-3"
    whole = all(isinstance(wait, dict) and wait.keys() == _WAIT for wait in waits)
    return "ltm-definition-2" if whole else "ltm-definition-3"


#: Kinds with several formats without a version -> which of them data has.
_DIALECTS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "suite": _suite_dialect,
    "ltm-definition": _generation,
}


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and {"item_number", "conditions"} <= row.keys()
        and isinstance(row["conditions"], dict)
    )
