"""Datasets: where tests come from, and how their replies are evaluated."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from evalmark.conversations.evaluation.judging import (
    checked,
    checklist,
    generated,
    generation_prompt,
)
from evalmark.conversations.interface.actions import WaitCreator
from evalmark.conversations.interface.examples import DynamicExample, TestExample
from evalmark.schemas.errors import NotJudged, ScoringError
from evalmark.validator.reading.reading import read

#: Score, greatest score (deprecated: leave it at 1), and why for each question.
Evaluation = tuple[float, float, list[str]]
#: Messages, temperature and greatest number of tokens → what a judge says.
Ask = Callable[[list[dict[str, str]], float, int], str]


@dataclass
class DatasetInterface(WaitCreator, ABC):
    """Tests of one kind.

    Write ``generate_examples`` and ``evaluate_correct``, or instead of the latter
    ``continual_evaluation_callback`` and set ``uses_callback``.

    Attributes:
        name: Also that of its folders.
        description: What is tested.
        question: What is asked, where it is the same for all tests.
        memory_span: Tokens over which a test is spread.
        seed: The same seed makes the same tests.
        uses_callback: Whether the callback evaluates.
        reset_message: Sent after a test when others follow in the same conversation.
        max_message_size: Tokens of the longest message.
        ask: What ``ask_llm`` asks; the runner sets it. None: there is no judge.
    """

    name: str = ""
    description: str = ""
    question: str = ""
    memory_span: int = 0
    seed: int = 0
    uses_callback: bool = False
    reset_message: str = ""
    max_message_size: int = 1024
    ask: Ask | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        # A class that is no dataclass may say its name as a class attribute.
        for entry in fields(DatasetInterface):
            default = None if entry.default is MISSING else entry.default
            declared = getattr(type(self), entry.name, default)
            if getattr(self, entry.name) == default and declared != default:
                setattr(self, entry.name, declared)
        self.name = self.name or type(self).__name__

    @cached_property
    def random(self) -> random.Random:
        """Random numbers, the same for the same seed."""
        return random.Random(f"{self.name} {self.seed}")  # noqa: S311 - no secret

    @abstractmethod
    def generate_examples(self, num_examples: int) -> list[TestExample]:
        """So many tests."""

    @abstractmethod
    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """The score of a test from its questions, the replies to them and what was expected."""

    def evaluate_correct_gpt(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """The share of questions whose reply a judge finds right.

        Raises:
            NotJudged: There is no judge, or it said nothing that can be read.
            ScoringError: There are not as many replies as questions.
        """
        expected = [expected_answers] if isinstance(expected_answers, str) else expected_answers
        if not len(questions) == len(responses) == len(expected):
            raise ScoringError(
                f"{self.name}: {len(questions)} questions, {len(responses)} replies, "
                f"{len(expected)} expected"
            )
        right, reasons = 0, []
        for question, response, answer in zip(questions, responses, expected, strict=True):
            holds, reason = checked(self.ask_llm(checklist(question, response, answer), 0, 512))
            right += holds
            reasons.append(reason)
        return right / len(questions), 1, reasons

    def continual_evaluation_callback(
        self, scheduler: Any, example: TestExample, task_log: list[str]
    ) -> tuple[float, float, list[str], bool]:
        """Look at the conversation after a turn; set ``example.finished`` when it is decided.

        Args:
            scheduler: What is known of the run; see ``SchedulerView``.
            example: The test.
            task_log: All lines since the test began, ``Test (time): text`` and
                ``Agent (time): text``.

        Returns:
            Score, greatest score, why, and whether it is decided.
        """
        raise NotImplementedError(f"{self.name} uses a callback and has none")

    def create_question(
        self, example: TestExample, statement_times: list[datetime], now: datetime
    ) -> str:
        """The last question of a temporal test, when it is asked."""
        raise NotImplementedError(f"{self.name} is temporal and has no create_question")

    def ask_llm(
        self,
        context: str | Sequence[dict[str, str]],
        temperature: float = 0,
        max_tokens: int = 256,
    ) -> str:
        """What the judge says to a prompt or to messages.

        Raises:
            NotJudged: The run has no judge.
        """
        if self.ask is None:
            raise NotJudged(f"{self.name} needs a judge")
        messages = [{"role": "user", "content": context}] if isinstance(context, str) else context
        return self.ask(list(messages), temperature, max_tokens)


@dataclass
class DynamicDataset(DatasetInterface):
    """Tests that react to what the agent says."""

    #: The class of its tests; a class attribute.
    example_cls = DynamicExample

    def generate_examples(self, num_examples: int) -> list[TestExample]:
        """So many tests."""
        return [self.create_example() for _ in range(num_examples)]

    def create_example(self, **rest: Any) -> DynamicExample:
        """A test."""
        return self.example_cls(self, **rest)

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """A dynamic test evaluates itself."""
        raise NotImplementedError(f"{self.name} is dynamic: its tests evaluate themselves")


@dataclass
class GPTGenerated(DatasetInterface):
    """Tests that a language model writes, from the three prompts of a generation file.

    Attributes:
        generation_file: JSON with ``content``, ``question`` and ``answer``.
        temperature: Of the model that writes.
        max_attempts: How often it is asked until what it writes can be read.
    """

    generation_file: str | Path = ""
    temperature: float = 1.0
    max_attempts: int = 10

    def generate_examples(self, num_examples: int) -> list[TestExample]:
        """So many tests, written by the run's judge.

        Raises:
            NotJudged: The run has no judge to write them.
            ScoringError: The file cannot be read, or nothing usable was written.
        """
        reading = read(Path(self.generation_file).read_bytes(), str(self.generation_file))
        prompts = reading.data if reading.readable else None
        if not isinstance(prompts, dict) or set(prompts) != {"content", "question", "answer"}:
            raise ScoringError(f"{self.generation_file} is no generation file; `evalmark check`")
        return [self._written(prompts) for _ in range(num_examples)]

    def _written(self, prompts: dict[str, str]) -> TestExample:
        for _ in range(self.max_attempts):
            text = self.ask_llm(generation_prompt(prompts), self.temperature, 4096)
            try:
                content, pairs = generated(text)
            except (ValueError, KeyError, TypeError):
                continue
            example = TestExample(
                self,
                ["\n".join(content), *(question for question, _ in pairs)],
                [answer for _, answer in pairs],
                is_question=[False, *(True for _ in pairs)],
            )
            example.default_waits(self.memory_span)
            return example
        raise ScoringError(f"{self.name}: nothing usable in {self.max_attempts} attempts")

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """A judge looks at each reply."""
        return self.evaluate_correct_gpt(questions, responses, expected_answers)
