"""What files of community evals look like."""

from __future__ import annotations

from typing import Any


def is_result(data: dict[str, Any]) -> bool:
    """Whether an object is a result on the Hub: it names a data set, or a task of one."""
    about = data["dataset"]
    known = {"id", "task_id"} & about.keys() if isinstance(about, dict) else set()
    return len(known) >= (1 if {"value", "verifyToken"} & data.keys() else 2)


def is_benchmark(data: dict[str, Any]) -> bool:
    """Whether an object describes a benchmark: a framework runs it, or its tasks name data."""
    tasks = data["tasks"]
    named = {"config", "split", "field_spec"}
    return isinstance(tasks, list) and (
        "evaluation_framework" in data
        or any(isinstance(task, dict) and named & task.keys() for task in tasks)
    )
