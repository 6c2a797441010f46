"""Questions with expected answers, and right, near, vague, partly right and evasive answers.

The questions are from tests, from sets of questions, and our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from evalmark.conversations.evaluation.texts import standard
from evalmark.conversations.judges.near_misses import content_words, near_turns
from evalmark.converters.convert_document import convert_data
from evalmark.converters.formats import DEFINITIONS, format_of
from evalmark.schemas.errors import ConversionError, ScoringError
from evalmark.validator.reading.reading import read_file

#: Our own questions, about nobody.
OWN = Path(__file__).with_name("questions.json")
#: Where a set names the type of a question.
_TYPES = ("question_type", "category", "type")
#: How LongMemEval marks questions that the history does not answer.
_UNANSWERABLE = "_abs"


@dataclass(frozen=True, slots=True)
class SetQuestion:
    """A question, and the answer that is expected.

    Attributes:
        type: The type that its set gives it; the dataset of a test.
        parts: The entries of an answer that is a list; otherwise the answer alone.
        unanswerable: Whether the expected answer is that there is none.
        near: What the history of the question says that is like the answer, and is not it.
    """

    type: str
    question: str
    answer: str
    parts: tuple[str, ...]
    unanswerable: bool = False
    near: tuple[str, ...] = ()


@dataclass(slots=True)
class QuestionSet:
    """The questions of files.

    Attributes:
        questions: In the order of the files.
        without_answer: Number of questions without an answer that is a text, a number or a list of
            these.
    """

    questions: list[SetQuestion] = field(default_factory=list)
    without_answer: int = 0

    def add(
        self,
        kind: str,
        question: str,
        answer: object,
        *,
        unanswerable: bool = False,
        near: tuple[str, ...] = (),
    ) -> None:
        """Add a question if it has an answer."""
        parts = answer_parts(answer)
        if parts:
            text = ", ".join(parts)
            self.questions.append(SetQuestion(kind, question, text, parts, unanswerable, near))
        else:
            self.without_answer += 1

    def some(self, most: int, seed: int) -> QuestionSet:
        """At most so many questions of each type, drawn by a seed."""
        by_type: dict[str, list[int]] = {}
        for index, question in enumerate(self.questions):
            by_type.setdefault(question.type, []).append(index)
        kept: set[int] = set()
        for kind, places in by_type.items():
            kept.update(Random(f"{seed} {kind}").sample(places, min(most, len(places))))
        return QuestionSet([self.questions[i] for i in sorted(kept)], self.without_answer)


def read_questions(paths: Iterable[Path]) -> QuestionSet:
    """The questions of definitions, sets, and folders of these; without paths, our own.

    Raises:
        ScoringError: A file cannot be read, or has no question with an answer.
    """
    question_set = QuestionSet()
    for path in [*paths] or [OWN]:
        files = sorted(path.rglob("*.def.json")) if path.is_dir() else [path]
        before = len(question_set.questions)
        for file in files:
            _read_file(file, question_set)
        if len(question_set.questions) == before:
            raise ScoringError(
                f"{path}: no questions with answers; expected LTM definitions (*.def.json), or "
                "JSON with objects that have `question` and `answer`"
            )
    return question_set


def _read_file(path: Path, question_set: QuestionSet) -> None:
    reading = read_file(path)
    if not reading.readable:
        raise ScoringError(f"{path} cannot be read; `evalmark check` says why")
    if format_of(reading.data) in DEFINITIONS:
        _add_definition(reading.data, path, question_set)
    else:
        near = near_turns(reading.data)
        for entry in _entries(reading.data):
            kind = next((entry[key] for key in _TYPES if key in entry), "question")
            shown = f"category {kind}" if isinstance(kind, int) else str(kind)
            answers = str(entry.get("question_id", "")).endswith(_UNANSWERABLE)
            question_set.add(
                shown,
                entry["question"],
                entry.get("answer"),
                unanswerable=answers,
                near=near.get(entry["question"], ()),
            )


def _add_definition(data: dict[str, Any], path: Path, question_set: QuestionSet) -> None:
    try:
        current = convert_data(data, to="ltm-definition-3").data
    except ConversionError as error:
        raise ScoringError(f"{path}: {error}") from error
    flags = zip(current["script"], current["is_question"], strict=False)
    questions = [line for line, is_question in flags if is_question]
    expected = for_each_question(current["expected_responses"], len(questions))
    # As many answers as questions: other datasets mean their answers in their own way.
    if len(expected) != len(questions):
        question_set.without_answer += len(questions)
        return
    for question, answer in zip(questions, expected, strict=True):
        question_set.add(path.parent.name, question, answer)


def _entries(data: Any) -> Iterator[Mapping[str, Any]]:
    """Every object that has a question, wherever it is."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if isinstance(value.get("question"), str) and value["question"].strip():
                yield value
            else:
                waiting += reversed(value.values())
        elif isinstance(value, list):
            waiting += reversed(value)


