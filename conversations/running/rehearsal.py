"""Isolated tests that run at the same time, ahead of the run that logs them in their order.

Each of these tests has an agent of its own, so its replies depend on no other test. It is rehearsed
with a log in memory and without being scored; then the run takes the replies from there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path

from evalmark.conversations.agents.agent import Agent
from evalmark.conversations.interface.dataset_interface import DynamicExample, TestExample
from evalmark.conversations.running.dialogue import Clock, Dialogue
from evalmark.conversations.running.outcome import UNJUDGED
from evalmark.conversations.running.run_log import MESSAGE, Event, RunLog
from evalmark.conversations.running.runner import Runner, RunningTest
from evalmark.conversations.running.workers import Job, run_jobs

#: Tests for each worker that are rehearsed together; an interrupted run loses no more than these.
TOGETHER = 4


def is_rehearsed(test: TestExample) -> bool:
    """True if the messages of a test depend neither on replies nor on the time, nor on a judge."""
    decides = isinstance(test, DynamicExample) or bool(test.uses_callback)
    return not (decides or test.is_temporal or test.needs_judge_to_run)


class MemoryLog(RunLog):
    """A log of one test, in memory."""

    def __init__(self) -> None:
        self.path = Path("conversation.jsonl")  # names no file that is read or written
        self._old: deque[Event] = deque()
        self.messages: deque[Event] = deque()

    def event(self, event: str, **data: object) -> None:
        """Drop an event that follows from the plan."""

    def answered(
        self, event: str, ask: Callable[[], Event], **request: object
    ) -> tuple[Event, bool]:
        """An event with a reply; those of the agent are kept."""
        whole = {"event": event, **request, **ask()}
        if event == MESSAGE:
            self.messages.append(whole)
        return whole, False


class _Rehearsed(Runner):
    """A run of one test that is not scored."""

    def _evaluate(self, running: RunningTest) -> None:
        self._end(running, UNJUDGED, None, [])


@dataclass(eq=False)
class Rehearsal:
    """The exchanges of tests that are run ahead.

    Attributes:
        tests: The tests, in the order of the run, as they were before it.
        fork: Makes an agent for a test.
        clock: Makes a clock for a test.
        thoughts: What becomes of thoughts before a reply.
        memory_span: Number of tokens that a wait of 100 % stands for.
        workers: Maximum number of tests at the same time.
    """

    tests: Sequence[TestExample]
    fork: Callable[[], Agent]
    clock: Callable[[], Clock]
    thoughts: str
    memory_span: int
    workers: int
    _exchanges: dict[str, deque[Event]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._left = {test.unique_id: test for test in self.tests}

    def take(self, request: Mapping[str, object], sent: datetime) -> Event | None:
        """The reply to the next message of a test; None if it was not rehearsed, or differs.

        Args:
            request: The message, as the log has it.
            sent: When it is sent in the run.

        Raises:
            AgentRefused: The agent refuses every request.
        """
        test = str(request["test"])
        if test in self._left:
            self._rehearse(test)
        exchanges = self._exchanges.get(test)
        if not exchanges:
            return None
        event = exchanges.popleft()
        if any(event.get(key) != request.get(key) for key in ("message", "kind", "date")):
            exchanges.clear()
            return None
        took = datetime.fromisoformat(event["replied"]) - datetime.fromisoformat(event["sent"])
        reply = {key: value for key, value in event.items() if key not in {"event", *request}}
        return {**reply, "replied": (sent + took).isoformat()}

    def _rehearse(self, first: str) -> None:
        """Run a test and those that follow it."""
        names = [*self._left]
        names = names[names.index(first) :][: self.workers * TOGETHER]
        jobs: list[Job] = [partial(self._run, self._left.pop(name)) for name in names]
        run_jobs(jobs, self.workers)

    def _run(self, test: TestExample) -> Sequence[Job]:
        log = MemoryLog()
        session = Dialogue(self.fork(), None, log, self.clock(), thoughts=self.thoughts)
        _Rehearsed([test], session, "isolated", self.memory_span).run()
        self._exchanges[test.unique_id] = log.messages
        return ()
