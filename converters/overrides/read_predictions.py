"""Predictions from a file or folder: formulas, a suite, or several suites."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evalmark.converters.conversion_checks import require_sound
from evalmark.converters.convert_document import convert_document
from evalmark.converters.formats import SUITE, SUITES, Syntax, conversion_format_of
from evalmark.converters.step import Supplied
from evalmark.converters.syntax import ParsedText
from evalmark.schemas.errors import ConversionError, EvalmarkError, ParseRejected, UsageError
from evalmark.validator.batch.walking import expand
from evalmark.validator.findings.phrasing import first_of
from evalmark.validator.formats.suites.suite import metrics_of
from evalmark.validator.formats.unrecognized import has_signs
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.strict_json import decode

#: A line of a text file of formulas; no other text is like it.
_MARK = ";%"


@dataclass(frozen=True, slots=True)
class GivenPredictions:
    """The predictions of a suite, or of any suite."""

    path: str  # the file
    formulas: tuple[str, ...]  # their formulas
    suite: str | None = None  # the name of their suite; None for formulas alone
    metric: str | None = None  # the metric of their suite, if it has one
    #: Whether the formulas are current ones; others are read in the old dialect too.
    current: bool = False


def read_predictions(
    path: Path, refused: Callable[[str, Exception], None] | None = None
) -> list[GivenPredictions]:
    """The predictions of a file, or of all suites of a folder.

    A file holds formulas (one a line, or a JSON list) or a suite. In a folder, NAME.txt holds the
    formulas of the suite NAME. ``refused`` is called with each file of a folder that cannot be read
    exactly, and why; the others are read. If None, the first of them is an error.

    Raises:
        UsageError: It holds no predictions, or they cannot be read exactly.
        OSError: It cannot be read.
    """
    if not path.is_dir():
        try:
            return _file_predictions(path)
        except ConversionError as error:
            raise UsageError(f"{path}: {error}") from error
    predictions: list[GivenPredictions] = []
    is_whole = True
    for file, _ in expand([str(path)], (".json", ".yaml", ".yml", ".txt")):
        try:
            predictions += _in_folder(file)
        except (EvalmarkError, OSError) as error:
            if refused is None:
                raise UsageError(f"{file}: {error}") from error
            refused(file, error)
            is_whole = False
    if not predictions and is_whole:
        raise UsageError(f"{path} has no suite with predictions, and no formulas of one (NAME.txt)")
    return predictions


def _in_folder(file: str) -> list[GivenPredictions]:
    if file.endswith(".txt"):
        return [
            replace(suite, suite=Path(file).stem)
            for suite in _file_predictions(Path(file))
            if all(_MARK in formula for formula in suite.formulas)
        ]
    raw = read_whole(file)
    reading = read(raw, file)
    if not reading.readable and has_signs(raw, file):
        raise ConversionError(f"{reading.findings[0].code} {reading.findings[0].message}")
    if not reading.readable or conversion_format_of(reading.data) not in SUITES:
        return []
    suite = _suite_predictions(reading.data, file)
    return [suite] if suite.formulas else []


def predictions_for(
    suites: Collection[str], predictions: Sequence[GivenPredictions]
) -> Mapping[str, GivenPredictions]:
    """The predictions for the suites of some names.

    Formulas alone are for every suite, those of a suite for the suites of its name. Those of a
    single suite are for a single suite, whatever its name.

    Raises:
        UsageError: There are no formulas, a name appears twice with different ones, or none is that
            of a suite.
    """
    if not suites or not predictions:
        return {}
    if not any(entry.formulas for entry in predictions):
        raise UsageError(f"{predictions[0].path} has no predictions")
    if predictions[0].suite is None:
        return dict.fromkeys(suites, predictions[0])
    if len(predictions) == len(suites) == 1:
        return dict.fromkeys(suites, predictions[0])
    by_suite: dict[str, GivenPredictions] = {}
    for entry in predictions:
        first = by_suite.setdefault(str(entry.suite), entry)
        if first.formulas != entry.formulas:
            raise UsageError(
                f"{first.path} and {entry.path} have different predictions of the suite "
                f"{entry.suite}"
            )
    chosen = {name: by_suite[name] for name in suites if name in by_suite}
    if not chosen:
        stated, lacking = (first_of(list(names), 3) for names in (by_suite, suites))
        raise UsageError(
            f"the predictions of {predictions[0].path} are of {stated}, and the suites without "
            f"predictions are {lacking}: the names must be equal"
        )
    return chosen


def _file_predictions(path: Path) -> list[GivenPredictions]:
    try:
        text = decode(read_whole(path))
    except ParseRejected:
        raise ConversionError("not UTF-8 text") from None
    reading = read(text.encode(), str(path))
    data, file = reading.data, str(path)
    if not reading.readable or not isinstance(data, dict | list):
        return [GivenPredictions(file, tuple(filter(None, map(str.strip, text.split("\n")))))]
    if conversion_format_of(data) in SUITES:
        return [_suite_predictions(data, file)]
    if isinstance(data, dict):
        raise UsageError(f"{file} is not a suite; `evalmark check` says why")
    if not all(isinstance(formula, str) for formula in data):
        raise UsageError(f"{file} has an element that is not a formula")
    return [GivenPredictions(file, tuple(data))]


def _suite_predictions(data: Any, path: str) -> GivenPredictions:
    """The predictions of a suite; which of several metrics it has does not matter."""
    meta = data.get("meta") if isinstance(data, dict) else None
    declared = metrics_of(meta.get("metric")) if isinstance(meta, dict) else ()
    metric_choice = declared[0] if len(declared) > 1 else None
    name = conversion_format_of(data) or ""
    parsed = ParsedText("", path, Syntax.JSON, data, name)
    if name == SUITE:  # whose other errors do not matter
        require_sound(parsed, has_steps=False)
        suite = data
    else:
        supplied = Supplied(metric=metric_choice)
        suite = convert_document(parsed, to="suite", supplied=supplied).data
    formulas = tuple(prediction["formula"] for prediction in suite["predictions"])
    metric = None if metric_choice else suite["meta"]["metric"]
    return GivenPredictions(path, formulas, str(suite["meta"]["name"]), metric, current=True)
