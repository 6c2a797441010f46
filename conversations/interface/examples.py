"""Tests: what is said to the agent, when, and what is expected."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from evalmark.conversations.interface.actions import (
    SendAndRegisterAction,
    SendMessageAction,
    TestAction,
    WaitAction,
    WaitCreator,
)
from evalmark.schemas.errors import ScoringError

if TYPE_CHECKING:
    from evalmark.conversations.interface.interface import DatasetInterface


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
        return random.Random(self.unique_id)  # noqa: S311 - no secret

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


@dataclass(eq=False)
class DynamicExample(TestExample):
    """A test that makes its messages as it goes.

    Write ``action_iter``: yield ``self.say(...)`` and ``self.wait(...)``, read
    ``self.action.reply`` after a message, add to ``self.score`` (0 to 1) and to
    ``self.reasoning``.

    Attributes:
        score: What has been reached.
        max_score: Deprecated: what can be reached. Leave it at 1.
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
        # A class that is no dataclass may say its greatest score as a class attribute.
        declared = type(self).max_score
        self.max_score = declared if self.max_score == 1 else self.max_score

    def action_iter(self) -> Iterator[TestAction]:
        """The actions of the test; to be written."""
        raise NotImplementedError(f"{type(self).__name__} has no action_iter")

    def say(self, message: str, question: bool = False) -> SendMessageAction:
        """A message; a question joins the script, and its reply is evaluated."""
        if question:
            self.script.append(message)
            self.is_question.append(True)
            self.number_of_questions += 1
        self.action = SendMessageAction(message, is_question=question)
        return self.action

    def ask_llm(
        self,
        context: str | list[dict[str, str]],
        temperature: float = 0,
        max_tokens: int = 256,
    ) -> str:
        """What the judge says to a prompt or to messages; its cost is that of the run.

        Raises:
            NotJudged: The run has no judge.
        """
        return self.dataset_generator.ask_llm(context, temperature, max_tokens)

    def definition(self) -> dict[str, Any]:
        """A dynamic test has nothing to write down before it runs."""
        empty: dict[str, Any] = {"script": [], "is_question": [], "waits": []}
        flags = {"can_be_interleaved": True, "is_temporal": False, "uses_callback": False}
        return {**empty, "expected_responses": [], **flags}


def spoken(time: timedelta) -> str:
    """A time as people say it: ``1 day, 2 hours and 5 minutes``; at least a minute."""
    minutes = max(int(time.total_seconds() // 60), 1)
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    parts = [
        f"{count} {unit}{'' if count == 1 else 's'}"
        for count, unit in ((days, "day"), (hours, "hour"), (minutes, "minute"))
        if count
    ]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
