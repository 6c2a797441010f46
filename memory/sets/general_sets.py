"""Sets in the general form as runs see them.

Replies are scored by what the set says itself: the option that was chosen, or a right answer and
no wrong one among the words.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from evalmark.memory.formats.general import GeneralHistory, GeneralQuestion, TurnPlace
from evalmark.memory.formats.history import words_of
from evalmark.memory.sets.set_kinds import (
    SET_KINDS,
    PosedQuestion,
    SetKind,
    ToldHistory,
    ToldSession,
    ToldTurn,
    WordScore,
    iso,
    posed,
)
from evalmark.memory.sets.token_f1 import word_f1
from evalmark.validator.format import Document

#: The format of these files.
KIND = "memory-set"
#: The name of the score of a reply's words.
MATCH = "answer match"

#: The letters that name options.
LETTERS = string.ascii_lowercase
_FINAL = re.compile(r"<final_answer>(.*)", re.DOTALL | re.IGNORECASE)
_LETTER = re.compile(r"\(([a-z])\)|^\W*([a-z])\W*$|^([a-z])[.):]\s", re.IGNORECASE)


def set_kind(document: Document) -> SetKind | None:
    """How a file of a memory set is run; None if it is not one."""
    if document.kind != KIND:
        return SET_KINDS.get(document.kind or "")
    data = document.data if isinstance(document.data, dict) else {}
    types = data.get("types")
    return SetKind(
        title=str(data.get("name", KIND)),
        tell=_told,
        asks="{question}",
        types=dict(types) if isinstance(types, Mapping) else {},
        f1="word F1",
        score=_word_score,
        match=MATCH,
        matches=match,
    )


def _word_score(question: PosedQuestion) -> WordScore | None:
    """Word F1 with the nearest of the right answers; None if there are none to compare with."""
    if question.has_rubric or question.options or not question.answers:
        return None
    return lambda reply, _: max(word_f1(reply, answer) for answer in question.answers)


def match(question: PosedQuestion, reply: str) -> float | None:
    """1 if a reply chooses the right option, or has a right answer and no wrong one; else 0.

    None if only a judge can say so: for a rubric, and where it is right to say that the history
    has no answer, unless the set says what is wrong.
    """
    if question.options:
        return float(chosen(reply, question.options) in question.answers)
    has_rule = question.answers or (question.has_none and question.wrong_answers)
    if question.has_rubric or not has_rule:
        return None
    words = words_of(reply)
    is_wrong = any(words_of(wrong) in words for wrong in question.wrong_answers)
    is_right = question.has_none or any(words_of(right) in words for right in question.answers)
    return float(is_right and not is_wrong and bool(words.strip()))


def chosen(reply: str, options: tuple[str, ...]) -> str | None:
    """The option that a reply names by its letter, or else by its text; None if it names none.

    What follows ``<final_answer>`` decides, if it is there. A reply that names several names none.
    """
    if final := _FINAL.search(reply):
        reply = final[1]
    reply = reply.strip()
    letters = {next(filter(None, found)).lower() for found in _LETTER.findall(reply)}
    if len(letters) > 1:
        return None
    if letters:
        number = LETTERS.index(letters.pop())
        return options[number] if number < len(options) else None
    words = words_of(reply)
    named = [option for option in options if words_of(option) in words]
    return named[0] if len(named) == 1 else None


def _told(history: GeneralHistory, name: str) -> list[ToldHistory]:
    """A history, once for each place after which questions are asked."""
    by_end: dict[TurnPlace, list[GeneralQuestion]] = {}
    for question in history.questions:
        by_end.setdefault(history.end_of(question), []).append(question)
    part_of = name if len(by_end) > 1 else ""
    return [
        replace(_told_until(history, name, end, questions), part_of=part_of)
        for end, questions in sorted(by_end.items())
    ]


def _told_until(
    history: GeneralHistory, name: str, end: TurnPlace, questions: list[GeneralQuestion]
) -> ToldHistory:
    def sessions() -> Iterator[ToldSession]:
        for number, session in enumerate(history.sessions[: end.session + 1]):
            turns = history.data["sessions"][number]["turns"]
            until = None if number < end.session else end.turn + 1
            date = iso(history, session.date)
            told = tuple(_told_turn(turn) for turn in turns[:until])
            yield ToldSession(session.id, date, session.date or "", told)

    told_name = name if questions[0].after is None else f"{name}@{questions[0].after}"
    asked = [_posed(history, question, told_name) for question in questions]
    return ToldHistory(told_name, asked, sessions)


def _told_turn(turn: Mapping[str, Any]) -> ToldTurn:
    speaker, text = turn.get("speaker", ""), turn["content"]
    content = f"{speaker}: {text}" if speaker else text
    return ToldTurn(turn["id"], turn["role"], content, speaker)


def _posed(history: GeneralHistory, question: GeneralQuestion, name: str) -> PosedQuestion:
    home = {turn.id: session.id for session in history.sessions for turn in session.turns}
    named = [evidence for _, evidence in question.evidence if evidence in history.places]
    options = "".join(
        f"\n({letter}) {option}" for letter, option in zip(LETTERS, question.options, strict=False)
    )
    return posed(
        history,
        question,
        history=name,
        text=question.text + options,
        expected=_expected(question),
        turns=tuple(dict.fromkeys(evidence for evidence in named if evidence in home)),
        sessions=tuple(dict.fromkeys(home.get(evidence, evidence) for evidence in named)),
        answers=question.answers,
        wrong_answers=question.wrong_answers,
        options=question.options,
        has_rubric=bool(question.rubric),
    )


def _expected(question: GeneralQuestion) -> str | None:
    """The answer that judges are told to expect."""
    if not question.is_answerable:
        return question.data.get("explanation")
    if len(question.rubric) == 1:
        return question.rubric[0]
    if question.rubric:
        order = ", in this order" if question.data.get("ordered") else ""
        points = "".join(f"\n- {point}" for point in question.rubric)
        return f"all of these points{order}:{points}"
    return " or: ".join(question.answers)
