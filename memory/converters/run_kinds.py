"""Runs of tests and of memory sets as a comparison reads them in records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from evalmark.converters.records.run import Run
from evalmark.memory.converters.memory_run import DEFINITION, LEFT_OUT, OVERALL
from evalmark.scoring.comparison.compared_run import RunKind, Words


def _has_questions(result: Mapping[str, Any]) -> bool:
    return "asked" in ((result.get("source_data") or {}).get("additional_details") or {})


def _is_unanswerable(name: str, metadata: Mapping[str, Any]) -> bool:
    """True if a history does not answer a question: an agent that answers nothing is right."""
    return metadata.get("answerable") == "false" or name.endswith("(adversarial)")


def _is_sum(result: Mapping[str, Any]) -> bool:
    """True if a result is over questions of several types, which have results of their own."""
    details = (result.get("score_details") or {}).get("details") or {}
    return "part" in details or ("types" in details and "questions" not in details)


def _left_out(run: Run) -> dict[str, str]:
    """The tests of a run that have no score, and why."""
    left_out = json.loads(run.settings.get(LEFT_OUT, "{}"))
    return {name: key.replace("_", " ") for key, names in left_out.items() for name in names}


def _is_overall(result: Mapping[str, Any]) -> bool:
    return result.get("evaluation_name") == OVERALL


QUESTIONS = RunKind(
    Words("type", "types", "question", "questions", is_pooled=True),
    _has_questions,
    is_total=_is_sum,
    is_beside=_is_unanswerable,
)
TESTS = RunKind(
    Words("dataset", "datasets", "test", "tests"),
    _is_overall,
    is_total=_is_overall,
    # The question of a temporal test depends on the clock of the run.
    text=lambda metadata: metadata.get(DEFINITION),
    left_out=_left_out,
)
