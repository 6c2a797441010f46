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

#: Score, maximum score (deprecated: leave it at 1), and a reason for each question.
Evaluation = tuple[float, float, list[str]]
#: Messages, temperature, maximum number of tokens, and the model if the dataset names one → the
#: judge's reply.
Ask = Callable[[list[dict[str, str]], float, int, str | None], str]
#: Number of tests of a dataset if no number is given.
EXAMPLES = 3


@dataclass
class DatasetInterface(WaitCreator, ABC):
    """A dataset: it makes tests and scores the replies.

    Write ``generate_examples``, and either ``evaluate_correct`` or
    ``continual_evaluation_callback``. Where there is a callback, it scores the tests in lieu of
    ``evaluate_correct``. A field can be an argument, a class attribute or a property.

    Attributes:
        name: Its name, which is also the name of its folders.
        description: What it tests.
        question: The question, if it is the same for all tests.
        memory_span: Number of tokens over which a test is spread.
        seed: The same seed makes the same tests.
        uses_callback: Whether the callback scores the replies; true where a class defines one.
        reset_message: Sent after a test when others follow in the same conversation.
        max_message_size: Maximum number of tokens in a message of filler talk.
        ask: How ``ask_llm`` asks the judge; set by the runner. None: there is no judge.
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
        # A class that is not a dataclass can set these as class attributes.
        for entry in fields(self):
            default = None if entry.default is MISSING else entry.default
            declared = getattr(type(self), entry.name, default)
            if isinstance(declared, property):
                continue
            if getattr(self, entry.name) == default and declared != default:
                setattr(self, entry.name, declared)
        self.name = self.name or type(self).__name__

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; a class that defines a field as a property has decided its value."""
        own = getattr(type(self), name, None)
        decided = isinstance(own, property) and own.fset is None
        if decided and name in type(self).__dataclass_fields__:
            return
        super().__setattr__(name, value)

    @classmethod
    def implements(cls, method: str) -> bool:
        """Whether a class defines a method that the interface leaves to it."""
        return getattr(cls, method) is not getattr(DatasetInterface, method)

    @cached_property
    def random(self) -> random.Random:
        """A random number generator with the seed of the dataset."""
        return random.Random(f"{self.name} {self.seed}")

    @abstractmethod
    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Make tests. A class that decides how many can leave the argument out."""

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Score a test by its questions, the replies and the expected answers."""
        raise NotImplementedError(f"{self.name} has no evaluate_correct")

    def evaluate_correct_gpt(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """The share of questions whose replies a judge accepts.

        Raises:
            NotJudged: There is no judge, or its answer cannot be parsed.
            ScoringError: The numbers of questions, replies and expected answers differ.
        """
        expected = [expected_answers] if isinstance(expected_answers, str) else expected_answers
        if not len(questions) == len(responses) == len(expected):
            raise ScoringError(
                f"{self.name}: {len(questions)} questions, {len(responses)} replies, "
                f"{len(expected)} expected"
            )
        right, reasons = 0, []
        for question, response, answer in zip(questions, responses, expected, strict=True):
            holds, reason = checked(
                self.ask_llm(checklist(question, response, answer), max_tokens=512)
            )
            right += holds
            reasons.append(reason)
        return right / len(questions), 1, reasons

    def continual_evaluation_callback(
        self, scheduler: Any, example: TestExample, task_log: list[str]
    ) -> tuple[float, float, list[str], bool]:
        """Called after every turn; must set ``example.finished`` when the score is decided.

        Args:
            scheduler: The state of the run; see ``SchedulerView``.
            example: The test.
            task_log: All lines since the test began, ``Test (time): text`` and
                ``Agent (time): text``.

        Returns:
            Score, maximum score, reasons, and whether the score is decided.
        """
        raise NotImplementedError(f"{self.name} uses a callback, but does not define one")

    def create_question(
        self, example: TestExample, statement_times: list[datetime], now: datetime
    ) -> str:
        """Write the last question of a temporal test, at the time it is asked."""
        raise NotImplementedError(f"{self.name} is temporal, but has no create_question")

    def ask_llm(
        self,
        context: str | Sequence[dict[str, str]],
        model: str | None = None,
        temperature: float = 0,
        max_tokens: int = 256,
    ) -> str:
        """The judge's reply to a prompt or to messages; the run pays for it.

        Args:
            context: The prompt, or messages with ``role`` and ``content``.
            model: The model to ask, at an endpoint for which the run names no judge. By default
                ``DEFAULT_JUDGE``.
            temperature: Sampling temperature.
            max_tokens: Maximum number of tokens in the reply.

        Raises:
            NotJudged: The run has no judge.
        """
        if self.ask is None:
            raise NotJudged(f"{self.name} needs a judge")
        messages = [{"role": "user", "content": context}] if isinstance(context, str) else context
        return self.ask(list(messages), temperature, max_tokens, model)


@dataclass(eq=False)
class TestExample:
    """A scripted test.

    Attributes:
        dataset_generator: Its dataset, which scores it.
        script: The messages, in order.
        expected_responses: The expected answers, in whatever shape the dataset uses.
        is_question: For each message, whether its reply is scored. A temporal test has one more:
            its last question is written when it is asked.
        waits: For each message, the wait after it, as ``WaitCreator`` makes it.
        uses_callback: Whether the dataset's callback scores the test. None: if there is one.
        is_temporal: Whether ``create_question`` writes the last question.
        can_be_interleaved: Whether other tests may run while this one waits.
        example_id: Unique in the dataset.
        finished: Whether the test has ended.
    """

    dataset_generator: DatasetInterface
    script: list[str] = field(default_factory=list)
    expected_responses: Any = None
    can_be_interleaved: bool = True
    uses_callback: bool | None = None
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
        if self.uses_callback is None:
            dataset = self.dataset_generator
            there = dataset.implements("continual_evaluation_callback")
            self.uses_callback = dataset.uses_callback or there

    @property
    def dataset_name(self) -> str:
        """The name of its dataset."""
        return self.dataset_generator.name

    @property
    def unique_id(self) -> str:
        """Dataset and id, as one string."""
        return f"{self.dataset_name} - {self.example_id}"

    @cached_property
    def random(self) -> random.Random:
        """A random number generator of this test, seeded with its id.

        Raises:
            ScoringError: The test has no id yet.
        """
        if not self.example_id:
            raise ScoringError("random numbers of a test are available only after it has an id")
        return random.Random(self.unique_id)

    def action_iter(self) -> Iterator[TestAction]:
        """The actions of the script, each message with its wait.

        Raises:
            ScoringError: Script, questions and waits differ in length, or there is a callback and
                no question from which on it is called.
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
        if self.uses_callback and not any(self.is_question):
            raise ScoringError(f"{self.unique_id}: a callback is called from the first question on")
        messages = [*self.script, ""] if self.is_temporal else list(self.script)
        for message, wait, question in zip(messages, self.waits, self.is_question, strict=True):
            registers = self.uses_callback and question
            kind = SendAndRegisterAction if registers else SendMessageAction
            yield kind(message, is_question=question)
            if any(wait.values()):
                yield WaitCreator.action(wait)
        # The callback decides when the test ends; until then other tests have their turn.
        while self.uses_callback and not self.finished:
            yield WaitAction(tokens=1)

    def default_waits(self, memory_span: int) -> None:
        """Spread the messages over 90 % of the memory span, unless there are waits."""
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
            "uses_callback": bool(self.uses_callback),
        }


class CallBackTestExample(TestExample):
    """A test that is scored by its dataset's ``continual_evaluation_callback``."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.uses_callback = True
