"""How datasets ask the judge of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evalmark.conversations.evaluation.judging import MAX_TOKENS, checked, checklist
from evalmark.schemas.errors import NotJudged, ScoringError

#: Score, maximum score (deprecated: leave it at 1), and a reason for each question.
Evaluation = tuple[float, float, list[str]]
#: Messages, temperature, maximum number of tokens, and the model if the dataset names one → the
#: judge's reply.
Ask = Callable[[list[dict[str, str]], float, int, str | None], str]


class AsksJudge:
    """What asks the judge.

    Attributes:
        name: Its name, for errors.
        ask: How the judge is asked; None: there is no judge.
    """

    name: str
    ask: Ask | None

    def evaluate_correct_gpt(
        self, questions: list[str], provided_answer: list[str], expected_answer: Any
    ) -> Evaluation:
        """The number of replies that a judge accepts, of how many, and its reasons.

        Raises:
            NotJudged: There is no judge, or its answer cannot be parsed.
            ScoringError: The numbers of questions, replies and expected answers differ.
        """
        expected = [expected_answer] if isinstance(expected_answer, str) else expected_answer
        if not len(questions) == len(provided_answer) == len(expected):
            raise ScoringError(
                f"{self.name}: {len(questions)} questions, {len(provided_answer)} replies, "
                f"{len(expected)} expected"
            )
        right, reasons = 0, []
        for question, response, answer in zip(questions, provided_answer, expected, strict=True):
            holds, reason = checked(
                self.ask_llm(checklist(question, response, answer), max_tokens=MAX_TOKENS)
            )
            right += holds
            reasons.append(reason)
        return right, len(questions), reasons

    def ask_llm(
        self,
        context: str | Sequence[dict[str, str]],
        model: str | None = None,
        temperature: float = 0,
        max_tokens: int = 256,
        *,
        timeout: float | None = None,
        max_overall_tokens: int | None = None,
    ) -> str:
        """The judge's reply to a prompt or to messages; the run pays for it.

        Args:
            context: The prompt, or messages with ``role`` and ``content``.
            model: The model to ask, at an endpoint for which the run names no judge. By default
                ``DEFAULT_JUDGE``.
            temperature: Sampling temperature.
            max_tokens: Maximum number of tokens in the reply.
            timeout: Accepted, but not used: endpoints have their own.
            max_overall_tokens: Accepted, but not used.

        Raises:
            NotJudged: The run has no judge.
        """
        del timeout, max_overall_tokens
        if self.ask is None:
            raise NotJudged(f"{self.name} needs a judge")
        messages = [{"role": "user", "content": context}] if isinstance(context, str) else context
        return self.ask(list(messages), temperature, max_tokens, model)
