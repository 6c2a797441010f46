"""Scores of suites under one model: values, results and averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evalmark.scoring.models.protocols import ModelInfo, Tokenized
from evalmark.scoring.quality import NO_DOUBTS, Doubts
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.chance import Chance, mean
from evalmark.scoring.suites.predictions import RECORDED_VALUES, ItemSurprisals, SuiteResult
from evalmark.scoring.suites.suite_loading import LoadedSuite
from evalmark.scoring.surprisals.compute import Computed
from evalmark.scoring.surprisals.rounding import Rounding
from evalmark.validator.findings.report import Unused


@dataclass(frozen=True, slots=True)
class ScoredSuite:
    """A suite and its results."""

    source: LoadedSuite
    #: For each item and condition, the token surprisals (bits) of each region; None for a region
    #: that was not computed.
    surprisals: tuple[ItemSurprisals, ...]
    result: SuiteResult  # the outcomes of the predictions
    chances: tuple[Chance, ...]  # of each prediction, then of their conjunction
    #: The metric that makes a region's value of its surprisals; the suite's own if None.
    metric: str | None = None
    recorded_in: Mapping[str, str] = field(default_factory=dict)  # what kind of file -> its name
    doubts: Doubts = NO_DOUBTS
    #: For each item and condition, the tokens of its sentence, without ids where these are not
    #: known; empty if only the values of regions are known.
    tokens: tuple[tuple[Tokenized, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Scores:
    """All suites of a run, under one model and one choice of settings.

    Attributes:
        model: The model, or where the recorded values come from.
        settings: How sentences became numbers.
        suites: The suites, in the order given.
        computed: How the surprisals were computed; None for recorded values.
        rounding: By how much values can be off.
        started: When the run began, as a Unix timestamp; 0 if unknown.
        unused: The suites that could not be scored, and why.
        stated: The record's texts on recorded values instead of the settings, such as ``unknown``.
    """

    model: ModelInfo
    settings: Settings
    suites: tuple[ScoredSuite, ...]
    computed: Computed | None = None
    started: int = 0
    rounding: Rounding = RECORDED_VALUES
    unused: tuple[Unused, ...] = ()
    stated: Mapping[str, str] = field(default_factory=dict)

    @property
    def choices(self) -> dict[str, str]:
        """The settings by name, as a record lists them."""
        return {**self.settings.strings(), **self.stated}


@dataclass(frozen=True, slots=True)
class Group:
    """Averages over some suites of a run; each suite has the same weight.

    Suites without predictions are left out. If a suite has several metrics, there are averages for
    each metric.
    """

    tag: str | None  # the tag that they share; None for all suites
    suites: tuple[int, ...]  # their indices in the run
    accuracy: float  # mean of the shares of items for which all predictions hold
    chance: Chance  # mean of the suites' chance accuracies
    metric: str | None = None  # their metric, if a suite of the run has several


def groups(scores: Scores) -> list[Group]:
    """The suites of each tag, sorted by tag, and then all suites."""
    suites = [(i, s.source.suite) for i, s in enumerate(scores.suites) if s.result.predictions]
    several = has_several_metrics(scores)
    averages: list[Group] = []
    for metric in dict.fromkeys(suite.metric if several else None for _, suite in suites):
        same_metric = [(i, suite) for i, suite in suites if metric in (None, suite.metric)]
        for tag in (*sorted({tag for _, suite in same_metric for tag in suite.tags}), None):
            members = [i for i, suite in same_metric if tag is None or tag in suite.tags]
            averages.append(_group(tag, metric, members, scores))
    return averages


def has_several_metrics(scores: Scores) -> set[str]:
    """The files that are scored with several metrics."""
    metrics: dict[str, set[str]] = {}
    for scored in scores.suites:
        metrics.setdefault(scored.source.path, set()).add(scored.source.suite.metric)
    return {path for path, names in metrics.items() if len(names) > 1}


def _group(tag: str | None, metric: str | None, members: Sequence[int], scores: Scores) -> Group:
    suites = [scores.suites[i] for i in members]
    shares = [sum(s.result.conjunction) / len(s.source.suite.items) for s in suites]
    chance = mean([s.chances[-1] for s in suites])
    return Group(tag, tuple(members), sum(shares) / len(members), chance, metric)


def unique_names(scores: Scores) -> list[str]:
    """The names of the suites, with the metric where a suite has several.

    Suites of the same name are numbered.
    """
    names: list[str] = []
    several = has_several_metrics(scores)
    for scored in scores.suites:
        suite = scored.source.suite
        named = scored.source.path in several
        name = base = f"{suite.name} ({suite.metric})" if named else suite.name
        number = 2
        while name in names:
            name, number = f"{base}#{number}", number + 1
        names.append(name)
    return names
