"""Answers that people have judged, and how far a judge agrees with them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evalmark.memory.agents.agent import Completer
from evalmark.memory.evaluation.llm_judge import TEMPERATURE
from evalmark.memory.judges.judge_prompt import ChecklistPrompt, JudgePrompt
from evalmark.schemas.errors import AgentError, NotJudged, ScoringError
from evalmark.stats.agreement import cohens_kappa, kappa_interval
from evalmark.stats.proportions import wilson_interval
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read

#: The names that people give each column; the first one that a row has counts.
_COLUMNS: dict[str, tuple[str, ...]] = {
    "answer": ("answer", "response", "reply", "hypothesis", "prediction"),
    "expected": ("expected", "reference", "gold", "ground_truth", "groundTruth"),
    "verdict": ("verdict", "label", "human", "human_label", "is_correct", "correct"),
    "type": ("type", "question_type", "category"),
    "question": ("question",),
}
_RIGHT = frozenset(("yes", "true", "1", "1.0", "correct", "right", "accept", "accepted"))
_WRONG = frozenset(("no", "false", "0", "0.0", "incorrect", "wrong", "reject", "rejected"))
_NO_TYPE = "question"
#: In place of a type: all types together.
ALL = "all"
#: After so many answers without a single reply, a judge is not asked again.
ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """An answer and a person's verdict.

    Attributes:
        type: The type of the question.
        question: The question; empty if the file does not have it.
        expected: The expected answer.
        answer: The answer.
        person: Whether the person accepts it.
    """

    type: str
    question: str
    expected: str
    answer: str
    person: bool


def read_labels(path: Path) -> list[LabelledAnswer]:
    """The answers of a file: CSV, JSON Lines, or a list of JSON.

    A row has `answer`, `expected` and `verdict`, and perhaps `question` and `type`; usual other
    names of these are known.

    Raises:
        ScoringError: The file has no such rows, or one of them has no verdict.
        OSError: It cannot be read.
    """
    answers = [_labelled(row, f"{path}:{at}") for at, row in _rows(path)]
    if not answers:
        raise ScoringError(f"{path}: no answers; a row has `answer`, `expected` and `verdict`")
    return answers


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    raw = read_whole(path)
    if path.suffix.lower() == ".csv":
        try:
            text = raw.decode("utf-8-sig")
            yield from enumerate(csv.DictReader(io.StringIO(text, newline="")), 2)
        except (UnicodeDecodeError, csv.Error) as error:
            raise ScoringError(f"{path} cannot be read: {error}") from error
        return
    for number, entry in json_rows(raw, path):
        if not isinstance(entry, dict):
            raise ScoringError(f"{path}:{number}: not an object; `evalmark check` may say more")
        yield number, entry


def json_rows(raw: bytes, path: Path) -> Iterator[tuple[int, Any]]:
    """The entries of a JSON list with their numbers, or those of lines; None: it cannot be read.

    Raises:
        ScoringError: A list cannot be read.
    """
    if raw.lstrip()[:1] == b"[":
        reading = read(raw, str(path))
        if not (reading.readable and isinstance(reading.data, list)):
            raise ScoringError(f"{path} cannot be read; `evalmark check` says why")
        yield from enumerate(reading.data, 1)
        return
    for number, line in enumerate(raw.split(b"\n"), 1):
        if line.strip():
            reading = read(line.rstrip(b"\r"), str(path))
            yield number, reading.data if reading.readable else None


def _labelled(row: Mapping[str, Any], at: str) -> LabelledAnswer:
    names = {
        column: next((name for name in known if row.get(name) not in (None, "")), None)
        for column, known in _COLUMNS.items()
    }
    verdict = _verdict(row, names["verdict"], at)
    answer, expected = names["answer"], names["expected"]
    if answer is None or expected is None:
        missing = "answer" if answer is None else "expected"
        others = ", ".join(_COLUMNS[missing][1:])
        raise ScoringError(f"{at}: no `{missing}` (or {others})")
    return LabelledAnswer(
        str(row[names["type"]]) if names["type"] else _NO_TYPE,
        str(row[names["question"]]) if names["question"] else "",
        str(row[expected]),
        str(row[answer]),
        verdict,
    )


def _verdict(row: Mapping[str, Any], name: str | None, at: str) -> bool:
    word = str(row[name]).strip().lower() if name else ""
    if word in _RIGHT or word in _WRONG:
        return word in _RIGHT
    raise ScoringError(f"{at}: no verdict of a person; write yes or no, or 1 or 0, in `verdict`")


@dataclass(frozen=True, slots=True)
class Ruling:
    """A judge's ruling on an answer."""

    accepted: bool | None  # None: it gave no verdict
    why: str  # its reason, or why there is no verdict


