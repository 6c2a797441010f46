"""Runs tests: decides which is next, when time advances, and when filler talk is needed.

A wait can require tokens of conversation, time, and a percentage of the memory span since the test
began; it ends when all of them are reached. Tokens are counted by the agent's own tokenizer; for an
endpoint, four bytes count as one token. When every running test waits, another one begins (never
two of a dataset at once, nor of incompatible datasets). When none can begin, the clock jumps to the
earliest time that a test waits for. When no test waits for time, filler talk provides the tokens:
seeded sums and questions of general knowledge. The right replies to them are put into the
conversation, unless a callback is active.

The run has its own clock, in UTC. It starts with the run, advances by the duration of each
exchange, and jumps; durations in ``runstats.json`` are without the jumps. If ``SOURCE_DATE_EPOCH``
is set, the clock starts there and replies take no time: two runs with the same replies are then
equal byte for byte, and speeds and durations are 0.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from evalmark.memory.interface.dataset_interface import (
    DynamicExample,
    SendAndRegisterAction,
    SendMessageAction,
    TestAction,
    TestExample,
    TestFinishedAction,
    WaitAction,
    as_text,
    check_wait,
)
from evalmark.memory.interface.user_code import at, defined_at, short
from evalmark.memory.running.dialogue import Dialogue, Exchange
from evalmark.memory.running.outcome import (
    FAILED,
    SCORED,
    Outcome,
    evaluated,
    finished_by_callback,
    needles,
    without_score,
)
from evalmark.memory.running.run_log import END
from evalmark.schemas.errors import (
    AgentError,
    AgentRefused,
    NotJudged,
    OtherRun,
    ScoringError,
    UnknownNameError,
)

_THINGS = (
    ("hexagon", "sides", 6), ("spider", "legs", 8), ("week", "days", 7), ("octave", "notes", 8),
    ("chessboard", "squares", 64), ("cube", "edges", 12), ("leap year", "days", 366),
    ("violin", "strings", 4), ("insect", "legs", 6), ("dozen", "pieces", 12),
    ("tetrahedron", "faces", 4), ("gross", "pieces", 144), ("decade", "years", 10),
    ("minute", "seconds", 60), ("triangle", "corners", 3), ("century", "years", 100),
)  # fmt: skip
_SUMS: tuple[tuple[str, Callable[[int, int], int]], ...] = (
    ("What is {a} plus {b}?", lambda a, b: a + b),
    ("What is {a} times {b}?", lambda a, b: a * b),
    ("How much is {a} less {b}?", lambda a, b: a - b),
)


class Filler:
    """Pairs of questions and answers, drawn with a seed."""

    def __init__(self, count: Callable[[str], int], seed: int = 0) -> None:
        self._count = count
        self._random = random.Random(f"filler {seed}")

    def message(self, tokens: int) -> tuple[str, str]:
        """A message of about ``tokens`` tokens with at least one question, and the right reply.

        Questions are numbered and the reply is a JSON list, so both are the same for every agent.
        """
        questions: list[str] = []
        answers: list[str] = []
        text = _HEAD
        while not questions or self._count(text) + self._count(json.dumps(answers)) < tokens:
            question, answer = self._pair()
            questions.append(question)
            answers.append(answer)
            text = "\n".join([_HEAD, *(f"{n}. {q}" for n, q in enumerate(questions, 1))])
        return text, json.dumps(answers)

    def _pair(self) -> tuple[str, str]:
        r = self._random
        if r.random() < 0.5:
            thing, parts, count = r.choice(_THINGS)
            return f"How many {parts} has a {thing}?", str(count)
        text, result = r.choice(_SUMS)
        a, b = r.randrange(10, 100), r.randrange(2, 10)
        return text.format(a=a, b=b), str(result(a, b))


_HEAD = "Here are a few questions in between. Answer with a JSON list of short texts, in order."


@dataclass(eq=False, slots=True)
class RunningTest:
    """A running test."""

    example: TestExample
    actions: Iterator[TestAction]  # what it still has to do
    number: int  # tests are numbered in the order in which they began
    began: int  # exchanges in the run before it began
    start_tokens: int  # tokens in the run before it began
    token_target: int = 0  # tokens in the run at which its wait ends
    time_target: datetime | None = None  # time at which its wait ends
    waiting: bool = False  # whether it waits
    registered: bool = False  # whether its callback is listening
    scripted: int = 0  # messages of its script
    nudges: int = 0  # number of turns that were added for its callback
    waits: int = 0  # number of its waits, but those for its callback
    #: Its exchanges: index in the run, exchange, and whether it was a question.
    exchanges: list[tuple[int, Exchange, bool]] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Dataset and id."""
        return self.example.unique_id

    @property
    def expected(self) -> tuple[str, ...]:
        """The texts that its replies may have to contain."""
        return (json.dumps(self.example.expected_responses, ensure_ascii=False, default=str),)

    def questions_and_replies(self) -> tuple[list[str], list[str]]:
        """Its questions and the replies to them."""
        pairs = [(exchange.message, exchange.reply) for _, exchange, asks in self.exchanges if asks]
        return [message for message, _ in pairs], [reply for _, reply in pairs]

    def outcome(
        self, dialogue: Dialogue, state: str, score: float | None, reasons: list[str]
    ) -> Outcome:
        """The outcome of the test, with what was said and how much."""
        questions, responses = self.questions_and_replies()
        whole = dialogue.exchanges[self.began :]
        exchanges = [exchange for exchange in whole if self.registered or exchange.test == self.id]
        tokens, characters = self._size(dialogue)
        expected: list[object] = list(self.example.expected_responses or [])
        if isinstance(self.example, DynamicExample):
            expected += ["(decided as the test goes)"] * (len(questions) - len(expected))
        return Outcome(
            example=self.example,
            state=state,
            score=score,
            reasons=[str(reason) for reason in reasons],
            questions=questions,
            responses=responses,
            expected=expected,
            task_log=[line for exchange in exchanges for line in exchange.lines],
            full_log=[line for exchange in whole for line in exchange.lines],
            tokens=tokens,
            characters=characters,
            needles=needles(self.example, len(self.exchanges)),
        )

    def _size(self, dialogue: Dialogue) -> tuple[int, int]:
        """Tokens and characters from its first message to its last question."""
        questions = [at for at, _, asks in self.exchanges if asks]
        if not questions:
            return 0, 0
        before = dialogue.sizes[self.began - 1] if self.began else (0, 0)
        last, reply = dialogue.sizes[questions[-1]], dialogue.exchanges[questions[-1]].reply
        return last[0] - before[0] - dialogue.agent.count(reply), last[1] - before[1] - len(reply)


