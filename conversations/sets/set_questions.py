"""Memory sets as runs see them: histories that are told, and questions asked after them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from evalmark.validator.formats.memory_sets.history import History, Session

#: The roles of turns.
USER, ASSISTANT = "user", "assistant"


@dataclass(frozen=True, slots=True)
class ToldTurn:
    """A turn as an agent is told it.

    Attributes:
        id: Unique in its history.
        role: ``user`` or ``assistant``.
        content: What is said, with the speaker if two others speak.
        speaker: Who says it; empty if the role says it.
    """

    id: str
    role: str
    content: str
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class ToldSession:
    """A session as an agent is told it.

    Attributes:
        id: As the set names it.
        date: When it was (ISO 8601); None if the set does not say it in its own way.
        said: The same as the set says it; empty if it does not.
        turns: What is said in it.
    """

    id: str
    date: str | None
    said: str
    turns: tuple[ToldTurn, ...]


@dataclass(frozen=True, slots=True)
class PosedQuestion:
    """A question about a history.

    Attributes:
        id: Unique in a run; the set's own, or history and number.
        history: Id of the history.
        text: The question.
        type: The type that the set gives it.
        expected: The right answer; None if there is none.
        has_none: Whether the right answer is that there is none.
        date: When it is asked (ISO 8601); None if the set does not say it.
        said: The same as the set says it; empty if it does not.
        turns: The ids of the turns that the answer needs, as far as they exist.
        sessions: Those of the sessions.
    """

    id: str
    history: str
    text: str
    type: str
    expected: str | None
    has_none: bool
    date: str | None
    said: str
    turns: tuple[str, ...]
    sessions: tuple[str, ...]


@dataclass
class ToldHistory:
    """A history, and the questions that are asked after it.

    Attributes:
        id: Unique in a run.
        questions: The questions that are asked.
        make: Makes the sessions: those of a large set are not all needed at once.
    """

    id: str
    questions: Sequence[PosedQuestion]
    make: Callable[[], Iterator[ToldSession]]

    def sessions(self) -> Iterator[ToldSession]:
        """The sessions, in the order in which they are told."""
        return self.make()

    @cached_property
    def session_of(self) -> dict[str, str]:
        """Id of each turn and session -> id of its session."""
        found: dict[str, str] = {}
        for session in self.sessions():
            found |= {turn.id: session.id for turn in session.turns}
            found[session.id] = session.id
        return found


def iso(history: History, date: str | None) -> str | None:
    """A date of a history as ISO 8601; None if it cannot be read."""
    time = history.time_of(date)
    return time.isoformat() if time else None


def in_time(history: History) -> tuple[Session, ...]:
    """The sessions of a history by their dates; as they are if a date cannot be read."""
    times = [history.time_of(session.date) for session in history.sessions]
    if None in times:
        return history.sessions
    order = sorted(range(len(times)), key=lambda place: times[place] or datetime.min)
    return tuple(history.sessions[place] for place in order)