def rulings(
    judge: Completer,
    answers: Sequence[LabelledAnswer],
    prompt: ChecklistPrompt | JudgePrompt,
    progress: Callable[[int, int], object] = lambda *_: None,
) -> list[Ruling]:
    """The rulings of a judge on answers, in order. Equal answers are judged once.

    Raises:
        ScoringError: The judge does not reply.
    """
    by_text: dict[str, Ruling] = {}
    failed = 0
    in_order = []
    for number, each in enumerate(answers, 1):
        try:
            text = prompt.text(each.type, each.question, each.expected, each.answer, has_none=False)
            if text not in by_text:
                by_text[text] = _ruling(judge, text, prompt)
            ruling = by_text[text]
        except NotJudged as error:  # no prompt is about this type
            ruling = Ruling(None, str(error))
        except AgentError as error:
            failed += 1
            if failed == ATTEMPTS and not by_text:
                raise ScoringError(f"the judge does not reply: {error}") from error
            ruling = Ruling(None, f"no reply: {error}")
        in_order.append(ruling)
        progress(number, len(answers))
    return in_order


def _ruling(judge: Completer, text: str, prompt: ChecklistPrompt | JudgePrompt) -> Ruling:
    messages = [{"role": "user", "content": text}]
    reply = judge.complete(messages, temperature=TEMPERATURE, max_tokens=prompt.max_tokens)
    try:
        return Ruling(*prompt.verdict(reply.text))
    except NotJudged as error:
        return Ruling(None, str(error))


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of a judge with people.

    Attributes:
        type: Type of the questions, or ``all``.
        no_verdict: Number of answers without a verdict; they are in no other number.
        both: Number of answers that both accept.
        wrongly_rejected: Number of answers that only the person accepts.
        wrongly_accepted: Number of answers that only the judge accepts.
        neither: Number of answers that neither accepts.
    """

    type: str
    no_verdict: int
    both: int
    wrongly_rejected: int
    wrongly_accepted: int
    neither: int

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """The table of the verdicts."""
        return self.both, self.wrongly_rejected, self.wrongly_accepted, self.neither

    @property
    def answers(self) -> int:
        """Number of answers with a verdict."""
        return sum(self.counts)

    @property
    def agreement(self) -> float | None:
        """Share of answers with equal verdicts; None without answers."""
        return (self.both + self.neither) / self.answers if self.answers else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the agreement."""
        agreement = self.agreement
        return None if agreement is None else wilson_interval(agreement, self.answers)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where it is not defined."""
        return cohens_kappa(*self.counts) if self.answers else None

    @property
    def kappa_interval(self) -> tuple[float, float] | None:
        """Its 95 % interval."""
        return kappa_interval(*self.counts) if self.answers else None

    def data(self) -> dict[str, object]:
        """The same as JSON."""
        return {
            **asdict(self),
            "answers": self.answers,
            "agreement": self.agreement,
            "interval": self.interval,
            "kappa": self.kappa,
            "kappa_interval": self.kappa_interval,
        }


def agreements(answers: Sequence[LabelledAnswer], ruled: Sequence[Ruling]) -> list[Agreement]:
    """A line for each type of question, and one for all."""
    by_type = []
    for type_ in (*sorted({answer.type for answer in answers}), ALL):
        verdicts = [
            (answer.person, ruling.accepted)
            for answer, ruling in zip(answers, ruled, strict=True)
            if type_ in (ALL, answer.type)
        ]
        cells = ((True, True), (True, False), (False, True), (False, False))
        no_verdict = sum(accepted is None for _, accepted in verdicts)
        by_type.append(Agreement(type_, no_verdict, *map(verdicts.count, cells)))
    return by_type
