"""Answers that people have judged, and how far a judge agrees with them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.conversations.judges.judge_prompt import AsksAbout
from evalmark.conversations.judges.judging_report import (
    JudgePair,
    Ruling,
    judge_pairs,
    pair_data,
)
from evalmark.conversations.judges.near_misses import is_near
from evalmark.conversations.judges.synthetic_answers import GivenAnswer
from evalmark.converters.statistics.paired_tests import mcnemar
from evalmark.converters.statistics.proportions import paired_interval, wilson_interval
from evalmark.schemas.errors import ScoringError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read

#: What people call each column, the first name that a row has counts.
_COLUMNS: dict[str, tuple[str, ...]] = {
    "answer": ("answer", "response", "reply", "hypothesis", "prediction", "golden_answer"),
    "expected": ("expected", "reference", "gold", "ground_truth", "groundTruth", "correct_answer"),
    "verdict": ("verdict", "label", "human", "human_label", "is_correct", "correct"),
    "type": ("type", "question_type", "category"),
    "question": ("question",),
    "near": ("near_miss",),
}
_RIGHT = frozenset(("yes", "true", "1", "1.0", "correct", "right", "accept", "accepted"))
_WRONG = frozenset(("no", "false", "0", "0.0", "incorrect", "wrong", "reject", "rejected"))
#: In the public audit of LoCoMo: the error, and the one that does not concern the answer.
_ERROR, _CITATION = "error_type", "WRONG_CITATION"
_NO_TYPE = "question"


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """An answer and a person's verdict.

    Attributes:
        given: The answer.
        accepted: Whether the person accepts it.
        is_near: Whether it is a near miss: wrong, and like the expected answer.
    """

    given: GivenAnswer
    accepted: bool
    is_near: bool


def read_labels(path: Path) -> list[LabelledAnswer]:
    """The answers of a file: CSV, JSON Lines, or a list of JSON.

    A row has `answer`, `expected` and `verdict`, and perhaps `question`, `type` and `near_miss`;
    usual other names of these are known, and the files of the public audit of LoCoMo.

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
    if raw.lstrip()[:1] == b"[":
        reading = read(raw, str(path))
        entries = reading.data if reading.readable and isinstance(reading.data, list) else [None]
    else:
        lines = (line.rstrip(b"\r") for line in raw.split(b"\n") if line.strip())
        readings = [read(line, str(path)) for line in lines]
        entries = [reading.data if reading.readable else None for reading in readings]
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict):
            raise ScoringError(f"{path}:{number}: not an object; `evalmark check` may say more")
        yield number, entry


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
    given = GivenAnswer(
        str(row[names["type"]]) if names["type"] else _NO_TYPE,
        "",
        str(row[names["question"]]) if names["question"] else "",
        str(row[expected]),
        str(row[answer]),
    )
    near = row[names["near"]] if names["near"] else None
    is_marked = None if near is None else str(near).strip().lower() in _RIGHT
    is_alike = is_near(given.reply, given.expected) if is_marked is None else is_marked
    return LabelledAnswer(given, verdict, not verdict and is_alike)


def _verdict(row: Mapping[str, Any], name: str | None, at: str) -> bool:
    if name is None and row.get(_ERROR):
        return bool(row[_ERROR] == _CITATION)
    word = str(row[name]).strip().lower() if name else ""
    if word in _RIGHT or word in _WRONG:
        return word in _RIGHT
    raise ScoringError(f"{at}: no verdict of a person; write yes or no, or 1 or 0, in `verdict`")


