"""The costs of a memory system on memory sets: telling, searching and answering, each apart."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class StepCost:
    """The cost of one of the steps."""

    count: int  # sessions that were told, questions that were searched or answered
    seconds: float
    seconds_p50: float  # of one
    seconds_p95: float
    calls: int | None  # requests to models; None, as the next: nobody saw them
    read: int | None  # tokens
    written: int | None
    dollars: float | None  # 0 if no prices are given


#: The steps, in their order.
INGEST, SEARCH, ANSWER = "ingest", "search", "answer"


@dataclass(frozen=True, slots=True)
class SetCosts:
    """The costs of a run over memory sets."""

    steps: Mapping[str, StepCost]  # `search` only for agents that search apart from answering
    context_tokens: float | None  # mean of those that were read for an answer, if the agent says so

    def data(self) -> dict[str, object]:
        """The same as JSON."""
        steps = {name: asdict(step) for name, step in self.steps.items()}
        return {**steps, "context_tokens": self.context_tokens}


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(-int(-share * len(ordered) // 1) - 1, 0)] if ordered else 0.0


def _step(
    seconds: Sequence[float], spent: Sequence[Mapping[str, Any]], calls: int | None
) -> StepCost:
    """A step from the seconds of each time, and what was measured; ``calls`` of one, if known."""
    unstated = None if calls is None else 0

    def total(key: str, default: float | None) -> Any:
        values = [event.get(key, default) for event in spent]
        return None if None in values or not values else sum(values)

    return StepCost(
        len(seconds),
        round(sum(seconds), 3),
        percentile(seconds, 0.5),
        percentile(seconds, 0.95),
        total("calls", calls),
        total("read", unstated),
        total("written", unstated),
        total("cost", unstated),
    )


def costs_of(
    tellings: Sequence[Mapping[str, Any]], replies: Sequence[Mapping[str, Any]]
) -> SetCosts:
    """The costs of a run from what its log has measured.

    Args:
        tellings: For each history that was told: ``seconds``, those of ``each`` session, ``calls``,
            ``read``, ``written`` and ``cost``, which are missing where nobody saw them.
        replies: For each question: the same without ``each``, with ``search`` (seconds) and
            ``context`` (tokens) where the agent says so.
    """
    told = [one for event in tellings for one in event.get("each", ())]
    searches = [event["search"] for event in replies if "search" in event]
    answers = [
        max(round(event["seconds"] - event.get("search", 0.0), 3), 0.0)
        for event in replies
        if "seconds" in event
    ]
    contexts = [event["context"] for event in replies if "context" in event]
    steps = {INGEST: _step(told, tellings, None)}
    if searches:
        steps[SEARCH] = _step(searches, (), None)
    steps[ANSWER] = _step(answers, replies, 1)
    return SetCosts(steps, statistics.fmean(contexts) if contexts else None)
