"""Runs over memory sets: the questions of each type and their answers, from the record of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.conversations.sets.set_scores import (
    ANSWERABLE,
    BESIDE,
    NOT_ANSWERABLE,
    TOTAL,
)
from evalmark.converters.step import spaced
from evalmark.pages.conversations.tests import AskedQuestion, TestView
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.compared_run import ADVERSARIAL
from evalmark.validator.formats.known import identify
from evalmark.validator.formats.records.samples.companions import companion
from evalmark.validator.formats.records.samples.sample_view import sample_view
from evalmark.validator.reading.reading import read, read_file

#: The key of a sample's metadata with the tokens between what a question is about and the question.
DISTANCE = "distance"


@dataclass(frozen=True, slots=True)
class SetTotal:
    """A total of a run over memory sets, as its record has it.

    Attributes:
        name: Its name.
        part: ``total``; ``beside``: of questions that are no part of the total; ``recall``.
        score: Its score.
        interval: Its 95 % interval; None if it has none.
    """

    name: str
    part: str
    score: float
    interval: tuple[float, float] | None


def totals_of(path: Path) -> tuple[SetTotal, ...]:
    """The totals of a run, that of the answerable questions first."""
    record = read_file(path).data
    found = [
        SetTotal(str(result["evaluation_name"]), part, *_scored(result.get("score_details") or {}))
        for result in record.get("evaluation_results", ())
        if (part := _part(result)) is not None
    ]
    return tuple(sorted(found, key=lambda total: _PARTS.index(total.part)))


_PARTS = (TOTAL, BESIDE, RECALL := "recall")


def _part(result: Mapping[str, Any]) -> str | None:
    """Which part of all questions a result is of; None if it is a type of questions."""
    stated = ((result.get("score_details") or {}).get("details") or {}).get("part")
    name = str(result.get("evaluation_name"))
    if stated is not None or ": recall@" in name:
        return RECALL if stated is None else str(stated)
    # Records of earlier versions of evalmark.
    last = name.rpartition("/")[2]
    if last.startswith(ANSWERABLE):
        return TOTAL
    return BESIDE if last == NOT_ANSWERABLE or last.endswith(ADVERSARIAL) else None


def _scored(details: Mapping[str, Any]) -> tuple[float, tuple[float, float] | None]:
    bounds = (details.get("uncertainty") or {}).get("confidence_interval")
    return float(details["score"]), (bounds["lower"], bounds["upper"]) if bounds else None


def questions_of(path: Path) -> dict[str, list[TestView]]:
    """Result -> the questions that its samples are, with answers and scores.

    Raises:
        ScoringError: The record or its samples cannot be read.
    """
    record = read_file(path).data
    link = companion(record, str(path)) if isinstance(record, dict) else None
    if link is None or link.problem is not None:
        raise ScoringError(f"{path} names no samples that can be read")
    version = identify(record, "record").version
    found: dict[str, list[TestView]] = {}
    for line in filter(bytes.strip, link.whole().split(b"\n")):
        row = read(line, "row.json")
        if not row.readable or not isinstance(row.data, dict):
            raise ScoringError(f"{link.path} has a line that is not a sample")
        for result, view in _question(row.data, version):
            found.setdefault(result, []).append(view)
    return found


def _question(data: Mapping[str, Any], version: str | None) -> Iterator[tuple[str, TestView]]:
    view = sample_view(data, version)
    score = view.number("score")
    if score is None:
        return
    metadata = data.get("metadata") or {}
    answers = [str(entry.get("extracted_value", "")) for entry in view.entries("attributions")]
    why = json.loads(metadata.get("reasoning", "[]"))
    asked = AskedQuestion(
        str(view.get("raw")),
        ", ".join(map(spaced, view.entries("reference"))),
        "\n".join(answers),
        "\n".join(map(str, why)) if isinstance(why, list) else str(why),
    )
    stated = str(metadata.get(DISTANCE, ""))
    tokens = int(stated) if stated.isdecimal() else None
    test = TestView(str(view.get("sample_id")), score, "", None, tokens, False, (), (asked,))
    yield str(view.get("evaluation_name")), test
