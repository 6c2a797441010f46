"""How a legacy suite is told from a current one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def has_triples(data: Mapping[str, Any]) -> bool:
    """Whether a suite is a legacy one: of triples of operand, relation, operand."""
    predictions = data.get("predictions")
    if isinstance(predictions, list):
        for prediction in predictions:
            if isinstance(prediction, dict):
                return "formula" not in prediction and bool(
                    {"l_operand", "r_operand", "relation"} & prediction.keys()
                )
    meta = data.get("meta")
    if isinstance(meta, dict):
        metric = meta.get("metric")
        return isinstance(metric, list) or metric == "all"
    return False
