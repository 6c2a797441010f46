"""Samples of a store, as runs that ``scoring.comparison`` compares."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evalmark.leaderboard.questions.asking import rows_of
from evalmark.leaderboard.questions.settings import settings_of
from evalmark.schemas.metrics import same_name
from evalmark.scoring.comparison.compared_run import (
    ComparedRun,
    ComparedSuite,
    ItemScore,
    ScoredItems,
    by_id,
)
from evalmark.scoring.comparison.matching import match
from evalmark.scoring.comparison.paired import PairedComparison, paired

Row = Mapping[str, Any]


def files_with_samples(connection: Any) -> frozenset[str]:
    """Files of the records whose samples the store has; ids may be there twice."""
    from duckdb import CatalogException

    try:
        found = rows_of(connection, "SELECT DISTINCT file FROM samples")
    except CatalogException:  # there is no such view
        return frozenset()
    return frozenset(file for (file,) in found if file)


def compared(connection: Any, pairs: Mapping[str, tuple[Row, Row]]) -> dict[str, PairedComparison]:
    """The paired comparison of each benchmark whose two results have samples in common.

    Args:
        connection: To the store.
        pairs: Benchmark -> a result of the first model, and one of the second.
    """
    if not pairs:
        return {}
    runs = [_run(connection, {key: both[side] for key, both in pairs.items()}) for side in (0, 1)]
    matched = match(*runs)
    return {row.suite: row for row in paired(matched.items).rows}


def _run(connection: Any, results: Mapping[str, Row]) -> ComparedRun:
    """The chosen results of one model with their samples; a benchmark is a suite."""
    suites = []
    for key, row in results.items():
        items, repeated = by_id(_items(connection, row))
        if not items:
            continue
        metric = str(row["metric"] or "")
        bounds = row["min_score"], row["max_score"]
        scored = ScoredItems(
            asks=same_name(metric),
            items=items,
            repeated=repeated,
            lower_is_better=row["lower_is_better"],
            bounds=None if None in bounds else bounds,
        )
        suites.append(ComparedSuite(key, key, None, {"": scored}, settings_of(row)))
    model = next((str(row["model_key"]) for row in results.values()), "")
    return ComparedRun(Path(model), model, {}, tuple(suites))


def _items(connection: Any, row: Row) -> list[tuple[str, ItemScore]]:
    """The samples of one result: they name its id, or else its subset, if no other has that."""
    found = rows_of(connection, _SAMPLES, [row["file"], row["result"], row["subset"]])
    return [(str(sample), ItemScore(float(score), text=text)) for sample, score, text in found]


_SAMPLES = """
SELECT sample, coalesce(score, correct::DOUBLE), sample_hash FROM samples
WHERE file = $1 AND isfinite(coalesce(score, correct::DOUBLE))
    AND CASE WHEN result IS NOT NULL AND $2 IS NOT NULL THEN result = $2
        ELSE subset = $3 AND (SELECT count(DISTINCT pointer) FROM results
            WHERE file = $1 AND subset = $3) = 1 END
ORDER BY line
"""
