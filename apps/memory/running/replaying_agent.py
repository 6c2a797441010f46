"""The agent of a run, in step with the log: what it remembers when a run is resumed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from evalmark.memory.agents.agent import CUT, Agent, ChatAgent, Completion, answer_of, dated
from evalmark.memory.agents.memory_system import OwnAgent, turns_of
from evalmark.memory.running.run_log import MESSAGE, Event, RunLog
from evalmark.schemas.errors import AgentError, AgentRefused
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import write_atomically

#: The last saved state of an agent, beside the log.
STATE = "agent.state"
#: Bytes of state that may be written for each exchange. A larger state is written at the ends of
#: tests and now and then between: one of 20 MB would be 2 GB after a hundred exchanges.
SHARE = 256 << 10


class ReplayingAgent:
    """An agent that is told again, exchange by exchange, what the log holds."""

    def __init__(self, agent: Agent, thoughts: str = CUT) -> None:
        self._agent = agent
        self._thoughts = thoughts
        #: Notes for the user about the resumed run.
        self.notes: list[str] = []

    def reset(self) -> None:
        """Let the agent forget everything."""
        self._agent.reset()

    def reply(
        self, message: str, date: str | None, literal: Sequence[str] = ()
    ) -> tuple[Completion, str]:
        """Ask the agent; its reply, and why that has no answer. It remembers the answer.

        ``literal`` are texts that the answer may have to contain.
        """
        completion = self._agent.reply(dated(message, date))
        answer, missing = answer_of(completion, self._thoughts, literal)
        if isinstance(self._agent, ChatAgent) and (missing or answer.text != completion.text):
            self._agent.amend(None if missing else answer.text)
        return answer, missing

    def tell(self, message: str, reply: str, date: str | None) -> float | None:
        """Tell the agent an exchange; what that cost, or None if nobody saw it."""
        self._agent.observe(dated(message, date), reply)
        return 0.0

    def replayed(self, event: Event) -> None:
        """Take note of an exchange that an earlier run has logged."""
        if "reply" in event:
            self.tell(event["message"], event["reply"], event.get("date"))

    def saved(self, request: Mapping[str, object]) -> Event | None:  # noqa: ARG002
        """The reply that an earlier run had, but did not log."""
        return None

    def save(self, request: Mapping[str, object], reply: Event) -> Event:  # noqa: ARG002
        """Save what the agent remembers, before the exchange is logged; the event to log."""
        return reply

    def finish(self) -> None:
        """Save what the agent remembers at the end of the run."""


class ReplayingMemorySystem(ReplayingAgent):
    """An agent of a user, which may be able to save what it remembers.

    A small state is written with each exchange, and before the exchange is logged. So it belongs to
    the last logged exchange or to one that is still to be logged, which the state then holds. A
    large one, or one of an agent that says that it has not changed, may belong to an earlier
    exchange: when the run is resumed, the later ones are removed from the log and asked again.
    """

    def __init__(self, agent: OwnAgent, log: RunLog, thoughts: str) -> None:
        super().__init__(agent, thoughts)
        self._own = agent
        self._path = log.path.with_name(STATE)
        self._count = 0  # exchanges so far
        self._written = self._size = 0  # bytes of states: of all that were written, of the last
        self._unsaved: Event | None = None  # the last exchange, if its state was not written
        self._state = _saved_state(self._path) if agent.saves else None
        if self._state is not None:
            log.rewind(self._state["event"], self._state["exchanges"])
        self._fits = False  # whether the state is that of an exchange of this log
        #: The events that the agent has not seen in this process: exchanges, and None for a reset.
        self._missed: list[Event | None] = []

    def reset(self) -> None:
        """Let the agent forget everything, when it is needed again."""
        self.finish()  # what a reset does not reset is of use later
        self._missed.append(None)

    def reply(
        self, message: str, date: str | None, literal: Sequence[str] = ()
    ) -> tuple[Completion, str]:
        """Ask the agent, after it has caught up."""
        self._catch_up()
        return answer_of(self._own.reply(message, date), self._thoughts, literal)

    def tell(self, message: str, reply: str, date: str | None) -> float | None:
        """Tell the agent an exchange, after it has caught up."""
        self._catch_up()
        spent = self._own.tell(turns_of(message, reply, date))
        return spent.cost if spent else None

    def replayed(self, event: Event) -> None:
        """Take note of an exchange that an earlier run has logged."""
        self._count += 1
        self._missed.append(event)
        state = self._state
        if state is not None and (state["exchanges"], state["event"]) == (self._count, event):
            self._fits = True
            self._missed = []

    def saved(self, request: Mapping[str, object]) -> Event | None:
        """The reply that an earlier run saved with the state of its agent, but did not log."""
        if self._state is None or self._state["exchanges"] != self._count + 1:
            return None
        event: Event = self._state["event"]
        if any(event.get(key) != value for key, value in request.items()):
            return None
        self._count += 1
        self._fits, self._missed = True, []
        return {key: value for key, value in event.items() if key not in {"event", *request}}

    def save(self, request: Mapping[str, object], reply: Event) -> Event:
        """Write the state of the agent; a state that cannot be saved is an error of the reply."""
        self._count += 1
        if self._own.saves:
            self._unsaved = {"event": MESSAGE, **request, **reply}
            if self._is_due:
                try:
                    self._save(self._unsaved)
                except AgentError as error:
                    return {"error": str(error), "replied": reply["replied"]}
        return reply

    def finish(self) -> None:
        """Save what the agent remembers, unless that was written; if it fails, a run asks again."""
        if self._unsaved is not None:
            with suppress(AgentError):
                self._save(self._unsaved)

    @property
    def _is_due(self) -> bool:
        """True if the agent says that its state has changed; if it says nothing, by its size."""
        if self._own.changed is not None:
            return self._own.changed or not self._written
        return self._written + self._size <= SHARE * self._count

    def _save(self, event: Event) -> None:
        state = self._own.save()  # JSON
        head = json.dumps({"exchanges": self._count, "event": event})[:-1]
        write_atomically(self._path, f'{head}, "state": {state}}}\n'.encode("ascii"))
        self._size = len(state)
        self._written += self._size
        self._unsaved = None

    def _catch_up(self) -> None:
        """Bring the agent to where the log is: by its state, or by telling it what it missed.

        What was before the last reset it need not know.
        """
        if self._fits and self._state is not None:
            try:
                self._own.load(self._state["state"])
            except AgentError as error:  # of no use for any test
                raise AgentRefused(f"cannot resume: {error}") from error
            self._fits = False
        resets = [index for index, event in enumerate(self._missed) if event is None]
        later = self._missed[resets[-1] + 1 :] if resets else self._missed
        if resets:
            self._own.reset()
        missed = [event for event in later if event is not None]
        for event in missed:
            self._own.tell(turns_of(event["message"], event.get("reply"), event.get("date")))
        if missed:
            why = "its saved state is of another point" if self._own.saves else "it saves no state"
            self.notes.append(
                f"{len(missed)} exchanges of the interrupted run were told to the agent again "
                f"({why}); later replies may differ from those of an uninterrupted run"
            )
        self._missed = []


def replaying(agent: Agent, log: RunLog, thoughts: str) -> ReplayingAgent:
    """An agent in step with a log; ``thoughts`` is one of ``THOUGHTS``."""
    if isinstance(agent, OwnAgent):
        return ReplayingMemorySystem(agent, log, thoughts)
    return ReplayingAgent(agent, thoughts)


def _saved_state(path: Path) -> dict[str, Any] | None:
    try:
        saved = json.loads(read_whole(path))
        kinds = (("exchanges", int), ("event", dict), ("state", dict))
        return saved if all(isinstance(saved[key], kind) for key, kind in kinds) else None
    except (FileNotFoundError, ValueError, KeyError, TypeError, RecursionError):
        return None
