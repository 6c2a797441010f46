"""The base of scripted datasets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evalmark.conversations.evaluation.llm_judge import Evaluation
from evalmark.conversations.evaluation.replies import Replies
from evalmark.conversations.evaluation.scorers import score_replies
from evalmark.conversations.interface.dataset_interface import (
    EXAMPLES,
    DatasetInterface,
    TestExample,
)


@dataclass
class Scripted(DatasetInterface):
    """A dataset of statements and one question, scored by the rules for its name."""

    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Make ``num_examples`` tests."""
        return [self.made() for _ in range(num_examples)]

    def made(self) -> TestExample:
        """Make one test."""
        raise NotImplementedError(f"{self.name} has no method `made`")

    def told(self, ways: Sequence[str], values: list[str]) -> list[str]:
        """Each value in one of the ways to tell it."""
        return [self.random.choice(ways).format(value) for value in values]

    def example(
        self, statements: list[str], questions: list[str], expected: list[Any]
    ) -> TestExample:
        """A test: statements spread over the memory span, then the questions."""
        flags = [False] * len(statements) + [True] * len(questions)
        example = TestExample(self, statements + questions, expected, is_question=flags)
        example.default_waits(self.memory_span)
        return example

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Score by rules; ask the judge where they cannot decide."""
        verdict = score_replies(self.name, Replies(questions, responses, expected_answers))
        if verdict is None:
            return self.evaluate_correct_gpt(questions, responses, expected_answers)
        score, reasons = verdict
        return score, 1, reasons
