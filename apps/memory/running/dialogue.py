"""The conversation of a run: exchanges with the agent and the judge, logged and timed."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property

from evalmark.memory.agents.agent import CUT, Agent, Completer, Completion, answer_of
from evalmark.memory.agents.completers import EndpointJudge
from evalmark.memory.evaluation.llm_judge import AskedPrompts
from evalmark.memory.evaluation.texts import added
from evalmark.memory.running.outcome import Totals
from evalmark.memory.running.replaying_agent import ReplayingAgent, replaying
from evalmark.memory.running.run_log import JUDGE, LLM, MESSAGE, Event, RunLog
from evalmark.schemas.errors import AgentError, AgentRefused, NotJudged
from evalmark.scoring.runs.run_files import run_time


class Clock:
    """Time as the tests see it.

    It starts with the run, advances by the duration of each exchange, and jumps where a test waits.
    All times are in UTC. ``measure`` is a monotonic clock in seconds.
    """

    def __init__(self, start: datetime, measure: Callable[[], float] = time.monotonic) -> None:
        self._now = start.astimezone(UTC)
        self.measure = measure

    def restart(self, start: datetime) -> None:
        """Set the time at which a resumed run began."""
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        """The current time, in UTC."""
        return self._now

    def set(self, to: datetime) -> None:
        """Advance to a time. The clock never runs backwards."""
        self._now = max(self._now, to)


def clock_of_run() -> Clock:
    """The clock of a run that begins now.

    With SOURCE_DATE_EPOCH it starts there, and replies take no time: then nothing that is written
    depends on when and how fast a run was made, or how often it was interrupted.
    """
    start = datetime.fromtimestamp(run_time(), UTC)
    return Clock(start, lambda: 0.0) if os.environ.get("SOURCE_DATE_EPOCH") else Clock(start)


def reply_event(reply: Completion, missing: str) -> Event:
    """A reply for a log: its answer, or why it has none, and what it took."""
    # Code of users may return halves of characters, which no file can hold.
    text, thoughts = (
        part.encode("utf-8", "replace").decode("utf-8") for part in (reply.text, reply.thoughts)
    )
    event: Event = {"error": missing} if missing else {"reply": text}
    event |= {"read": reply.input_tokens, "written": reply.output_tokens}
    event |= {"thoughts": thoughts} if thoughts else {}
    event |= {"request": reply.request} if reply.request else {}
    return event | ({} if reply.cost == 0 else {"cost": reply.cost})


@dataclass(frozen=True)
class Exchange:
    """A message and its reply."""

    test: str  # id of the test; empty for filler talk
    message: str
    reply: str
    sent: datetime  # when the message was sent
    replied: datetime  # when the reply arrived

    @cached_property
    def lines(self) -> tuple[str, str]:
        """The exchange as two lines of a log; a callback gets all of them after every turn."""
        return (
            f"Test ({self.sent:{_TIME}}): {self.message}",
            f"Agent ({self.replied:{_TIME}}): {self.reply}",
        )


_TIME = "%Y-%m-%d %H:%M:%S.%f"


@dataclass(eq=False)
class Dialogue:
    """Exchanges with an agent and a judge."""

    agent: Agent
    judge: Completer | None
    log: RunLog
    clock: Clock
    totals: Totals = field(default_factory=Totals)
    #: Id of a test → the seconds that agent and judge took for it.
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    exchanges: list[Exchange] = field(default_factory=list)
    #: Tokens and characters of the conversation after each exchange.
    sizes: list[tuple[int, int]] = field(default_factory=list)
    #: Id and dataset of the running test, for the log of the judge.
    current: tuple[str, str] = ("", "")
    #: Names of the datasets that asked the judge, and what they asked.
    judged: dict[str, AskedPrompts] = field(default_factory=dict)
    #: Names of the models that datasets asked instead of the judge.
    judges: set[str] = field(default_factory=set)
    #: How thoughts before an answer are treated, and how many replies had some.
    thoughts: str = CUT
    thoughtful: int = 0
    replaying_agent: ReplayingAgent = field(init=False)

    def __post_init__(self) -> None:
        self.replaying_agent = replaying(self.agent, self.log, self.thoughts)

    def begin(self) -> datetime:
        """Set the clock to when the run began: now, or as the log of a resumed run says."""
        event, _ = self.log.answered("began", lambda: {"at": self.clock.now().isoformat()})
        began = datetime.fromisoformat(event["at"])
        self.clock.restart(began)
        return began

    def say(
        self,
        test: str,
        kind: str,
        message: str,
        *,
        question: bool = False,
        reply: str | None = None,
        date: str | None = None,
        literal: Sequence[str] = (),
    ) -> Exchange:
        """Send a message to the agent. With ``reply``, the agent only remembers the exchange.

        ``test`` is empty for filler talk, and ``kind`` is for the log. ``date`` (ISO 8601) is the
        one that the test states. ``literal`` are texts that the answer may have to contain, even if
        thoughts look like that.

        Raises:
            AgentError: There is no reply.
            AgentRefused: There will be none, however often the agent is asked.
        """
        sent = self.clock.now()
        request = {"test": test, "kind": kind, "message": message, "question": question}
        request |= {"sent": sent.isoformat(), **({"date": date} if date else {})}

        def ask() -> Event:
            saved = self.replaying_agent.saved(request)
            if saved is not None:
                return saved
            if reply is None:
                event = self._time_reply(lambda: self.replaying_agent.reply(message, date, literal))
            else:
                event = {"reply": reply, "replied": sent.isoformat()}
                try:
                    cost = self.replaying_agent.tell(message, reply, date)
                    event |= {} if cost == 0 else {"cost": cost}
                except AgentRefused:
                    raise
                except AgentError as error:
                    event = {"error": str(error), "replied": sent.isoformat()}
            return self.replaying_agent.save(request, event)

        event, old = self.log.answered(MESSAGE, ask, **request)
        if old:
            self.replaying_agent.replayed(event)
        self._advance(event)
        self.totals.agent_cost = added(self.totals.agent_cost, event.get("cost", 0.0))
        self.totals.agent_tokens += event.get("written", 0)
        self.thoughtful += "thoughts" in event
        if "error" in event:
            raise AgentError(event["error"])
        exchange = Exchange(test, message, event["reply"], sent, self.clock.now())
        self._keep(exchange)
        return exchange

    def name_judge(self, judge: Completer) -> None:
        """Name the judge of a run that began without one."""
        self.log.event(JUDGE, about=dict(judge.about))
        self.judge = judge

    def ask_judge(
        self,
        messages: list[dict[str, str]],
        temperature: float,
        max_tokens: int,
        model: str | None = None,
    ) -> str:
        """The judge's reply, or that of ``model`` where the run leaves the choice to datasets."""
        judge = self.judge
        if judge is None:
            raise NotJudged("there is no judge")
        named = {}
        if model is not None and isinstance(judge, EndpointJudge):
            judge, named = judge.named(model), {"model": model}

        def ask() -> Event:
            try:
                return self._time_reply(
                    lambda: answer_of(
                        judge.complete(messages, temperature=temperature, max_tokens=max_tokens)
                    )
                )
            except AgentRefused as error:
                raise AgentRefused(f"the judge: {error}") from error

        event, _ = self.log.answered(
            LLM,
            ask,
            test=self.current[0],
            messages=messages,
            temperature=temperature,
            max_tokens=max_tokens,
            **named,
        )
        self._advance(event)
        prompts = self.judged.setdefault(self.current[1], AskedPrompts())
        prompts.add(messages, temperature, max_tokens)
        self.judges |= set(named.values())
        self.totals.judge_cost = added(self.totals.judge_cost, event.get("cost", 0.0))
        if "error" in event:
            raise NotJudged(f"the judge: {event['error']}")
        text: str = event["reply"]
        return text

    def add_cost(self, dollars: float) -> None:
        """Add what a dataset has spent by itself."""
        self.totals.judge_cost = added(self.totals.judge_cost, dollars)

    def _time_reply(self, complete: Callable[[], tuple[Completion, str]]) -> Event:
        """A reply, or why there is none, and the time at which it arrived.

        An AgentRefused is not logged: the run can be resumed once the cause is gone.
        """
        began = self.clock.measure()
        try:
            event = reply_event(*complete())
        except AgentRefused:
            raise
        except AgentError as error:
            event = {"error": str(error)}
        seconds = max(self.clock.measure() - began, 0.0)
        return {**event, "replied": (self.clock.now() + timedelta(seconds=seconds)).isoformat()}

    def _advance(self, event: Event) -> None:
        replied = datetime.fromisoformat(event["replied"])
        seconds = max((replied - self.clock.now()).total_seconds(), 0.0)
        self.totals.seconds += seconds
        self.seconds[self.current[0]] += seconds
        self.clock.set(replied)

    def _keep(self, exchange: Exchange) -> None:
        texts = (exchange.message, exchange.reply)
        self.totals.tokens += sum(map(self.agent.count, texts))
        _, characters = self.sizes[-1] if self.sizes else (0, 0)
        self.exchanges.append(exchange)
        self.sizes.append((self.totals.tokens, characters + sum(map(len, texts))))
