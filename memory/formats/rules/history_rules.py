"""Rules on memory sets of any kind: speakers, questions, dates, and where answers are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from evalmark.memory.formats.history import (
    History,
    HistoryQuestion,
    HistoryTurn,
    MemorySet,
    words_of,
)
from evalmark.validator.findings.finding import Action, At, Hit
from evalmark.validator.findings.phrasing import alike, listed, one_of, quoted, shown

#: Turns with an answer that are named; it is in more by chance.
FEW = 3
#: Answers that occur elsewhere by chance or in other words: dates and years.
_TIME = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October|"
    r"November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b"
)
#: Answers that hardly have other words: a name after another word, or a number of three digits.
_DISTINCT = re.compile(r"(?<=[\w,] )[A-Z][\w'\u2019-]+|\b\d{3,}\b")
#: Words of an answer that can be quoted; a longer one is a description.
_SHORT = 8


def unknown_speaker(view: MemorySet[History]) -> Iterator[Hit]:
    """A turn is by none of the speakers.

    A misspelt speaker is a third person to a system. In LoCoMo the speakers are `speaker_a` and
    `speaker_b`; in LongMemEval they are `user` and `assistant`.

    Bad: `"speaker": "Carolin"` where `speaker_a` is `"Caroline"`
    Good: `"speaker": "Caroline"`
    """
    for history in view.histories:
        speakers = history.speakers
        if not speakers:
            continue
        if hit := _silent_speaker(history):
            yield hit
            continue
        for turn in history.turns:
            if turn.speaker not in speakers:
                yield Hit(
                    f"{quoted(turn.speaker)} is not one of the speakers",
                    At(f"{turn.at}/{history.speaker_key}"),
                    notes=(f"the speakers are {listed(quoted(name) for name in speakers)}",),
                    helps=one_of(alike(turn.speaker, speakers, 0.6) or speakers, ""),
                    fold=f"speaker {turn.speaker}",
                )


def _silent_speaker(history: History) -> Hit | None:
    """The hit for a speaker who says nothing, if one other person has turns instead."""
    counts = Counter(turn.speaker for turn in history.turns)
    others = [name for name in counts if name not in history.speakers]
    silent = [(at, name) for at, name in history.declared.items() if name not in counts]
    if len(others) != 1 or len(silent) != 1 or counts[others[0]] == 1:
        return None
    (person,), ((at, name),) = others, silent
    return Hit(
        f"{quoted(name)} says nothing; {counts[person]} turns are by {quoted(person)}",
        At(at),
        helps=(Action.WRITE(quoted(person)),),
    )


def duplicate_question(view: MemorySet[History]) -> Iterator[Hit]:
    """A question is asked twice about a history.

    Asked twice it counts twice. If the two have different answers, no system can be right on both.

    Bad: the same question in category 4, with its answer, and in category 5, as adversarial
    Good: one of them
    """
    for history in view.histories:
        first: dict[tuple[object, ...], HistoryQuestion] = {}
        for question in history.questions:
            words = words_of(question.text)
            before = first.setdefault((words, *question.circumstances), question)
            if before is question or not words.strip():
                continue
            yield _duplicate(before, question)
    several: dict[tuple[object, ...], HistoryQuestion] = {}
    for _, question in view.asked:
        if not question.id:
            continue
        names = (name for _, name in question.evidence)
        whole = (
            (question.text, question.answer, question.type, question.date),
            question.circumstances,
            *names,
        )
        before = several.setdefault(whole, question)
        if before.id != question.id:
            yield _duplicate(before, question)


def _duplicate(before: HistoryQuestion, question: HistoryQuestion) -> Hit:
    which = before.id or f"{int(before.at.rpartition('/')[2]) + 1}"
    message = f"duplicate of question {which}"
    if before.is_answerable != question.is_answerable:
        answerable = (before if before.is_answerable else question).answer
        which_one = "that one" if before.is_answerable else "this one"
        message += f"; {which_one} has the answer {shown(answerable)}, the other has none"
    elif before.answer != question.answer:
        message += f" with another answer: {shown(question.answer)}, not {shown(before.answer)}"
    return Hit(
        message,
        At(f"{question.at}/question"),
        labels=((At(f"{before.at}/question"), "before"),),
        helps=(f"remove this entry, or question {which}",),
        pointer=question.at,
        fold="duplicate question",
    )


def answer_elsewhere(view: MemorySet[History]) -> Iterator[Hit]:
    """The answer is a name or a number that another turn has, and the evidence does not.

    Recall of the wrong turn is then counted as a hit, and of the right one as a miss. An answer in
    other words, a date, a count or a sentence is not looked for.

    Bad: the answer "the Blue Heron", evidence `D1:3`, and "the Blue Heron" only in `D2:7`
    Good: evidence `D2:7`
    """
    for history, question in view.asked:
        turns = _elsewhere(history, question)
        if not 0 < len(turns) <= FEW:
            continue
        session_of = {turn.at: each.id for each in history.sessions for turn in each.turns}
        where = listed(turn.id or session_of[turn.at] for turn in turns)
        yield Hit(
            f"the answer {shown(question.answer)} is not in the evidence, but in {where}",
            At(question.evidence[0][0].rpartition("/")[0]),
            labels=((At(f"{turns[0].at}/{history.text_key}"), "here"),),
            helps=(f"compare the evidence with {where}",),
            fold="answer elsewhere",
        )


def _elsewhere(history: History, question: HistoryQuestion) -> list[HistoryTurn]:
    """The turns with a distinct answer, if the evidence does not have it."""
    words = _distinct(history, question)
    if words is None or not history.evidence_ids.issuperset(name for _, name in question.evidence):
        return []  # unknown_evidence or answer_session_missing reports an unknown id
    evidence = history.evidence_of(question)
    if not evidence or any(turn.has(words) for turn in evidence):
        return []
    places = {turn.at for turn in evidence}
    return [turn for turn in history.turns if turn.at not in places and turn.has(words)]


def _distinct(history: History, question: HistoryQuestion) -> str | None:
    """The words of an answer that is hardly said in other words; None of any other answer."""
    answer = question.answer
    if answer is None or not question.is_answerable or _TIME.search(answer):
        return None
    words = words_of(answer)
    if len(words.split()) > _SHORT or not _DISTINCT.search(answer):
        return None
    speakers = words_of(" ".join(history.speakers)).split()
    return words if set(words.split()) - set(speakers) else None
