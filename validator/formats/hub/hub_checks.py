"""Files of community evals on the Hugging Face Hub: how they are checked."""

from __future__ import annotations

import time

from evalmark.schemas.hub_benchmarks import DEFAULT
from evalmark.validator.findings.rule import Rule
from evalmark.validator.format import Advice, CheckContext, CheckResult, Document, Format, Violation
from evalmark.validator.formats.hub.hub_entries import (
    EntriesView,
    EvalYamlView,
    as_numbers,
    entries_of,
)
from evalmark.validator.formats.hub.hub_rule_table import BENCHMARK_RULES, ENTRY_RULES
from evalmark.validator.formats.shared.json_format import fitting_items, item_findings
from evalmark.validator.reading.reading import Reading


class ResultsAdvice(Advice):
    """Advice on the values of results."""

    def explained(self, document: Document, violations: list[Violation]) -> list[Violation]:
        """The violations; where a value is a percentage with its sign, what to write."""
        return as_numbers(document.data, violations)


class ModelResultsChecks(Format):
    """Results in the repository of a model."""

    def advice(self) -> Advice:
        """Advice on values."""
        return ResultsAdvice()

    def rules(self) -> tuple[Rule, ...]:
        """The rules on results."""
        return ENTRY_RULES

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check each result against the schema, and those that it accepts by the rules."""
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


class BenchmarkChecks(Format):
    """Descriptions of benchmarks in the repositories of their data."""

    def advice(self) -> Advice:
        """The patterns of the schema in words."""
        metrics = "mean, median, mode, max, at_least_N or pass_at_N, where N is a number"
        return Advice(forms={r"^(pass_at_[0-9]+|at_least_[0-9]+|max|mode|median|mean)$": metrics})

    def rules(self) -> tuple[Rule, ...]:
        """The rules on descriptions."""
        return BENCHMARK_RULES

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check the description of a benchmark."""
        findings, items = fitting_items(document, reading, is_list=False)
        checked = CheckResult(list(reading.findings))
        if items and not context.options.schema_only:
            view = EvalYamlView(document.data)
            findings.add(item_findings(document, items, view, reading, context), None)
        checked.findings += findings.close()
        return checked


#: Name of a format -> its class.
CHECKS: dict[str, type[Format]] = {
    "eval-results": ModelResultsChecks,
    "eval-yaml": BenchmarkChecks,
}
