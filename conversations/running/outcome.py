"""The outcome of a test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from evalmark.conversations.interface.dataset_interface import TestExample

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
    expected: list[Any] = field(default_factory=list)  # the expected responses
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
