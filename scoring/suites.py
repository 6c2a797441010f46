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
from evalmark.schemas.errors import ConversionError, ScoringError
from evalmark.validator.batch.walking import expand
from evalmark.validator.check import check_bytes, check_data
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.findings.broken import Failed, broken_by, require_usable
from evalmark.validator.formula.parser import read as read_formula
from evalmark.validator.formula.tree import Node
from evalmark.validator.kinds import could_be_ours
from evalmark.validator.reading.reading import read
from evalmark.validator.views.sentences import Sentence, join_regions
from evalmark.validator.views.suite import Suite, metrics_of, suite_of

#: Errors that do not prevent scoring: the item fails for every model.
HARMLESS = frozenset({"SG206"})
#: What only suites have; a file that cannot be parsed is taken for one if it has this.
SIGN = b"region_meta"


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
    paths: Iterable[str],
    *,
    join: str = "core",
    metric: str | None = None,
    limit: int | None = None,
    failed: Failed | None = None,
) -> list[LoadedSuite]:
    """Load the suites among some files and folders.

    A legacy suite that names several metrics is one suite for each of them.

    Args:
        paths: Files, which must be suites, and folders, in which other files are skipped.
        join: How regions become sentences.
        metric: The only metric to use where a legacy suite names several.
        limit: The number of items to take from each suite; None for all.
        failed: Called with each file that cannot be scored, and why; the others are loaded. If
            None, the first such file is an error.

    Raises:
        ScoringError: A suite cannot be scored, or there is none.
        OSError: A file cannot be read.
    """
    suites: list[LoadedSuite] = []
    failures = 0
    for path, named in expand(paths):
        try:
            if named or _is_suite(path):
                found = current_data(path, join=join, metric=metric)
                suites += [prepare(limited(data, limit), path, join) for data in found]
        except Exception as error:
            reason = broken_by(error, path)
            if failed is None:
                raise reason from error
            failed(path, reason)
            failures += 1
    if not suites and not failures:
        raise ScoringError("no suites to score")
    return suites


def _is_suite(path: str) -> bool:
    """Whether a file in a folder is a suite, or was one before it was damaged."""
    raw = read_whole(path)
    if not could_be_ours(raw) and SIGN not in raw:
        return False
    reading = read(raw, path)
    return format_of(reading.data) in SUITES if reading.readable else SIGN in raw


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
    return prepare(limited(found[0], limit), path, join)


def limited(data: dict[str, Any], limit: int | None) -> dict[str, Any]:
    """A suite with its first items only; with all if there is no limit."""
    return data if limit is None else {**data, "items": data["items"][:limit]}


def current_data(
    path: str, *, join: str = "core", metric: str | None = None
) -> list[dict[str, Any]]:
    """The data of a suite in the current format, checked: once for each of its metrics."""
    raw = read_whole(path)
    reading = read(raw, path)
    if not reading.readable:
        require_usable(check_bytes(raw, path))
        raise ScoringError(f"{path} cannot be read")
    found: list[dict[str, Any]] = []
    try:
        for wanted in [metric] if metric else _metrics(reading.data):
            supplied = Supplied(metric=wanted)
            found.append(convert_data(reading.data, to="suite", supplied=supplied).data)
    except ConversionError as error:
        require_usable(check_bytes(raw, path, join=join), HARMLESS)
        raise ScoringError(f"{path}: {error}") from error
    for current in found:
        report = check_data(current, path=path, join=join)
        if not report.ok:
            # The findings of the file itself have lines.
            require_usable(check_bytes(raw, path, join=join), HARMLESS)
            require_usable(report, HARMLESS)
    if not found:
        require_usable(check_bytes(raw, path, join=join), HARMLESS)
        raise ScoringError(f"{path}: the suite names no metric")
    return found


def _metrics(data: Any) -> Sequence[str | None]:
    """The metrics to score with; None for that of a suite whose format has one."""
    form = FORMATS.get(format_of(data) or "")
    meta = data.get("meta") if form and form.has_metrics else None
    return metrics_of(meta["metric"]) if isinstance(meta, dict) and "metric" in meta else [None]


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
