"""A test of a run of conversations, as a page shows it."""

from __future__ import annotations

from dataclasses import dataclass

from evalmark.conversations.evaluation.replies import Line


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question, the expected and the actual answer, and the reason for the score."""

    question: str
    expected: str
    actual: str
    reason: str


@dataclass(frozen=True, slots=True)
class TestView:
    """A test and its result."""

    __test__ = False

    id: str
    score: float | None  # from 0 to 1; None if it was not judged or failed with an error
    state: str  # empty, `not judged` or `error`
    automatic: float | None  # the score before it was changed by hand; None if it was not
    tokens: int | None  # of conversation from its start to its end; None if that is unknown
    overrun: bool  # whether that is more than the memory span
    lines: tuple[Line, ...]
    exchanges: tuple[AskedQuestion, ...]
