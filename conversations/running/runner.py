"""Runs tests: decides which is next, when time advances, and when filler talk is needed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from evalmark.conversations.interface.actions import (
    SendAndRegisterAction,
    SendMessageAction,
    TestFinishedAction,
    WaitAction,
    check_wait,
)
from evalmark.conversations.interface.dataset_interface import TestExample, as_text
from evalmark.conversations.interface.user_code import at, defined_at, short
from evalmark.conversations.running.dialogue import Dialogue
from evalmark.conversations.running.evaluation import (
    evaluated,
    finished_by_callback,
    without_score,
)
from evalmark.conversations.running.filler import Filler
from evalmark.conversations.running.outcome import FAILED, SCORED, Outcome
from evalmark.conversations.running.run_log import END
from evalmark.conversations.running.running_test import RunningTest
from evalmark.schemas.errors import (
    AgentError,
    AgentRefused,
    NotJudged,
    OtherRun,
    ScoringError,
    UnknownNameError,
)

#: Mode -> what it makes of the waits of a test.
MODES = {
    "filled": "each test had a fresh agent; talk filled the waits between its messages",
    "isolated": (
        "each test had a fresh agent; waits only advanced the clock, so there was no talk between "
        "its messages"
    ),
    "interleaved": "one conversation: while a test waited, others ran or talk filled the wait",
}

#: Tokens of filler talk for a callback that waits for replies, and the maximum number of turns.
NUDGE = 100
PATIENCE = 200
_UNDECIDED = f"the callback did not set `example.finished` in {PATIENCE} turns after the script"

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
    memory_span: int = 2000  # tokens that a wait of 100 % stands for, unless a dataset sets it
    incompatible: Sequence[frozenset[str]] = ()  # datasets whose tests never run at the same time
    filler_seed: int = 0
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
            # The reply does not matter: if the agent fails, so will the tests.
            try:
                self.session.say("", "intro", INTRO)
            except AgentRefused:
                raise
            except AgentError:
                pass
        told = 0
        while self._left or self._running:
            running = self._next()
            if running is not None:
                self._guarded(running, self._advance)
            for other in [entry for entry in self._running if entry.registered]:
                self._guarded(other, self._call_back)
            # Outside of the guard: an error of the caller is not one of the test.
            for outcome in self.outcomes[told:]:
                self.done(outcome)
            told = len(self.outcomes)
        return self.outcomes

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
                self._left = [other for other in self._left if other is not example]
                return self._begin(example)
        return None

    def _fits(self, one: TestExample, other: TestExample) -> bool:
        if self.mode != "interleaved" or one.dataset_name == other.dataset_name:
            return False
        if not (one.can_be_interleaved and other.can_be_interleaved):
            return False
        pair = {one.dataset_name, other.dataset_name}
        return not any(pair <= names for names in self.incompatible)

    def _begin(self, example: TestExample) -> RunningTest:
        if self.mode != "interleaved":
            self.session.partner.reset()
        tokens = self.session.totals.tokens
        self.session.log.event("begin", test=example.unique_id, tokens=tokens)
        self._count += 1
        began = len(self.session.exchanges)
        running = RunningTest(example, iter(()), self._count, began, tokens)
        self._running.append(running)
        # An error before the first message is an error of the test.
        self._guarded(running, self._first)
        return running

    def _first(self, running: RunningTest) -> None:
        """Begin a test, unless it asks a judge while it runs, and there is none."""
        if self.session.judge is None and running.example.needs_judge_to_run:
            raise NotJudged(f"{running.example.dataset_name} needs a judge")
        running.begin()

    def _talk(self, tokens: int) -> None:
        """Fill the wait until a test is ready. The agent is asked only if a callback listens."""
        listening = [entry for entry in self._running if entry.registered]
        largest = min(entry.example.dataset_generator.max_message_size for entry in self._running)
        message, reply = self._filler.message(min(max(tokens, NUDGE if listening else 1), largest))
        try:
            self.session.say("", "filler", message, reply=None if listening else reply)
        except (OtherRun, AgentRefused):
            raise
        except ScoringError as error:
            # Without talk, nobody's wait for tokens ends.
            for entry in listening or list(self._running):
                self._end(entry, FAILED, None, [str(error)])
            return
        for entry in listening:
            entry.nudges += 1
            if entry.nudges > PATIENCE:
                self._end(entry, FAILED, None, [_UNDECIDED])

    # one test

    def _guarded(self, running: RunningTest, work: Callable[[RunningTest], None]) -> None:
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
            self._end(running, state, None, reasons)
        finally:
            self.session.current = ("", "")

    def _advance(self, running: RunningTest) -> None:
        """Run the test until it waits or ends."""
        running.waiting = False
        for action in running.actions:
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

    def _send(self, running: RunningTest, action: SendMessageAction) -> None:
        example = running.example
        if not action.message and example.is_temporal:
            times = [exchange.sent for _, exchange, _ in running.said]
            action.message = example.dataset_generator.create_question(
                example, times, self._clock.now()
            )
        if not isinstance(action.message, str):
            raise ScoringError(f"a message is a text, not {short(action.message)}")
        if action.is_question and action.filler_response is not None:
            raise ScoringError("a question cannot have a given reply")
        exchange = self.session.say(
            running.id, "test", action.message, question=action.is_question,
            reply=action.filler_response, date=as_text(action.date), literal=running.expected,
        )  # fmt: skip
        action.reply, action.sent_ts, action.reply_ts = (
            exchange.reply, exchange.sent, exchange.replied,
        )  # fmt: skip
        at = len(self.session.exchanges) - 1
        running.said.append((at, exchange, action.is_question))
        if isinstance(action, SendAndRegisterAction) and not running.registered:
            running.registered = True
            self.session.log.event("register", test=running.id)

    def _wait(self, running: RunningTest, action: WaitAction) -> None:
        """Set the targets of a wait: tokens and time."""
        check_wait(action)
        total = self.session.totals.tokens
        offset = action.tokens
        if action.percentage_finished:
            span = running.example.dataset_generator.memory_span or self.memory_span
            passed = total - running.start_tokens
            until = math.floor(span / 100 * action.percentage_finished) - passed
            offset = max(0, until, action.tokens)
        if offset > 1 and running.said:
            # The last reply is counted already, and is part of the wait.
            offset = max(offset - self.session.agent.count(running.said[-1][1].reply), 0)
        if self.mode == "isolated" and not running.registered:
            offset = 0
        running.waiting = True
        running.token_target = total + offset
        running.time_target = self._clock.now() + action.time
        self.session.log.event(
            "wait", test=running.id, tokens=offset, until=running.time_target.isoformat()
        )

    def _call_back(self, running: RunningTest) -> None:
        lines = [
            line for exchange in self.session.exchanges[running.began :] for line in exchange.lines
        ]
        example = running.example
        span = example.dataset_generator.memory_span or self.memory_span
        view = SchedulerView(self._clock.now(), self.session.totals.tokens, span)
        found = finished_by_callback(example, view, lines)
        if found is not None:
            self.session.log.event("deregister", test=running.id)
            score, reasons = found
            self._end(running, SCORED, score, reasons)

    def _evaluate(self, running: RunningTest) -> None:
        example = running.example
        if self.mode == "interleaved" and example.dataset_generator.reset_message:
            self.session.say(running.id, "reset", example.dataset_generator.reset_message)
        if running.registered and not example.finished:
            raise ScoringError("the test ended before its callback set `example.finished`")
        questions, responses = running.asked()
        score, reasons = evaluated(example, questions, responses)
        self._end(running, SCORED, score, reasons)

    def _end(
        self, running: RunningTest, state: str, score: float | None, reasons: list[str]
    ) -> None:
        self._running.remove(running)
        outcome = running.outcome(self.session, state, score, reasons)
        self.session.log.event(
            END, test=running.id, state=state, score=score, reasons=outcome.reasons
        )
        self.outcomes.append(outcome)
