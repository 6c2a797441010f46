"""Datasets and their tests: the two classes know each other, so they share a module."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, field, fields
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar

from evalmark.conversations.evaluation.judging import checked, checklist
from evalmark.conversations.interface.actions import (
    SendAndRegisterAction,
    SendMessageAction,
    TestAction,
    WaitAction,
    WaitCreator,
)
from evalmark.schemas.errors import NotJudged, ScoringError

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
        return random.Random(f"{self.name} {self.seed}")

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


@dataclass(eq=False)
class TestExample:
    """A scripted test.

    Attributes:
        dataset_generator: Its dataset, which evaluates it.
        script: What is said, in order.
        expected_responses: What is expected; its shape is the dataset's.
        is_question: For each message whether its reply is evaluated; one more in a temporal test,
            whose last question is made when it is asked.
        waits: For each message what is waited for after it, as ``WaitCreator`` makes it.
        uses_callback: Whether the dataset's callback evaluates.
        is_temporal: Whether the last question is made by ``create_question``.
        can_be_interleaved: Whether other tests may run while this one waits.
        example_id: Unique in the dataset.
        finished: Whether it is over.
    """

    dataset_generator: DatasetInterface
    script: list[str] = field(default_factory=list)
    expected_responses: Any = None
    can_be_interleaved: bool = True
    uses_callback: bool = False
    is_temporal: bool = False
    example_id: str = ""
    is_question: list[bool] = field(default_factory=list)
    number_of_questions: int = 0
    finished: bool = False
    waits: list[dict[str, Any]] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)

    __test__: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.number_of_questions = sum(self.is_question)
        if isinstance(self.script, str):
            raise ScoringError(f"the script of a test is a list of messages, not {self.script!r}")

    @property
    def dataset_name(self) -> str:
        """The name of its dataset."""
        return self.dataset_generator.name

    @property
    def unique_id(self) -> str:
        """Dataset and id."""
        return f"{self.dataset_name} - {self.example_id}"

    @cached_property
    def random(self) -> random.Random:
        """Random numbers of its own, the same whenever it runs; seeded once the id is known.

        Raises:
            ScoringError: It has no id yet.
        """
        if not self.example_id:
            raise ScoringError("a test has no random numbers before it has an id")
        return random.Random(self.unique_id)

    def action_iter(self) -> Iterator[TestAction]:
        """The actions of the script, each message with its wait.

        Raises:
            ScoringError: Script, questions and waits do not fit together.
        """
        extra = 1 if self.is_temporal else 0
        if len(self.is_question) != len(self.script) + extra:
            raise ScoringError(
                f"{self.unique_id}: {len(self.is_question)} flags for {len(self.script)} messages"
            )
        if len(self.waits) != len(self.is_question):
            raise ScoringError(
                f"{self.unique_id}: {len(self.waits)} waits for {len(self.is_question)} messages"
            )
        messages = [*self.script, ""] if self.is_temporal else list(self.script)
        for message, wait, question in zip(messages, self.waits, self.is_question, strict=True):
            registers = self.uses_callback and question
            kind = SendAndRegisterAction if registers else SendMessageAction
            yield kind(message, is_question=question)
            if any(wait.values()):
                yield WaitCreator.action(wait)
        # The callback says when it is over; until then the test gives way.
        while self.uses_callback and not self.finished:
            yield WaitAction(tokens=1)

    def default_waits(self, memory_span: int) -> None:
        """Spread the messages over nine tenths of the memory span, if no waits are given."""
        if self.waits or not self.is_question:
            return
        gaps = len(self.is_question) - 1
        self.waits = [
            WaitCreator.create_wait(percentage_finished=(i + 1) * 90 / gaps) for i in range(gaps)
        ]
        self.waits.append({})
        if sum(map(len, self.script)) > 8 * memory_span:
            raise ScoringError(f"{self.unique_id}: its messages do not fit {memory_span} tokens")

    def definition(self) -> dict[str, Any]:
        """The test as a definition file holds it."""
        return {
            "script": list(self.script),
            "is_question": list(self.is_question),
            "waits": [WaitCreator.serialise(wait) for wait in self.waits],
            "expected_responses": self.expected_responses,
            "can_be_interleaved": self.can_be_interleaved,
            "is_temporal": self.is_temporal,
            "uses_callback": self.uses_callback,
        }


class CallBackTestExample(TestExample):
    """A test that its dataset's ``continual_evaluation_callback`` evaluates."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.uses_callback = True
