"""Files of answers to a memory set, and the logs of judges of them, scored again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evalmark.memory.judges.labelled_answers import json_rows
from evalmark.memory.sets.set_files import LoadedSet
from evalmark.memory.sets.set_scores import Answered, SetScores, scores_data, scores_of
from evalmark.schemas.backend import Backend, acceptor
from evalmark.schemas.errors import ScoringError
from evalmark.validator.findings.report import Failed, raising
from evalmark.validator.io.opening import read_whole

_KIND = "longmemeval-answers"
#: Why a question has no score.
NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class GivenRow:
    """An answer of a file.

    Attributes:
        place: Its line, or its number in a list.
        question: The id of its question.
        answer: The answer.
        accepted: The label of a judge; None without one.
        judge: Who gave the label; empty if the file does not say.
    """

    place: int
    question: str
    answer: str
    accepted: bool | None
    judge: str

    def data(self) -> dict[str, object]:
        """The same as JSON, without the label."""
        return {"line": self.place, "question_id": self.question, "answer": self.answer}


@dataclass(frozen=True, slots=True)
class RescoredAnswers:
    """A file of answers, scored.

    Attributes:
        path: The file.
        scores: The scores, for each kind of set.
        missing: The ids of questions without an answer.
        extra: Answers to questions that the sets do not have.
        duplicates: Answers to a question after the first one, which is scored.
        judges: Who gave the labels -> how many.
    """

    path: Path
    scores: tuple[SetScores, ...]
    missing: tuple[str, ...]
    extra: tuple[GivenRow, ...]
    duplicates: tuple[GivenRow, ...]
    judges: Counter[str] = field(default_factory=Counter)

    @property
    def is_complete(self) -> bool:
        """True if each question has exactly one answer."""
        return not (self.missing or self.extra or self.duplicates)


def read_answers(path: Path, failed: Failed = raising) -> Iterator[GivenRow]:
    """The answers of a file: one on each line, or in a JSON list.

    Args:
        path: The file.
        failed: Called with each line that is not an answer; the others are read.

    Raises:
        ScoringError: A line is not an answer.
        OSError: The file cannot be read.
    """
    accepts = acceptor(_KIND, Backend.PURE)
    for place, data in json_rows(read_whole(path), path):
        if data is None or not accepts(data):
            message = f"{path}:{place}: not an answer; `evalmark check` says more"
            failed(path, ScoringError(message))
            continue
        label = data.get("autoeval_label") or {}
        yield GivenRow(
            place,
            data["question_id"],
            data["hypothesis"],
            label.get("label"),
            str(label.get("model", "")),
        )


def rescore_answers(
    path: Path, sets: Sequence[LoadedSet], failed: Failed = raising
) -> RescoredAnswers:
    """Score the answers of a file; labels of a judge are used again.

    Raises:
        ScoringError: No answer is to a question of the sets, or a line is not an answer.
        OSError: The file cannot be read.
    """
    posed = [(each.kind, question) for each in sets for question in each.questions]
    ids = dict.fromkeys(question.id for _, question in posed)
    first: dict[str, GivenRow] = {}
    extra, duplicates = [], []
    for row in read_answers(path, failed):
        if row.question not in ids:
            extra.append(row)
        elif row.question in first:
            duplicates.append(row)
        else:
            first[row.question] = row
    if not first:
        like = f"; the answers have ids like {extra[0].question!r}" if extra else ""
        raise ScoringError(
            f"{path}: no answer is to a question of the set, whose ids are like "
            f"{next(iter(ids), '')!r}{like}"
        )
    answers = []
    for kind, question in posed:
        given = first.get(question.id)
        if given is None:
            answers.append(Answered(kind, question, None, NO_ANSWER))
        else:
            label = given.accepted
            answers.append(Answered(kind, question, given.answer, accepted=label, why="no label"))
    missing = tuple(name for name in ids if name not in first)
    judges = Counter(row.judge for row in first.values() if row.accepted is not None)
    return RescoredAnswers(
        path, scores_of(sets, answers), missing, tuple(extra), tuple(duplicates), judges
    )


def answers_data(files: Sequence[RescoredAnswers]) -> dict[str, object]:
    """Files of answers as JSON."""
    return {
        "version": 1,
        "files": [
            {
                "answers": str(file.path),
                "sets": [scores_data(scores) for scores in file.scores],
                "judges": dict(file.judges),
                "missing": list(file.missing),
                "extra": [row.data() for row in file.extra],
                "duplicates": [row.data() for row in file.duplicates],
            }
            for file in files
        ],
    }
