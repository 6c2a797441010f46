"""Loading suites of any dialect for scoring."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from evalmark.converters.conversion_checks import require_sound, with_metric
from evalmark.converters.conversion_formats import (
    CONVERTIBLE,
    CURRENT,
    SUITES,
    Syntax,
    conversion_format_of,
    kind_of_format,
)
from evalmark.converters.convert_document import convert_document
from evalmark.converters.overrides.read_predictions import (
    GivenPredictions,
    predictions_for,
    read_predictions,
)
from evalmark.converters.suites.suite_dialects import current_formula
from evalmark.converters.supplied import Supplied
from evalmark.converters.syntax import ParsedText
from evalmark.schemas.errors import BrokenFile, ConversionError, EvalmarkError, ScoringError
from evalmark.validator.batch.walking import expand
from evalmark.validator.checker import Checker
from evalmark.validator.findings.unusable import Failed, Stop, broken_by, raising, require_usable
from evalmark.validator.formats.builtin import has_keys_of_a_format
from evalmark.validator.formats.suites.formula.formula_syntax import Node
from evalmark.validator.formats.suites.formula.formula_syntax import read_formula as read_formula
from evalmark.validator.formats.suites.suite import (
    USUAL_METRIC,
    Sentence,
    Suite,
    metrics_of,
    suite_of,
)
from evalmark.validator.formats.suites.suites_format import LEGACY_SUITE, SUITE
from evalmark.validator.formats.unrecognized import format_in, signs_of_ours
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read

#: Errors that keep a suite from being scored: not SG206, since the item fails for every model.
STOP = Stop(harmless=frozenset({"SG206"}))
#: A key that only suites have: a file with it that cannot be parsed is taken for one.
SIGN = b"region_meta"


class Recorded(NamedTuple):
    """The values and the model that an evaluated suite states."""

    #: For each item, condition and region, its value of the suite's metric; None if there is none.
    values: tuple[tuple[tuple[float | None, ...], ...], ...]
    model: str  # ``meta.model``; empty if it names none


@dataclass(frozen=True, slots=True, repr=False)
class LoadedSuite:
    """A suite ready to be scored.

    Attributes:
        path: The file.
        suite: Its view, in the current format.
        trees: Its predictions.
        sentences: For each item, the sentence of each of its conditions.
        digest: Of joined sentences, region spans, metric and predictions.
        recorded: The values that it states; None if no region has any.
        predictions_from: The file that its predictions are from, if it has none of its own.
        metric_from: Who names its metric, if the file does not: ``format`` or ``caller``.
        left_out: The number of sentences of each item that a limit leaves out.
    """

    path: str
    suite: Suite
    trees: tuple[Node, ...]
    sentences: tuple[tuple[Sentence, ...], ...]
    digest: str
    recorded: Recorded | None = None
    predictions_from: str = ""
    metric_from: str = ""
    left_out: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<suite {self.suite.name!r} in {self.path!r}: {len(self.suite.items)} items>"


class CurrentSuite(NamedTuple):
    """The data of a suite in the current format, and who names its metric if it does not."""

    data: dict[str, Any]
    metric_from: str = ""


def load_suites(
    paths: Iterable[str],
    *,
    join: str = "core",
    metric: str | None = None,
    limit: int | None = None,
    predictions: Path | None = None,
    contents: Mapping[str, bytes] = MappingProxyType({}),
    failed: Failed = raising,
) -> list[LoadedSuite]:
    """Load the suites among some files and folders.

    A legacy suite that names several metrics is one suite for each of them.

    Args:
        paths: Files, which must be suites, and folders, in which other files are skipped.
        join: How regions become sentences.
        metric: The only metric to use where a legacy suite names several.
        limit: The number of items to take from each suite; None for all.
        predictions: A file or folder of predictions, for the suites that have none: formulas, a
            suite, or several suites, whose predictions are for suites of the same names.
        contents: The contents of some of the files, in place of those on disk.
        failed: Called with each file that cannot be scored, and why; the others are loaded. By
            default, the first such file is an error.

    Raises:
        ScoringError: A suite cannot be scored, or there is none.
        UsageError: There are no predictions in ``predictions``, or they are of other suites.
        OSError: A file cannot be read.
    """
    failures: list[str] = []

    def failing(path: str, error: Exception) -> None:
        failed(path, broken_by(error, path))
        failures.append(path)

    loaded: list[tuple[str, CurrentSuite, tuple[int, ...]]] = []
    for path, named in expand(paths):
        try:
            if named or is_suite(path):
                raw = contents.get(path)
                documents = current_data(path, join=join, metric=metric, raw=raw)
                loaded += [(path, *limited(current, limit)) for current in documents]
        except Exception as error:
            failing(path, error)
    one_by_one = None if failed is raising else failing
    lacking = {s.data["meta"]["name"]: None for _, s, _ in loaded if not s.data["predictions"]}
    formulas_by_name = predictions_for(
        list(lacking), read_predictions(predictions, one_by_one) if predictions else ()
    )
    suites: list[LoadedSuite] = []
    for path, (data, metric_from), left_out in loaded:
        try:
            formulas = None if data["predictions"] else formulas_by_name.get(data["meta"]["name"])
            suite = _with_predictions(data, path, join, formulas)
            suites.append(replace(suite, metric_from=metric_from, left_out=left_out))
        except Exception as error:
            failing(path, error)
    if not suites and not failures:
        raise ScoringError("no suites to score")
    return suites


def _with_predictions(
    data: dict[str, Any], path: str, join: str, source: GivenPredictions | None
) -> LoadedSuite:
    if source is None:
        return prepare(data, path, join)
    try:
        formulas = [f if source.current else current_formula(f) for f in source.formulas]
    except EvalmarkError as error:
        raise ScoringError(f"{path}: the predictions of {source.path}: {error}") from error
    written = [{"type": "formula", "formula": formula} for formula in formulas]
    whole = {**data, "predictions": written}
    errors = STOP.among(Checker(join=join).data(whole, path).findings)
    if errors:
        raise ScoringError(
            f"{path}: the predictions of {source.path} are not for this suite: "
            f"{errors[0].code} {errors[0].message}"
        )
    return replace(prepare(whole, path, join), predictions_from=Path(source.path).name)


def is_suite(path: str) -> bool:
    """True if a file in a folder is a suite, or was one before it was damaged."""
    raw = read_whole(path)
    if not has_keys_of_a_format(raw) and SIGN not in raw:
        return False
    reading = read(raw, path)
    if reading.readable:
        return conversion_format_of(reading.data) in SUITES or (
            format_in(reading.data, path) in (SUITE, LEGACY_SUITE)
        )
    return signs_of_ours(raw, path, (SUITE,)) is True


def load_suite(
    path: str, *, join: str = "core", metric: str | None = None, limit: int | None = None
) -> LoadedSuite:
    """Read, convert and check a suite of one metric; arguments as in ``load_suites``.

    Raises:
        ScoringError: It cannot be scored; the message says why.
        OSError: The file cannot be read.
    """
    documents = current_data(path, join=join, metric=metric)
    if len(documents) > 1:
        names = ", ".join(current.data["meta"]["metric"] for current in documents)
        raise ScoringError(f"{path}: the suite has several metrics ({names}): choose one")
    (data, metric_from), left_out = limited(documents[0], limit)
    return replace(prepare(data, path, join), metric_from=metric_from, left_out=left_out)


def limited(suite: CurrentSuite, limit: int | None) -> tuple[CurrentSuite, tuple[int, ...]]:
    """A suite with its first items only, and how many sentences each of the others has."""
    if limit is None:
        return suite, ()
    data = suite.data
    left_out = tuple(len(item["conditions"]) for item in data["items"][limit:])
    return suite._replace(data={**data, "items": data["items"][:limit]}), left_out


def current_data(
    path: str, *, join: str = "core", metric: str | None = None, raw: bytes | None = None
) -> list[CurrentSuite]:
    """The data of a suite in the current format, checked: once for each of its metrics."""
    raw = read_whole(path) if raw is None else raw
    reading = read(raw, path)
    if not reading.readable:
        require_usable(Checker().text(raw, path))
        raise ScoringError(f"{path} cannot be read")
    checker = Checker(join=join)
    names = [metric] if metric else _metrics(reading.data)
    try:
        documents = [_current(reading.data, path, name) for name in names]
    except ConversionError as error:
        if error.needs != "metric":
            require_usable(checker.text(raw, path), STOP)
        raise ScoringError(f"{path}: {error}", argument=error.needs) from error
    for current in documents:
        try:
            require_usable(checker.data(current.data, path), STOP)
        except BrokenFile:
            require_usable(checker.text(raw, path), STOP)  # its findings have lines
            raise
    return documents


def _current(data: Any, path: str, metric: str | None) -> CurrentSuite:
    """A suite in the current format; if the file names no metric, the caller or the format does."""
    parsed = ParsedText("", path, Syntax.JSON, data, conversion_format_of(data))
    if parsed.format == CURRENT[SUITE.name] and with_metric(data, metric or USUAL_METRIC) is data:
        require_sound(parsed, has_steps=False)  # and its rules are checked with the joining rule
        return CurrentSuite(data)
    if parsed.format and kind_of_format(parsed.format) != SUITE.name:
        what = f"a file of the format {parsed.format} is not scored"
        raise ConversionError(what, "suites and minimal pairs are")
    supplied = Supplied(metric=metric)
    done = convert_document(parsed, to="suite", supplied=supplied)
    is_named = "metric" in data["meta"] and data["meta"]["metric"]
    return CurrentSuite(done.data, "" if is_named else "caller" if metric else "format")


def _metrics(data: Any) -> Sequence[str | None]:
    form = CONVERTIBLE.get(conversion_format_of(data) or "")
    meta = data.get("meta") if form and form.has_metrics else None
    return (metrics_of(meta.get("metric")) if isinstance(meta, dict) else ()) or [None]


def prepare(data: dict[str, Any], path: str, join: str) -> LoadedSuite:
    """A checked suite in the current format, with its sentences joined."""
    suite = suite_of(data)
    if not suite.items:
        raise ScoringError(f"{path}: the suite has no items")
    sentences = tuple(
        tuple(condition.sentence(join) for condition in item.conditions) for item in suite.items
    )
    trees = tuple(read_formula(formula).tree for formula in suite.formulas)
    digest = _digest(suite, sentences)
    return LoadedSuite(path, suite, trees, sentences, digest, _recorded(data))


def _recorded(data: Mapping[str, Any]) -> Recorded | None:
    metric = data["meta"]["metric"]
    values_by_item = [
        [[region.get("metric_value") for region in c["regions"]] for c in item["conditions"]]
        for item in data["items"]
    ]
    if not any(isinstance(value, dict) for item in values_by_item for row in item for value in row):
        return None
    values = tuple(
        tuple(tuple(_number(value, metric) for value in row) for row in item)
        for item in values_by_item
    )
    return Recorded(values, str(data["meta"].get("model") or ""))


def _number(values: Any, metric: str) -> float | None:
    value = values.get(metric) if isinstance(values, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


def _digest(suite: Suite, sentences: tuple[tuple[Sentence, ...], ...]) -> str:
    content = [
        suite.metric,
        list(suite.formulas),
        [
            [
                item.number,
                [[c.name, s.text, s.spans] for c, s in zip(item.conditions, row, strict=True)],
            ]
            for item, row in zip(suite.items, sentences, strict=True)
        ],
    ]
    return hashlib.sha256(json.dumps(content).encode("utf-8")).hexdigest()
