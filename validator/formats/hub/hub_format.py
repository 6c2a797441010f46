"""Files of community evals on the Hugging Face Hub: how they are recognized."""

from __future__ import annotations

from typing import Any

from evalmark.validator.format import Format, LightFormat
from evalmark.validator.formats.hub.repositories import is_in_results


class HubFormat(LightFormat):
    """Files in repositories of the Hub."""

    def checks(self) -> type[Format]:
        """The class of the format with its rules."""
        from evalmark.validator.formats.hub.hub_checks import CHECKS

        return CHECKS[self.name]


class ModelResultsFormat(HubFormat):
    """Results in the repository of a model."""

    def holds(self, data: dict[str, Any]) -> bool:
        """True if an object names a data set, or a task of one."""
        about = data["dataset"]
        keys = {"id", "task_id"} & about.keys() if isinstance(about, dict) else set()
        return len(keys) >= (1 if {"value", "verifyToken"} & data.keys() else 2)

    def lies_at(self, path: str) -> bool:
        """True if the file is one of results in a model's repository."""
        return is_in_results(path)


class BenchmarkFormat(HubFormat):
    """Descriptions of benchmarks in the repositories of their data."""

    def holds(self, data: dict[str, Any]) -> bool:
        """True if an object describes a benchmark: a framework runs it, or its tasks name data."""
        tasks = data["tasks"]
        named = {"config", "split", "field_spec"}
        return isinstance(tasks, list) and (
            "evaluation_framework" in data
            or any(isinstance(task, dict) and named & task.keys() for task in tasks)
        )


MODEL_RESULTS = ModelResultsFormat(
    "eval-results",
    "a list of objects with `dataset` and `value`, as in `.eval_results/*.yaml` of a model "
    "on the Hugging Face Hub",
    "HF",
    (frozenset(("dataset", "value")), frozenset(("dataset", "verifyToken"))),
    common_signs=(frozenset(("dataset",)),),
    in_lists=True,
)
BENCHMARK = BenchmarkFormat(
    "eval-yaml",
    "an object with `evaluation_framework` and `tasks`, as in `eval.yaml` of a data set on "
    "the Hugging Face Hub",
    "HF",
    (frozenset(("tasks", "evaluation_framework")),),
    common_signs=(frozenset(("tasks", "name")), frozenset(("tasks", "description"))),
    ending="/eval.yaml",
    in_lists=True,
)
