"""Agents that are told a history once and asked each question as if it were the only one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalmark.memory.agents.agent import (
    Agent,
    ChatAgent,
    Completion,
    Forkable,
    Message,
    Restorable,
    dated,
)
from evalmark.memory.agents.memory_system import OwnAgent
from evalmark.memory.sets.set_kinds import USER, PosedQuestion, ToldHistory, ToldSession
from evalmark.memory.sets.state_folder import StateFolder
from evalmark.schemas.errors import AgentError, AgentRefused

#: The place of the question in what a chat model is asked.
QUESTION = "{question}"


def can_go_back(agent: Agent) -> bool:
    """True if an agent is at the end of a history again without being told it again."""
    if isinstance(agent, OwnAgent):
        return agent.saves or agent.reads_only
    return isinstance(agent, Restorable)


@dataclass(frozen=True, slots=True)
class SetReply:
    """A reply, and how it was made.

    Attributes:
        completion: The reply.
        retrieved: The ids of what it was made from; None if the agent does not say.
        search: Seconds of the search for it; None if that is not apart.
    """

    completion: Completion
    retrieved: tuple[str, ...] | None = None
    search: float | None = None


def cost_of_telling(each: list[float], spent: Sequence[Completion | None]) -> dict[str, object]:
    """The cost of telling an agent a history, as a log has it: see ``costs_of``.

    Args:
        each: The seconds of each session.
        spent: The agent's own statement of each; None if nobody saw the cost.
    """
    data: dict[str, object] = {"seconds": round(sum(each), 3), "each": each}
    seen = [completion for completion in spent if completion is not None]
    if len(seen) == len(spent):
        data["calls"] = sum(completion.calls for completion in seen)
        data["read"] = sum(completion.input_tokens for completion in seen)
        data["written"] = sum(completion.output_tokens for completion in seen)
        data["cost"] = sum(completion.cost or 0.0 for completion in seen)
    return data


#: The cost of putting a history into the context of a model.
_NOTHING: Completion | None = Completion("", calls=0)


@dataclass
class Listener:
    """An agent that was told a history and is at its end again before each question.

    It restores what it remembered then. If it cannot, and questions change it, it is reset and told
    the history again.

    Attributes:
        agent: The agent.
        history: The history.
        measure: A clock, in seconds.
        kept: Its memory at the end of the history; of a memory system as JSON, because it may
            change what it loads.
        tellings: How often a memory system was told the history; set to 0 once that is logged.
        is_fresh: True if nothing was asked since the history was told.
        cost: The cost of telling it; empty if it is that of an earlier run.
    """

    agent: Agent
    history: ToldHistory
    measure: Callable[[], float]
    kept: Any = None
    tellings: int = 0
    is_fresh: bool = False
    cost: Mapping[str, object] = field(default_factory=dict)

    @property
    def _own(self) -> OwnAgent | None:
        return self.agent if isinstance(self.agent, OwnAgent) else None

    def tell(self, *, is_new: bool = False) -> None:
        """Tell the agent the history from its beginning.

        Raises:
            AgentError: It fails.
        """
        # What can go back is told again only in another process, to where it was.
        self.tellings += self._own is not None or not can_go_back(self.agent)
        if self._own is not None:
            self._own.reset(is_new=is_new)
        else:
            self.agent.reset()
        self._tell(self.history.sessions())

    def tell_after(self, earlier: Listener) -> None:
        """Tell the agent what follows an earlier part of the history.

        Raises:
            AgentError: It fails.
        """
        self.tellings += 1
        self.kept = earlier.kept
        self.go_back()
        self._tell(self.history.after(earlier.history))

    def _tell(self, sessions: Iterator[ToldSession]) -> None:
        each: list[float] = []
        spent: list[Completion | None] = []
        for session in sessions:
            began, took = self.measure(), _NOTHING
            if self._own is not None:
                took = self._own.tell(own_turns(session))
            else:
                for message, reply in exchanges(session):
                    self.agent.observe(message, reply)
            each.append(round(max(self.measure() - began, 0.0), 3))
            spent.append(took)
        self.cost = cost_of_telling(each, spent)
        self.is_fresh = True

    def keep(self, states: StateFolder) -> None:
        """Keep what the agent remembers now; that of a memory system also in a file."""
        if self._own is not None and self._own.saves:
            self.kept = self._own.save()
            states.write(self.history, self.kept, self.cost)
        elif self._own is None and isinstance(self.agent, Restorable):
            self.kept = self.agent.remembered

    def go_back(self) -> None:
        """Restore what the agent remembered at the end of the history, if that is kept."""
        if self.kept is None:
            return
        if self._own is not None:
            try:
                self._own.load(json.loads(self.kept))
            except AgentError as error:  # of no use for any question
                raise AgentRefused(f"cannot go back to a saved state: {error}") from error
        elif isinstance(self.agent, Restorable):
            self.agent.restore(self.kept)

    def fork(self) -> Listener:
        """Another agent at the end of the history, for a question beside others.

        Raises:
            AgentError: It cannot be made.
        """
        assert isinstance(self.agent, Forkable)
        reads_only = self._own is not None and self._own.reads_only
        agent = self._own.reading_copy() if reads_only and self._own else self.agent.fork()
        return Listener(agent, self.history, self.measure, self.kept, is_fresh=reads_only)

    def ask(self, question: PosedQuestion, asks: str) -> SetReply:
        """The reply to a question at the end of the history.

        Raises:
            AgentError: There is no reply.
        """
        own = self._own
        if not self.is_fresh:
            if can_go_back(self.agent):
                self.go_back()
            else:
                self.tell()
        # One that reads only stays where it is.
        self.is_fresh = own is not None and own.reads_only
        if own is not None:
            completion, search = own.answer(question.text, question.date, self.measure)
            return SetReply(completion, own.retrieved, search)
        if not isinstance(self.agent, ChatAgent):
            return SetReply(self.agent.reply(dated(question.text, question.date)))
        date = f"[{question.stated_date}]\n" if question.stated_date else ""
        return SetReply(self.agent.reply(date + asks.replace(QUESTION, question.text)))


@dataclass
class SetAgent:
    """The agent of a run over memory sets, or as many of them as listen at the same time.

    The state of a memory system is written to a file once a history is told, so that an interrupted
    run need not tell it again.

    Attributes:
        agent: The agent.
        states: Its states.
        measure: A clock, in seconds.
        last_told: The history that an interrupted run told last; None if it told none.
    """

    agent: Agent
    states: StateFolder
    measure: Callable[[], float]
    last_told: ToldHistory | None = None
    _previous: Listener | None = None

    @property
    def is_concurrent(self) -> bool:
        """True if each history can have an agent of its own."""
        return isinstance(self.agent, Forkable) and self.agent.concurrent

    @property
    def _saves(self) -> bool:
        return isinstance(self.agent, OwnAgent) and self.agent.saves

    @property
    def continues(self) -> bool:
        """True if parts of a history are told one after the other: telling is what costs most."""
        return isinstance(self.agent, OwnAgent) and can_go_back(self.agent)

    @property
    def reads_only(self) -> bool:
        """True if questions do not change the agent."""
        return isinstance(self.agent, OwnAgent) and self.agent.reads_only

    def hear(
        self, history: ToldHistory, earlier: Listener | None = None, *, is_last: bool = True
    ) -> Listener:
        """An agent that was told a history, or whose saved state is that of its end.

        Args:
            history: The history.
            earlier: An agent at the end of an earlier part of it, which continues from there.
            is_last: Whether no further part follows. The state of one that reads only may be the
                name of a store elsewhere, and is that of this part only if nothing is added.

        Raises:
            AgentError: It fails.
        """
        forks = self.is_concurrent
        agent = self._agent_after(earlier)
        listener = Listener(agent, history, self.measure)
        saves = self._saves and (is_last or not self.reads_only)
        if saves:
            saved = self.states.read(history)
            if saved is not None:
                listener.kept, listener.cost = saved
        if listener.kept is None:
            if earlier is not None:
                listener.tell_after(earlier)
            else:
                if not forks:
                    self._leave_previous()
                listener.tell(is_new=forks)
            if saves or not self._saves:
                listener.keep(self.states)
        elif isinstance(agent, OwnAgent) and agent.reads_only:
            listener.go_back()
            listener.is_fresh = True
        if not forks:
            self._previous = listener
        return listener

    def _agent_after(self, earlier: Listener | None) -> Agent:
        """The agent for a history, or for what follows an earlier part of it."""
        if earlier is not None and self.reads_only:
            return earlier.agent
        if self.is_concurrent and isinstance(self.agent, Forkable):
            return self.agent.fork()
        return self.agent

    def _leave_previous(self) -> None:
        """Go back to the end of the previous history.

        What a reset does not reset depends on no question then.
        """
        if self._previous is None and self.last_told is not None and self._saves:
            saved = self.states.read(self.last_told)
            if saved is not None:
                self._previous = Listener(self.agent, self.last_told, self.measure, saved[0])
        if self._previous is not None:
            self._previous.go_back()


def own_turns(session: ToldSession) -> list[Message]:
    """A session as turns for a memory system."""
    date = session.date or session.stated_date
    when = {"date": date} if date else {}
    return [
        {
            "role": turn.role,
            "content": turn.content,
            **when,
            "session": session.id,
            "id": turn.id,
            **({"speaker": turn.speaker} if turn.speaker else {}),
        }
        for turn in session.turns
    ]


def exchanges(session: ToldSession) -> Iterator[tuple[str, str]]:
    """A session as messages and replies; one may be empty, and the date precedes the first."""
    date = f"[{session.stated_date}]" if session.stated_date else ""
    message = ""
    for turn in session.turns:
        if turn.role != USER:
            yield message or date, turn.content
            message = date = ""
            continue
        if message:
            yield message, ""
        message, date = f"{date}\n{turn.content}" if date else turn.content, ""
    if message:
        yield message, ""
