"""Loading suites of any dialect for scoring."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evalmark.converters.convert import convert_data
from evalmark.converters.formats import FORMATS, SUITES, format_of
from evalmark.converters.step import Supplied
from evalmark.converters.steps.suites import named_metrics
from evalmark.schemas.errors import (
    PLEASE_REPORT,
    ConversionError,
    EvalmarkError,
    ScoringError,
    failure,
)
from evalmark.validator.batch.walking import expand
from evalmark.validator.check import check_bytes, check_data
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.severity import Severity
from evalmark.validator.formula.parser import read as read_formula
from evalmark.validator.formula.tree import Node
from evalmark.validator.kinds import could_be_ours
from evalmark.validator.reading.reading import read
from evalmark.validator.views.sentences import Sentence, join_regions
from evalmark.validator.views.suite import Suite, suite_of

#: Errors that do not prevent scoring: the item fails for every model.
HARMLESS = frozenset({"SG206"})


@dataclass(frozen=True, slots=True)
class LoadedSuite:
    """A suite ready to be scored.

    Attributes:
        path: The file.
        suite: Its view, in the current format.
        trees: Its predictions.
        sentences: For each item, the sentence of each of its conditions.
        digest: Of joined sentences, region spans, metric and predictions.
    """

    path: str
    suite: Suite
    trees: tuple[Node, ...]
    sentences: tuple[tuple[Sentence, ...], ...]
    digest: str


def load_suites(
    paths: Iterable[str], *, join: str = "core", metric: str | None = None, limit: int | None = None
) -> list[LoadedSuite]:
    """Load the suites among some files and folders.

    A legacy suite that names several metrics is one suite for each of them.

    Args:
        paths: Files, which must be suites, and folders, in which other files are skipped.
        join: How regions become sentences.
        metric: The only metric to use where a legacy suite names several.
        limit: The number of items to take from each suite; None for all.

    Raises:
        ScoringError: A suite cannot be scored, or there is none.
        OSError: A file cannot be read.
    """
    suites = []
    for path, named in expand(paths):
        try:
            if named or _is_suite(path):
                found = current_data(path, join=join, metric=metric)
                suites += [_prepared(current, path, join, limit) for current in found]
        except (EvalmarkError, OSError):
            raise
        except Exception as error:
            raise ScoringError(f"{path}: F099 {failure(error)}; {PLEASE_REPORT}") from error
    if not suites:
        raise ScoringError("no suites to score")
    return suites


def _is_suite(path: str) -> bool:
    try:
        raw = read_whole(path)
    except OSError:
        return False
    if not could_be_ours(raw):
        return False
    return format_of(read(raw, path).data) in SUITES


def load_suite(
    path: str, *, join: str = "core", metric: str | None = None, limit: int | None = None
) -> LoadedSuite:
    """Read, convert and check a suite of one metric; arguments as in ``load_suites``.

    Raises:
        ScoringError: It cannot be scored; the message says why.
        OSError: The file cannot be read.
    """
    found = current_data(path, join=join, metric=metric)
    if len(found) > 1:
        names = ", ".join(current["meta"]["metric"] for current in found)
        raise ScoringError(f"{path}: the suite has several metrics ({names}): choose one")
    return _prepared(found[0], path, join, limit)


def _prepared(current: dict[str, Any], path: str, join: str, limit: int | None) -> LoadedSuite:
    if limit is not None:
        current = {**current, "items": current["items"][:limit]}
    return prepare(current, path, join)


def current_data(
    path: str, *, join: str = "core", metric: str | None = None
) -> list[dict[str, Any]]:
    """The data of a suite in the current format, checked: once for each of its metrics."""
    raw = read_whole(path)
    reading = read(raw, path)
    if not reading.readable:
        _require_no_error(check_bytes(raw, path))
        raise ScoringError(f"{path} cannot be read")
    found: list[dict[str, Any]] = []
    try:
        for wanted in [metric] if metric else _metrics(reading.data):
            supplied = Supplied(metric=wanted)
            found.append(convert_data(reading.data, to="suite", supplied=supplied).data)
    except ConversionError as error:
        _require_no_error(check_bytes(raw, path))
        raise ScoringError(f"{path}: {error}") from error
    for current in found:
        _require_no_error(check_data(current, path=path, join=join))
    if not found:
        raise ScoringError(f"{path}: the suite names no metric")
    return found


def _metrics(data: Any) -> Sequence[str | None]:
    """The metrics to score with; None for that of a suite that names one."""
    form = FORMATS.get(format_of(data) or "")
    declared = data["meta"].get("metric") if form and form.has_metrics else None
    several = isinstance(declared, list) or declared == "all"
    return named_metrics(declared) if several else [None]


def prepare(data: dict[str, Any], path: str, join: str) -> LoadedSuite:
    """A checked suite in the current format, with its sentences joined."""
    suite = suite_of(data)
    if not suite.items:
        raise ScoringError(f"{path}: the suite has no items")
    sentences = tuple(
        tuple(join_regions(condition.contents, join) for condition in item.conditions)
        for item in suite.items
    )
    trees = tuple(read_formula(formula).tree for formula in suite.formulas)
    return LoadedSuite(path, suite, trees, sentences, _digest(suite, sentences))


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


def _require_no_error(report: Report) -> None:
    for finding in report.findings:
        if finding.severity is Severity.ERROR and finding.code not in HARMLESS:
            place = f":{finding.span.line}:{finding.span.column}" if finding.span else ""
            helps = "".join(f"; {text}" for text in finding.helps)
            raise ScoringError(
                f"{report.path}{place}: {finding.code} {finding.message}{helps}; "
                "`evalmark check` shows all"
            )
