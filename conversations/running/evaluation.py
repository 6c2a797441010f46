"""From the replies to a score from 0 to 1."""

from __future__ import annotations

import math
from typing import Any

from evalmark.conversations.interface.dynamic import DynamicExample
from evalmark.conversations.interface.interface import TestExample
from evalmark.conversations.running.outcome import FAILED, UNJUDGED
from evalmark.schemas.errors import NotJudged, ScoringError


def evaluated(
    example: TestExample, questions: list[str], responses: list[str]
) -> tuple[float, list[str]]:
    """The score of a finished test, and the reasons."""
    if isinstance(example, DynamicExample):
        return share(example.score, example.max_score, example.reasoning)
    found = example.dataset_generator.evaluate_correct(
        questions, responses, example.expected_responses
    )
    return _shared(found)


def finished_by_callback(
    example: TestExample, scheduler: Any, lines: list[str]
) -> tuple[float, list[str]] | None:
    """The score of a callback that has set ``finished``; None before.

    Raises:
        ScoringError: It returns no evaluation, or it is done without having set ``finished``.
    """
    found: Any = example.dataset_generator.continual_evaluation_callback(scheduler, example, lines)
    values = tuple(found) if isinstance(found, tuple | list) else ()
    if not example.finished:
        if values[3:4] == (True,):
            raise ScoringError("the callback is done, but did not set `example.finished`")
        return None
    return _shared(values[:3] if values else found)


def _shared(found: Any) -> tuple[float, list[str]]:
    try:
        score, greatest, reasons = found
    except (TypeError, ValueError) as error:
        raise ScoringError(
            f"an evaluation is score, max_score and reasons, not {found!r}"
        ) from error
    return share(score, greatest, reasons)


def share(score: Any, greatest: Any, reasons: Any) -> tuple[float, list[str]]:
    """A score as a share of the maximum."""
    numbers = isinstance(score, int | float) and isinstance(greatest, int | float)
    value = score / greatest if numbers and greatest > 0 else math.nan
    if not 0 <= value <= 1:  # NaN neither
        raise ScoringError(f"invalid score: {score!r} out of {greatest!r}")
    reasons = [reasons] if isinstance(reasons, str) else reasons
    return float(value), [str(reason) for reason in reasons or []]


def without_score(error: Exception) -> tuple[str, list[str]]:
    """The state of a test that an error has ended, and the reason."""
    if isinstance(error, NotJudged):
        return UNJUDGED, [str(error)]
    return FAILED, [str(error) if isinstance(error, ScoringError) else repr(error)]


def needles(example: TestExample, messages: int) -> int:
    """Number of messages that are not questions; of a dynamic test, all messages."""
    if isinstance(example, DynamicExample):
        return messages
    return len(example.script) - sum(example.is_question) + example.is_temporal
