"""What scoring finds: the values and results of each suite under one model, and averages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.outcomes import ItemSurprisals, SuiteResult
from evalmark.scoring.settings import Settings
from evalmark.scoring.suites import LoadedSuite
from evalmark.scoring.surprisals.compute import Computed


@dataclass(frozen=True, slots=True)
class ScoredSuite:
    """A suite and its results."""

    source: LoadedSuite
    #: For each item and condition, the token surprisals (bits) of each region.
    surprisals: tuple[ItemSurprisals, ...]
    result: SuiteResult  # the outcomes of the predictions
    chances: tuple[float, ...]  # chance accuracy of each prediction, then of their conjunction


@dataclass(frozen=True, slots=True)
class Scores:
    """All suites of a run, under one model and one choice of settings.

    Attributes:
        model: The model, or where the recorded values come from.
        settings: How sentences became numbers.
        suites: The suites, in the order given.
        computed: How the surprisals were computed; None for recorded values.
        started: When the run began, as a Unix timestamp; 0 if unknown.
    """

    model: ModelInfo
    settings: Settings
    suites: tuple[ScoredSuite, ...]
    computed: Computed | None = None
    started: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Averages over some suites of a run; each suite has the same weight."""

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
