"""A history of dated sessions, and questions about it: the same for every set."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from evalmark.memory.formats.memory_dates import DateForm
from evalmark.validator.formats.explaining.misspelt_keys import nearest_key
from evalmark.validator.reading.source import parse_pointer

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


class HistoryTurn(NamedTuple):
    """A turn: the words of one speaker.

    Attributes:
        at: Its pointer.
        id: As evidence names it; empty if the set has no ids of turns.
        speaker: Who says it.
        text: Its words.
        shown: The content of its image, if it has one.
        is_marked: Whether the set marks it as evidence itself.
        caption: The set's own description of the image; part of ``shown``.
    """

    at: str
    id: str
    speaker: str
    text: str
    shown: str = ""
    is_marked: bool = False
    caption: str = ""

    def has(self, words: str) -> bool:
        """True if it has these words, as ``words_of`` has them, one after the other."""
        text = f"{self.text} {self.shown}"
        first = words.split(maxsplit=1)[0]
        return first in text.casefold() and words in words_of(text)


class Session(NamedTuple):
    """A session of a history.

    Attributes:
        at: Pointer of its turns.
        id: As evidence or the file names it.
        date: When it was, as the file says it; None if it does not.
        date_at: Pointer of the date.
        turns: Its turns.
    """

    at: str
    id: str
    date: str | None
    date_at: str
    turns: tuple[HistoryTurn, ...]

    @property
    def marked_turn(self) -> HistoryTurn | None:
        """The first turn that the set marks as evidence; None if there is none."""
        return next((turn for turn in self.turns if turn.is_marked), None)


class HistoryQuestion(NamedTuple):
    """A question about a history.

    Attributes:
        at: Its pointer.
        id: Its id; empty if the set has none.
        text: The question.
        answer: The right answer; None if there is none.
        type: Its type or category.
        evidence: Pointer and id of each turn or session that the answer needs.
        is_answerable: Whether the history has the answer.
        date: When it is asked; None if the set does not say it.
        date_at: Pointer of the date.
    """

    at: str
    id: str
    text: str
    answer: str | None
    type: str
    evidence: tuple[tuple[str, str], ...]
    is_answerable: bool = True
    date: str | None = None
    date_at: str = ""

    @property
    def circumstances(self) -> tuple[object, ...]:
        """The circumstances in which the same text is another question."""
        return ()


class History(ABC):
    """Sessions of one conversation, or of one user, and the questions about them.

    Attributes:
        at: Its pointer.
        data: The object of the file.
        dates: How dates are written.
        text_key: The key of the text of a turn.
        speaker_key: The key of its speaker.
    """

    dates: DateForm
    text_key: str
    speaker_key: str

    def __init__(self, at: str, data: dict[str, Any]) -> None:
        self.at = at
        self.data = data

    @property
    @abstractmethod
    def sessions(self) -> tuple[Session, ...]:
        """Its sessions, in the order in which they are told."""

    @property
    @abstractmethod
    def questions(self) -> tuple[HistoryQuestion, ...]:
        """Questions asked after them."""

    @property
    def turns(self) -> Iterator[HistoryTurn]:
        """The turns of all sessions."""
        for session in self.sessions:
            yield from session.turns

    @abstractmethod
    def evidence_of(self, question: HistoryQuestion) -> tuple[HistoryTurn, ...]:
        """The turns that a question names as evidence, as far as they exist."""

    def sessions_before(self, question: HistoryQuestion) -> tuple[Session, ...]:
        """The sessions that are told before a question: all, unless the set says otherwise."""
        del question
        return self.sessions

    @property
    @abstractmethod
    def evidence_ids(self) -> frozenset[str]:
        """The ids that evidence can name."""

    @property
    @abstractmethod
    def speakers(self) -> tuple[str, ...]:
        """The names of its speakers; empty if the file does not state them."""

    def misspells(self, name: str, at: str) -> bool:
        """True if an object of the history, at this pointer or below it, has nearly this key."""
        node: Any = self.data
        for token in parse_pointer(at.removeprefix(self.at)):
            node = node[int(token)] if isinstance(node, list) else node[token]
        return any(nearest_key(key, (name,), each) for each in objects_in(node) for key in each)

    @property
    def declared(self) -> dict[str, str]:
        """Pointer -> name of the speakers that the file names outside of turns."""
        return {}

    def time_of(self, date: str | None) -> datetime | None:
        """The time of a date of this history; None if it cannot be read."""
        return self.dates.read(date) if date is not None else None


Told = TypeVar("Told", bound=History, covariant=True)


@dataclass(frozen=True)
class MemorySet(Generic[Told]):
    """The histories of a file: one for each conversation, or for each question."""

    histories: tuple[Told, ...]

    @property
    def asked(self) -> Iterator[tuple[Told, HistoryQuestion]]:
        """Each question, with its history before it."""
        for history in self.histories:
            for question in history.questions:
                yield history, question


def objects_in(node: Any) -> Iterator[dict[str, Any]]:
    """The objects in a value, itself included."""
    if isinstance(node, dict):
        yield node
    for child in node.values() if isinstance(node, dict) else node:
        if isinstance(child, dict | list):
            yield from objects_in(child)


def words_of(text: str) -> str:
    """The words of a text in lower case, with a space around each."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "
