"""Rules on the dates of memory sets: their form, their order, and sessions without one."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.memory.formats.history import History, HistoryQuestion, MemorySet
from evalmark.memory.formats.locomo import TURN_ID, Locomo, LocomoHistory
from evalmark.memory.formats.longmemeval import LongMemEval
from evalmark.memory.formats.memory_dates import read_longmemeval, slips, write_longmemeval
from evalmark.validator.findings.finding import Action, At, Hit
from evalmark.validator.findings.phrasing import listed, one_of, quoted, shown


def unreadable_date(view: MemorySet[History]) -> Iterator[Hit]:
    """A date cannot be read.

    LoCoMo has dates as `1:56 pm on 8 May, 2023`, LongMemEval as `2023/05/30 (Tue) 23:40`. Programs
    stop at any other text, or take the current date instead.

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


def date_form(view: MemorySet[History]) -> Iterator[Hit]:
    """A date is not in the date format of its set.

    Programs for the set read only this format.

    Bad: `2023-05-08 13:56` in LoCoMo
    Good: `1:56 pm on 8 May, 2023`
    """
    for history, at, date in _dates(view):
        meant = history.dates.meant(date) if history.time_of(date) is None else None
        if meant is not None:
            yield Hit(
                f"{shown(date)} is not in the date format of the set",
                At(at),
                caret=f"expected {quoted(history.dates.example)}",
                helps=(Action.WRITE(quoted(meant)),),
                fold="date form",
            )


def _dates(view: MemorySet[History]) -> Iterator[tuple[History, str, str]]:
    """The dates of sessions and questions, with their pointers."""
    for history in view.histories:
        for session in history.sessions:
            if session.date is not None:
                yield history, session.date_at, session.date
        for question in history.questions:
            if question.date is not None:
                yield history, question.date_at, question.date


def weekday(view: LongMemEval) -> Iterator[Hit]:
    """A date has the wrong day of the week.

    Systems are told both, and questions ask about days of the week.

    Bad: `2023/05/30 (Mon) 23:40`
    Good: `2023/05/30 (Tue) 23:40`
    """
    for haystack in view.histories:
        dates = [(session.date_at, session.date) for session in haystack.sessions]
        for at, date in [*dates, (haystack.question.date_at, haystack.question.date)]:
            time = read_longmemeval(date) if date else None
            if time and date and write_longmemeval(time) != date:
                right = write_longmemeval(time)
                day = right[12:15]
                message = f"{date[:10]} was not a {date[12:15]}"
                helps = (Action.WRITE(quoted(right)),)
                yield Hit(message, At(at), caret=f"expected {day}", helps=helps, fold="weekday")


def sessions_out_of_order(view: MemorySet[History]) -> Iterator[Hit]:
    """The dates of sessions are not in the order of the sessions.

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
        for wrong, neighbour, meant in slips([time for time, _, _ in dated]):
            is_late = neighbour > wrong
            yield Hit(
                f"{shown(dated[wrong][1])} is {'after' if is_late else 'before'} the date of the "
                f"{'next' if is_late else 'previous'} session, {shown(dated[neighbour][1])}",
                At(dated[wrong][2]),
                labels=((At(dated[neighbour][2]), "the other one"),),
                helps=one_of(
                    [history.dates.write(meant)] if meant else [],
                    "say which is wrong: this date, or the other one",
                ),
            )


def question_before_session(view: MemorySet[History]) -> Iterator[Hit]:
    """A question is asked before its sessions.

    A system that goes by dates would have to answer from sessions that have not taken place.

    Bad: a session of `2023/05/28 (Sun) 21:04`, and a question of `2023/05/28 (Sun) 06:47`
    Good: a question of `2023/05/28 (Sun) 23:10`
    """
    for history, question in view.asked:
        if hit := _before_session(history, question):
            yield hit


def _before_session(history: History, question: HistoryQuestion) -> Hit | None:
    """The hit for a question that is dated before a session that is told before it."""
    question_time = history.time_of(question.date)
    if question_time is None:
        return None  # unreadable_date reports it
    later = [
        (time, session)
        for session in history.sessions_before(question)
        if (time := history.time_of(session.date)) and time > question_time
    ]
    if not later:
        return None
    _, session = max(later, key=lambda each: each[0])
    count = f"{len(later)} session{'s' if len(later) > 1 else ''}"
    return Hit(
        f"the question is dated before {count} of its history",
        At(question.date_at),
        labels=((At(session.date_at), "the last one"),),
        helps=(f"say which is wrong: the question, or {session.date}",),
        fold="question before session",
    )


def date_missing(view: MemorySet[History]) -> Iterator[Hit]:
    """A session has no date, but others of its history have.

    Questions about when something happened cannot be answered without it.

    Bad: two sessions with `date`, and one without
    Good: all with it, or none
    """
    for history in view.histories:
        without = [session for session in history.sessions if session.date is None]
        if not without or len(without) == len(history.sessions):
            continue
        for session in without:
            yield Hit(
                f"session {quoted(session.id)} has no date, and others of its history have",
                At(session.at),
                helps=("add the missing `date`",),
                fold="no date",
            )


def session_without_date(view: Locomo) -> Iterator[Hit]:
    """A session has no date.

    Questions about when something happened cannot be answered without it.

    Bad: `session_3` without `session_3_date_time`
    Good: `"session_3_date_time": "1:56 pm on 8 May, 2023"`
    """
    for conversation in view.histories:
        for number in conversation.numbers:
            if number in conversation.dated:
                continue
            key = f"session_{number}_date_time"
            if misspelt := conversation.misspelt(key):
                helps: tuple[str, ...] = (Action.RENAME(misspelt, key),)
            else:
                helps = (f"add the missing `{key}`",)
            at = At(conversation.at_session(number), key=True)
            yield Hit(f"`session_{number}` has no date", at, helps=helps)


def date_without_session(view: Locomo) -> Iterator[Hit]:
    """A date has no session.

    Programs that count dates read sessions that do not exist, and a session that was lost is
    noticed here.

    Bad: `session_20_date_time` without `session_20`
    Good: both, or neither
    """
    for conversation in view.histories:
        if not conversation.numbers:
            continue  # no_sessions reports it
        named = _named_sessions(conversation)
        left_over = []
        for number in conversation.lost:
            misspelt = conversation.misspelt(f"session_{number}")
            if number not in named and not misspelt:
                left_over.append(number)
                continue
            way = f"rename `{misspelt}` to" if misspelt else "add the missing"
            yield Hit(
                f"there is no `session_{number}`, but its date",
                At(conversation.at_date(number), key=True),
                labels=((At(named[number]), "evidence in it"),) if number in named else (),
                helps=(f"{way} `session_{number}`",),
            )
        if left_over:
            keys = [f"`session_{number}_date_time`" for number in left_over]
            yield Hit(
                f"{listed(keys)} {'have' if len(keys) > 1 else 'has'} no session",
                At(conversation.at_date(left_over[0]), key=True),
                notes=(f"the last session is `session_{conversation.numbers[-1]}`",),
                helps=(f"remove {', '.join(keys)}",),
            )


def _named_sessions(conversation: LocomoHistory) -> dict[int, str]:
    """Number of a session -> pointer of the first evidence in it."""
    pointers: dict[int, str] = {}
    for question in conversation.questions:
        for at, name in question.evidence:
            if match := TURN_ID.fullmatch(name):
                pointers.setdefault(int(match[1]), at)
    return pointers