@dataclass(frozen=True, slots=True)
class NearMisses:
    """How many near misses a judge rejects, as people do.

    Attributes:
        answers: How many it gave a verdict on.
        rejected: How many of these it rejects.
    """

    answers: int
    rejected: int

    @property
    def share(self) -> float | None:
        """The accuracy on near misses; None without any."""
        return self.rejected / self.answers if self.answers else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of it."""
        share = self.share
        return None if share is None else wilson_interval(share, self.answers)


@dataclass(frozen=True, slots=True)
class PairedAccuracy:
    """Two judges, or prompts, compared on the answers that both gave a verdict on.

    Attributes:
        both: Answers that both judge as people do.
        only_first: Answers that only the first judges so.
        only_second: Answers that only the second judges so.
        neither: Answers that neither judges so.
    """

    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def answers(self) -> int:
        """Number of answers."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def difference(self) -> float:
        """Agreement of the second with people, minus that of the first."""
        return (self.only_second - self.only_first) / self.answers

    @property
    def interval(self) -> tuple[float, float]:
        """Newcombe's 95 % interval of the difference."""
        return paired_interval(self.both, self.only_first, self.only_second, self.neither)

    @property
    def p(self) -> float:
        """P value of McNemar's exact test."""
        return mcnemar(self.only_first, self.only_second)


@dataclass(frozen=True, slots=True)
class LabelReport:
    """Judges on answers that people have judged.

    Attributes:
        answers: The answers.
        judges: The name of each judge, with its prompt where they differ.
        asks: How each is asked.
        about: What identifies each judge.
        rulings: The rulings of each, in the order of the answers.
    """

    answers: tuple[LabelledAnswer, ...]
    judges: tuple[str, ...]
    asks: tuple[AsksAbout, ...]
    about: tuple[Mapping[str, str], ...]
    rulings: tuple[tuple[Ruling, ...], ...]

    def agreement(self, judge: int) -> list[JudgePair]:
        """A line for each type and one for all: the person is first, the judge second."""
        people = [Ruling(answer.accepted, "") for answer in self.answers]
        given = [answer.given for answer in self.answers]
        return judge_pairs(given, people, self.rulings[judge])

    def near_misses(self, judge: int) -> NearMisses:
        """How a judge does on near misses."""
        verdicts = [
            ruling.accepted
            for answer, ruling in zip(self.answers, self.rulings[judge], strict=True)
            if answer.is_near and ruling.accepted is not None
        ]
        return NearMisses(len(verdicts), verdicts.count(False))

    @property
    def paired(self) -> PairedAccuracy | None:
        """Two judges compared; None if there are not two, or they share no answer."""
        if len(self.rulings) != 2:
            return None
        hits = [
            (first.accepted == answer.accepted, second.accepted == answer.accepted)
            for answer, first, second in zip(self.answers, *self.rulings, strict=True)
            if None not in (first.accepted, second.accepted)
        ]
        cells = ((True, True), (True, False), (False, True), (False, False))
        return PairedAccuracy(*(hits.count(cell) for cell in cells)) if hits else None

    @property
    def no_verdict(self) -> int:
        """Number of verdicts that are missing."""
        return sum(ruling.accepted is None for ruled in self.rulings for ruling in ruled)


def label_data(report: LabelReport) -> dict[str, object]:
    """The report as JSON."""
    paired = report.paired
    return {
        "judges": [
            {
                "name": name,
                "about": dict(about),
                "prompt": asks.data(),
                "agreement": [_agreement_data(row) for row in report.agreement(number)],
                "near_misses": _near_data(report.near_misses(number)),
            }
            for number, (name, about, asks) in enumerate(
                zip(report.judges, report.about, report.asks, strict=True)
            )
        ],
        "paired": None
        if paired is None
        else {
            "answers": paired.answers,
            "only_first": paired.only_first,
            "only_second": paired.only_second,
            "difference": paired.difference,
            "interval": paired.interval,
            "p": paired.p,
        },
        "answers": [
            {
                "type": answer.given.type,
                "question": answer.given.question,
                "expected": answer.given.expected,
                "answer": answer.given.reply,
                "person": answer.accepted,
                "near_miss": answer.is_near,
                "verdicts": [{"accepted": r.accepted, "why": r.why} for r in ruled],
            }
            for answer, *ruled in zip(report.answers, *report.rulings, strict=True)
        ],
    }


def _agreement_data(row: JudgePair) -> dict[str, object]:
    data = pair_data(row)
    data["wrongly_rejected"] = data.pop("only_first")
    data["wrongly_accepted"] = data.pop("only_second")
    return data


def _near_data(near: NearMisses) -> dict[str, object]:
    return {
        "answers": near.answers,
        "rejected": near.rejected,
        "accuracy": near.share,
        "interval": near.interval,
    }
