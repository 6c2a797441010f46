"""Averages over the suites of a run; each suite has the same weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalmark.scoring.scores import Scores


@dataclass(frozen=True, slots=True)
class Group:
    """Some suites of a run together."""

    tag: str | None  # the tag that they share; None for all suites
    suites: tuple[int, ...]  # their indices in the run
    accuracy: float  # mean of the shares of items for which all predictions hold
    chance: float  # mean of the suites' chance accuracies


def groups(scores: Scores) -> list[Group]:
    """The suites of each tag, sorted by tag, and then all suites."""
    tags = sorted({tag for scored in scores.suites for tag in scored.source.suite.tags})
    found = [
        _group(tag, [i for i, s in enumerate(scores.suites) if tag in s.source.suite.tags], scores)
        for tag in tags
    ]
    return [*found, _group(None, range(len(scores.suites)), scores)]


def _group(tag: str | None, members: Sequence[int], scores: Scores) -> Group:
    suites = [scores.suites[i] for i in members]
    shares = [sum(s.result.conjunction) / len(s.source.suite.items) for s in suites]
    chances = [s.chances[-1] for s in suites]
    count = max(len(members), 1)
    return Group(tag, tuple(members), sum(shares) / count, sum(chances) / count)
