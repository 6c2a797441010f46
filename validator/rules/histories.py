"""Rules on memory sets of any kind: speakers, questions, dates, and where answers are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import listed, quoted, shown
from evalmark.validator.memory.history import History, MemorySet, Question, words_of
from evalmark.validator.rules.intended import alike, one_of

#: Turns with an answer that are named; it is in more by chance.
FEW = 3
#: What is found elsewhere by chance or said in other words: dates and years.
_TIME = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October|"
    r"November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b"
)
#: What is hardly said in other words: a name after another word, or a number of three digits.
_DISTINCT = re.compile(r"(?<=[\w,] )[A-Z][\w'\u2019-]+|\b\d{3,}\b")
#: Words of an answer that can be quoted; a longer one is a description.
_SHORT = 8


def unknown_speaker(view: MemorySet) -> Iterator[Hit]:
    """Each turn is by one of the speakers.

    A misspelt speaker is a third person to a system. In LoCoMo the speakers are `speaker_a` and
    `speaker_b`; in LongMemEval they are `user` and `assistant`.

    Bad: `"speaker": "Carolin"` where `speaker_a` is `"Caroline"`
    Good: `"speaker": "Caroline"`
    """
    for history in view.histories:
        known = history.speakers
        if not known:
            continue
        counts = Counter(turn.speaker for turn in history.turns)
        others = [name for name in counts if name not in known]
        silent = {at: name for at, name in history.declared.items() if name not in counts}
        if len(others) == 1 == len(silent) and counts[others[0]] > 1:
            ((at, name),) = silent.items()
            yield Hit(
                f"{quoted(name)} says nothing; {counts[others[0]]} turns are by "
                f"{quoted(others[0])}",
                At(at),
                helps=(f"write {quoted(others[0])}",),
            )
            continue
        for turn in history.turns:
            if turn.speaker not in known:
                key = "speaker" if history.declared else "role"
                yield Hit(
                    f"{quoted(turn.speaker)} is not one of the speakers",
                    At(f"{turn.at}/{key}"),
                    notes=(f"the speakers are {listed(quoted(name) for name in known)}",),
                    helps=one_of(alike(turn.speaker, known, 0.6) or known, ""),
                    fold=f"speaker {turn.speaker}",
                )


def duplicate_question(view: MemorySet) -> Iterator[Hit]:
    """A question is asked once about a history.

    Asked twice it counts twice. If the two have different answers, no system can be right on both.

    Bad: the same question in category 4, with its answer, and in category 5, as adversarial
    Good: one of them
    """
    for history in view.histories:
        first: dict[str, Question] = {}
        for question in history.questions:
            words = words_of(question.text)
            before = first.setdefault(words, question)
            if before is question or not words.strip():
                continue
            yield _duplicate(before, question)
    several: dict[tuple[str | None, ...], Question] = {}
    for history in view.histories:
        for question in history.questions:
            if not question.id:
                continue
            names = (name for _, name in question.evidence)
            whole = (question.text, question.answer, question.type, question.date, *names)
            before = several.setdefault(whole, question)
            if before.id != question.id:
                yield _duplicate(before, question)


def _duplicate(before: Question, question: Question) -> Hit:
    """The hit for a question that was asked before."""
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


def answer_elsewhere(view: MemorySet) -> Iterator[Hit]:
    """The answer is in the evidence, if it is a name or a number that only another turn has.

    Recall of the wrong turn is then counted as a hit, and of the right one as a miss. An answer in
    other words, a date, a count or a sentence is not looked for.

    Bad: the answer "the Blue Heron", evidence `D1:3`, and "the Blue Heron" only in `D2:7`
    Good: evidence `D2:7`
    """
    for history in view.histories:
        for question in history.questions:
            if (words := _distinct(history, question)) is None:
                continue
            evidence = history.evidence_of(question)
            named = {turn.at for turn in evidence}
            if not evidence or any(words in turn.words for turn in evidence):
                continue
            found = [t for t in history.turns if t.at not in named and words in t.words]
            if not 0 < len(found) <= FEW:
                continue
            where = listed(turn.id or _session_of(history, turn.at) for turn in found)
            yield Hit(
                f"the answer {shown(question.answer)} is not in the evidence, but in {where}",
                At(question.evidence[0][0].rpartition("/")[0]),
                labels=((At(found[0].at), "here"),),
                helps=(f"compare the evidence with {where}",),
                fold="answer elsewhere",
            )


def _session_of(history: History, at: str) -> str:
    return next(session.id for session in history.sessions if at.startswith(f"{session.at}/"))


def _distinct(history: History, question: Question) -> str | None:
    """The words of an answer that is hardly said in other words; None of any other answer."""
    answer = question.answer
    if answer is None or not question.is_answerable or _TIME.search(answer):
        return None
    words = words_of(answer)
    if len(words.split()) > _SHORT or not _DISTINCT.search(answer):
        return None
    speakers = words_of(" ".join(history.speakers)).split()
    return words if set(words.split()) - set(speakers) else None


def unreadable_date(view: MemorySet) -> Iterator[Hit]:
    """A date can be read.

    LoCoMo has dates as `1:56 pm on 8 May, 2023`, LongMemEval as `2023/05/30 (Tue) 23:40`. A date
    that nobody can read is no date: programs stop at it, or take the current one.

    Bad: `1:56 pm on 31 June, 2023`
    Good: `1:56 pm on 30 June, 2023`
    """
    for history, at, date in _dates(view):
        if history.time_of(date) is None and history.dates.meant(date) is None:
            yield Hit(
                f"{shown(date)} is not a date",
                At(at),
                caret=f"expected {quoted(history.dates.example)}",
                helps=("write a date in this form",),
                fold="unreadable date",
            )


def date_form(view: MemorySet) -> Iterator[Hit]:
    """A date has the form that its set uses.

    Programs for the set read this form only.

    Bad: `2023-05-08 13:56` in LoCoMo
    Good: `1:56 pm on 8 May, 2023`
    """
    for history, at, date in _dates(view):
        meant = history.dates.meant(date) if history.time_of(date) is None else None
        if meant is not None:
            yield Hit(
                f"{shown(date)} is not in the form of the set",
                At(at),
                caret=f"expected {quoted(history.dates.example)}",
                helps=(f"write {quoted(meant)}",),
                fold="date form",
            )


def _dates(view: MemorySet) -> Iterator[tuple[History, str, str]]:
    """The dates of sessions and questions, with their pointers."""
    for history in view.histories:
        for session in history.sessions:
            if session.date is not None:
                yield history, session.date_at, session.date
        for question in history.questions:
            if question.date is not None:
                yield history, question.date_at, question.date


def sessions_out_of_order(view: MemorySet) -> Iterator[Hit]:
    """The dates of sessions are in the order of the sessions.

    A system is told session 4 after session 3, whatever their dates: it cannot know what was last.

    Bad: session 3 on 9 June, session 4 on 27 May
    Good: session 4 on 27 June
    """
    for history in view.histories:
        dated = [
            (time, session.date, session.date_at)
            for session in history.sessions
            if session.date is not None and (time := history.time_of(session.date))
        ]
        if all(one[0] <= other[0] for one, other in pairwise(dated)):
            continue
        right = _longest(list(enumerate(time for time, _, _ in dated)))
        for index, (time, date, at) in enumerate(dated):
            if index in right:
                continue
            before = max((i for i in right if i < index), default=None)
            after = min((i for i in right if i > index), default=None)
            bounds = (
                datetime.min if before is None else dated[before][0],
                datetime.max if after is None else dated[after][0],
            )
            late = after is not None and time > bounds[1]
            other = dated[after if late and after is not None else before or 0]
            yield Hit(
                f"{shown(date)} is {'after' if late else 'before'} the date of the "
                f"{'next' if late else 'previous'} session, {shown(other[1])}",
                At(at),
                labels=((At(other[2]), "the other one"),),
                helps=one_of(
                    [history.dates.write(one) for one in _variants(time, bounds)],
                    "say which is wrong: this date, or the other one",
                ),
            )


def _longest(times: list[tuple[int, datetime]]) -> frozenset[int]:
    """The places of a longest series of times that does not decrease."""
    best: list[tuple[int, ...]] = []
    for index, time in times:
        longest: tuple[int, ...] = ()
        for (_, earlier), series in zip(times, best, strict=False):
            if earlier <= time and len(series) > len(longest):
                longest = series
        best.append((*longest, index))
    return frozenset(max(best, key=len, default=()))


def _variants(time: datetime, bounds: tuple[datetime, datetime]) -> list[datetime]:
    """The times that one slip makes of a time, if they lie between others: another year or month."""
    found = []
    for change in ({"year": time.year - 1}, {"year": time.year + 1}):
        try:
            found.append(time.replace(**change))
        except ValueError:
            continue  # 29 February
    fitting = [one for one in found if bounds[0] <= one <= bounds[1]]
    return fitting if len(fitting) == 1 and bounds[1] != datetime.max else []
