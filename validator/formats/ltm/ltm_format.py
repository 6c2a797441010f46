"""Files of the LTM benchmark: how they are recognized."""

from __future__ import annotations

import os

from evalmark.validator.format import Format, LightFormat
from evalmark.validator.formats.shared.json_format import JsonFormat


class LtmFormat(LightFormat):
    """Files on which there are rules."""

    def checks(self) -> type[Format]:
        """The class of the format with its rules."""
        from evalmark.validator.formats.ltm.ltm_checks import CHECKS

        return CHECKS[self.name]


class RunFileFormat(LtmFormat):
    """Files that are known by the folders of their run."""

    def lies_at(self, path: str) -> bool:
        """True if the file lies where a run keeps files of this format."""
        from evalmark.validator.formats.ltm.ltm_run import kind_at  # few files lie there

        return kind_at(path) == self.name


class DefinitionFormat(RunFileFormat):
    """Definitions of tests."""

    def lies_at(self, path: str) -> bool:
        """True if the file has the name of a definition, or lies where a run keeps them."""
        return path.endswith(".def.json") or super().lies_at(path)


class LogFormat(LtmFormat):
    """Logs of runs."""

    def lies_at(self, path: str) -> bool:
        """True if it has the name of the log of a run, whatever it holds."""
        return os.path.basename(path) == "master_log.jsonl"


DEFINITION = DefinitionFormat(
    "ltm-definition",
    "an object with `script` and `is_question`",
    "LT",
    (frozenset(("script", "is_question")),),
)
RESULT = RunFileFormat(
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
CONFIG = LtmFormat(
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
