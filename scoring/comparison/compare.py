"""Two runs over the same items: whether they differ by more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.compared_run import SUITES, ComparedRun, Words, words_of
from evalmark.scoring.comparison.differences import SPAN, RunDifference, differences
from evalmark.scoring.comparison.matching import Matched, match
from evalmark.scoring.comparison.paired import PairedComparison, paired
from evalmark.scoring.comparison.reading import read_run


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs, compared.

    Attributes:
        models: The id of the model of each run.
        labels: The same with what tells the runs apart, if the model does not.
        words: What suites and items are called.
        differences: What the runs differ in, apart from their scores.
        predictions: For each common suite, its predictions and, if there are several, their
            conjunction; for records of other programs, their results. A suite with several metrics
            in one of the runs is one suite for each of them.
        headline: The mean over suites, each of which counts once; None for a single suite, or if
            scores cannot be added up.
        pooled: All items of these suites, each of which counts once; None as above.
        not_compared: What only the first run has, and only the second.
        without_score: Items that have no score in either run, and why.
        beside: What has items that are no part of ``pooled``: questions that their history does not
            answer, which an agent has right that answers nothing.
    """

    models: tuple[str, str]
    labels: tuple[str, str]
    words: Words
    differences: tuple[RunDifference, ...]
    predictions: tuple[PairedComparison, ...]
    headline: PairedComparison | None
    pooled: PairedComparison | None
    not_compared: tuple[tuple[str, ...], tuple[str, ...]]
    without_score: tuple[Mapping[str, str], Mapping[str, str]]
    beside: tuple[str, ...] = ()


def compare(first: Path, second: Path) -> RunComparison:
    """Compare two runs, item by item.

    A run is the folder of ``evalmark score`` or its ``scores.json``; a record with its samples; a
    file of results that an importer reads; or the folder of a run of conversations.

    Items are matched by suite, prediction and number, or by the ids of samples.

    Raises:
        ScoringError: A path is not a run, or the runs have nothing in common.
        OSError: A file cannot be read.
    """
    one, other = read_run(first), read_run(second)
    matched = match(one, other)
    if not matched.items:
        raise ScoringError(_nothing(one, other, matched))
    words = words_of(one, other)
    found = paired(matched.items, words)
    different = tuple(differences(one, other, matched))
    return RunComparison(
        (one.model, other.model),
        _labels(one, other, different),
        words,
        different,
        found.rows,
        found.headline,
        found.pooled,
        matched.alone,
        (one.without_score, other.without_score),
        tuple(m.first.label for m in matched.items if m.beside),
    )


def _labels(
    one: ComparedRun, other: ComparedRun, different: Sequence[RunDifference]
) -> tuple[str, str]:
    """The models, with their memory spans, or with the first thing that tells equal ones apart."""
    known = [found for found in different if None not in found and found.first != found.second]
    spans = [found for found in known if found.name == SPAN]
    for name, first, second in [*spans, *(known if one.model == other.model else ())]:
        return f"{one.model}, {name} {first}", f"{other.model}, {name} {second}"
    return one.model, other.model


def _nothing(one: ComparedRun, other: ComparedRun, matched: Matched) -> str:
    """Why nothing can be compared."""
    for run in (one, other):
        columns = [column for suite in run.suites for column in suite.columns.values()]
        if any(column.items for column in columns):
            continue
        if any(column.repeated for column in columns):
            return f"nothing to compare: in {run.path}, several samples have each id"
        return f"nothing to compare: {run.path} has no predictions, or no samples"
    words = words_of(one, other)
    sides = (", ".join(names[:5]) or "nothing else" for names in matched.alone)
    return ("the runs have no {} of the same {} in common: {} has {}; {} has {}").format(
        words.items,
        "suite, metric and prediction" if words is SUITES else words.part,
        *(part for pair in zip((one.path, other.path), sides, strict=True) for part in pair),
    )
