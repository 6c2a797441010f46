"""Two runs over the same items: whether they differ by more than chance."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.compared_run import ComparedRun
from evalmark.scoring.comparison.differences import RunDifference, differences
from evalmark.scoring.comparison.matching import Matched, match
from evalmark.scoring.comparison.paired import PairedComparison, paired
from evalmark.scoring.comparison.reading import read_run


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs, compared.

    Attributes:
        models: The id of the model of each run.
        differences: What the runs differ in, apart from their scores.
        predictions: For each common suite, its predictions and, if there are several, their
            conjunction; for records of other programs, their results. A suite with several metrics
            in one of the runs is one suite for each of them.
        pooled: All suites together; None for a single suite, or if scores cannot be added up.
        not_compared: What only the first run has, and only the second.
    """

    models: tuple[str, str]
    differences: tuple[RunDifference, ...]
    predictions: tuple[PairedComparison, ...]
    pooled: PairedComparison | None
    not_compared: tuple[tuple[str, ...], tuple[str, ...]]


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
    found, pooled = paired(matched.items)
    return RunComparison(
        (one.model, other.model),
        tuple(differences(one, other, matched)),
        tuple(found),
        pooled,
        matched.alone,
    )


def _nothing(one: ComparedRun, other: ComparedRun, matched: Matched) -> str:
    """Why nothing can be compared."""
    for run in (one, other):
        columns = [column for suite in run.suites for column in suite.columns.values()]
        if any(column.items for column in columns):
            continue
        if any(column.repeated for column in columns):
            return f"nothing to compare: in {run.path}, several samples have each id"
        return f"nothing to compare: {run.path} has no predictions, or no samples"
    sides = (", ".join(names[:5]) or "nothing else" for names in matched.alone)
    return (
        "the runs have no items of the same suite, metric and prediction in common: {} has {}; "
        "{} has {}"
    ).format(*(part for pair in zip((one.path, other.path), sides, strict=True) for part in pair))
