"""Predictions from a file or folder: formulas, a suite, or several suites."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evalmark.converters.conversion_checks import require_sound
from evalmark.converters.convert_document import convert_document
from evalmark.converters.formats import FORMATS, SUITES, Syntax, format_of
from evalmark.converters.step import Supplied
from evalmark.converters.syntax import ParsedText
from evalmark.schemas.errors import ConversionError, UsageError
from evalmark.validator.batch.walking import expand
from evalmark.validator.formats.suites.suite import metrics_of
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.strict_json import decode

#: What every line of a text file of formulas has, and no other text.
_MARK = ";%"


@dataclass(frozen=True, slots=True)
class GivenPredictions:
    """The predictions of a suite, or of any suite.

    Attributes:
        path: The file.
        formulas: Their formulas.
        suite: The name of their suite; None for formulas alone.
        metric: The metric of their suite, if it has one.
        current: Whether the formulas are current ones; others are read in the old dialect too.
    """

    path: str
    formulas: tuple[str, ...]
    suite: str | None = None
    metric: str | None = None
    current: bool = False


def read_predictions(path: Path) -> list[GivenPredictions]:
    """The predictions of a file, or of all suites of a folder.

    A file holds formulas (one a line, or a JSON list), a suite, a list of suites, or an object of
    suite names and their formulas. In a folder, NAME.txt holds the formulas of the suite NAME.

    Raises:
        UsageError: It holds no predictions.
        ConversionError: A suite cannot be read exactly.
        OSError: It cannot be read.
    """
    if not path.is_dir():
        return _of_file(path)
    found: list[GivenPredictions] = []
    for file, _ in expand([str(path)], (".json", ".yaml", ".yml", ".txt")):
        if file.endswith(".txt"):
            found += [
                replace(given, suite=Path(file).stem)
                for given in _of_file(Path(file))
                if all(_MARK in formula for formula in given.formulas)
            ]
            continue
        reading = read(read_whole(file), file)
        if reading.readable and format_of(reading.data) in SUITES:
            given = _of_suite(reading.data, file)
            found += [given] if given.formulas else []
    if not found:
        raise UsageError(f"{path} has no suite with predictions, and no formulas of one (NAME.txt)")
    return found


def predictions_for(
    suites: Collection[str], given: Sequence[GivenPredictions]
) -> Mapping[str, GivenPredictions]:
    """Which predictions the suites of some names get.

    Formulas alone are for every suite, those of a suite for the suites of its name. Those of a
    single suite are for a single suite, whatever its name.

    Raises:
        UsageError: There are no formulas, a name appears twice with different ones, or none is that
            of a suite.
    """
    if not suites or not given:
        return {}
    if not any(one.formulas for one in given):
        raise UsageError(f"{given[0].path} has no predictions")
    if given[0].suite is None:
        return dict.fromkeys(suites, given[0])
    if len(given) == len(suites) == 1:
        return dict.fromkeys(suites, given[0])
    found: dict[str, GivenPredictions] = {}
    for one in given:
        other = found.setdefault(str(one.suite), one)
        if other.formulas != one.formulas:
            raise UsageError(
                f"{other.path} and {one.path} have different predictions of the suite {one.suite}"
            )
    chosen = {name: found[name] for name in suites if name in found}
    if not chosen:
        raise UsageError(
            f"the predictions of {given[0].path} are of {_listed(list(found))}, and the suites "
            f"without predictions are {_listed(list(suites))}: the names must be equal"
        )
    return chosen


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _of_file(path: Path) -> list[GivenPredictions]:
    text = decode(read_whole(path))
    reading = read(text.encode(), str(path))
    data, file = reading.data, str(path)
    if not reading.readable or not isinstance(data, dict | list):
        return [GivenPredictions(file, tuple(s.strip() for s in text.split("\n") if s.strip()))]
    if format_of(data) in SUITES:
        return [_of_suite(data, file)]
    if isinstance(data, list):
        if any(isinstance(entry, dict) for entry in data):
            return [_of_suite(entry, file) for entry in data]
        return [GivenPredictions(file, tuple(map(str, data)))]
    lists = {name: [v] if isinstance(v, str) else v for name, v in data.items()}
    if not lists or not all(_is_formulas(formulas) for formulas in lists.values()):
        raise UsageError(f"{path} is not a suite; `evalmark check` says why")
    return [GivenPredictions(file, tuple(formulas), name) for name, formulas in lists.items()]


def _is_formulas(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(formula, str) for formula in value)


def _of_suite(data: Any, path: str) -> GivenPredictions:
    """The predictions of a suite; which of several metrics it has does not matter."""
    meta = data.get("meta") if isinstance(data, dict) else None
    declared = metrics_of(meta.get("metric")) if isinstance(meta, dict) else ()
    one = declared[0] if len(declared) > 1 else None
    name = format_of(data)
    if name is None or name not in SUITES:
        raise UsageError(f"{path} has an element that is not a suite; `evalmark check` says why")
    parsed = ParsedText("", path, Syntax.JSON, data, name)
    try:
        if FORMATS[name].takes_edits:  # whose other errors do not matter
            require_sound(parsed, has_steps=False)
            suite = data
        else:
            supplied = Supplied(metric=one)
            suite = convert_document(parsed, to="suite", supplied=supplied).data
        formulas = tuple(prediction["formula"] for prediction in suite["predictions"])
        metric = None if one else suite["meta"]["metric"]
        return GivenPredictions(path, formulas, str(suite["meta"]["name"]), metric, current=True)
    except ConversionError as error:
        raise UsageError(f"{path}: {error}") from error