def for_each_question(expected: object, questions: int) -> list[object]:
    """The expected answer to each question; several to one question are a list."""
    answers = expected if isinstance(expected, list) else [expected]
    return [answers] if questions == 1 and len(answers) > 1 else answers


def answer_parts(answer: object) -> tuple[str, ...]:
    """The entries of an answer as texts; empty if it is neither texts nor numbers."""
    entries: Sequence[object] = answer if isinstance(answer, list) else [answer]
    texts = tuple(
        str(entry).strip()
        for entry in entries
        if isinstance(entry, str | int | float) and not isinstance(entry, bool)
    )
    return texts if len(texts) == len(entries) and all(texts) else ()


RIGHT, NEAR, VAGUE = "right", "near miss", "vague"
PARTLY, EVASIVE = "partly right", "evasive"
_standard = cache(standard)
#: Kind of planted answers -> what they are. A judge should accept the first, and no other.
PLANTED = {
    RIGHT: "that answer, alone or in a sentence",
    NEAR: "a neighbouring number or date; no for yes; what the same speaker says in another "
    "session, or the other speaker; the answer to a question that asks for the same",
    VAGUE: "the topic of the question, and nothing else: “It had something to do with my aunt.”",
    PARTLY: "half the entries of a list; of other answers, that answer and a wrong one, "
    "“I am not sure which”",
    EVASIVE: "nothing: “I would have to look that up.”",
}

