"""Replies of a test: the lines of its log, what a scorer gets and gives, and the names of rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_HEAD = re.compile(r"(Test|Agent|System) \(([^)]*)\): ")


@dataclass(frozen=True, slots=True)
class Line:
    """A message: its speaker (``Test``, ``Agent`` or ``System``), time and text."""

    who: str
    when: str
    text: str


def read_line(line: str) -> Line:
    """Parse a line. The first generation has lines without a speaker: they are the system's."""
    head = _HEAD.match(line)
    return Line(head[1], head[2], line[head.end() :]) if head else Line("System", "", line)


def questions_of(definition: Mapping[str, Any], log: Sequence[str]) -> list[str]:
    """The questions; that of a temporal test is the last message outside of its script."""
    script, flags = definition["script"], definition["is_question"]
    questions = [line for line, question in zip(script, flags, strict=False) if question]
    if definition["is_temporal"]:
        messages = (line.text for line in map(read_line, log) if line.who == "Test")
        questions += [text for text in messages if text not in script][-1:]
    return questions


#: The rules of evalmark; `ltm-1` to `ltm-3` are those of the benchmark's generations.
EVALUATOR = "evalmark-1"
GENERATIONS = ("ltm-1", "ltm-2", "ltm-3")
#: All rules by name.
RULES = (EVALUATOR, *GENERATIONS)


@dataclass(frozen=True, slots=True)
class Replies:
    """The input of a scorer."""

    questions: Sequence[str]
    responses: Sequence[str]  # the reply to each question
    expected: Sequence[Any]  # the expected responses of the definition
    #: All lines of the test, ``Test (time): text`` and ``Agent (time): text``.
    log: Sequence[str] = ()
    script: Sequence[str] = ()  # the script of the definition
    #: All that was said in the run since the test began; in the first generation without speakers.
    full_log: Sequence[str] = ()
    judged: Sequence[str] = ()  # what models replied to the test while it ran, in order


#: Score and reasons, or None: undecided. Scores go from 0 to 1, except where the benchmark counts
#: an item twice.
Verdict = tuple[float, list[str]] | None
Scorer = Callable[[Replies, str], Verdict]


def after_question(log: Sequence[str], question: str) -> list[str]:
    """The replies of the agent, beginning with the one to a question."""
    lines = [read_line(line) for line in log]
    starts = [i for i, line in enumerate(lines) if line.who == "Test" and line.text == question]
    return [line.text for line in lines[starts[0] :] if line.who == "Agent"] if starts else []
