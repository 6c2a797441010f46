"""Replies of a test: the lines of its log, and what a scorer gets and gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
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


#: The name of the rules by which evalmark scores replies.
EVALUATOR = "evalmark-1"


@dataclass(frozen=True, slots=True)
class Replies:
    """The input of a scorer."""

    questions: Sequence[str]
    responses: Sequence[str]  # the reply to each question
    expected: Sequence[Any]  # the expected responses of the definition
    #: All lines of the test, ``Test (time): text`` and ``Agent (time): text``.
    log: Sequence[str] = ()


#: Score from 0 to 1 and reasons, or None: undecided.
Verdict = tuple[float, list[str]] | None
Scorer = Callable[[Replies], Verdict]


def after_question(log: Sequence[str], question: str) -> list[str]:
    """The replies of the agent, beginning with the one to a question."""
    lines = [read_line(line) for line in log]
    starts = [i for i, line in enumerate(lines) if line.who == "Test" and line.text == question]
    return [line.text for line in lines[starts[0] :] if line.who == "Agent"] if starts else []
