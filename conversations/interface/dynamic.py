"""Tests that make their messages as they go, and their datasets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from evalmark.conversations.interface.actions import SendMessageAction, TestAction, WaitAction
from evalmark.conversations.interface.asking import Evaluation
from evalmark.conversations.interface.interface import (
    EXAMPLES,
    DatasetInterface,
    TestExample,
)
from evalmark.conversations.interface.measures import Evaluator


@dataclass(eq=False)
class DynamicExample(TestExample):
    """A test that writes its messages while it runs.

    Implement ``action_iter``: yield ``self.say(...)`` and ``self.wait(...)``, read
    ``self.action.reply`` after a message, add to ``self.score`` (0 to 1) and to
    ``self.reasoning``.

    Attributes:
        score: The score so far.
        max_score: Deprecated: the maximum score. Leave it at 1.
        action: The message that was sent last.
    """

    score: float = 0
    max_score: float = 1
    action: SendMessageAction | None = field(default=None, repr=False)

    #: ``self.wait(tokens=…)`` makes a wait.
    wait: ClassVar[type[WaitAction]] = WaitAction

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.expected_responses is None:
            self.expected_responses = []
        # A class that is not a dataclass can set it as a class attribute.
        declared = type(self).max_score
        self.max_score = declared if self.max_score == 1 else self.max_score

    def action_iter(self) -> Iterator[TestAction]:
        """Yield the actions of the test."""
        raise NotImplementedError(f"{type(self).__name__} has no action_iter")

    def say(
        self,
        message: str,
        question: bool = False,
        filler_response: str | None = None,
        date: datetime | str | None = None,
    ) -> SendMessageAction:
        """A message. A question is added to the script, and its reply is scored.

        With ``filler_response`` the reply is given: the agent is told both, and not asked. ``date``
        is when it was said; see ``SendMessageAction``.
        """
        if question:
            self.script.append(message)
            self.is_question.append(True)
            self.number_of_questions += 1
        self.action = SendMessageAction(
            message, is_question=question, filler_response=filler_response, date=date
        )
        return self.action

    def ask_llm(
        self, context: str | list[dict[str, str]], model: str | None = None, **options: Any
    ) -> str:
        """The judge's reply to a prompt or to messages; see ``DatasetInterface.ask_llm``.

        Raises:
            NotJudged: The run has no judge.
        """
        return self.dataset_generator.ask_llm(context, model, **options)

    @property
    def needs_judge_to_run(self) -> bool:
        """Whether a judge has to take part in the conversation, by what its class says."""
        return self.dataset_generator.needs_judge

    @property
    def evaluation_fn(self) -> Evaluator:
        """``evaluate``."""
        return self.evaluate

    def evaluate(self, *_: Any) -> tuple[float, float, list[str]]:
        """Its score from 0 to 1, and the reasons, whatever was asked."""
        return self.score / self.max_score, 1, self.reasoning

    def definition(self) -> dict[str, Any]:
        """An empty definition: a dynamic test has no script before it runs."""
        empty: dict[str, Any] = {"script": [], "is_question": [], "waits": []}
        flags = {"can_be_interleaved": True, "is_temporal": False, "uses_callback": False}
        return {**empty, "expected_responses": [], **flags}


@dataclass
class DynamicDataset(DatasetInterface):
    """Tests that react to what the agent says."""

    #: The class of its tests; a class attribute.
    example_cls = DynamicExample

    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Make ``num_examples`` tests."""
        return [self.create_example() for _ in range(num_examples)]

    def create_example(self, **rest: Any) -> DynamicExample:
        """Make a test."""
        return self.example_cls(self, **rest)

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Not used: a dynamic test scores itself."""
        raise NotImplementedError(f"{self.name} is dynamic: its tests score themselves")
