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
    """A suite and its results.

    Attributes:
        source: The suite.
        surprisals: For each item and condition, the token surprisals (bits) of each region.
        result: The outcomes of the predictions.
        chances: Chance accuracy of each prediction, then of their conjunction.
    """

    source: LoadedSuite
    surprisals: tuple[ItemSurprisals, ...]
    result: SuiteResult
    chances: tuple[float, ...]


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
