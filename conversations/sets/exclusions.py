"""Disputed questions: a list of them, and scores with and without."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.conversations.sets.set_files import LoadedSet
from evalmark.conversations.sets.set_kinds import PosedQuestion
from evalmark.conversations.sets.set_scores import SetScores, scores_data, set_scores
from evalmark.schemas.errors import ScoringError
from evalmark.validator.formats.memory_sets.history import words_of
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read

_ID, _TEXT = ("question_id", "id"), "question"


@dataclass(frozen=True, slots=True)
class Exclusions:
    """Questions that are disputed.

    Attributes:
        ids: Their ids.
        texts: The words of questions that are named by their text too: other programs number the
            questions of LoCoMo in their own way.
        size: How many entries the list has.
    """

    ids: frozenset[str]
    texts: frozenset[str]
    size: int

    def has(self, question: PosedQuestion) -> bool:
        """True if a question is disputed."""
        return question.id in self.ids or words_of(question.text) in self.texts

    def without(self, scores: SetScores) -> SetScores:
        """The scores without disputed questions."""
        kept = [answer for answer in scores.answers if not self.has(answer.question)]
        return set_scores(scores.kind, scores.names, kept)


def undisputed_data(every: Sequence[SetScores], exclusions: Exclusions | None) -> dict[str, object]:
    """The scores without disputed questions as JSON; empty if no list of them is named."""
    if exclusions is None:
        return {}
    return {"without_disputed": [scores_data(exclusions.without(scores)) for scores in every]}


def exclusions_among(path: Path | None, sets: Sequence[LoadedSet]) -> Exclusions | None:
    """The disputed questions of sets; None if no list is named.

    Raises:
        ScoringError: The list cannot be used, or is that of other sets.
        OSError: It cannot be read.
    """
    if path is None:
        return None
    exclusions = read_exclusions(path)
    if not any(exclusions.has(question) for each in sets for question in each.questions):
        raise ScoringError(f"{path}: none of its questions is in the set")
    return exclusions


def read_exclusions(path: Path) -> Exclusions:
    """The list of a file: an id on each line, or objects with `question_id` or `question`.

    Objects are the rows of a CSV file, of JSON Lines, or of a JSON list.

    Raises:
        ScoringError: The file cannot be used.
        OSError: It cannot be read.
    """
    ids, texts = set(), set()
    entries = list(_entries(path))
    for entry in entries:
        own = next((str(entry[key]) for key in _ID if entry.get(key)), None)
        text = entry.get(_TEXT)
        if own is None and not text:
            raise ScoringError(f"{path}: an entry has no `question_id` and no `question`")
        if own is not None:
            ids.add(own)
        if isinstance(text, str) and text.strip():
            texts.add(words_of(text))
    if not entries:
        raise ScoringError(f"{path}: no questions to exclude")
    return Exclusions(frozenset(ids), frozenset(texts), len(entries))


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    raw = read_whole(path)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ScoringError(f"{path} is not UTF-8 text") from error
    if path.suffix.lower() == ".csv":
        yield from csv.DictReader(io.StringIO(text, newline=""))
        return
    lines = [line for line in text.splitlines() if line.strip()]
    if not text.lstrip().startswith(("[", "{")):
        yield from ({_ID[0]: line.strip()} for line in lines)
        return
    readings = [read(raw, str(path))] if text.lstrip()[0] == "[" else _of_lines(lines, path)
    for reading in readings:
        values = reading.data if isinstance(reading.data, list) else [reading.data]
        for value in values:
            if not reading.readable or not isinstance(value, dict | str):
                raise ScoringError(f"{path} cannot be read as a list of questions")
            yield {_ID[0]: value} if isinstance(value, str) else value


def _of_lines(lines: Sequence[str], path: Path) -> list[Any]:
    return [read(line.encode("utf-8"), str(path)) for line in lines]
