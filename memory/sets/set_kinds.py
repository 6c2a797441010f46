"""Memory sets as runs see them: histories that are told, questions asked after them, scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from evalmark.memory.formats.history import History, HistoryQuestion, Session
from evalmark.memory.formats.locomo import LocomoHistory
from evalmark.memory.formats.longmemeval import QUESTION_TYPES, Haystack
from evalmark.memory.sets.token_f1 import first_f1, list_f1, refuses, word_f1

#: The roles of turns.
USER, ASSISTANT = "user", "assistant"


@dataclass(frozen=True, slots=True)
class ToldTurn:
    """A turn as an agent is told it.

    Attributes:
        id: Unique in its history.
        role: ``user`` or ``assistant``.
        content: Its words, with the speaker if two others speak.
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
        stated_date: The same as the set states it; empty if it does not.
        turns: Its turns.
    """

    id: str
    date: str | None
    stated_date: str
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
        stated_date: The same as the set states it; empty if it does not.
        turns: The ids of the turns that the answer needs, as far as they exist.
        sessions: Those of the sessions.
        answers: All right answers; one is enough. Empty if ``expected`` is the only one.
        wrong_answers: Answers that an agent may be led to.
        options: Answers to choose from.
        has_rubric: Whether ``expected`` describes a right answer, and is none itself.
    """

    id: str
    history: str
    text: str
    type: str
    expected: str | None
    has_none: bool
    date: str | None
    stated_date: str
    turns: tuple[str, ...]
    sessions: tuple[str, ...]
    answers: tuple[str, ...] = ()
    wrong_answers: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    has_rubric: bool = False


@dataclass
class ToldHistory:
    """A history, and the questions that are asked after it.

    Attributes:
        id: Unique in a run.
        questions: The questions that are asked.
        make: Makes the sessions: those of a large set are not all needed at once.
        part_of: What it is the beginning of, if questions are asked at several places of that: the
            next one with the same name has more of it. Empty if all are asked at one place.
    """

    id: str
    questions: Sequence[PosedQuestion]
    make: Callable[[], Iterator[ToldSession]]
    part_of: str = ""

    def sessions(self) -> Iterator[ToldSession]:
        """The sessions, in the order in which they are told."""
        return self.make()

    def after(self, earlier: ToldHistory) -> Iterator[ToldSession]:
        """The sessions and turns that an earlier part of the same history does not have."""
        sizes = [len(session.turns) for session in earlier.sessions()]
        for number, session in enumerate(self.sessions()):
            start = sizes[number] if number < len(sizes) else 0
            if number >= len(sizes) or start < len(session.turns):
                yield replace(session, turns=session.turns[start:])

    @cached_property
    def session_of(self) -> dict[str, str]:
        """Id of each turn and session -> id of its session."""
        home: dict[str, str] = {}
        for session in self.sessions():
            home |= {turn.id: session.id for turn in session.turns}
            home[session.id] = session.id
        return home


def iso(history: History, date: str | None) -> str | None:
    """A date of a history as ISO 8601; None if it cannot be read."""
    time = history.time_of(date)
    return time.isoformat() if time else None


def posed(of: History, question: HistoryQuestion, **rest: Any) -> PosedQuestion:
    """A question as runs see it; ``rest`` is what the kinds of sets do not have in common."""
    common = {
        "id": question.id,
        "text": question.text,
        "type": question.type,
        "expected": question.answer,
        "has_none": not question.is_answerable,
        "date": iso(of, question.date),
        "stated_date": question.date or "",
    }
    return PosedQuestion(**{**common, **rest})


def in_time(history: History) -> tuple[Session, ...]:
    """The sessions of a history by their dates; as they are if a date cannot be read."""
    times = [history.time_of(session.date) for session in history.sessions]
    if None in times:
        return history.sessions
    order = sorted(range(len(times)), key=lambda place: times[place] or datetime.min)
    return tuple(history.sessions[place] for place in order)


#: The name of the score of equal words.
EXACT = "exact match"
#: Scores a reply by the words of the answer, which is empty if there is none.
WordScore = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class SetKind:
    """A kind of sets: how they are told, asked and scored.

    Attributes:
        title: Its name.
        tell: Makes what is told and asked of a history, from its view and its name: several if
            questions are asked at several places of it.
        asks: How a chat model is asked; ``{question}`` is the question.
        types: Type -> what it is called; the order is that of tables.
        f1: The name of its F1, and whether it is the set's own.
        score: Type -> what scores its questions by their words; None: nothing does.
        numbered: The common name of the types if their own names are numbers.
        none_type: The type of all questions without an answer; empty if they have other types.
        judged: Type -> what it is called for judges.
        prompts: Type -> digest of the set's own prompt for a judge; empty if it has none.
        prompt_tokens: Maximum number of tokens in a reply to those.
        match: The name of the score beside F1.
        matches: Gives this score to a reply; None: the words must be those of the answer. It gives
            None to questions that only a judge can score.
    """

    title: str
    tell: Callable[[Any, str], Sequence[ToldHistory]]
    asks: str
    types: Mapping[str, str]
    f1: str
    score: Callable[[PosedQuestion], WordScore | None]
    numbered: str = ""
    none_type: str = ""
    judged: Callable[[str], str] = str
    prompts: Mapping[str, str] = field(default_factory=dict)
    prompt_tokens: int = 0
    match: str = EXACT
    matches: Callable[[PosedQuestion, str], float | None] | None = None

    def label(self, name: str) -> str:
        """The label of a type."""
        return self.types.get(name, name)

    def names_of(self, name: str) -> tuple[str, ...]:
        """The names of a type: its own, its label, and the word that the label explains."""
        label = self.label(name)
        _, _, word = label.rpartition("(")
        return tuple(dict.fromkeys((name, label, word.removesuffix(")"))))

    def in_order(self, names: Sequence[str]) -> list[str]:
        """Types in the order of tables."""
        places = {name: place for place, name in enumerate(self.types)}
        return sorted(set(names), key=lambda name: (places.get(name, len(places)), name))


