"""Files of the LTM benchmark: how they are recognized and checked."""

from __future__ import annotations

import os
from typing import BinaryIO

from evalmark.validator.findings.rule import Rule
from evalmark.validator.format import Advice, CheckContext, CheckResult, Document, Path
from evalmark.validator.formats.shared.json_format import JsonFormat
from evalmark.validator.options.check_options import CheckOptions
from evalmark.validator.reading.reading import Reading


class RunFileFormat(JsonFormat):
    """Files of which the folders of a run say what they are."""

    def lies_at(self, path: str) -> bool:
        """True if the file lies where a run keeps files of this format."""
        if "definitions" not in path and "results" not in path:
            return False
        from evalmark.validator.formats.ltm.ltm_run import kind_at  # few files lie there

        return kind_at(path) == self.name


class DefinitionFormat(RunFileFormat):
    """Definitions of tests."""

    def lies_at(self, path: str) -> bool:
        """True if the file has the name of a definition, or lies where a run keeps them."""
        return path.endswith(".def.json") or super().lies_at(path)

    def rules(self) -> tuple[Rule, ...]:
        """The rules on definitions."""
        from evalmark.validator.formats.ltm.ltm_rule_table import DEFINITION_RULES

        return DEFINITION_RULES

    def view(self, document: Document, reading: Reading, options: CheckOptions) -> object:
        """The definition and its place in a run."""
        from evalmark.validator.formats.ltm.ltm_view import definition_view

        del options
        return definition_view(document, reading)


class ResultAdvice(Advice):
    """Advice on the score of a test."""

    def usual(self, data: object, path: Path) -> tuple[str, ...]:
        """The usual bound of the score."""
        del data
        is_bound = path[-1:] == ("max_score",)
        return ("write 1, if that is the highest possible score",) if is_bound else ()


class ResultFormat(RunFileFormat):
    """Results of tests."""

    def advice(self) -> Advice:
        """The pattern of log lines in words, and the usual bound."""
        line_head = (
            r"^(Test|Agent|System) \([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}"
            r"(\.[0-9]{6})?\): "
        )
        words = '"Test", "Agent" or "System", and a time, as in "Test (2024-01-31 09:30:00): Hello"'
        return ResultAdvice(forms={line_head: words})

    def rules(self) -> tuple[Rule, ...]:
        """The rules on results."""
        from evalmark.validator.formats.ltm.ltm_rule_table import RESULT_RULES

        return RESULT_RULES

    def view(self, document: Document, reading: Reading, options: CheckOptions) -> object:
        """The result and its place in a run."""
        from evalmark.validator.formats.ltm.ltm_view import result_view

        del options
        return result_view(document, reading)


class ConfigFormat(JsonFormat):
    """Configurations of runs."""

    def rules(self) -> tuple[Rule, ...]:
        """The rules on configurations."""
        from evalmark.validator.formats.ltm.ltm_rule_table import CONFIG_RULES

        return CONFIG_RULES

    def view(self, document: Document, reading: Reading, options: CheckOptions) -> object:
        """The configuration and its place in a run."""
        from evalmark.validator.formats.ltm.ltm_view import config_view

        del options
        return config_view(document, reading)


class LogFormat(JsonFormat):
    """Logs of runs."""

    def lies_at(self, path: str) -> bool:
        """True if it has the name of the log of a run, whatever it holds."""
        return os.path.basename(path) == "master_log.jsonl"

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check the events of a log."""
        from evalmark.validator.formats.ltm.ltm_log import check_log

        return check_log(self, file, path, context)


DEFINITION = DefinitionFormat(
    "ltm-definition",
    "an object with `script` and `is_question`",
    "LT",
    (frozenset(("script", "is_question")),),
)
RESULT = ResultFormat(
    "ltm-result",
    "an object with `task_log` and `actual_responses`",
    "LT",
    (frozenset(("task_log", "actual_responses")),),
)
GENERATION = JsonFormat(
    "ltm-generation",
    "an object of just `content`, `question` and `answer`",
    "LT",
    (frozenset(("content", "question", "answer")),),
    has_no_other_keys=True,
)
STATS = JsonFormat(
    "ltm-stats",
    "an object with `managing_costs_usd` and `total_tokens`",
    "LT",
    (frozenset(("managing_costs_usd", "total_tokens")),),
)
CONFIG = ConfigFormat(
    "ltm-config",
    "an object of `config` and `datasets`",
    "LT",
    (frozenset(("config", "datasets")),),
)
LOG = LogFormat(
    "ltm-log",
    "an object of `type`, `timestamp`, `test_id` and `data`; one per line in .jsonl",
    "LT",
    (frozenset(("type", "timestamp", "test_id", "data")),),
    has_rows=True,
)
