"""Scoring with recorded numbers: a file of surprisals, or an evaluated suite."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ScoringError, SurprisalFileError
from evalmark.scoring.chance.level import chances
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.outcomes import ItemSurprisals, judge
from evalmark.scoring.regions import region_surprisals
from evalmark.scoring.run import judge_suite
from evalmark.scoring.scores import ScoredSuite, Scores
from evalmark.scoring.settings import Settings
from evalmark.scoring.suites import LoadedSuite, current_data, limited, prepare
from evalmark.scoring.surprisal_file import align, read_surprisals
from evalmark.scoring.surprisals.rounding import Rounding


def score_from_surprisals(suite: LoadedSuite, path: Path, settings: Settings) -> Scores:
    """Score a suite with the surprisals of a file.

    Raises:
        SurprisalFileError: The file does not match the suite.
        ScoringError: The settings ask for a boundary correction.
        OSError: The file cannot be read.
    """
    _require_no_correction(settings)
    recorded = read_surprisals(path)
    expected = sum(len(row) for row in suite.sentences)
    if len(recorded) != expected:
        raise SurprisalFileError(f"{path}: {len(recorded)} sentences, the suite has {expected}")
    remaining = iter(recorded)
    surprisals: list[ItemSurprisals] = []
    for row in suite.sentences:
        item = []
        for sentence in row:
            tokens = next(remaining)
            assigned = align(tokens, sentence, path)
            values = [token.surprisal for token in tokens]
            item.append(region_surprisals(values, assigned, len(sentence.spans)))
        surprisals.append(item)
    info = ModelInfo(
        f"local/{path.stem}",
        path.stem,
        ("recorded surprisals", "1"),
        {"surprisals": path.name},
    )
    return Scores(info, settings, (judge_suite(suite, tuple(surprisals), settings),))


def score_from_values(
    path: str, settings: Settings, *, metric: str | None = None, limit: int | None = None
) -> Scores:
    """Score a suite with the ``metric_value`` of its own regions, for each of its metrics.

    Args:
        path: The suite, of any dialect.
        settings: How regions are joined, and what undefined values do.
        metric: The only metric to use where the suite names several.
        limit: The number of items to take from the suite; None for all.

    Raises:
        ScoringError: A region has no value of the suite's metric, or the settings ask for a
            boundary correction.
        OSError: The file cannot be read.
    """
    _require_no_correction(settings)
    whole = current_data(path, join=settings.join, metric=metric)
    found = [limited(data, limit) for data in whole]
    name = str(found[0]["meta"].get("model") or Path(path).stem)
    info = ModelInfo(
        f"local/{name.rpartition('/')[2]}",
        name,
        ("recorded metric values", "1"),
        {"values": Path(path).name},
    )
    return Scores(info, settings, tuple(_scored(current, path, settings) for current in found))


def _scored(current: dict[str, Any], path: str, settings: Settings) -> ScoredSuite:
    """A suite with its own values of one metric."""
    suite = prepare(current, path, settings.join)
    wanted = suite.suite.metric
    values: list[ItemSurprisals] = [
        [
            [[_value(region, wanted, path, item, condition)] for region in condition["regions"]]
            for condition in item["conditions"]
        ]
        for item in current["items"]
    ]
    # These are values of regions already: the sum of one value is the value.
    result = judge(
        suite.suite, suite.trees, tuple(values), metric="sum",
        undefined=settings.undefined, join=settings.join,
        rounding=Rounding(zero_is_exact=wanted == "range"),
    )  # fmt: skip
    return ScoredSuite(suite, tuple(values), result, chances(suite, settings.join), metric="sum")


def _require_no_correction(settings: Settings) -> None:
    if settings.boundary != "none":
        raise ScoringError(
            "boundary 'corrected' needs a model: recorded values do not include the probability "
            "of a word's end"
        )


def _value(
    region: dict[str, Any],
    metric: str,
    path: str,
    item: dict[str, Any],
    condition: dict[str, Any],
) -> float | None:
    values = region.get("metric_value")
    value = values.get(metric) if isinstance(values, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        if not region["content"].strip():
            return 0.0 if metric == "sum" else None
        raise ScoringError(
            f"{path}: item {item['item_number']}, {condition['condition_name']}, region "
            f"{region['region_number']} has no `metric_value` of {metric}"
        )
    return float(value)
