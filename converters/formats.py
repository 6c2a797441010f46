"""The formats of documents: more than kinds, since one kind has had many formats."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from evalmark.converters.tables.sheets import Sheets
from evalmark.schemas.backend import accepts
from evalmark.schemas.versions import RECORDS, SAMPLES, VERSIONS, Version
from evalmark.schemas.wide_tables import is_wide_table
from evalmark.validator.format import fitting_version as fits
from evalmark.validator.formats.builtin import detect, identify
from evalmark.validator.formats.pairs.pair_sets import set_of
from evalmark.validator.formats.suites.suite import USUAL_METRIC
from evalmark.validator.reading.other_formats import is_dataset_row, is_table


class Syntax(StrEnum):
    """The syntax of a document."""

    JSON = "json"
    YAML = "yaml"
    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    TXT = "txt"
    XLSX = "xlsx"

    @staticmethod
    def of(path: str) -> Syntax:
        """The syntax of a file's extension; JSON for any other extension."""
        extension = path.rpartition(".")[2].lower()
        return _EXTENSIONS.get(extension, Syntax.JSON)


_EXTENSIONS = {"yml": Syntax.YAML, **{str(syntax): syntax for syntax in Syntax}}


@dataclass(frozen=True, slots=True)
class ConversionFormat:
    """A format that documents are converted from or to."""

    kind: str  # what the document is, whatever its format: a key of ``CURRENT``
    description: str  # what it holds, in words
    schema: str | None = None  # the schema that a document of this format follows, if there is one
    version: Version | None = None  # version of a record or sample
    syntax: Syntax | None = None  # how it is written, if neither as JSON nor as YAML
    generation: int | None = None  # generation of the LTM benchmark that writes it
    has_metrics: bool = False  # whether a suite of it may name several metrics
    #: A document of it in the shape of its schema, if a step reads more than that allows.
    shaped: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    has_usual_metric: bool = False  # whether a suite of it may leave out its metric
    #: Whether what a file of it becomes cannot be written in its place, and tables of predictions
    #: and meta may be next to it.
    is_table: bool = False


def _versions(description: str, versions: tuple[Version, ...]) -> dict[str, ConversionFormat]:
    return {
        v.schema: ConversionFormat(v.kind, f"{description} {v.name}", v.schema, v) for v in versions
    }


def _definition(generation: int, description: str) -> ConversionFormat:
    return ConversionFormat("ltm-definition", description, "ltm-definition", generation=generation)


def _with_predictions(data: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**data, "predictions": data.get("predictions", [])}


def _as_objects(predictions: list[Any]) -> list[Any]:
    return [{"type": "formula", "formula": p} if isinstance(p, str) else p for p in predictions]


def _with_string_predictions(data: Mapping[str, Any]) -> Mapping[str, Any]:
    strings = data["meta"]["string_predictions"]
    is_read = isinstance(strings, list) and all(isinstance(text, str) for text in strings)
    return {**data, "predictions": _as_objects(strings if is_read else [])}


