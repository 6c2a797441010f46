"""Files of community evals on the Hugging Face Hub: how they are recognized and checked."""

from __future__ import annotations

import time
from typing import Any

from evalmark.validator.findings.rule import Rule
from evalmark.validator.format import Advice, CheckContext, CheckResult, Document, Format, Violation
from evalmark.validator.formats.hub.repositories import is_in_results
from evalmark.validator.formats.shared.json_format import fitting_items, item_findings
from evalmark.validator.reading.reading import Reading


class ModelResultsFormat(Format):
    """Results in the repository of a model."""

    def holds(self, data: dict[str, Any]) -> bool:
        """True if an object names a data set, or a task of one."""
        about = data["dataset"]
        keys = {"id", "task_id"} & about.keys() if isinstance(about, dict) else set()
        return len(keys) >= (1 if {"value", "verifyToken"} & data.keys() else 2)

    def lies_at(self, path: str) -> bool:
        """True if the file is one of results in a model's repository."""
        if ".eval_results" not in path:
            return False

        return is_in_results(path)

    def explained(self, document: Document, violations: list[Violation]) -> list[Violation]:
        """The violations; where a value is a percentage with its sign, what to write."""
        from evalmark.validator.formats.hub.hub_entries import as_numbers

        return as_numbers(document.data, violations)

    def rules(self) -> tuple[Rule, ...]:
        """The rules on results."""
        from evalmark.validator.formats.hub.hub_rule_table import ENTRY_RULES

        return ENTRY_RULES

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check each result against the schema, and those that it accepts by the rules."""
        from evalmark.schemas.hub_benchmarks import DEFAULT
        from evalmark.validator.formats.hub.hub_entries import EntriesView, entries_of

        findings, items = fitting_items(document, reading)
        checked = CheckResult(list(reading.findings))
        if not context.options.schema_only:
            benchmarks = context.options.benchmarks
            if benchmarks is None:
                benchmarks = DEFAULT
            entries, is_list = entries_of(items, benchmarks), isinstance(document.data, list)
            view = EntriesView(reading.path, entries, is_list, time.time(), benchmarks)
            findings.add(item_findings(document, items, view, reading, context), None)
        checked.findings += findings.close()
        return checked


class BenchmarkFormat(Format):
    """Descriptions of benchmarks in the repositories of their data."""

    def holds(self, data: dict[str, Any]) -> bool:
        """True if an object describes a benchmark: a framework runs it, or its tasks name data."""
        tasks = data["tasks"]
        named = {"config", "split", "field_spec"}
        return isinstance(tasks, list) and (
            "evaluation_framework" in data
            or any(isinstance(task, dict) and named & task.keys() for task in tasks)
        )

    def advice(self) -> Advice:
        """The patterns of the schema in words."""
        metrics = "mean, median, mode, max, at_least_N or pass_at_N, where N is a number"
        return Advice(forms={r"^(pass_at_[0-9]+|at_least_[0-9]+|max|mode|median|mean)$": metrics})

    def rules(self) -> tuple[Rule, ...]:
        """The rules on descriptions."""
        from evalmark.validator.formats.hub.hub_rule_table import BENCHMARK_RULES

        return BENCHMARK_RULES

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check the description of a benchmark."""
        from evalmark.validator.formats.hub.hub_entries import EvalYamlView

        findings, items = fitting_items(document, reading, is_list=False)
        checked = CheckResult(list(reading.findings))
        if items and not context.options.schema_only:
            view = EvalYamlView(document.data)
            findings.add(item_findings(document, items, view, reading, context), None)
        checked.findings += findings.close()
        return checked


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
