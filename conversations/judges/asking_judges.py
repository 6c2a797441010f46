"""Asking judges about answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalmark.conversations.agents.agent import Completer
from evalmark.conversations.evaluation.llm_judge import TEMPERATURE
from evalmark.conversations.judges.judge_prompt import AsksAbout
from evalmark.conversations.judges.planting import GivenAnswer
from evalmark.schemas.errors import AgentError, NotJudged, ScoringError

#: After so many answers without a single reply, a judge is not asked again.
ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a judge says about an answer."""

    accepted: bool | None  # None: it gave no verdict
    why: str  # its reason, or why there is no verdict


def rulings(
    judge: Completer,
    answers: Sequence[GivenAnswer],
    progress: Callable[[], object],
    asks: AsksAbout,
) -> list[Ruling]:
    """The rulings of a judge on answers, in order. Equal answers are judged once.

    Raises:
        ScoringError: The judge does not reply.
    """
    found: dict[str, Ruling] = {}
    replied, failed = False, 0
    in_order = []
    for answer in answers:
        try:
            prompt = asks.text(
                answer.type, answer.question, answer.expected, answer.reply,
                has_none=answer.unanswerable,
            )  # fmt: skip
        except NotJudged as error:  # no prompt is about this type
            in_order.append(Ruling(None, str(error)))
            progress()
            continue
        if prompt not in found:
            try:
                found[prompt] = _ruling(judge, prompt, asks)
                replied = True
            except AgentError as error:
                failed += 1
                if not replied and failed == ATTEMPTS:
                    raise ScoringError(f"the judge does not reply: {error}") from error
                found[prompt] = Ruling(None, f"no reply: {error}")
        in_order.append(found[prompt])
        progress()
    return in_order


def _ruling(judge: Completer, prompt: str, asks: AsksAbout) -> Ruling:
    messages = [{"role": "user", "content": prompt}]
    said = judge.complete(messages, temperature=TEMPERATURE, max_tokens=asks.max_tokens)
    try:
        return Ruling(*asks.verdict(said.text))
    except NotJudged as error:
        return Ruling(None, str(error))
