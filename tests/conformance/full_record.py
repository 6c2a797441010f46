"""A record of version 0.2.0 with every field of its format, and ways to change it."""

import json
from pathlib import Path
from typing import Any

import pointers

FULL: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

#: The results of ``FULL``, and objects in them.
LEVELS, CONTINUOUS, OTHER = (f"/evaluation_results/{index}" for index in range(3))
METRIC = f"{LEVELS}/metric_config"
JURY = f"{METRIC}/llm_scoring"
UNCERTAINTY = f"{CONTINUOUS}/score_details/uncertainty"
ARGS = f"{CONTINUOUS}/generation_config/generation_args"
AGENTIC = f"{ARGS}/agentic_eval_config"


def changed(changes: dict[str, Any]) -> dict[str, Any]:
    """``FULL`` with other values at some pointers; ``...`` is none."""
    return pointers.changed(FULL, changes)


def without(*pointers: str) -> dict[str, Any]:
    """``FULL`` without some keys."""
    return changed(dict.fromkeys(pointers, ...))
