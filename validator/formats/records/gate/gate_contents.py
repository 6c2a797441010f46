"""The demands of Every Eval Ever's validator on records and rows that follow the schema.

They are its check of scores, and whole numbers, which it does not read from every float.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

from evalmark.schemas.files import bundle
from evalmark.validator.formats.records.gate.refusal import Refusal

#: A float of this size is no whole number to it.
_LARGE = 2.0**63
_INFINITE = {"Infinity": math.inf, "-Infinity": -math.inf}


def content_refusals(record: Any) -> Iterator[Refusal]:
    """The refusals of a record that follows the schema."""
    for index, result in enumerate(record["evaluation_results"]):
        metric, at = result["metric_config"], f"/evaluation_results/{index}"
        bounds = [_INFINITE.get(b, b) for b in map(metric.get, ("min_score", "max_score"))]
        if metric.get("score_type") == "continuous":
            for key in ("min_score", "max_score"):
                if metric[key] is None:
                    yield Refusal(f"`{key}` is not a number", f"{at}/metric_config/{key}")
        if None in bounds:
            continue
        low, high = bounds
        if low > high:
            yield Refusal("`min_score` is above `max_score`", f"{at}/metric_config/min_score")
        elif not low <= result["score_details"]["score"] <= high:
            yield Refusal("`score` is outside its bounds", f"{at}/score_details/score")


def too_large(data: Any, schema: str, at: str = "") -> Iterator[Refusal]:
    """The refusals of whole numbers that are written as floats of a size that it does not read.

    Args:
        data: What follows the schema.
        schema: The name of the schema.
        at: The pointer of the data.
    """
    members = enumerate(data) if isinstance(data, list) else data.items()
    for key, value in members:
        if isinstance(value, dict | list):
            yield from too_large(value, schema, f"{at}/{key}")
        elif isinstance(value, float) and abs(value) >= _LARGE and key in _integers(schema):
            yield Refusal(f"`{key}` is too large", f"{at}/{key}")


@cache
def _integers(schema: str) -> frozenset[object]:
    """The names of the fields of a schema that are whole numbers."""

    def names(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            for name, field in part.get("properties", {}).items():
                if "integer" in field.get("type", ()):
                    yield name
            for inner in part.values():
                yield from names(inner)

    return frozenset(names(bundle(schema)))
