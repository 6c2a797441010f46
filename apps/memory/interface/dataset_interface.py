"""Datasets, their tests and actions; the two classes of each kind know each other."""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from evalmark.memory.evaluation.llm_judge import Ask, AsksJudge, Evaluation
from evalmark.memory.evaluation.texts import about_tokens
from evalmark.memory.interface.dataset_files import HasFiles, definition_path
from evalmark.memory.interface.user_code import short
from evalmark.schemas.errors import ScoringError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import json_bytes, write_atomically


@dataclass
class TestAction:
    """An action that a test yields."""

    __test__: ClassVar[bool] = False  # pytest takes it for a class of tests by its name


@dataclass
class SendMessageAction(TestAction):
    """Send a message to the agent.

    The runner sets ``reply``, ``sent_ts`` and ``reply_ts`` before it asks the test for its next
    action. A dynamic test reads them.

    Attributes:
        message: The text; empty for the question of a temporal test, which is written when it is
            sent.
        is_question: Whether the reply is evaluated.
        reply: The agent's reply.
        sent_ts: When the message was sent, by the clock of the run.
        reply_ts: When the reply arrived.
        is_filling: Whether the message belongs to no task; only for readers.
        filler_response: A reply that is given: the agent is told message and reply, and not asked.
            An empty text is not told, so a turn of one side can stand alone.
        date: When the message was said, if the test states it: a ``datetime``, or ISO 8601.
    """

    message: str
    reply: str | None = None
    reply_ts: datetime | None = None
    sent_ts: datetime | None = None
    is_question: bool = False
    is_filling: bool = False
    filler_response: str | None = None
    date: datetime | str | None = None


@dataclass
class SendAndRegisterAction(SendMessageAction):
    """Send a message, and call the dataset's callback after every turn from then on."""


@dataclass
class WaitAction(TestAction):
    """Wait until all conditions are met.

    Attributes:
        tokens: Number of tokens of conversation.
        time: Time by the clock of the run.
        percentage_finished: Percentage of the memory span since the test began.
    """

    tokens: int = 0
    time: timedelta = field(default_factory=timedelta)
    percentage_finished: float = 0.0


@dataclass
class TestFinishedAction(TestAction):
    """End the test, even if its script has more messages."""


class WaitCreator:
    """Waits as definitions write them; ``{}`` is not a wait."""

    @staticmethod
    def create_wait(
        tokens: int | None = None,
        time: timedelta | float | None = None,
        percentage_finished: float | None = None,
    ) -> dict[str, Any]:
        """A wait with the given conditions."""
        conditions = {"tokens": tokens, "time": time, "percentage_finished": percentage_finished}
        return {key: value for key, value in conditions.items() if value is not None}

    @staticmethod
    def unserialise(wait: dict[str, Any]) -> dict[str, Any]:
        """A wait as a definition file has it, with its time as a ``timedelta``."""
        return {**wait, "time": timedelta(seconds=wait["time"])} if "time" in wait else dict(wait)

    @staticmethod
    def serialise(wait: dict[str, Any]) -> dict[str, Any]:
        """A wait as JSON; its time is in seconds, including days and fractions."""
        time = wait.get("time")
        if not isinstance(time, timedelta):
            return dict(wait)
        seconds = time.total_seconds()
        return {**wait, "time": int(seconds) if seconds.is_integer() else seconds}

    @staticmethod
    def action(wait: dict[str, Any]) -> WaitAction:
        """The action of a wait.

        Raises:
            ScoringError: A condition is negative, or more than the whole span.
        """
        time = wait.get("time", 0)
        time = time if isinstance(time, timedelta) else timedelta(seconds=time)
        action = WaitAction(wait.get("tokens", 0), time, wait.get("percentage_finished", 0.0))
        check_wait(action)
        return action


def check_wait(action: WaitAction) -> None:
    """Check the conditions of a wait."""
    if action.tokens < 0 or action.time < timedelta() or not 0 <= action.percentage_finished <= 100:
        raise ScoringError(f"invalid wait: {action}")


#: Messages of a conversation: ``content`` and ``timestamp``.
Context = Sequence[Mapping[str, Any]]
#: Questions, replies and expected answers → score, maximum score and reasons.
Evaluator = Callable[[list[str], list[str], list[Any]], tuple[float, float, list[str]]]


def _place(context: Context, content: str, when: str | None = None) -> int:
    for place, message in enumerate(context):
        if message["content"] == content and when in (None, str(message["timestamp"])):
            return place
    raise ScoringError(f"the conversation does not have the message {content[:80]!r}")


def as_text(date: datetime | str | None) -> str | None:
    """A date as ISO 8601; raises ScoringError if it is not a date."""
    if not isinstance(date, str):
        return date.isoformat() if date is not None else None
    try:
        datetime.fromisoformat(date)
    except ValueError:
        raise ScoringError(f"{date!r} is not a date like 2023-05-20T14:30") from None
    return date


