"""Suggestions for definitions, taken from their other fields or from their dataset."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from evalmark.validator.findings.finding import Action
from evalmark.validator.findings.phrasing import alike, one_of, quoted
from evalmark.validator.formats.ltm.ltm_view import DefinitionView

#: Datasets that expect one string, and those that expect one for each of several questions.
ONE = ("ChapterBreak", "Colours", "Jokes", "Locations Directions", "Locations", "SallyAnne")
EACH = ("Delayed Recall", "Instruction Recall", "Trigger Response")
#: Datasets whose only question is the last message.
ONE_QUESTION = (*ONE, "NameList", "Prospective Memory", "Shopping", "Spy Meeting")


_LAST_WORD = re.compile(r"\b(?:is|as|to) ([^\W\d_]+)[.!]*\s*$")
_FIRST_WORD = re.compile(r"\s*([^\W\d_]+) is (?:my|what I)\b")
_CAPITALIZED = re.compile(r"(?<=[\w,] )(?!I\b)[A-Z][\w-]+")
_QUOTE = re.compile(
    r"\s*['\"\u2018\u201c](.+)['\"\u2019\u201d]\s*[-\u2013\u2014]\s*(.+?)\s*$", re.DOTALL
)
_ORDINAL = re.compile(r"\b([0-9]+)(?:st|nd|rd|th)\b")
_DIGIT = re.compile(r"[0-9]+")


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


def one_text(view: DefinitionView) -> tuple[str, ...]:
    """The expected response of a dataset with one question."""
    texts = list(_texts(view.expected))
    if fits := _FITTING.get(view.place.dataset or ""):
        texts = [text for text in texts if fits(view, text)]
        if not texts and view.place.dataset == "Colours":
            texts = colour(view)
    return one_of(([text] for text in texts), "write a list of one string")


def _texts(node: object) -> Iterable[str]:
    if isinstance(node, list):
        for part in node:
            yield from _texts(part)
    elif node is not None:
        yield node if isinstance(node, str) else quoted(node)


def is_last_colour(view: DefinitionView, text: str) -> bool:
    """True if the last statement names a colour."""
    return bool(view.statements) and text.lower() in view.statements[-1].lower()


def in_script(view: DefinitionView, text: str) -> bool:
    """True if a message contains a text."""
    return any(text.lower() in message.lower() for message in view.script)


def is_option(_: DefinitionView, text: str) -> bool:
    """True if a text is the number of an option."""
    return text in OPTIONS


OPTIONS = ("1", "2", "3", "4", "5", "6")
#: Dataset -> what its rules ask of an expected response.
_FITTING: dict[str, Callable[[DefinitionView, str], bool]] = {
    "Colours": is_last_colour,
    "SallyAnne": in_script,
    "ChapterBreak": is_option,
    "Jokes": lambda view, text: text in view.script,
}


def colour(view: DefinitionView, word: str = "") -> list[str]:
    """The colour that the last statement names."""
    statement = view.statements[-1] if view.statements and view.has_flags else ""
    if near := alike(word, re.findall(r"[^\W\d_]+", statement)):
        return near
    match = _LAST_WORD.search(statement) or _FIRST_WORD.match(statement)
    return [match[1]] if match else []


def option(text: str) -> tuple[str, ...]:
    """The number of the option that a text names."""
    digits = _DIGIT.findall(text)
    letter = "ABCDEF".find(text.strip(" ().").upper() or "?")
    if len(digits) == 1 and digits[0] in OPTIONS:
        return (Action.WRITE(quoted(digits[0])),)
    if letter >= 0:
        return (f"if option A is the first, write {quoted(OPTIONS[letter])}",)
    return ('write one of "1", "2", "3", "4", "5", "6": the right option',)


def texts_of_questions(view: DefinitionView, questions: int) -> tuple[str, ...]:
    """The expected responses of a dataset with several questions."""
    texts = list(_texts(view.expected))
    if len(texts) == questions:
        return (Action.WRITE(quoted(texts)),)
    if view.place.dataset == "Trigger Response" and len(set(texts)) == 1:
        return (f"write {quoted(texts[:1] * questions)}",)
    return (f"write {questions} strings, the answers to the questions in their order",)


def names(view: DefinitionView) -> tuple[str, ...]:
    """The names of the statements of NameList."""
    candidates = [name(view, statement) for statement in view.statements]
    if all(len(words) == 1 for words in candidates):
        return (Action.WRITE(quoted([words[0] for words in candidates])),)
    return (f"write {len(candidates)} strings, the name in each statement",)


def name(view: DefinitionView, statement: str) -> list[str]:
    """The name in a statement: one that is expected, or the only word that can be one."""
    words = re.findall(r"\w[\w-]*", statement)
    expected = [text for text in _texts(view.expected) if text in words]
    if expected:
        return expected[:1]
    if first := _FIRST_WORD.match(statement):
        return [first[1]]
    return _CAPITALIZED.findall(statement)


def pair(entry: object) -> tuple[str, ...]:
    """The pair of item and quantity that an entry is meant to be."""
    match entry:
        case [[str(), int()] as inner]:
            return pair(inner)
        case [int(count), str(item)]:
            return pair([item, abs(count)])
        case [str(item), int(count)] if count < 0:
            return pair([item, -count])
        case [str(item), int(count)] if count >= 1:
            return (Action.WRITE(quoted([item, count])),)
        case [str(item), str(count)] if _DIGIT.fullmatch(count):
            return pair([item, int(count)])
        case [str(count), str(item)] if _DIGIT.fullmatch(count):
            return pair([item, int(count)])
        case [str(), 0]:
            return ("remove this entry, if the item is not on the list",)
        case str(item) | [str(item)]:
            return (f"write {quoted([item, 1])}, if there is one of it",)
    return ('write the item and how many of it, as in ["soap", 3]',)


def keywords(expected: Sequence[object]) -> tuple[str, ...]:
    """The three lists of keywords of Spy Meeting."""
    lists = [entry if isinstance(entry, list) else [entry] for entry in expected]
    if len(lists) == 3:
        made = [[w if isinstance(w, str) else quoted(w) for w in words] for words in lists]
        return (Action.WRITE(quoted(made)),)
    return ("write three lists of keywords: for what to bring, for when and for where",)


def quote(view: DefinitionView) -> tuple[str | None, str | None, int | None]:
    """Quote, author and number as the messages of Prospective Memory have them."""
    match, numbers = _QUOTE.match(view.script[0]), set(_ORDINAL.findall(view.script[1]))
    author = match[2] if match and match[2] in view.script[1] else None
    return match[1] if match else None, author, int(numbers.pop()) if len(numbers) == 1 else None