def _with_bare_formulas(data: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = data.get("meta")
    if isinstance(meta, Mapping):
        meta = {**meta, "metric": meta.get("metric", USUAL_METRIC)}
    return {**data, "meta": meta, "predictions": _as_objects(data["predictions"])}


#: Name of a format -> the format.
CONVERTIBLE: dict[str, ConversionFormat] = {
    "suite": ConversionFormat("suite", "a suite as current tools read it", "suite"),
    "suite-legacy": ConversionFormat(
        "suite",
        "a suite whose predictions are l_operand, relation, r_operand",
        "suite-legacy",
        has_metrics=True,
        shaped=_with_predictions,
    ),
    "suite-strings": ConversionFormat(
        "suite",
        "a suite with its formulas in meta.string_predictions",
        "suite",
        shaped=_with_string_predictions,
    ),
    "suite-bare": ConversionFormat(
        "suite",
        "a suite whose predictions are bare formulas",
        "suite",
        shaped=_with_bare_formulas,
        has_usual_metric=True,
    ),
    "suite-brackets": ConversionFormat("suite", "a suite whose formulas group with [ ]", "suite"),
    "table": ConversionFormat(
        "suite",
        "a suite as a table: one row per region (CSV, TSV; XLSX is read)",
        syntax=Syntax.CSV,
        is_table=True,
    ),
    "wide-table": ConversionFormat(
        "suite",
        "a suite as tables: item, condition, and a column for each region; predictions and meta "
        "next to it (CSV, TSV or XLSX)",
        syntax=Syntax.CSV,
        is_table=True,
    ),
    "rows": ConversionFormat(
        "suite",
        "a suite as dataset rows: one object per item, conditions in columns",
        syntax=Syntax.JSONL,
    ),
    "sentences": ConversionFormat(
        "suite", "one sentence a line, item by item (TXT)", syntax=Syntax.TXT
    ),
    "pairs": ConversionFormat(
        "pairs", "minimal pairs, with the keys of their set (JSONL, CSV)", syntax=Syntax.JSONL
    ),
    **_versions("a record of version", RECORDS),
    **_versions("samples of version", SAMPLES),
    "ltm-definition-1": _definition(1, "an LTM definition with time_jumps and token_spacings"),
    "ltm-definition-2": _definition(2, "an LTM definition whose waits have all three keys"),
    "ltm-definition-3": _definition(3, "a current LTM definition"),
}

#: Targets of a conversion: a format, or another syntax of the same one.
TARGETS = (*CONVERTIBLE, Syntax.JSON.value, Syntax.YAML.value)

#: The kind that other tools write as tables, and its current format, in which edits are made.
SUITE = "suite"
#: The kind of rows that are also written as a list or a table.
PAIRS = "pairs"
#: The format of tables with a column for each region.
WIDE_TABLE = "wide-table"

#: Kind -> its current format.
CURRENT: dict[str, str] = {
    "suite": "suite",
    "pairs": "pairs",
    "record": RECORDS[-1].schema,
    "sample": SAMPLES[-1].schema,
    "ltm-definition": "ltm-definition-3",
}

#: Formats of whole suites, as scoring reads them, and of LTM definitions.
SUITES = frozenset(
    name for name, form in CONVERTIBLE.items() if form.kind == "suite" and form.syntax is None
)
DEFINITIONS = frozenset(name for name, form in CONVERTIBLE.items() if form.generation)
#: Formats that the results of other programs become.
RESULTS = tuple(version.schema for version in RECORDS if version.is_written)

_WAIT = {"tokens", "time", "percentage_finished"}


def conversion_format_of(data: object) -> str | None:
    """The format of parsed data: a key of ``CONVERTIBLE``, or None.

    A record or sample of an unknown version has a format that is not in ``CONVERTIBLE``.
    """
    if isinstance(data, Sheets):
        data = data.items
    if isinstance(data, list):
        return _format_of_rows(data)
    if not isinstance(data, dict):
        return None
    kind = detect(data)
    if kind in _DIALECTS:
        return _DIALECTS[kind](data)
    if kind in CONVERTIBLE:
        return kind
    if kind in VERSIONS:
        return _version_of(data, kind)
    if set_of(data) is not None:
        return "pairs"
    return "rows" if is_dataset_row(data) else None


def _format_of_rows(rows: list[Any]) -> str | None:
    if not rows:
        return None
    if all(map(is_dataset_row, rows)):
        return "rows"
    if all(set_of(row) is not None for row in rows):
        return "pairs"
    if is_wide_table(rows):
        return "wide-table"
    return "table" if is_table(rows) else None


def _version_of(data: dict[str, Any], kind: str) -> str:
    """The version that a record or sample declares and fits; else the one that it fits."""
    declared = identify(data, kind).version
    name = f"{kind}-{declared}"
    if name in CONVERTIBLE and accepts(name, data):
        return name
    return f"{kind}-{fits(data, kind) or declared}"


def kind_of_format(format_name: str) -> str:
    """The kind of a format; the version in its name may be unknown."""
    form = CONVERTIBLE.get(format_name)
    return form.kind if form else format_name.partition("-")[0]


def may_be_old(format_name: str) -> bool:
    """True if formulas of a format may be of an older language: of brackets, and of tables."""
    return format_name == "suite-brackets" or CONVERTIBLE[format_name].syntax is not None


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
