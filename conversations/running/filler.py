"""Filler talk between the messages of tests: seeded questions of general knowledge."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

_THINGS = (
    ("hexagon", "sides", 6), ("spider", "legs", 8), ("week", "days", 7), ("octave", "notes", 8),
    ("chessboard", "squares", 64), ("cube", "edges", 12), ("leap year", "days", 366),
    ("violin", "strings", 4), ("insect", "legs", 6), ("dozen", "pieces", 12),
    ("tetrahedron", "faces", 4), ("gross", "pieces", 144), ("decade", "years", 10),
    ("minute", "seconds", 60), ("triangle", "corners", 3), ("century", "years", 100),
)  # fmt: skip
_SUMS: tuple[tuple[str, Callable[[int, int], int]], ...] = (
    ("What is {a} plus {b}?", lambda a, b: a + b),
    ("What is {a} times {b}?", lambda a, b: a * b),
    ("How much is {a} less {b}?", lambda a, b: a - b),
)


class Filler:
    """Pairs of questions and answers, drawn with a seed."""

    def __init__(self, count: Callable[[str], int], seed: int = 0) -> None:
        self._count = count
        self._random = random.Random(f"filler {seed}")

    def message(self, tokens: int) -> tuple[str, str]:
        """A message of about ``tokens`` tokens with at least one question, and the right reply.

        Questions are numbered and the reply is a JSON list, so both are the same for every agent.
        """
        questions: list[str] = []
        answers: list[str] = []
        text = _HEAD
        while not questions or self._count(text) + self._count(json.dumps(answers)) < tokens:
            question, answer = self._pair()
            questions.append(question)
            answers.append(answer)
            text = f"{_HEAD}\n{_numbered(questions)}"
        return text, json.dumps(answers)

    def _pair(self) -> tuple[str, str]:
        r = self._random
        if r.random() < 0.5:
            thing, parts, count = r.choice(_THINGS)
            return f"How many {parts} has a {thing}?", str(count)
        text, result = r.choice(_SUMS)
        a, b = r.randrange(10, 100), r.randrange(2, 10)
        return text.format(a=a, b=b), str(result(a, b))


_HEAD = "Here are a few questions in between. Answer with a JSON list of short texts, in order."


def _numbered(questions: list[str]) -> str:
    return "\n".join(f"{number}. {question}" for number, question in enumerate(questions, 1))
