"""The audit of a memory set: what it asks, over which denominators, and what is wrong."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalmark.schemas.errors import ScoringError
from evalmark.validator.check import check_bytes
from evalmark.validator.findings.finding import Finding
from evalmark.validator.formats.builtin import KINDS, identify
from evalmark.validator.formats.memory_sets.history import History, MemorySet, words_of
from evalmark.validator.formats.memory_sets.memory_sets_format import MemorySetFormat, set_view
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read
from evalmark.validator.rule_registry import RULES

#: The first letters of the codes of rules of memory sets.
_FAMILY = "MT"
#: Of all questions; the name of the last rows of the table.
_ALL, _ANSWERABLE = "all", "answerable"


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """The questions of one type, or of several.

    Attributes:
        type: The type, or category.
        count: How many there are.
        share: Their share of all questions.
        answerable: Those that their history answers.
        without_evidence: Those that name no evidence.
        broken: Those that name evidence that does not exist.
        evidence: The mean number of turns or sessions that one names.
    """

    type: str
    count: int
    share: float
    answerable: int
    without_evidence: int
    broken: int
    evidence: float


@dataclass(frozen=True, slots=True)
class SetView:
    """A memory set, and what is wrong with it.

    Attributes:
        name: The name of the file.
        kind: What it is.
        facts: How many histories, sessions, turns and words it has, and its dates.
        rows: Its questions by type; the last two are all, and all that are answerable.
        findings: Rule -> its findings.
    """

    name: str
    kind: str
    facts: dict[str, str]
    rows: tuple[QuestionRow, ...]
    findings: dict[str, list[Finding]]

    def summary(self, code: str) -> str:
        """The requirement of a rule."""
        return RULES[code].summary


def is_memory_set(path: Path) -> bool:
    """True if a path is that of a file that may be a set; ``read_set`` knows better."""
    return path.is_file() and path.suffix == ".json" and path.name != "scores.json"


def read_set(path: Path) -> SetView:
    """Read and check a set.

    Raises:
        ScoringError: The file is not a set, or no history of it is valid.
    """
    raw = read_whole(path)
    reading = read(raw, str(path))
    document = identify(reading.data) if reading.readable else None
    if document is None or not isinstance(document.format, MemorySetFormat):
        names = " or ".join(name for name, kind in KINDS.items() if kind.family == _FAMILY)
        raise ScoringError(f"{path} is not a memory set ({names})")
    view = set_view(document)
    if not view.histories:
        raise ScoringError(f"{path} has no valid history: `evalmark check {path}` says why")
    findings: dict[str, list[Finding]] = {}
    for finding in check_bytes(raw, str(path)).findings:
        findings.setdefault(finding.code, []).append(finding)
    rows = tuple(_rows(view))
    return SetView(path.name, document.format.name, _facts(view), rows, findings)


def _facts(view: MemorySet) -> dict[str, str]:
    sessions = [session for history in view.histories for session in history.sessions]
    turns = [turn for session in sessions for turn in session.turns]
    times = sorted(
        time
        for history in view.histories
        for session in history.sessions
        if (time := history.time_of(session.date))
    )
    words = sum(len(words_of(turn.text).split()) for turn in turns)
    return {
        "histories": f"{len(view.histories):,}",
        "sessions": f"{len(sessions):,}",
        "turns": f"{len(turns):,}",
        "words": f"{words:,}",
        "words of a history": f"{words / len(view.histories):,.0f} on average",
        "dates": f"{times[0]:%Y-%m-%d} to {times[-1]:%Y-%m-%d}" if times else "none",
    }


def _rows(view: MemorySet) -> Iterator[QuestionRow]:
    types = Counter(q.type for history in view.histories for q in history.questions)
    every = sum(types.values())
    for name in (*sorted(types), _ALL, _ANSWERABLE):
        yield _row(view.histories, name, every)


def _row(histories: Sequence[History], name: str, every: int) -> QuestionRow:
    chosen = [
        (history, question)
        for history in histories
        for question in history.questions
        if name in (_ALL, question.type) or (name == _ANSWERABLE and question.is_answerable)
    ]
    named = [[evidence for _, evidence in question.evidence] for _, question in chosen]
    return QuestionRow(
        name,
        len(chosen),
        len(chosen) / max(every, 1),
        sum(question.is_answerable for _, question in chosen),
        sum(not ids for ids in named),
        sum(
            not history.evidence_ids.issuperset(ids)
            for (history, _), ids in zip(chosen, named, strict=True)
        ),
        statistics.fmean(map(len, named)) if named else 0.0,
    )
