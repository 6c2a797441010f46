"""Loading suites of any dialect for scoring."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.converters.convert import convert_data
from evalmark.converters.formats import format_of
from evalmark.converters.step import Supplied
from evalmark.schemas.errors import ConversionError, ScoringError
from evalmark.validator.batch.walking import expand
from evalmark.validator.check import check_bytes, check_data
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.severity import Severity
from evalmark.validator.formula.parser import read
from evalmark.validator.formula.tree import Node
from evalmark.validator.kinds import could_be_ours
from evalmark.validator.reading.reading import read as read_file
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

    Args:
        paths: Files, which must be suites, and folders, in which other files are skipped.
        join: How regions become sentences.
        metric: The metric to use where a legacy suite names several.
        limit: The number of items to take from each suite; None for all.

    Raises:
        ScoringError: A suite cannot be scored, or there is none.
        OSError: A file cannot be read.
    """
    suites = [
        load_suite(path, join=join, metric=metric, limit=limit)
        for path, named in expand(paths)
        if named or _is_suite(path)
    ]
    if not suites:
        raise ScoringError("no suites to score")
    return suites


def _is_suite(path: str) -> bool:
    try:
        raw = Path(path).read_bytes()
    except OSError:
        return False
    if not could_be_ours(raw):
        return False
    form = format_of(read_file(raw, path).data)
    return form is not None and form.startswith("suite")


def load_suite(
    path: str, *, join: str = "core", metric: str | None = None, limit: int | None = None
) -> LoadedSuite:
    """Read, convert and check a suite; arguments as in ``load_suites``.

    Raises:
        ScoringError: It cannot be scored; the message says why.
        OSError: The file cannot be read.
    """
    current = current_data(path, join=join, metric=metric)
    if limit is not None:
        current = {**current, "items": current["items"][:limit]}
    return prepare(current, path, join)


def current_data(path: str, *, join: str = "core", metric: str | None = None) -> dict[str, Any]:
    """The data of a suite in the current format, checked."""
    raw = Path(path).read_bytes()
    reading = read_file(raw, path)
    if not reading.readable:
        _require_no_error(check_bytes(raw, path))
        raise ScoringError(f"{path} cannot be read")
    try:
        supplied = Supplied(metric=metric)
        current: dict[str, Any] = convert_data(reading.data, to="suite", supplied=supplied).data
    except ConversionError as error:
        _require_no_error(check_bytes(raw, path))
        raise ScoringError(f"{path}: {error}") from error
    _require_no_error(check_data(current, path=path, join=join))
    return current


def prepare(data: dict[str, Any], path: str, join: str) -> LoadedSuite:
    """A checked suite in the current format, with its sentences joined."""
    suite = suite_of(data)
    if not suite.items:
        raise ScoringError(f"{path}: the suite has no items")
    if not suite.formulas:
        raise ScoringError(f"{path}: the suite has no predictions")
    sentences = tuple(
        tuple(join_regions(condition.contents, join) for condition in item.conditions)
        for item in suite.items
    )
    trees = tuple(read(formula).tree for formula in suite.formulas)
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
            raise ScoringError(
                f"{report.path}{place}: {finding.code} {finding.message}; "
                "`evalmark check` shows all"
            )
