"""Suggestions for the flags and waits of definitions, taken from their other fields."""

from __future__ import annotations

from evalmark.validator.findings.finding import Action
from evalmark.validator.findings.phrasing import quoted
from evalmark.validator.formats.ltm.ltm_view import DefinitionView

#: Datasets that expect one string, and those that expect one for each of several questions.
ONE = ("ChapterBreak", "Colours", "Jokes", "Locations Directions", "Locations", "SallyAnne")
EACH = ("Delayed Recall", "Instruction Recall", "Trigger Response")
#: Datasets whose only question is the last message.
ONE_QUESTION = (*ONE, "NameList", "Prospective Memory", "Shopping", "Spy Meeting")


def flags(view: DefinitionView) -> tuple[str, ...]:
    """Advice on a wrong number of flags."""
    expected, count = len(view.script) + view.is_temporal, len(view.flags)
    waits = len(view.entries("waits")) or len(view.entries("spacings"))
    if waits not in (0, expected):
        if waits == count > expected:
            return ("add the missing message to `script`, or remove a flag and its wait",)
        return ("write a flag and a wait for each message",)
    only_last = [False] * (expected - 1) + [True]
    if view.is_temporal or view.place.dataset in ONE_QUESTION:
        return (Action.WRITE(quoted(only_last)),)
    questions = len(view.expected)
    if view.place.dataset in EACH and questions < expected:
        return (Action.WRITE(quoted([False] * (expected - questions) + [True] * questions)),)
    marked = [is_asked(message) for message in view.script]
    if marked == only_last:
        return (f"write {quoted(only_last)}, if only the last message is a question",)
    if marked[-1]:
        return (f"write {quoted(marked)}, if these are the questions",)
    return ("write a flag for each message: true if it is a question",)


def last_flag(view: DefinitionView) -> tuple[str, ...]:
    """Advice on a last flag that says that the message is not a question."""
    only_last = [False] * (len(view.flags) - 1) + [True]
    if view.is_temporal or view.place.dataset in ONE_QUESTION:
        return (f'write "is_question": {quoted(only_last)}',)
    if view.has_flags and is_asked(view.script[-1]):
        marked = [is_asked(message) for message in view.script]
        if sum(marked) == sum(view.flags):
            return (f'write "is_question": {quoted(marked)}, if these are the questions',)
        return ("write true",)
    return ("if it is a question, write true; otherwise remove the message, its flag and wait",)


def is_asked(message: str) -> bool:
    """True if a message ends as questions do."""
    return message.rstrip().endswith("?")


def waits(view: DefinitionView, field: str, count: int) -> tuple[str, ...]:
    """Advice on a wrong number of waits."""
    entries = view.entries(field)
    empty: object = {} if field == "waits" else 0
    if not view.has_flags:
        return (f"write {count} entries",) if count else ("remove all entries",)
    if len(entries) == count - 1 and not _is_empty(entries[-1]):
        return (f"add {quoted(empty)} at the end: there is no wait after the last message",)
    if len(entries) == count + 1 and all(map(_is_empty, entries[-2:])):
        return ("remove the last entry",)
    missing = count - len(entries)
    if missing > 0:
        return (f"write {missing} more: one after each message, {quoted(empty)} for no wait",)
    return (f"remove the {-missing} that no message has: there is one after each message",)


def _is_empty(wait: object) -> bool:
    return not any(wait.values()) if isinstance(wait, dict) else not wait


def spread(view: DefinitionView) -> tuple[str, ...]:
    """The waits of a test that states none, as the runner of the benchmark makes them."""
    gaps = len(view.flags) - 1
    if not view.has_flags or gaps < 1:
        return ("write a wait for each message",)
    shares = [(i + 1) * 90 / gaps for i in range(gaps)]
    made = [{"percentage_finished": int(s) if s.is_integer() else round(s, 4)} for s in shares]
    return (f"write {quoted([*made, {}])}, as the benchmark's runner waits",)
