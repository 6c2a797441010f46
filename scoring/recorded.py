"""Region values that an evaluated suite carries: the numbers of a run that was made elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.outcomes import ItemSurprisals, judge
from evalmark.scoring.run import ScoredSuite, Scores, chances
from evalmark.scoring.settings import Settings
from evalmark.scoring.suites import current_data, prepare


def score_evaluated(path: str, settings: Settings, *, metric: str | None = None) -> Scores:
    """Judge a suite by the ``metric_value`` of its own regions.

    Args:
        path: The suite, of any dialect.
        settings: How undefined values are taken; nothing else of it matters.
        metric: Which metric, where the suite names several.

    Raises:
        ScoringError: A region has no value of the suite's metric.
        OSError: The file cannot be read.
    """
    current = current_data(path, join=settings.join, metric=metric)
    suite = prepare(current, path, settings.join)
    wanted = suite.suite.metric
    values: list[ItemSurprisals] = [
        [
            [[_value(region, wanted, path, item, condition)] for region in condition["regions"]]
            for condition in item["conditions"]
        ]
        for item in current["items"]
    ]
    # The values are those of regions already: the sum of one of them is what it is.
    summed = replace(suite.suite, metric="sum")
    result = judge(
        summed, suite.trees, tuple(values), undefined=settings.undefined, join=settings.join
    )
    name = str(current["meta"].get("model") or Path(path).stem)
    info = ModelInfo(
        f"local/{name.rpartition('/')[2]}",
        name,
        ("recorded metric values", "1"),
        {"values": Path(path).name},
    )
    scored = ScoredSuite(suite, tuple(values), result, chances(suite, settings.join))
    return Scores(info, settings, (scored,))


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
        if not region["content"].strip() and metric == "sum":
            return 0.0
        raise ScoringError(
            f"{path}: item {item['item_number']}, {condition['condition_name']}, region "
            f"{region['region_number']} has no `metric_value` of {metric}"
        )
    return float(value)
