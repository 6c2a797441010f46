"""The costs of a memory system on memory sets: telling, searching and answering, each apart."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalmark.conversations.agents.agent import Agent
from evalmark.conversations.sets.set_agents import can_go_back
from evalmark.conversations.sets.set_files import LoadedSet
from evalmark.conversations.sets.set_kinds import ToldHistory


@dataclass(frozen=True, slots=True)
class StepCost:
    """The cost of one of the steps.

    Attributes:
        count: How often it was taken: sessions that were told, questions that were searched or
            answered.
        seconds: All of them together.
        seconds_p50: Median of the seconds of one.
        seconds_p95: 95th percentile of them.
        calls: Number of requests to models, as far as the agent says so.
        read: Number of tokens that these read.
        written: Number of tokens that they wrote.
        dollars: Their price in US dollars; 0 if no prices are given.
    """

    count: int
    seconds: float
    seconds_p50: float
    seconds_p95: float
    calls: int = 0
    read: int = 0
    written: int = 0
    dollars: float = 0.0

    def data(self) -> dict[str, object]:
        """The same as JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


#: The steps, in their order.
INGEST, SEARCH, ANSWER = "ingest", "search", "answer"


@dataclass(frozen=True, slots=True)
class SetCosts:
    """The costs of a run over memory sets.

    Attributes:
        steps: Step -> its cost; ``search`` only for agents that search apart from answering.
        context_tokens: Mean number of tokens of memories that were read for an answer; None if the
            agent does not say.
    """

    steps: Mapping[str, StepCost]
    context_tokens: float | None

    def data(self) -> dict[str, object]:
        """The same as JSON."""
        steps = {name: step.data() for name, step in self.steps.items()}
        return {**steps, "context_tokens": self.context_tokens}


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(-int(-share * len(ordered) // 1) - 1, 0)] if ordered else 0.0


def _step(seconds: Sequence[float], spent: Sequence[Mapping[str, Any]], calls: int) -> StepCost:
    """A step from the seconds of each time, and what was measured."""
    return StepCost(
        len(seconds),
        round(sum(seconds), 3),
        percentile(seconds, 0.5),
        percentile(seconds, 0.95),
        sum(event.get("calls", calls) for event in spent),
        sum(event.get("read", 0) for event in spent),
        sum(event.get("written", 0) for event in spent),
        sum(event.get("cost", 0.0) for event in spent),
    )


def costs_of(
    tellings: Sequence[Mapping[str, Any]], replies: Sequence[Mapping[str, Any]]
) -> SetCosts:
    """The costs of a run from what its log has measured.

    Args:
        tellings: For each history that was told: ``seconds``, those of ``each`` session, ``calls``,
            ``read``, ``written`` and ``cost``.
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
    steps = {INGEST: _step(told, tellings, 0)}
    if searches:
        steps[SEARCH] = _step(searches, (), 0)
    steps[ANSWER] = _step(answers, replies, 1)
    return SetCosts(steps, statistics.fmean(contexts) if contexts else None)


@dataclass(frozen=True, slots=True)
class TellingCost:
    """The cost of telling histories again before questions, estimated before a run.

    Attributes:
        calls: Number of sessions that will be told.
        once: Number of sessions if each history were told once.
        tokens: Number of tokens in the told sessions; an estimate.
    """

    calls: int
    once: int
    tokens: int


def telling_cost(
    sets: Sequence[LoadedSet], agent: Agent, answered: Collection[str] = ()
) -> TellingCost | None:
    """The cost of telling an agent histories again for each question; None if it is told once.

    Args:
        sets: The sets.
        agent: The agent.
        answered: Ids of questions that are answered already.
    """
    if can_go_back(agent):
        return None
    calls = once = tokens = 0
    for memory_set in sets:
        for history in memory_set.histories:
            times = sum(question.id not in answered for question in history.questions)
            sessions, size = _size(history, agent)
            once += sessions if times else 0
            calls += times * sessions
            tokens += times * size
    return TellingCost(calls, once, tokens) if calls > once else None


def _size(history: ToldHistory, agent: Agent) -> tuple[int, int]:
    """Sessions and tokens of a history."""
    sessions = tokens = 0
    for session in history.sessions():
        sessions += 1
        tokens += sum(agent.count(turn.content) for turn in session.turns)
    return sessions, tokens
