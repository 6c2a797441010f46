"""The outcome of a test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from evalmark.conversations.interface.interface import TestExample

#: How a test can end.
SCORED, UNJUDGED, FAILED = "scored", "not judged", "error"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a test.

    Attributes:
        example: The test.
        state: ``scored``, ``not judged`` (it needs a judge, and there is none) or ``error``.
        score: From 0 to 1; None unless the test is scored.
        reasons: The reasons for the score, or the error.
        questions: The questions.
        responses: The reply to each question.
        expected: The expected responses.
        task_log: The lines of the test.
        full_log: All lines while the test ran.
        tokens: Number of tokens from its first message to its last question.
        characters: Number of characters of the same.
        needles: Number of messages that are not questions.
    """

    example: TestExample
    state: str
    score: float | None
    reasons: list[str]
    questions: list[str] = field(default_factory=list)
    responses: list[str] = field(default_factory=list)
    expected: list[Any] = field(default_factory=list)
    task_log: list[str] = field(default_factory=list)
    full_log: list[str] = field(default_factory=list)
    tokens: int = 0
    characters: int = 0
    needles: int = 0

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

    def without_score(self) -> dict[str, Any]:
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
    agent_cost: float = 0.0
    judge_cost: float = 0.0
