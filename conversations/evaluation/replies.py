"""What a scorer gets and gives, and the names of the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evalmark.conversations.evaluation.lines import read_line

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
    """What the agent said, beginning with its reply to a question."""
    lines = [read_line(line) for line in log]
    starts = [i for i, line in enumerate(lines) if line.who == "Test" and line.text == question]
    return [line.text for line in lines[starts[0] :] if line.who == "Agent"] if starts else []
