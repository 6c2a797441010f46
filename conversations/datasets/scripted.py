"""What the scripted datasets share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalmark.conversations.evaluation.scorers import Replies, score_replies
from evalmark.conversations.interface.interface import DatasetInterface, Evaluation, TestExample


@dataclass
class Scripted(DatasetInterface):
    """A dataset whose tests are statements and one question, scored by the rules of its name."""

    def generate_examples(self, num_examples: int) -> list[TestExample]:
        """So many tests."""
        return [self.made() for _ in range(num_examples)]

    def made(self) -> TestExample:
        """One test; to be written."""
        raise NotImplementedError(f"{self.name} makes no tests")

    def example(self, statements: list[str], question: str, expected: list[Any]) -> TestExample:
        """Statements spread over the memory span, and the question."""
        script = [*statements, question]
        flags = [*(False for _ in statements), True]
        example = TestExample(self, script, expected, is_question=flags)
        example.default_waits(self.memory_span)
        return example

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """By rule; a judge decides where the rules cannot.

        Raises:
            NotJudged: A judge would have to decide, and there is none.
        """
        verdict = score_replies(self.name, Replies(questions, responses, expected_answers))
        if verdict is None:
            return self.evaluate_correct_gpt(questions, responses, expected_answers)
        score, reasons = verdict
        return score, 1, reasons
