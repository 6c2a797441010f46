"""Accuracies of all runs in one table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def matrix(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Suites by models: of each pair the newest run, and its accuracy.

    The runs are sorted, newest first.
    """
    suites: dict[str, None] = {}
    models: dict[str, None] = {}
    cells: dict[tuple[str, str], dict[str, Any]] = {}
    for run in runs:
        for suite in run["scores"]:
            suites.setdefault(suite["name"])
            models.setdefault(run["model"])
            cell = {key: suite[key] for key in ("accuracy", "chance", "items")}
            cells.setdefault((suite["name"], run["model"]), {**cell, "run": run["path"]})
    names = sorted(suites)
    return {
        "suites": names,
        "models": sorted(models),
        "cells": [[cells.get((name, model)) for model in sorted(models)] for name in names],
    }