_SENTENCES = ("{}", "It is this: {}.", "As far as I remember: {}.", "You told me: {}.")
_HEDGED = "It is one of these, and I am not sure which: {} or {}."
_EVASIONS = (
    "I am sorry, but I do not remember.",
    "You told me about that, and it sounded interesting. What made you think of it?",
    "That depends on how one looks at it; there is much to be said about it.",
    "I would have to look that up.",
)
_YES, _NO = (
    re.compile(rf"((most )?likely |probably )?{word}\b", re.IGNORECASE) for word in ("yes", "no")
)
_NUMBER = re.compile(r"\d+")
#: The words that say what is asked for: answers to questions with the same ones are of one kind.
_ASKS = re.compile(
    r"(?:(?:for|in|on|at|to|from) )?(?:how (?P<how>\w+)|(?P<who>whom?|whose|where|when|why)\b|"
    r"(?:what|which) (?:(?:is|was|are|were) (?:the|my|your|his|her) )?"
    r"(?!(?:is|was|are|were|do|does|did|has|have|had|will|would|can|could|should)\b)(?P<what>\w+))",
    re.IGNORECASE,
)
#: What a question is about: a noun with its article or owner, and what follows.
_ABOUT = re.compile(r"\b(?:the|an?|my|your|his|her|their|\w+'s) [^\W_][\w' -]*", re.IGNORECASE)
_VAGUE = (
    "It had something to do with {}.",
    "That was about {}.",
    "There was something about {}, as far as I remember.",
)
_BETWEEN = re.compile(r"\s*(?:[,\n]|\band\b|&)\s*")
#: The last day that every month has.
_LAST_DAY = 28
#: Words of an entry of a list; longer parts are clauses, and half of them may be a whole answer.
_WORDS = 4


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer to judge.

    Attributes:
        type: The type of the question.
        kind: One of ``PLANTED``; empty for an answer of an agent.
        question: The question.
        expected: The expected answer.
        reply: The answer.
        unanswerable: Whether the right answer is that there is none.
    """

    type: str
    kind: str
    question: str
    expected: str
    reply: str
    unanswerable: bool = False

    @property
    def should_be_accepted(self) -> bool:
        """True if a judge is right to accept it, if it was planted."""
        return self.kind == RIGHT


def planted(questions: Sequence[SetQuestion], seed: int) -> list[GivenAnswer]:
    """One answer of each kind to each question, where there can be one.

    An unanswerable question gets no evasive answer, which would be right, and no vague or partly
    right one. A near miss is a neighbouring number or date, the opposite of yes and no, what the
    same speaker said in another session or the other speaker did, or the expected answer of a
    question that asks for the same; there is none if the set has nothing of these. Each depends
    only on the seed, its question and the set.
    """
    return [
        GivenAnswer(
            question.type, kind, question.question, question.answer, reply, question.unanswerable
        )
        for question in questions
        for kind, reply in _answers(question, questions, Random(f"{seed} {question}"))
    ]


def _answers(
    question: SetQuestion, others: Sequence[SetQuestion], rng: Random
) -> Iterator[tuple[str, str]]:
    answer = question.answer
    yield RIGHT, _sentence(answer, rng)
    wrong = _near(question, others, rng)
    if wrong is not None:
        yield NEAR, _sentence(wrong, rng)
    if question.unanswerable:
        return
    if topic := _topic(question):
        yield VAGUE, rng.choice(_VAGUE).format(topic)
    if half := _half(question, rng):
        yield PARTLY, _sentence(half, rng)
    elif other := wrong or _another(question, others, rng):
        yield PARTLY, _HEDGED.format(*rng.sample([answer.rstrip("."), other.rstrip(".")], 2))
    evasions = [text for text in _EVASIONS if not _overlap(text, answer)]
    if evasions:
        yield EVASIVE, rng.choice(evasions)


def _sentence(answer: str, rng: Random) -> str:
    return rng.choice(_SENTENCES).format(answer.rstrip(".") or answer)


def _near(question: SetQuestion, others: Sequence[SetQuestion], rng: Random) -> str | None:
    """An answer that is like the expected one, and wrong; None if the set has none."""
    answer = question.answer
    if not question.unanswerable:
        if _YES.match(answer) or _NO.match(answer):
            return "No" if _YES.match(answer) else "Yes"
        if _NUMBER.search(answer):
            return _neighbour(answer, rng)
    said = [text for text in question.near if not _overlap(text, answer)]
    if said:
        return rng.choice(said)
    usable = [
        other
        for other in others
        if not other.unanswerable
        and not (_YES.match(other.answer) or _NO.match(other.answer))
        and not _overlap(other.answer, answer)
        and not _overlap(other.answer, question.question)
        and _asks_alike(question, other)
    ]
    return rng.choice(usable).answer if usable else None


def _another(question: SetQuestion, others: Sequence[SetQuestion], rng: Random) -> str | None:
    """The answer to any other question, of the same type if there is one."""
    answers = [o for o in others if not o.unanswerable and not _overlap(o.answer, question.answer)]
    usable = [other for other in answers if other.type == question.type] or answers
    return rng.choice(usable).answer if usable else None


def _asks_alike(question: SetQuestion, other: SetQuestion) -> bool:
    """True if the answer to another question could be one to this."""
    first, second = _ASKS.match(question.question), _ASKS.match(other.question)
    if first and second and _asked(first) == _asked(second):
        return True
    words = content_words(f"{question.question} {question.answer}")
    is_list = len(question.parts) > 1
    return is_list == (len(other.parts) > 1) and bool(words & content_words(other.answer))


def _asked(match: re.Match[str]) -> dict[str, str]:
    """The words that say what is asked for."""
    return {name: word.casefold() for name, word in match.groupdict().items() if word}


def _neighbour(answer: str, rng: Random) -> str:
    """The answer with one number that is one to three higher or lower. Days stay days."""
    numbers = list(_NUMBER.finditer(answer))
    match = rng.choice(numbers)
    number = int(match[0])
    is_day = 1 <= number <= _LAST_DAY
    steps = [step for step in (1, 2, 3, -1, -2, -3) if number + step > 0]
    fit = [step for step in steps if not is_day or number + step <= _LAST_DAY]
    changed = str(number + rng.choice(fit or steps)).zfill(len(match[0]))
    return answer[: match.start()] + changed + answer[match.end() :]


def _topic(question: SetQuestion) -> str | None:
    """What a question is about, in its own words; None if it does not say, or has the answer."""
    about = _ABOUT.search(question.question)
    if about is None or content_words(question.answer) & content_words(about[0]):
        return None
    return about[0].strip()


def _half(question: SetQuestion, rng: Random) -> str | None:
    """Half the entries of an answer that is a list; None for another answer."""
    parts = question.parts
    if len(parts) == 1:
        parts = tuple(filter(None, _BETWEEN.split(question.answer)))
        if _NUMBER.search(question.answer) or any(_YES.match(p) or _NO.match(p) for p in parts):
            return None
        if any(len(part.split()) > _WORDS for part in parts):
            return None
    if len(parts) < 2:
        return None
    kept = sorted(rng.sample(range(len(parts)), len(parts) // 2))
    return ", ".join(parts[index] for index in kept)


def _overlap(left: str, right: str) -> bool:
    """True if either text is in the other, as words."""
    first, second = (f" {_standard(text)} " for text in (left, right))
    return first in second or second in first
