"""Memory sets in the general form as rules and scoring see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from evalmark.memory.formats.history import (
    History,
    HistoryQuestion,
    HistoryTurn,
    MemorySet,
    Session,
    words_of,
)
from evalmark.memory.formats.memory_dates import ISO_DATES

#: Keys of a question whose entries are texts, without duplicates.
LISTS = ("answer", "options", "wrong_answers", "rubric", "evidence")


class TurnPlace(NamedTuple):
    """A place in a history: number of a session, and of a turn in it."""

    session: int
    turn: int


class GeneralQuestion(HistoryQuestion):
    """A question, with what only the general form says.

    ``data`` has the keys of the schema.
    """

    data: Mapping[str, Any]

    def entries(self, key: str) -> tuple[str, ...]:
        """The texts of a key: one, several, or none."""
        return texts_of(self.data.get(key))

    @property
    def answers(self) -> tuple[str, ...]:
        """The right answers; one is enough. An abstention has none."""
        return self.entries("answer")

    @property
    def wrong_answers(self) -> tuple[str, ...]:
        """Answers that an agent may be led to."""
        return self.entries("wrong_answers")

    @property
    def options(self) -> tuple[str, ...]:
        """Answers to choose from."""
        return self.entries("options")

    @property
    def rubric(self) -> tuple[str, ...]:
        """The points that a right answer has."""
        return self.entries("rubric")

    @property
    def circumstances(self) -> tuple[object, ...]:
        """See ``HistoryQuestion``."""
        return self.at.rpartition("/questions/")[0], self.after, self.date, self.options

    @property
    def after(self) -> str | None:
        """The turn or session after which it is asked; None: the end."""
        return self.data.get("after")


def texts_of(answer: object) -> tuple[str, ...]:
    """An answer as texts: one, several, or none."""
    if answer is None:
        return ()
    return tuple(map(str, answer)) if isinstance(answer, list) else (str(answer),)


class GeneralHistory(History):
    """A history."""

    dates = ISO_DATES
    text_key = "content"
    speaker_key = "speaker"

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.data["id"])

    @cached_property
    def sessions(self) -> tuple[Session, ...]:
        """See ``History``."""
        return tuple(
            Session(
                f"{self.at}/sessions/{number}",
                session["id"],
                session.get("date"),
                f"{self.at}/sessions/{number}/date",
                tuple(
                    HistoryTurn(
                        f"{self.at}/sessions/{number}/turns/{index}",
                        turn["id"],
                        turn.get("speaker", turn["role"]),
                        turn["content"],
                    )
                    for index, turn in enumerate(session["turns"])
                ),
            )
            for number, session in enumerate(self.data["sessions"])
        )

    @cached_property
    def questions(self) -> tuple[GeneralQuestion, ...]:
        """See ``History``."""
        return tuple(
            self._question(f"{self.at}/questions/{number}", data)
            for number, data in enumerate(self.data["questions"])
        )

    def _question(self, at: str, data: dict[str, Any]) -> GeneralQuestion:
        answers = texts_of(data.get("answer"))
        question = GeneralQuestion(
            at,
            data["id"],
            data["question"],
            answers[0] if answers else None,
            data["type"],
            tuple((f"{at}/evidence/{i}", name) for i, name in enumerate(data.get("evidence", ()))),
            not data.get("abstention", False),
            data.get("date"),
            f"{at}/date",
        )
        question.data = data
        return question

    @cached_property
    def places(self) -> dict[str, TurnPlace]:
        """Id of each turn and session -> where it ends; of a duplicate the first."""
        places: dict[str, TurnPlace] = {}
        for number, session in enumerate(self.sessions):
            for index, turn in enumerate(session.turns):
                places.setdefault(turn.id, TurnPlace(number, index))
            places.setdefault(session.id, TurnPlace(number, len(session.turns)))
        return places

    def evidence_of(self, question: HistoryQuestion) -> tuple[HistoryTurn, ...]:
        """See ``History``: the turns that are named, and those of sessions that are."""
        named = {name for _, name in question.evidence}
        return tuple(
            turn
            for session in self.sessions
            for turn in session.turns
            if turn.id in named or session.id in named
        )

    @cached_property
    def session_ids(self) -> frozenset[str]:
        """The ids of its sessions."""
        return frozenset(session.id for session in self.sessions)

    @cached_property
    def lost_ids(self) -> tuple[str, ...]:
        """The ids that questions name and nothing has."""
        named = (
            name
            for question in self.questions
            for name in (*(name for _, name in question.evidence), question.after)
            if name is not None and name not in self.places
        )
        return tuple(dict.fromkeys(named))

    def was_overwritten(self, name: str) -> bool:
        """True if a lost id may be that of a duplicate, or of a turn of a session without any."""
        if name not in self.lost_ids:
            return False
        empty = (each.id for each in self.sessions if not each.turns)
        duplicates = sum(1 + len(each.turns) for each in self.sessions) - len(self.places)
        return len(self.lost_ids) <= duplicates or any(map(name.startswith, empty))

    def end_of(self, question: GeneralQuestion) -> TurnPlace:
        """The place after which a question is asked; the end if nothing has the id it names."""
        end = TurnPlace(len(self.sessions), 0)
        return end if question.after is None else self.places.get(question.after, end)

    def sessions_before(self, question: HistoryQuestion) -> tuple[Session, ...]:
        """See ``History``; the last one may be told in part."""
        assert isinstance(question, GeneralQuestion)
        return self.sessions[: self.end_of(question).session + 1]

    @cached_property
    def evidence_ids(self) -> frozenset[str]:
        """See ``History``."""
        return frozenset(self.places)

    @property
    def speakers(self) -> tuple[str, ...]:
        """See ``History``."""
        return tuple(self.declared.values())

    @property
    def declared(self) -> dict[str, str]:
        """See ``History``."""
        names = self.data.get("speakers", ())
        return {f"{self.at}/speakers/{number}": name for number, name in enumerate(names)}


@dataclass(frozen=True)
class GeneralSet(MemorySet[GeneralHistory]):
    """The histories of a file, and the object that holds them."""

    data: Mapping[str, Any]

    @property
    def ids(self) -> Iterator[tuple[str, str, str]]:
        """Scope, id and pointer of all that has an id: unique in its scope."""
        for history in self.histories:
            yield "history", history.id, f"{history.at}/id"
            for session in history.sessions:
                yield history.at, session.id, f"{session.at}/id"
                for turn in session.turns:
                    yield history.at, turn.id, f"{turn.at}/id"
            for question in history.questions:
                yield "question", question.id, f"{question.at}/id"

    @property
    def types(self) -> tuple[str, ...]:
        """The types that questions can have: those that the set lists; empty for any."""
        return tuple(self.data.get("types", ()))


def same_words(left: str, right: str) -> bool:
    """True if two answers have the same words."""
    return words_of(left) == words_of(right) and (bool(words_of(left).strip()) or left == right)


def general_view(items: Sequence[tuple[str, Any]]) -> GeneralSet:
    """The view of an object that the schema accepts; empty if it rejects it."""
    if not items:
        return GeneralSet((), {})
    at, data = items[0]
    histories = (
        GeneralHistory(f"{at}/histories/{number}", history)
        for number, history in enumerate(data["histories"])
    )
    return GeneralSet(tuple(histories), data)
