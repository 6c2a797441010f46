"""What scoring finds: the values and results of each suite under one model."""

from __future__ import annotations

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