# LoCoMo: two people talk, and the agent is told what they say.


def _told_locomo(history: LocomoHistory, name: str) -> tuple[ToldHistory, ...]:
    names = {turn.at: id_ for id_, turn in history.by_id.items()}

    def sessions() -> Iterator[ToldSession]:
        for session in history.sessions:
            turns = tuple(
                ToldTurn(
                    names.get(turn.at, f"{session.id}:{number}"),
                    USER,
                    f"{turn.speaker}: {turn.text}"
                    + (f" [shares {turn.caption}]" if turn.caption else ""),
                    turn.speaker,
                )
                for number, turn in enumerate(session.turns, 1)
            )
            yield ToldSession(session.id, iso(history, session.date), session.date or "", turns)

    place = {turn.at: session.id for session in history.sessions for turn in session.turns}
    return (ToldHistory(name, [*_locomo_questions(history, name, names, place)], sessions),)


def _locomo_questions(
    history: LocomoHistory, name: str, names: Mapping[str, str], place: Mapping[str, str]
) -> Iterator[PosedQuestion]:
    for number, question in enumerate(history.questions, 1):
        evidence = history.evidence_of(question)
        yield posed(
            history,
            question,
            id=f"{name}/{number}",
            history=name,
            expected=question.answer if question.is_answerable else None,
            turns=tuple(dict.fromkeys(names[turn.at] for turn in evidence)),
            sessions=tuple(dict.fromkeys(place[turn.at] for turn in evidence)),
        )


_OF_CATEGORY: dict[str, WordScore] = {
    "1": list_f1,
    "2": word_f1,
    "3": first_f1,
    "4": word_f1,
    "5": lambda reply, _: refuses(reply),
}
_LOCOMO = SetKind(
    title="LoCoMo",
    tell=_told_locomo,
    asks=(
        "{question}\nAnswer from the conversation in as few words as possible, in its own words. "
        'If the conversation does not say it, answer "not mentioned".'
    ),
    types={
        "1": "category 1 (multi-hop)",
        "2": "category 2 (temporal)",
        "3": "category 3 (open-domain)",
        "4": "category 4 (single-hop)",
        "5": "category 5 (adversarial)",
    },
    f1="LoCoMo F1",
    score=lambda question: _OF_CATEGORY.get(question.type),
    numbered="categories",
    none_type="5",
    judged=lambda name: f"category {name}",
)


# LongMemEval: a user and an assistant talk, and the agent takes the place of the assistant.


def _told_longmemeval(history: Haystack, name: str) -> tuple[ToldHistory, ...]:
    del name  # the question has an id
    question = history.question

    def sessions() -> Iterator[ToldSession]:
        # Files with the evidence only have their sessions in any order.
        for session in in_time(history):
            turns = tuple(
                ToldTurn(
                    f"{session.id}:{number}",
                    ASSISTANT if turn.speaker == ASSISTANT else USER,
                    turn.text,
                )
                for number, turn in enumerate(session.turns, 1)
            )
            yield ToldSession(session.id, iso(history, session.date), session.date or "", turns)

    named = [session.id for session in history.sessions]
    asked = posed(
        history,
        question,
        history=question.id,
        turns=tuple(
            f"{session.id}:{number}"
            for session in history.sessions
            for number, turn in enumerate(session.turns, 1)
            if turn.is_marked
        ),
        sessions=tuple(dict.fromkeys(name for _, name in question.evidence if name in named)),
    )
    return (ToldHistory(question.id, [asked], sessions),)


#: Types whose expected answer is not one: words in common with it mean nothing.
_RUBRIC = "single-session-preference"
_PLAIN = "23d624a1a266efc2f1e5198405b94d348515c862d202c390fe60f664b66a4031"
_LONGMEMEVAL = SetKind(
    title="LongMemEval",
    tell=_told_longmemeval,
    asks="{question}",
    types={name: name for name in QUESTION_TYPES},
    f1="word F1",
    score=lambda question: None if question.has_none or question.type == _RUBRIC else word_f1,
    prompts={
        "single-session-user": _PLAIN,
        "single-session-assistant": _PLAIN,
        "multi-session": _PLAIN,
        "temporal-reasoning": "8bdfd4a27e4154ecce9cae615acb6463486810dfcbc0b803ccf2c67fffdb2bff",
        "knowledge-update": "2a2943a232927de72b15c3fdfda3660f8ad3e86f599394f142fb1a3f3286e833",
        _RUBRIC: "2fa9299758c51f397b007c45803dc3dff111230b95599c23d05cf1fd60cacc3a",
        "abstention": "781735035ddd5d4b04de00fc24b396fbe927a971a4b045ece629371033e0d97f",
    },
    prompt_tokens=10,
)

#: Kind of a file -> how it is run.
SET_KINDS: dict[str, SetKind] = {"locomo": _LOCOMO, "longmemeval": _LONGMEMEVAL}
