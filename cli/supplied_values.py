"""Values and edits that the options of ``evalmark convert`` supply."""

from __future__ import annotations

import json
from functools import reduce
from pathlib import Path
from typing import Any

from evalmark.cli.convert_options import ConvertOptions
from evalmark.converters.overrides.defaults import NO_DEFAULTS, Defaults
from evalmark.converters.overrides.read_defaults import read_defaults
from evalmark.converters.overrides.read_predictions import read_predictions
from evalmark.converters.overrides.schema_values import problem_of
from evalmark.converters.overrides.table_mapping import read_mapping
from evalmark.converters.step import SuiteEdit
from evalmark.converters.suites import edits
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError, UnknownNameError, UsageError
from evalmark.validator.checker import Checker
from evalmark.validator.formats.suites.suite import METRICS


def supplied_by(options: ConvertOptions) -> Supplied:
    """The values of the options."""
    if options.predictions is not None and options.no_predictions:
        raise UsageError("--predictions and --no-predictions exclude each other")
    if options.metric is not None and options.metric not in METRICS:
        raise UnknownNameError("metric", options.metric, METRICS)
    known = reduce(Defaults.updated, map(read_defaults, options.defaults), NO_DEFAULTS)
    stated = dict(map(_value, options.set_value))
    keywords: dict[str, Any] = {"predictions": ()} if options.no_predictions else {}
    if options.predictions is not None:
        keywords = _predictions(options.predictions)
    if options.metric is not None:
        keywords["metric"] = options.metric
    return Supplied(
        **keywords,
        renames=dict(_pair("--rename", word) for word in options.rename),
        values=stated,
        defaults=known,
        mapping=None if options.mapping is None else read_mapping(options.mapping),
        columns=dict(_pair("--column", word) for word in options.column),
        checker=Checker.of(pairs=options.pairs),
    )


def _value(word: str) -> tuple[str, Any]:
    """Pointer and value of a ``--set``; a text needs no quotes."""
    pointer, sign, text = word.partition("=")
    if not sign or not pointer.startswith("/"):
        raise UsageError(f"--set {word}: expected /POINTER=VALUE")
    try:
        value = json.loads(text, parse_constant=str)
    except ValueError:
        value = text
    if problem_of(pointer, value) and (problem := problem_of(pointer, text)):
        raise UsageError(f"--set {word}: {problem}")
    return pointer, text if problem_of(pointer, value) else value


def _predictions(path: Path) -> dict[str, Any]:
    unusable: dict[str, ConversionError] = {}

    def refused(file: str, error: Exception) -> None:
        unusable[file] = ConversionError(getattr(error, "strerror", None) or str(error))

    suites = read_predictions(path, refused)
    if len(suites) == 1 and not path.is_dir():
        return {"predictions": suites[0].formulas, "metric": suites[0].metric}
    by_suite = {str(s.suite): (s.formulas, s.metric) for s in reversed(suites)}
    for suite in suites:
        if by_suite.get(str(suite.suite), (suite.formulas,))[0] != suite.formulas:
            refused(suite.path, ConversionError(f"other predictions of {suite.suite} were before"))
            del by_suite[str(suite.suite)]
    return {"predictions_of": by_suite, "unusable": unusable}


def edits_of(options: ConvertOptions) -> tuple[SuiteEdit, ...]:
    """The changes to suites that the user wants, in the order in which they are made."""
    wanted = {
        edits.strip_results: options.strip_results,
        edits.split_conjunctions: options.split_conjunctions,
    }
    return tuple(edit for edit, is_wanted in wanted.items() if is_wanted)


def _pair(option: str, word: str) -> tuple[str, str]:
    # A name of a column may contain "="; a role and the new name of a condition do not.
    old, sign, new = word.rpartition("=")
    if not sign or not old or not new:
        raise UsageError(f"{option} {word!r}: expected A=B")
    return old, new