#: Number of tests of a dataset if no number is given.
EXAMPLES = 3


@dataclass
class DatasetInterface(WaitCreator, AsksJudge, HasFiles, ABC):
    """A dataset: it makes tests and scores the replies.

    Write ``generate_examples``, and either ``evaluate_correct`` or
    ``continual_evaluation_callback``. Where there is a callback, it scores the tests in lieu of
    ``evaluate_correct``. A field can be an argument, a class attribute or a property.

    Attributes:
        name: Its name, which is also the name of its folders.
        description: The ability that it tests.
        question: The question, if it is the same for all tests.
        memory_span: Number of tokens over which a test is spread.
        seed: The same seed makes the same tests.
        uses_callback: Whether the callback scores the replies; true where a class defines one.
        reset_message: Sent after a test when others follow in the same conversation.
        max_message_size: Maximum number of tokens in a message of filler talk.
        cost_callback: Call it with the dollars that the class itself has spent; set by the runner.
        ask: How ``ask_llm`` asks the judge; set by the runner. None: there is no judge.
        needs_judge: Set it in a class whose tests ask the judge while they run (in ``action_iter``
            or the callback): without a judge, they are then not judged before the first message.
    """

    needs_judge: ClassVar[bool] = False

    name: str = ""
    description: str = ""
    question: str = ""
    memory_span: int = 0
    seed: int = 0
    uses_callback: bool = False
    reset_message: str = ""
    max_message_size: int = 1024
    cost_callback: Callable[[float], object] | None = field(default=None, repr=False)
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

    def __init_subclass__(cls, **rest: Any) -> None:
        """A class that defines a field as a property has decided its value: it is not assigned."""
        super().__init_subclass__(**rest)
        for name in (*cls.__dataclass_fields__, *vars(cls).get("__annotations__", ())):
            attribute = getattr(cls, name, None)
            if isinstance(attribute, property) and attribute.fset is None:
                setattr(cls, name, attribute.setter(lambda _, __: None))

    @classmethod
    def implements(cls, method: str) -> bool:
        """True if a class defines a method that the interface leaves to it."""
        return getattr(cls, method) is not getattr(DatasetInterface, method)

    @cached_property
    def random(self) -> random.Random:
        """A random number generator with the seed of the dataset; another one can be assigned."""
        return random.Random(f"{self.name} {self.seed}")

    def create_example(self, **rest: Any) -> TestExample:
        """Make a test; ``rest`` are fields of ``TestExample``."""
        kind = CallBackTestExample if rest.get("uses_callback") else TestExample
        return kind(self, **rest)

    def count_questions(self, is_question: Sequence[bool]) -> int:
        """The number of messages that are questions."""
        return sum(map(bool, is_question))

    def evaluation_fn(self) -> Evaluator:
        """``evaluate_correct``, with scores from 0 to 1."""

        def evaluator(
            questions: list[str], responses: list[str], expected_answers: list[Any]
        ) -> tuple[float, float, list[str]]:
            score, greatest, reasons = self.evaluate_correct(questions, responses, expected_answers)
            return (score / greatest if greatest > 0 else 0.0), 1, reasons

        return evaluator

    def tokens_to_answer(
        self, test_context: Context, full_context: Context, example: TestExample
    ) -> tuple[int, int]:
        """Characters and tokens of a conversation since the first message of a test.

        Tokens are estimated: four bytes are one. Results of runs have those of the agent.

        Args:
            test_context: The messages of the test: ``content`` and ``timestamp``.
            full_context: All messages.
            example: The test.

        Raises:
            ScoringError: The conversation does not have that message.
        """
        first = example.script[0]
        when = str(test_context[_place(test_context, first)]["timestamp"])
        messages = full_context[_place(full_context, first, when) :]
        text = "".join(str(message["content"]) for message in messages)
        return len(text), about_tokens(text)

    @abstractmethod
    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Make tests. A class that decides how many can leave the argument out."""

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Score a test by its questions, the replies and the expected answers."""
        raise NotImplementedError(f"{self.name} has no evaluate_correct")

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
        self, example: TestExample, statement_times: list[datetime], time_now: datetime
    ) -> str:
        """Write the last question of a temporal test, at the time it is asked."""
        raise NotImplementedError(f"{self.name} is temporal, but has no create_question")


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
        start_token: Number of tokens in the run when the test began; set by the runner.
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
    start_token: int = 0
    _actions: Iterator[TestAction] | None = field(default=None, init=False, repr=False)
    _spread: bool = field(default=False, init=False, repr=False)  # whether nobody gave its waits

    __test__: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.number_of_questions = sum(self.is_question)
        self.require_texts()
        if self.uses_callback is None:
            dataset = self.dataset_generator
            there = dataset.implements("continual_evaluation_callback")
            self.uses_callback = dataset.uses_callback or there
        if self.dataset_generator.memory_span:
            self.default_waits()

    def require_texts(self) -> None:
        """Accept a script only if it is a list of texts.

        Raises:
            ScoringError: It is something else.
        """
        if not isinstance(self.script, list | tuple):
            raise ScoringError(
                f"the script of a test is a list of messages, not {short(self.script)}"
            )
        for number, message in enumerate(self.script):
            if not isinstance(message, str):
                raise ScoringError(f"script[{number}] of a test is not a text: {short(message)}")

    @property
    def dataset_name(self) -> str:
        """The name of its dataset."""
        return self.dataset_generator.name

    @property
    def unique_id(self) -> str:
        """Dataset and id, as one string."""
        return f"{self.dataset_name} - {self.example_id}"

    @property
    def description(self) -> str:
        """The description of its dataset."""
        return self.dataset_generator.description

    @property
    def reset_message(self) -> str:
        """The message of its dataset after a test when others follow in the same conversation."""
        return self.dataset_generator.reset_message

    @property
    def needs_judge_to_run(self) -> bool:
        """True if a judge has to take part in the conversation, as its class says."""
        return bool(self.uses_callback) and self.dataset_generator.needs_judge

    @property
    def evaluation_fn(self) -> Evaluator:
        """The function that scores it: questions, replies, expected answers → score, 1, reasons."""
        return self.dataset_generator.evaluation_fn()

    @cached_property
    def random(self) -> random.Random:
        """Random numbers of this test, seeded with its id, without which they are an error."""
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
        messages = [*self.script, ""] if self.is_temporal else self.script
        for message, wait, question in zip(messages, self.waits, self.is_question, strict=True):
            registers = self.uses_callback and question
            kind = SendAndRegisterAction if registers else SendMessageAction
            yield kind(message, is_question=question)
            if any(wait.values()):
                yield WaitCreator.action(wait)

    def step(self) -> TestAction | None:
        """The next action; None, and the test is finished, after the last one.

        A test with a callback waits after its script, one token at a time, until the callback ends
        it; meanwhile other tests have their turn.

        Raises:
            ScoringError: The test has ended.
        """
        if self.finished:
            raise ScoringError(f"{self.unique_id} has ended")
        if self._actions is None:
            self._actions = self.action_iter()
        try:
            return next(self._actions)
        except StopIteration:
            if self.uses_callback:
                return WaitAction(tokens=1)
            self.finished = True
            return None

    def default_waits(self, memory_span: int | None = None) -> None:
        """Spread the messages over 90 % of the memory span, unless there are waits.

        Args:
            memory_span: By default that of the dataset.
        """
        is_longer = self._spread and len(self.waits) != len(self.is_question)
        if not self.is_question or (self.waits and not is_longer):
            return
        self._spread = True
        memory_span = self.dataset_generator.memory_span if memory_span is None else memory_span
        gaps = len(self.is_question) - 1
        self.waits = [
            WaitCreator.create_wait(percentage_finished=(i + 1) * 90 / gaps) for i in range(gaps)
        ]
        self.waits.append({})
        if memory_span and sum(map(len, self.script)) > 8 * memory_span:
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

    def to_dict(self) -> dict[str, Any]:
        """The test as a definition file holds it."""
        return self.definition()

    def get_path(self, run_name: str | Path) -> Path:
        """The path of its definition in the folder of a run."""
        return definition_path(run_name, self.dataset_name, self.example_id)

    def save(self, run_name: str | Path, exist_ok: bool = False) -> None:
        """Write its definition into the folder of a run.

        Raises:
            ScoringError: The file exists, unless that is ``exist_ok``.
        """
        path = self.get_path(run_name)
        if path.exists() and not exist_ok:
            raise ScoringError(f"{path} exists; give exist_ok=True to replace it")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json_bytes(self.to_dict()))

    @classmethod
    def load(cls, dataset_generator: DatasetInterface, file_path: str | Path) -> TestExample:
        """The test of a definition file, as the dataset's ``create_example`` makes it."""
        path = Path(file_path)
        data: dict[str, Any] = json.loads(read_whole(path))
        data["waits"] = [WaitCreator.unserialise(wait) for wait in data["waits"]]
        identity = path.name.removesuffix(".def.json")
        return dataset_generator.create_example(example_id=identity, **data)


class CallBackTestExample(TestExample):
    """A test that is scored by its dataset's ``continual_evaluation_callback``."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.uses_callback = True


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
        """True if a judge has to take part in the conversation, as its class says."""
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
