"""Files of the LTM benchmark: how they are checked."""

from __future__ import annotations

from typing import BinaryIO

from evalmark.validator.findings.rule import Rule
from evalmark.validator.format import Advice, CheckContext, CheckResult, Checks, Document, Path
from evalmark.validator.formats.ltm.ltm_log import check_log
from evalmark.validator.formats.ltm.ltm_rule_table import (
    CONFIG_RULES,
    DEFINITION_RULES,
    RESULT_RULES,
)
from evalmark.validator.formats.ltm.ltm_run import RunPlace
from evalmark.validator.formats.ltm.ltm_view import (
    CONFIG,
    DEFINITION,
    RESULT,
    ConfigView,
    DefinitionView,
    LtmView,
    ResultView,
)
from evalmark.validator.formats.shared.fields import Layout
from evalmark.validator.formats.shared.json_checks import JsonChecks
from evalmark.validator.reading.reading import Reading

#: Name of a format -> the rules on its files, their view, and where that finds values.
_RULES: dict[str, tuple[tuple[Rule, ...], type[LtmView], Layout]] = {
    "ltm-definition": (DEFINITION_RULES, DefinitionView, DEFINITION),
    "ltm-result": (RESULT_RULES, ResultView, RESULT),
    "ltm-config": (CONFIG_RULES, ConfigView, CONFIG),
}


class LtmChecks(JsonChecks):
    """Files on which there are rules."""

    def rules(self) -> tuple[Rule, ...]:
        """The rules on files of this format."""
        return _RULES[self.format.name][0]

    def view(self, document: Document, reading: Reading, context: CheckContext) -> object:
        """The content and its place in a run."""
        del context
        _, view, layout = _RULES[self.format.name]
        return view(document.data, "", layout, RunPlace(reading.path))


class ResultAdvice(Advice):
    """Advice on the score of a test."""

    def suggest_default(self, data: object, path: Path) -> tuple[str, ...]:
        """The usual bound of the score."""
        del data
        is_bound = path[-1:] == ("max_score",)
        return ("write 1, if that is the highest possible score",) if is_bound else ()


class ResultChecks(LtmChecks):
    """Results of tests."""

    def advice(self) -> Advice:
        """The pattern of log lines in words, and the usual bound."""
        line_head = (
            r"^(Test|Agent|System) \([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}"
            r"(\.[0-9]{6})?\): "
        )
        words = '"Test", "Agent" or "System", and a time, as in "Test (2024-01-31 09:30:00): Hello"'
        return ResultAdvice(forms={line_head: words})


class LogChecks(JsonChecks):
    """Logs of runs."""

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check the events of a log."""
        return check_log(self.format, file, path, context)


#: Name of a format -> its class.
CHECKS: dict[str, type[Checks]] = {
    "ltm-definition": LtmChecks,
    "ltm-result": ResultChecks,
    "ltm-config": LtmChecks,
    "ltm-log": LogChecks,
}
