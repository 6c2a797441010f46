"""What a memory set gives to agents that remember nothing: three lines that cost nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain

from evalmark.memory.sets.general_sets import LETTERS
from evalmark.memory.sets.set_files import LoadedSet
from evalmark.memory.sets.set_kinds import PosedQuestion, SetKind, ToldHistory, ToldTurn
from evalmark.memory.sets.set_scores import (
    FLOOR,
    Answered,
    SetScores,
    TypeScores,
    set_scores,
)

#: The number of turns that the last of the floors sees.
LAST = 10
#: The answer of the first.
NOT_MENTIONED = "not mentioned"

#: The reply of a floor to a question about a history with these turns.
Reply = Callable[[PosedQuestion, Sequence[ToldTurn]], str]


def _random_turn(question: PosedQuestion, turns: Sequence[ToldTurn]) -> str:
    """A turn at random, or an option if there are some."""
    numbers = random.Random(f"floor {question.id}")
    if letters := _letters(question):
        return f"({numbers.choice(letters)})"
    return numbers.choice(turns).content if turns else ""


def _last_turns(question: PosedQuestion, turns: Sequence[ToldTurn]) -> str:
    """The last turn but nine or later that shares the most words with the question.

    If there are options, the one with the greatest share of its words in these turns.
    """
    if letters := _letters(question):
        heard = set().union(*(_words(turn.content) for turn in turns[-LAST:]))
        shares = [_share(_words(option), heard) for option in question.options]
        best = max(range(len(letters)), key=lambda number: shares[number])
        return f"({letters[best]})"
    words = _words(question.text)
    shared = [(len(words & _words(turn.content)), turn.content) for turn in turns[-LAST:]]
    return max(shared, key=lambda pair: pair[0])[1] if shared else ""


def _letters(question: PosedQuestion) -> str:
    """The letters of the options, as questions have them."""
    return LETTERS[: len(question.options)]


def _share(words: set[str], heard: set[str]) -> float:
    return len(words & heard) / len(words) if words else 0.0


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


#: Name -> how it replies.
FLOORS: dict[str, Reply] = {
    f'floor: says "{NOT_MENTIONED}"': lambda _question, _turns: NOT_MENTIONED,
    "floor: a turn at random": _random_turn,
    f"floor: sees the last {LAST} turns": _last_turns,
}


def floors(sets: Sequence[LoadedSet], scores: SetScores) -> tuple[TypeScores, ...]:
    """The scores of each floor on the questions of the total; none if only judges score these.

    Args:
        sets: The sets, whose histories are read.
        scores: The scores of a system on the sets of one kind.
    """
    total = next((row for row in scores.totals), None)
    if total is None:
        return ()
    counted = {answer.question.id for answer in total.answers}
    answers: dict[str, list[Answered]] = {name: [] for name in FLOORS}
    for memory_set in sets:
        for history in memory_set.histories if memory_set.kind.title == scores.kind.title else ():
            posed = [question for question in history.questions if question.id in counted]
            for name, answered in _answered(memory_set.kind, history, posed):
                answers[name] += answered
    rows = [
        TypeScores(name, tuple(members), total.types, FLOOR) for name, members in answers.items()
    ]
    return tuple(rows) if any(row.f1s or row.exacts for row in rows) else ()


def _answered(
    kind: SetKind, history: ToldHistory, questions: Sequence[PosedQuestion]
) -> list[tuple[str, list[Answered]]]:
    turns = [*chain.from_iterable(session.turns for session in history.sessions())]
    return [
        (name, [Answered(kind, question, reply(question, turns)) for question in questions])
        for name, reply in FLOORS.items()
    ]


def scores_of(sets: Sequence[LoadedSet], answers: Sequence[Answered]) -> tuple[SetScores, ...]:
    """The scores of answers, for each kind of set, with those of the floors beside them."""
    kinds = {memory_set.kind.title: memory_set.kind for memory_set in sets}
    every = (
        set_scores(
            kind,
            [memory_set.name for memory_set in sets if memory_set.kind.title == kind.title],
            [answer for answer in answers if answer.kind.title == kind.title],
        )
        for kind in kinds.values()
    )
    return tuple(replace(scores, floors=floors(sets, scores)) for scores in every)
