"""Files of the LTM benchmark: how they are recognized."""

from __future__ import annotations

import os

from evalmark.validator.format import Checks, Format
from evalmark.validator.formats.shared.json_checks import JsonChecks


def _checks(form: Format) -> Checks:
    from evalmark.validator.formats.ltm.ltm_checks import CHECKS

    return CHECKS[form.name](form)


def _kind_in_run(path: str) -> str | None:
    if "definitions" not in path and "results" not in path:
        return None
    from evalmark.validator.formats.ltm.ltm_run import kind_at  # few files are in such folders

    return kind_at(path)


def _is_definition(path: str) -> bool:
    return path.endswith(".def.json") or _kind_in_run(path) == DEFINITION.name


def _is_result(path: str) -> bool:
    return _kind_in_run(path) == RESULT.name


def _is_log(path: str) -> bool:
    return path.endswith("master_log.jsonl") and os.path.basename(path) == "master_log.jsonl"


DEFINITION = Format(
    "ltm-definition",
    "an object with `script` and `is_question`",
    "LT",
    (frozenset(("script", "is_question")),),
    _checks,
    matches_path=_is_definition,
)
RESULT = Format(
    "ltm-result",
    "an object with `task_log` and `actual_responses`",
    "LT",
    (frozenset(("task_log", "actual_responses")),),
    _checks,
    matches_path=_is_result,
)
GENERATION = Format(
    "ltm-generation",
    "an object of just `content`, `question` and `answer`",
    "LT",
    (frozenset(("content", "question", "answer")),),
    JsonChecks,
    exact_keys=True,
)
STATS = Format(
    "ltm-stats",
    "an object with `managing_costs_usd` and `total_tokens`",
    "LT",
    (frozenset(("managing_costs_usd", "total_tokens")),),
    JsonChecks,
)
CONFIG = Format(
    "ltm-config",
    "an object of `config` and `datasets`",
    "LT",
    (frozenset(("config", "datasets")),),
    _checks,
)
LOG = Format(
    "ltm-log",
    "an object of `type`, `timestamp`, `test_id` and `data`; one per line in .jsonl",
    "LT",
    (frozenset(("type", "timestamp", "test_id", "data")),),
    _checks,
    matches_path=_is_log,
    has_rows=True,
)
