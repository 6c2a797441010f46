"""The outcome of a test: from the replies to a score from 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from evalmark.memory.evaluation.texts import added
from evalmark.memory.interface.dataset_interface import DynamicExample, TestExample
from evalmark.memory.interface.user_code import at, defined_at, place_of, said_of, short
from evalmark.schemas.errors import EvalmarkError, NotJudged, ScoringError

#: How a test can end.
SCORED, UNJUDGED, FAILED = "scored", "not judged", "error"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a test."""

    example: TestExample
    state: str  # `scored`, `not judged` (it needs a judge, and there is none) or `error`
    score: float | None  # from 0 to 1; None unless the test is scored
    reasons: list[str]  # the reasons for the score, or the error
    questions: list[str] = field(default_factory=list)
    responses: list[str] = field(default_factory=list)  # the reply to each question
    expected: list[object] = field(default_factory=list)  # the expected responses
    task_log: list[str] = field(default_factory=list)  # the lines of the test
    full_log: list[str] = field(default_factory=list)  # all lines while the test ran
    tokens: int = 0  # number of tokens from its first message to its last question
    characters: int = 0  # number of characters of the same
    needles: int = 0  # number of messages that are not questions

    def result(self) -> dict[str, Any]:
        """The content of a result file."""
        return {
            "task_log": self.task_log,
            "actual_responses": self.responses,
            "score": self.score,
            "max_score": 1,
            "reasoning": self.reasons or [""],
            "tokens": self.tokens,
            "characters": self.characters,
            "full_log": self.full_log,
            "expected_responses": self.expected,
            "needles": self.needles,
        }

    def without_score(self) -> dict[str, object]:
        """The content of a file for a test without a score."""
        return {
            "version": 1,
            "state": self.state,
            "why": self.reasons,
            "questions": self.questions,
            "responses": self.responses,
            "expected": self.expected,
            "lines": self.task_log,
            "tokens": self.tokens,
        }


@dataclass(slots=True)
class Totals:
    """Tokens and costs of a run, and the seconds that agent and judge took."""

    seconds: float = 0.0
    tokens: int = 0
    agent_tokens: int = 0
    agent_cost: float | None = 0.0  # None, as the next: nobody saw some of it
    judge_cost: float | None = 0.0

    @property
    def cost(self) -> float | None:
        """The cost of agent and judge; None if nobody saw some of it."""
        return added(self.agent_cost, self.judge_cost)


def evaluated(
    example: TestExample, questions: list[str], responses: list[str]
) -> tuple[float, list[str]]:
    """The score of a finished test, and the reasons."""
    if isinstance(example, DynamicExample):
        return share(example.score, example.max_score, example.reasoning)
    evaluate = example.dataset_generator.evaluate_correct
    return _shared(evaluate(questions, responses, example.expected_responses), evaluate)


def finished_by_callback(
    example: TestExample, scheduler: object, lines: list[str]
) -> tuple[float, list[str]] | None:
    """The score of a callback that has set ``finished``; None before.

    Raises ScoringError if it returns no evaluation, or is done without having set ``finished``.
    """
    callback = example.dataset_generator.continual_evaluation_callback
    evaluation: Any = callback(scheduler, example, lines)
    values = tuple(evaluation) if isinstance(evaluation, tuple | list) else ()
    if not example.finished:
        if values[3:4] == (True,):
            message = "the callback is done, but did not set `example.finished`"
            raise ScoringError(at(message, defined_at(callback)))
        return None
    return _shared(values[:3] if values else evaluation, callback)


def _shared(evaluation: Any, method: Callable[..., object]) -> tuple[float, list[str]]:
    try:
        score, greatest, reasons = evaluation
        return share(score, greatest, reasons)
    except ScoringError as error:
        raise ScoringError(at(str(error), defined_at(method))) from error
    except (TypeError, ValueError) as error:
        message = f"an evaluation is score, max_score and reasons, not {short(evaluation)}"
        raise ScoringError(at(message, defined_at(method))) from error


def share(
    score: Any, greatest: Any, reasons: Iterable[object] | str | None
) -> tuple[float, list[str]]:
    """A score as a share of the maximum."""
    numbers = isinstance(score, int | float) and isinstance(greatest, int | float)
    value = score / greatest if numbers and greatest > 0 else math.nan
    if not 0 <= value <= 1:  # NaN neither
        raise ScoringError(f"invalid score: {score!r} out of {greatest!r}")
    reasons = [reasons] if isinstance(reasons, str) else reasons
    return float(value), [str(reason) for reason in reasons or []]


def without_score(error: BaseException) -> tuple[str, list[str]]:
    """The state of a test that an error has ended, and the reason."""
    if isinstance(error, NotJudged):
        return UNJUDGED, [str(error)]
    if isinstance(error, EvalmarkError):  # perhaps of a method that code of a user has called
        return FAILED, [at(str(error), place_of(error))]
    return FAILED, [said_of(error)]


def needles(example: TestExample, messages: int) -> int:
    """Number of messages that are not questions; of a dynamic test, all messages."""
    if isinstance(example, DynamicExample):
        return messages
    return len(example.script) - sum(example.is_question) + example.is_temporal
