"""Scores from 0 to 1, and how far back a message is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evalmark.conversations.evaluation.texts import about_tokens
from evalmark.schemas.errors import ScoringError

#: Messages of a conversation: ``content`` and ``timestamp``.
Context = Sequence[Mapping[str, Any]]
#: Questions, replies and expected answers → score, maximum score and reasons.
Evaluator = Callable[[list[str], list[str], list[Any]], tuple[float, float, list[str]]]


def normalized(evaluate: Evaluator) -> Evaluator:
    """An evaluation whose maximum is 1."""

    def evaluator(
        questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> tuple[float, float, list[str]]:
        score, greatest, reasons = evaluate(questions, responses, expected_answers)
        return (score / greatest if greatest > 0 else 0.0), 1, reasons

    return evaluator


def distance(first: str, test_context: Context, full_context: Context) -> tuple[int, int]:
    """Characters and tokens of all messages from the first one of a test on.

    Raises:
        ScoringError: The conversation does not have that message.
    """
    when = str(test_context[_place(test_context, first)]["timestamp"])
    told = full_context[_place(full_context, first, when) :]
    text = "".join(str(message["content"]) for message in told)
    return len(text), about_tokens(text)


def _place(context: Context, content: str, when: str | None = None) -> int:
    for place, message in enumerate(context):
        if message["content"] == content and when in (None, str(message["timestamp"])):
            return place
    raise ScoringError(f"the conversation does not have the message {content[:80]!r}")
