"""Agents that are told a history once and asked each question as if it were the only one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.conversations.agents.agent import (
    Agent,
    ChatAgent,
    Completion,
    Message,
    Restorable,
    dated,
)
from evalmark.conversations.agents.memory_system import OwnAgent
from evalmark.conversations.running.replaying_agent import STATE, read_state, write_state
from evalmark.conversations.sets.set_kinds import (
    USER,
    PosedQuestion,
    ToldHistory,
    ToldSession,
)
from evalmark.schemas.errors import AgentError, AgentRefused

#: Where the question stands in what a chat model is asked.
QUESTION = "{question}"


def can_go_back(agent: Agent) -> bool:
    """True if an agent can go back to the end of a history without being told it again."""
    return agent.saves if isinstance(agent, OwnAgent) else isinstance(agent, Restorable)


@dataclass(frozen=True, slots=True)
class SetReply:
    """A reply, and the ids of what it was made from; None if the agent does not say."""

    completion: Completion
    retrieved: tuple[str, ...] | None


class SetAgent:
    """An agent that goes back to the end of the history before each question.

    It restores what it remembered then. If it cannot, it is reset and told the history again. The
    state of a memory system is also written to a file once a history is told, so that an
    interrupted run need not tell it again.

    Args:
        agent: The agent.
        log: The log of the run; the state is written beside it.
        plan: A digest of the plan of the run, to which a state must belong.
    """

    def __init__(self, agent: Agent, log: Path, plan: str) -> None:
        self._agent = agent
        self._own = agent if isinstance(agent, OwnAgent) else None
        self._path = log.with_name(STATE)
        self._plan = plan
        self._history: ToldHistory | None = None
        self.tellings = (
            0  # how often a memory system was told a history; set to 0 once that is logged
        )
        self._is_fresh = False  # whether nothing was asked since the history was told
        #: What it remembered at the end of a history; of a memory system as JSON, because it may
        #: change what it loads.
        self._kept: Any = None
        self._saved = (
            read_state(self._path, self._belongs) if self._own and self._own.saves else None
        )
        if self._saved is not None:
            self._kept = json.dumps(self._saved["state"])

    def hear(self, history: ToldHistory) -> None:
        """Be told a history, unless the saved state is that of its end.

        Raises:
            AgentError: It fails.
        """
        self._history = history
        if self._saved is not None and self._saved["history"] == history.id:
            self._saved = None
            self._is_fresh = False
            return
        self._saved = None
        self._go_back()  # what a reset does not reset depends on no question either
        self._tell(history)
        self._keep(history.id)
        self._is_fresh = True

    def ask(self, question: PosedQuestion, asks: str) -> SetReply:
        """The reply to a question at the end of the history.

        Raises:
            AgentError: There is no reply.
        """
        assert self._history is not None
        if not self._is_fresh:
            if can_go_back(self._agent):
                self._go_back()
            else:
                self._tell(self._history)
        self._is_fresh = False
        if self._own is not None:
            completion = self._own.reply(question.text, question.date)
            return SetReply(completion, self._own.retrieved)
        if not isinstance(self._agent, ChatAgent):
            return SetReply(self._agent.reply(dated(question.text, question.date)), None)
        date = f"[{question.stated_date}]\n" if question.stated_date else ""
        return SetReply(self._agent.reply(date + asks.replace(QUESTION, question.text)), None)

    def _tell(self, history: ToldHistory) -> None:
        # What can go back is told again only in another process, to where it was.
        self.tellings += self._own is not None or not can_go_back(self._agent)
        self._agent.reset()
        for session in history.sessions():
            if self._own is not None:
                self._own.tell(own_turns(session))
            else:
                for message, reply in exchanges(session):
                    self._agent.observe(message, reply)

    def _keep(self, name: str) -> None:
        if self._own is not None and self._own.saves:
            state = self._own.save()
            self._kept = state
            write_state(self._path, {"plan": self._plan, "history": name}, state)
        elif isinstance(self._agent, Restorable):
            self._kept = self._agent.remembered

    def _go_back(self) -> None:
        if self._kept is None:
            return
        if self._own is not None:
            try:
                self._own.load(json.loads(self._kept))
            except AgentError as error:  # of no use for any question
                raise AgentRefused(f"cannot go back to a saved state: {error}") from error
        elif isinstance(self._agent, Restorable):
            self._agent.restore(self._kept)

    def _belongs(self, state: Mapping[str, Any]) -> bool:
        return state["plan"] == self._plan and isinstance(state["history"], str)


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
    """A session as messages and replies, of which one may be empty; the date precedes the first."""
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
