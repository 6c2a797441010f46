"""A task for later, scored by a callback."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalmark.conversations.datasets.scripted_datasets import NAMES
from evalmark.conversations.evaluation.llm_judge import Evaluation
from evalmark.conversations.evaluation.replies import Replies, after_question
from evalmark.conversations.evaluation.scorers import score_replies
from evalmark.conversations.interface.dataset_interface import (
    EXAMPLES,
    CallBackTestExample,
    DatasetInterface,
    TestExample,
)
from evalmark.schemas.errors import NotJudged

_SAYINGS = (
    "A door that is never opened might as well be a wall.",
    "Whoever counts the waves forgets to swim.",
    "The map grows old while the mountain waits.",
    "Small lamps make long nights short.",
    "A good question sharpens two knives at once.",
)


@dataclass
class ProspectiveMemory(DatasetInterface):
    """A saying that belongs in one reply and no other."""

    name: str = "Prospective Memory"
    description: str = "A saying is to be appended to the n-th reply from now, and to no other."
    uses_callback: bool = True

    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Make ``num_examples`` tests."""
        examples: list[TestExample] = []
        for _ in range(num_examples):
            saying, author = self.random.choice(_SAYINGS), self.random.choice(NAMES)
            number = self.random.randrange(3, 8)
            script = [
                f"'{saying}' - {author}",
                f"Append the saying of {author} to your reply number {number}, whatever I write "
                "then, and to no other. Your reply to this message is number 1.",
            ]
            example = CallBackTestExample(
                self, script, [[saying, author, number]], is_question=[False, True]
            )
            example.default_waits(self.memory_span)
            examples.append(example)
        return examples

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Not used: the callback scores the test."""
        raise NotImplementedError("Prospective Memory is scored by its callback")

    def continual_evaluation_callback(
        self, scheduler: Any, example: TestExample, task_log: list[str]
    ) -> tuple[float, float, list[str], bool]:
        """Decide one reply later than asked for, so that a repetition is noticed."""
        expected = example.expected_responses[0]
        if not isinstance(expected, list):
            raise NotJudged("the expected response is a description for a judge")
        number = expected[2]
        replies = after_question(task_log, example.script[-1])
        verdict = score_replies(
            self.name,
            Replies([example.script[-1]], replies[:1], example.expected_responses, task_log),
        )
        if len(replies) <= number or verdict is None:
            return 0, 1, ["not yet seen"], False
        example.finished = True
        score, reasons = verdict
        return score, 1, reasons, True
