"""What became of a test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from evalmark.conversations.interface.interface import TestExample

#: How a test can end.
SCORED, UNJUDGED, FAILED = "scored", "not judged", "error"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a test.

    Attributes:
        example: The test.
        state: ``scored``, ``not judged`` (it needs a judge, and there is none) or ``error``.
        score: Share of 1; None unless it is scored.
        reasons: Why; or what went wrong.
        questions: What was asked.
        responses: The reply to each question.
        expected: What was expected.
        task_log: The lines that belong to the test.
        full_log: All lines while it ran.
        tokens: Tokens of conversation from its first message to its last question.
        characters: Characters of the same.
        needles: Messages of the test that are no questions.
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
        """As a result file holds it; the score is a share of 1."""
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
        """A test that has no result: what was said, and why there is none."""
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
    """What a run has used; seconds are those that agent and judge took."""

    seconds: float = 0.0
    tokens: int = 0
    agent_tokens: int = 0
    agent_cost: float = 0.0
    judge_cost: float = 0.0