#: Mode -> what it makes of the waits of a test.
MODES = {
    "filled": "each test had a fresh agent; filler talk was sent between the messages of the test",
    "isolated": (
        "each test had a fresh agent; waits only advanced the clock, and nothing was sent between "
        "the messages of the test"
    ),
    "interleaved": "one conversation: other tests and filler talk took place while a test waited",
}

#: Tokens of filler talk for a callback that waits for replies.
NUDGE = 100
#: Messages after which a test that has not ended has failed; those of a script do not count.
MESSAGES = 1000

INTRO = (
    "In this conversation several things are tested at once, memory above all. Tests take turns, "
    "and there is other talk in between. Keep to what you are told until you are told otherwise."
)


@dataclass(frozen=True, slots=True)
class SchedulerView:
    """The state of the run, for callbacks."""

    now: datetime
    total_tokens: int
    memory_span: int


@dataclass(eq=False)
class Runner:
    """Runs tests with an agent, in the order of their ids."""

    tests: Sequence[TestExample]
    session: Dialogue
    mode: str = "isolated"  # one of `MODES`
    memory_span: int = 2000  # tokens in a wait of 100 %, unless a dataset sets it
    incompatible: Sequence[frozenset[str]] = ()  # datasets whose tests never run at the same time
    filler_seed: int = 0
    max_messages: int = MESSAGES  # of a test, without those of a script
    max_seconds: float | None = None  # that agent and judge may take for a test
    done: Callable[[Outcome], None] = lambda _: None  # called with each outcome

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UnknownNameError("mode", self.mode, MODES)
        self._left = sorted(self.tests, key=lambda test: test.unique_id)
        self._clock = self.session.clock
        self._filler = Filler(self.session.agent.count, self.filler_seed)
        self._running: list[RunningTest] = []
        self._count = 0
        self.outcomes: list[Outcome] = []

    def run(self) -> list[Outcome]:
        """Run all tests. An error in a test is its outcome; the other tests run."""
        if self.mode == "interleaved" and self._left and not self.session.exchanges:
            self._introduce()
        reported = 0
        while self._left or self._running:
            running = self._next()
            if running is not None:
                self._guard(running, self._advance)
            for listener in [entry for entry in self._running if entry.registered]:
                self._guard(listener, self._call_back)
            # Outside of the guard: an error of the caller is not one of the test.
            for outcome in self.outcomes[reported:]:
                self.done(outcome)
            reported = len(self.outcomes)
        return self.outcomes

    def _introduce(self) -> None:
        # The reply does not matter: if the agent fails, so will the tests.
        try:
            self.session.say("", "intro", INTRO)
        except AgentRefused:
            raise
        except AgentError:
            pass

    # which is next

    def _next(self) -> RunningTest | None:
        """The test that runs next; None after filler talk or a jump in time."""
        now, tokens = self._clock.now(), self.session.totals.tokens
        waiting = [entry for entry in self._running if entry.waiting]
        ready = [
            entry
            for entry in waiting
            if entry.token_target <= tokens and (entry.time_target or now) <= now
        ]
        if ready:
            return min(ready, key=lambda entry: (entry.token_target, entry.number))
        begun = self._begin_compatible()
        if begun is not None:
            return begun
        later = [entry.time_target for entry in waiting if (entry.time_target or now) > now]
        if later:
            target = min(time for time in later if time is not None)
            self._clock.set(target + timedelta(seconds=1))
            self.session.log.event("jump", to=self._clock.now().isoformat())
            return None
        self._talk(min(entry.token_target for entry in waiting) - tokens)
        return None

    def _begin_compatible(self) -> RunningTest | None:
        for example in self._left:
            if all(self._fits(example, entry.example) for entry in self._running):
                # By identity: tests of users may be equal, or hard to compare.
                self._left = [test for test in self._left if test is not example]
                return self._begin(example)
        return None

    def _fits(self, left: TestExample, right: TestExample) -> bool:
        if self.mode != "interleaved" or left.dataset_name == right.dataset_name:
            return False
        if not (left.can_be_interleaved and right.can_be_interleaved):
            return False
        pair = {left.dataset_name, right.dataset_name}
        return not any(pair <= names for names in self.incompatible)

    def _begin(self, example: TestExample) -> RunningTest:
        if self.mode != "interleaved":
            self.session.replaying_agent.reset()
        tokens = self.session.totals.tokens
        self.session.log.event("begin", test=example.unique_id, tokens=tokens)
        self._count += 1
        began = len(self.session.exchanges)
        running = RunningTest(
            example, iter(()), self._count, began, tokens, scripted=len(example.is_question)
        )
        self._running.append(running)
        # An error before the first message is an error of the test.
        self._guard(running, self._begin_test)
        return running

    def _begin_test(self, running: RunningTest) -> None:
        """Begin a test, unless it asks a judge while it runs, and there is none."""
        if self.session.judge is None and running.example.needs_judge_to_run:
            raise NotJudged(f"{running.example.dataset_name} needs a judge")
        running.example.start_token = running.start_tokens
        running.actions = iter(running.example.step, None)

    def _talk(self, tokens: int) -> None:
        """Fill the wait until a test is ready. The agent is asked only if a callback listens."""
        listening = [entry for entry in self._running if entry.registered]
        largest = min(entry.example.dataset_generator.max_message_size for entry in self._running)
        message, reply = self._filler.message(min(max(tokens, NUDGE if listening else 1), largest))
        try:
            talk = self.session.say("", "filler", message, reply=None if listening else reply)
        except (OtherRun, AgentRefused):
            raise
        except ScoringError as error:
            # Without talk, nobody's wait for tokens ends.
            for entry in listening or list(self._running):
                self._end_test(entry, FAILED, None, [str(error)])
            return
        for entry in listening:
            entry.nudges += 1
            self.session.seconds[entry.id] += (talk.replied - talk.sent).total_seconds()

    # one test

    def _guard(self, running: RunningTest, work: Callable[[RunningTest], None]) -> None:
        """Do something for a test. An error ends this test and no other."""
        if running not in self._running:
            return
        self.session.current = (running.id, running.example.dataset_name)
        try:
            work(running)
        except (OtherRun, AgentRefused):
            raise
        except (Exception, SystemExit) as error:  # code of users
            state, reasons = without_score(error)
            self._end_test(running, state, None, reasons)
        finally:
            self.session.current = ("", "")

    def _advance(self, running: RunningTest) -> None:
        running.waiting = False
        for action in running.actions:
            self._require_end(running)
            if isinstance(action, SendMessageAction):
                self._send(running, action)
            elif isinstance(action, WaitAction):
                self._wait(running, action)
                return
            elif isinstance(action, TestFinishedAction):
                break
            else:
                made = defined_at(running.example.action_iter)
                raise ScoringError(at(f"a test yields actions, not {short(action)}", made))
        self._evaluate(running)

    def _require_end(self, running: RunningTest) -> None:
        messages = len(running.exchanges) - running.scripted + running.nudges
        is_endless = max(messages, running.waits - running.scripted) >= self.max_messages
        if is_endless and running.registered:
            raise ScoringError(
                f"the callback did not set `example.finished` in {self.max_messages} messages "
                "after the script"
            )
        if is_endless:
            unit = "messages" if messages >= self.max_messages else "waits"
            raise ScoringError(f"the test did not end in {self.max_messages} {unit}")

    def _require_time(self, running: RunningTest) -> None:
        if self.max_seconds is not None and self.session.seconds[running.id] > self.max_seconds:
            raise ScoringError(f"the replies took more than {self.max_seconds:g} seconds")

    def _send(self, running: RunningTest, action: SendMessageAction) -> None:
        example = running.example
        if not action.message and example.is_temporal:
            times = [exchange.sent for _, exchange, _ in running.exchanges]
            action.message = example.dataset_generator.create_question(
                example, times, self._clock.now()
            )
        if not isinstance(action.message, str):
            raise ScoringError(f"a message is a text, not {short(action.message)}")
        if action.is_question and action.filler_response is not None:
            raise ScoringError("a question cannot have a given reply")
        exchange = self.session.say(
            running.id,
            "test",
            action.message,
            question=action.is_question,
            reply=action.filler_response,
            date=as_text(action.date),
            literal=running.expected,
        )
        action.reply, action.sent_ts, action.reply_ts = (
            exchange.reply,
            exchange.sent,
            exchange.replied,
        )
        at = len(self.session.exchanges) - 1
        running.exchanges.append((at, exchange, action.is_question))
        self._require_time(running)
        if isinstance(action, SendAndRegisterAction) and not running.registered:
            running.registered = True
            self.session.log.event("register", test=running.id)

    def _wait(self, running: RunningTest, action: WaitAction) -> None:
        check_wait(action)
        total = self.session.totals.tokens
        offset = action.tokens
        if action.percentage_finished:
            span = running.example.dataset_generator.memory_span or self.memory_span
            passed = total - running.start_tokens
            until = math.floor(span / 100 * action.percentage_finished) - passed
            offset = max(0, until, action.tokens)
        if offset > 1 and running.exchanges:
            # The last reply is counted already, and is part of the wait.
            offset = max(offset - self.session.agent.count(running.exchanges[-1][1].reply), 0)
        if self.mode == "isolated" and not running.registered:
            offset = 0
        running.waiting = True
        running.waits += not running.registered
        running.token_target = total + offset
        running.time_target = self._clock.now() + action.time
        self.session.log.event(
            "wait", test=running.id, tokens=offset, until=running.time_target.isoformat()
        )

    def _call_back(self, running: RunningTest) -> None:
        self._require_time(running)
        lines = [
            line for exchange in self.session.exchanges[running.began :] for line in exchange.lines
        ]
        example = running.example
        span = example.dataset_generator.memory_span or self.memory_span
        view = SchedulerView(self._clock.now(), self.session.totals.tokens, span)
        evaluation = finished_by_callback(example, view, lines)
        if evaluation is not None:
            self.session.log.event("deregister", test=running.id)
            score, reasons = evaluation
            self._end_test(running, SCORED, score, reasons)
        else:
            self._require_end(running)

    def _evaluate(self, running: RunningTest) -> None:
        example = running.example
        if self.mode == "interleaved" and example.dataset_generator.reset_message:
            self.session.say(running.id, "reset", example.dataset_generator.reset_message)
        if running.registered and not example.finished:
            raise ScoringError("the test ended before its callback set `example.finished`")
        questions, responses = running.questions_and_replies()
        if not questions:
            made = defined_at(example.action_iter)
            raise ScoringError(at("the test asked no question: say(…, question=True)", made))
        score, reasons = evaluated(example, questions, responses)
        self._end_test(running, SCORED, score, reasons)

    def _end_test(
        self, running: RunningTest, state: str, score: float | None, reasons: list[str]
    ) -> None:
        self._running.remove(running)
        outcome = running.outcome(self.session, state, score, reasons)
        self.session.log.event(
            END, test=running.id, state=state, score=score, reasons=outcome.reasons
        )
        self.outcomes.append(outcome)
