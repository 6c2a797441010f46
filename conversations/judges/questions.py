"""Questions with expected answers: from tests, from sets of questions, and our own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from evalmark.converters.convert import convert_data
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
    """

    type: str
    question: str
    answer: str
    parts: tuple[str, ...]
    unanswerable: bool = False


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

    def add(self, kind: str, question: str, answer: Any, *, unanswerable: bool = False) -> None:
        """Add a question if it has an answer."""
        parts = answer_parts(answer)
        if parts:
            text = ", ".join(parts)
            self.questions.append(SetQuestion(kind, question, text, parts, unanswerable))
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
    found = QuestionSet()
    for path in [*paths] or [OWN]:
        files = sorted(path.rglob("*.def.json")) if path.is_dir() else [path]
        before = len(found.questions)
        for file in files:
            _read_file(file, found)
        if len(found.questions) == before:
            raise ScoringError(
                f"{path}: no questions with answers; expected LTM definitions (*.def.json), or "
                "JSON with objects that have `question` and `answer`"
            )
    return found


def _read_file(path: Path, found: QuestionSet) -> None:
    reading = read_file(path)
    if not reading.readable:
        raise ScoringError(f"{path} cannot be read; `evalmark check` says why")
    if format_of(reading.data) in DEFINITIONS:
        _add_definition(reading.data, path, found)
    else:
        for entry in _entries(reading.data):
            kind = next((entry[key] for key in _TYPES if key in entry), "question")
            shown = f"category {kind}" if isinstance(kind, int) else str(kind)
            answers = str(entry.get("question_id", "")).endswith(_UNANSWERABLE)
            found.add(shown, entry["question"], entry.get("answer"), unanswerable=answers)


def _add_definition(data: dict[str, Any], path: Path, found: QuestionSet) -> None:
    try:
        current = convert_data(data, to="ltm-definition-3").data
    except ConversionError as error:
        raise ScoringError(f"{path}: {error}") from error
    flags = zip(current["script"], current["is_question"], strict=False)
    questions = [line for line, is_question in flags if is_question]
    expected = for_each_question(current["expected_responses"], len(questions))
    # As many answers as questions: other datasets mean their answers in their own way.
    if len(expected) != len(questions):
        found.without_answer += len(questions)
        return
    for question, answer in zip(questions, expected, strict=True):
        found.add(path.parent.name, question, answer)


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


def for_each_question(expected: Any, questions: int) -> list[Any]:
    """The expected answer to each question; several to one question are a list."""
    answers = expected if isinstance(expected, list) else [expected]
    return [answers] if questions == 1 and len(answers) > 1 else answers


def answer_parts(answer: Any) -> tuple[str, ...]:
    """The entries of an answer as texts; empty if it is neither texts nor numbers."""
    entries: Sequence[Any] = answer if isinstance(answer, list) else [answer]
    texts = tuple(
        str(entry).strip()
        for entry in entries
        if isinstance(entry, str | int | float) and not isinstance(entry, bool)
    )
    return texts if len(texts) == len(entries) and all(texts) else ()
