"""Values and edits that the options of ``evalmark convert`` supply."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalmark.converters.step import JOINED, SuiteEdit, Supplied
from evalmark.converters.steps import edits
from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.validator.formats.suites.suite import METRICS
from evalmark.validator.pair_columns import PairTables, stated_tables

if TYPE_CHECKING:
    from evalmark.converters.overrides.defaults import Defaults
    from evalmark.converters.overrides.table_mapping import TableMapping
    from evalmark.schemas.hub_benchmarks import Benchmarks


def supplied_of(
    *,
    metric: str | None,
    renames: Iterable[str],
    predictions: Path | None,
    no_predictions: bool,
    values: Iterable[str],
    defaults: Iterable[Path],
    mapping: Path | None = None,
    names: str = JOINED,
    pairs: Sequence[str] = (),
    columns: Iterable[str] = (),
) -> Supplied:
    """The values of the options."""
    if predictions is not None and no_predictions:
        raise UsageError("--predictions and --no-predictions exclude each other")
    if metric is not None and metric not in METRICS:
        raise UnknownNameError("metric", metric, METRICS)
    default_values = _defaults(defaults)
    stated = dict(_value(word) for word in values)
    formulas: tuple[str, ...] | None = () if no_predictions else None
    of_suites: dict[str, tuple[tuple[str, ...], str | None]] = {}
    if predictions is not None:
        formulas, own_metric, of_suites = _predictions(predictions)
        metric = metric or own_metric
    renamed = dict(_pair("--rename", word) for word in renames)
    return Supplied(
        metric,
        renamed,
        None,
        formulas,
        of_suites,
        stated,
        default_values,
        _mapping(mapping),
        names,
        columns=dict(_pair("--column", word) for word in columns),
        pairs=partial(_pair_tables, stated_tables(pairs)),
        benchmarks=_benchmarks,
        record_version=_record_version,
    )


def _defaults(paths: Iterable[Path]) -> Defaults | None:
    """The values of files of defaults; those of a later one come first."""
    values = None
    for path in paths:
        from evalmark.converters.overrides.defaults import NO_DEFAULTS
        from evalmark.converters.overrides.read_defaults import read_defaults

        values = (values or NO_DEFAULTS).updated(read_defaults(path))
    return values


def _mapping(path: Path | None) -> TableMapping | None:
    if path is None:
        return None
    from evalmark.converters.overrides.table_mapping import read_mapping

    return read_mapping(path)


def _benchmarks() -> Benchmarks | None:
    """The benchmarks that the settings name."""
    from evalmark.validator.config import load_config

    return load_config().benchmarks


def _pair_tables(stated: PairTables) -> PairTables:
    """The columns of tables of pairs that the option gives, or else the settings."""
    from evalmark.validator.config import load_config

    return stated if stated.entries else load_config().pairs


def _record_version() -> str | None:
    """The version of records that the settings choose."""
    from evalmark.converters.records.record_version import chosen_version
    from evalmark.schemas.versions import current
    from evalmark.validator.config import load_config

    return chosen_version(None, load_config(), current("record").name)


def _value(word: str) -> tuple[str, Any]:
    """Pointer and value of a ``--set``; a text needs no quotes."""
    pointer, sign, text = word.partition("=")
    if not sign or not pointer.startswith("/"):
        raise UsageError(f"--set {word}: expected /POINTER=VALUE")
    try:
        value = json.loads(text, parse_constant=str)
    except ValueError:
        value = text
    from evalmark.converters.overrides.schema_values import problem_of

    if problem_of(pointer, value) and (problem := problem_of(pointer, text)):
        raise UsageError(f"--set {word}: {problem}")
    return pointer, text if problem_of(pointer, value) else value


def _predictions(
    path: Path,
) -> tuple[tuple[str, ...] | None, str | None, dict[str, tuple[tuple[str, ...], str | None]]]:
    """Formulas and metric for every suite; and those of the suites of some names."""
    from evalmark.converters.overrides.read_predictions import read_predictions

    suites = read_predictions(path)
    if len(suites) == 1 and not path.is_dir():
        return suites[0].formulas, suites[0].metric, {}
    by_suite: dict[str, tuple[tuple[str, ...], str | None]] = {}
    for suite in suites:
        name = str(suite.suite)
        if by_suite.setdefault(name, (suite.formulas, suite.metric))[0] != suite.formulas:
            raise UsageError(f"{path} has different predictions of the suite {name}")
    return None, None, by_suite


def edits_of(
    *,
    strip: bool,
    renumbered: Iterable[str],
    inserted: str | None,
    split: bool,
    canonical_formulas: bool,
) -> tuple[SuiteEdit, ...]:
    """The changes to suites that the user wants, in the order in which they are made."""
    suite_edits: list[SuiteEdit] = [edits.strip_results] if strip else []
    pairs = [_pair("--renumber", word) for word in renumbered]
    if pairs:
        numbers = {_number("--renumber", old): _number("--renumber", new) for old, new in pairs}
        suite_edits.append(partial(edits.renumber, numbers=numbers))
    if inserted is not None:
        number, name = _pair("--insert-region", inserted)
        number_of = _number("--insert-region", number)
        suite_edits.append(partial(edits.insert_region, number=number_of, name=name))
    if split:
        suite_edits.append(edits.split_conjunctions)
    if canonical_formulas:
        suite_edits.append(edits.canonical)
    return tuple(suite_edits)


def _pair(option: str, word: str) -> tuple[str, str]:
    old, sign, new = word.partition("=")
    if not sign or not old or not new:
        raise UsageError(f"{option} {word!r}: expected A=B")
    return old, new


def _number(option: str, word: str) -> int:
    if not word.isdecimal():
        raise UsageError(f"{option}: {word!r} is not a number")
    return int(word)
