"""Runs over suites, as pages, tables and notebooks see them: suites, predictions, items, regions.

A record has the results of each prediction, ``<suite>/1`` and so on, and of all predictions of an
item, ``<suite>/all``; a suite with one prediction has ``<suite>/all`` alone, and one without has
``<suite>/surprisals``. The sample of an item for its first result has its regions.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalmark.converters.records.run import Result, Run, Sample
from evalmark.schemas.errors import ContradictionError, ScoringError
from evalmark.scoring.comparison.compared_run import ALL, ROUNDED
from evalmark.scoring.doubts import DETAILS, notes_of
from evalmark.scoring.runs.run_origin import RunOrigin, facts_of, origin_of, viewing
from evalmark.scoring.runs.scores import (
    CORRECT,
    SCORED,
    Score,
    average_of,
    require_counts,
    require_once,
    score_of,
)
from evalmark.scoring.suites.effects import (
    EQUALITY,
    Sides,
    comparisons,
    kind_of,
    margin,
    sides_of,
    tree_of,
)
from evalmark.scoring.suites.prediction_results import RegionValues
from evalmark.scoring.suites.regions import region_value, whole_value
from evalmark.stats.effect_sizes import EffectSize, effect_size
from evalmark.stats.intervals import QUANTILE
from evalmark.validator.formats.suites.formula.formula_syntax import Comparison

#: The key of a sample's metadata that has the regions of its item, and that of a result's details
#: which says of what suite it is.
REGIONS, SUITE_DIGEST = "regions", "suite_digest"
#: The result of a suite without predictions.
SURPRISALS = "surprisals"


def labels_of(predictions: int) -> tuple[str, ...]:
    """The names of the results of a suite: of its predictions, and of all of them together."""
    if predictions < 2:
        return (ALL,) if predictions else ()
    return (*map(str, range(1, predictions + 1)), ALL)


@dataclass(frozen=True, slots=True)
class RegionCell:
    """A region of a sentence."""

    number: int  # its number
    name: str  # its name
    text: str  # its text
    value: float | None  # its value in bits; None if it is undefined
    surprisals: Sequence[float | None] | None  # those of its tokens; None if it was not computed
    tokens: Sequence[str] = ()  # the texts of its tokens; empty if they are not known
    ids: Sequence[int] = ()  # their numbers in the vocabulary, if these are known


@dataclass(frozen=True)
class ItemView:
    """An item: which predictions hold, and the regions of each condition."""

    number: int
    holds: tuple[bool, ...]  # for each prediction, whether it holds
    conditions: tuple[tuple[str, tuple[RegionCell, ...]], ...]  # names, and all of their regions
    sentences: tuple[tuple[str, Mapping[int, RegionCell]], ...]  # those computed, by number

    @cached_property
    def values(self) -> RegionValues:
        """Condition and region (None for all) -> value in bits; None if it is undefined."""
        values: dict[tuple[str, int | None], float | None] = {}
        for condition, cells in self.conditions:
            computed = {c.number: c.value for c in cells if c.surprisals is not None}
            values |= {(condition, number): value for number, value in computed.items()}
            if len(computed) == len(cells):
                values[condition, None] = whole_value(list(computed.values()))
        return values


@dataclass(frozen=True)
class EffectView:
    """A comparison of a prediction in each item."""

    prediction: str  # the label of the prediction
    place: int  # of the comparison in it, from 1
    comparison: Comparison
    kind: str  # ``difference``, ``interaction`` or ``equality``
    sides: Mapping[int, Sides]  # item -> both sides in bits

    @cached_property
    def margins(self) -> dict[int, float | None]:
        """Item -> by how many bits the comparison holds; None if that is undefined."""
        return {item: margin(self.comparison.operator, sides) for item, sides in self.sides.items()}

    @property
    def defined(self) -> dict[int, float]:
        """The margins that are numbers; infinite ones are not."""
        return {
            item: bits
            for item, bits in self.margins.items()
            if bits is not None and math.isfinite(bits)
        }

    @property
    def size(self) -> EffectSize | None:
        """The mean margin over items, with its tests; None without a defined margin."""
        return effect_size([*self.defined.values()], is_directed=self.kind != EQUALITY)


@dataclass(frozen=True, slots=True)
class Point:
    """The mean value (bits) of a region over items, and its 95 % interval."""

    region: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The values of a condition, region by region."""

    condition: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class PredictionView:
    """A prediction, or the conjunction of all."""

    label: str  # `1`, `2`, … or `all`, also of the only one
    formula: str  # as written in the suite; empty for the conjunction
    score: Score  # its accuracy
    outcomes: tuple[bool, ...]  # of each item
    ties: tuple[int, ...] = ()  # items decided by rounding


@dataclass(frozen=True)
class SuiteView:
    """A suite and its results."""

    name: str  # its name, unique in the run
    suite: str  # its own name
    metric: str
    tags: tuple[str, ...]
    path: str
    # numbers and names of the regions that were computed, ascending
    regions: tuple[tuple[int, str], ...]
    predictions: tuple[PredictionView, ...]
    items: tuple[ItemView, ...]
    is_partial: bool  # whether it has only the regions that its predictions refer to
    doubts: Mapping[str, str]  # why its values are doubtful
    part: str  # "5 of 48 items" where a limit left some out; else empty
    # the conjunction of all predictions, or the only one; None without any
    whole: PredictionView | None

    @property
    def notes(self) -> tuple[str, ...]:
        """Why its values are doubtful, in words."""
        return notes_of({self.name: self.doubts})

    @property
    def shown(self) -> tuple[PredictionView, ...]:
        """The predictions and, if there are several, their conjunction."""
        if self.whole is None or len(self.predictions) < 2:
            return self.predictions
        return (*self.predictions, self.whole)

    @cached_property
    def effects(self) -> tuple[EffectView, ...]:
        """The comparisons of its predictions. A formula that cannot be read has none."""
        return tuple(_effects(self))

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """The mean values of each condition, region by region."""
        return tuple(_curves(self.items))


@dataclass(frozen=True, slots=True)
class GroupView:
    """Averages over some suites of a run; each has the same weight."""

    tag: str | None  # the tag that they share; None for all suites
    metric: str | None  # their metric, if a suite of the run has several
    suites: tuple[SuiteView, ...]

    @property
    def scores(self) -> list[Score]:
        """Of each suite with predictions: whether all of them hold in an item."""
        return [suite.whole.score for suite in self.suites if suite.whole is not None]

    @property
    def score(self) -> Score:
        """The average."""
        return average_of(self.scores)


@dataclass(frozen=True, slots=True)
class RunView:
    """A run over suites: its model, what its numbers depend on, its suites."""

    model: str
    details: Mapping[str, str]
    suites: tuple[SuiteView, ...]
    origin: RunOrigin
    run: Run

    @property
    def has_tokens(self) -> bool:
        """True if the tokens of its sentences are known."""
        items = (item for suite in self.suites for item in suite.items)
        return any(cell.tokens for item in items for _, cells in item.conditions for cell in cells)

    @property
    def notes(self) -> tuple[str, ...]:
        """Doubts about its values, in words."""
        return notes_of({suite.name: suite.doubts for suite in self.suites})

    @property
    def groups(self) -> list[GroupView]:
        """The suites of each tag, sorted by tag, and then all suites; those with predictions."""
        suites = [suite for suite in self.suites if suite.whole is not None]
        metrics: dict[tuple[str, str], set[str]] = {}
        for suite in suites:
            metrics.setdefault((suite.path, suite.suite), set()).add(suite.metric)
        several = any(len(names) > 1 for names in metrics.values())
        averages = []
        for metric in dict.fromkeys(suite.metric if several else None for suite in suites):
            same = [suite for suite in suites if metric in (None, suite.metric)]
            for tag in (*sorted({tag for suite in same for tag in suite.tags}), None):
                members = (suite for suite in same if tag is None or tag in suite.tags)
                averages.append(GroupView(tag, metric, tuple(members)))
        return averages


def _effects(suite: SuiteView) -> Iterator[EffectView]:
    for prediction in suite.predictions:
        tree = tree_of(prediction.formula)
        for place, comparison in enumerate(comparisons(tree) if tree else (), 1):
            try:
                sides = {item.number: sides_of(comparison, item.values) for item in suite.items}
            except TypeError:  # not a comparison of numbers: the run may come from elsewhere
                continue
            yield EffectView(prediction.label, place, comparison, kind_of(comparison), sides)


def is_of_suite(result: Result) -> bool:
    """True for a result of a suite that evalmark scored."""
    return SUITE_DIGEST in result.details


def suite_label(result: Result) -> tuple[str, str]:
    """The name of a result's suite, unique in its run, and that of its prediction."""
    label, _, prediction = result.name.rpartition("/")
    return label, prediction


def suite_run(run: Run) -> RunView:
    """A run over suites; raises ScoringError if it has no samples of such a run."""
    with viewing(run):
        return _view(run)


def _view(run: Run) -> RunView:
    by_suite: dict[str, dict[str, Result]] = {}
    for result in filter(is_of_suite, run.results):
        label, prediction = suite_label(result)
        by_suite.setdefault(label, {})[prediction] = result
    samples: dict[str, list[Sample]] = {}
    for sample in run.samples:
        samples.setdefault(sample.result, []).append(sample)
    suites = tuple(_suite(run, label, results, samples) for label, results in by_suite.items())
    names = [suite.suite for suite in suites]
    return RunView(run.model.id, facts_of(run), suites, origin_of(run, [*by_suite], names), run)


def _suite(
    run: Run, label: str, results: Mapping[str, Result], samples: Mapping[str, list[Sample]]
) -> SuiteView:
    first = next(iter(results.values()))
    details, settings = first.details, run.settings_of(first)
    rows = {name: samples.get(result.name, []) for name, result in results.items()}
    ids, *others = ([sample.id for sample in column] for column in rows.values())
    if not ids or any(other != ids for other in others):
        raise ContradictionError(f"{label} has other samples for each prediction")
    numbers = [int(name.removeprefix(f"{label}/")) for name in ids]
    require_once(first, numbers)
    predictions = [
        _prediction(run, name, result, rows[name], numbers)
        for name, result in results.items()
        if name not in (ALL, SURPRISALS) or (name == ALL and len(results) == 1)
    ]
    # The sum of one value is the value: a file has those of regions.
    metric = "sum" if "values" in details else details["metric"]
    outcomes = [prediction.outcomes for prediction in predictions]
    items = tuple(
        _item(number, holds, sample, metric)
        for number, sample, holds in zip(
            numbers,
            next(iter(rows.values())),
            zip(*outcomes, strict=True) if outcomes else [()] * len(numbers),
            strict=True,
        )
    )
    names = {
        cell.number: cell.name
        for item in items
        for _, cells in item.sentences
        for cell in cells.values()
    }
    return SuiteView(
        name=label,
        suite=first.dataset.name,
        metric=details["metric"],
        tags=tuple(json.loads(details.get("tags", "[]"))),
        path=first.dataset.details.get("path", ""),
        regions=tuple(sorted(names.items())),
        predictions=tuple(predictions),
        items=items,
        is_partial=settings.get("regions") == "predicted",
        doubts={key: details[key] for key in DETAILS if details.get(key)},
        part=details.get(SCORED, ""),
        whole=_whole(results, predictions),
    )


def _prediction(
    run: Run, name: str, result: Result, rows: Sequence[Sample], numbers: Sequence[int]
) -> PredictionView:
    outcomes = tuple(run.score_of(sample) == 1 for sample in rows)
    marks = zip(numbers, rows, strict=True)
    ties = tuple(number for number, row in marks if row.metadata.get(ROUNDED) == "true")
    score = score_of(result, CORRECT)
    _require_outcomes(result, outcomes, ties)
    return PredictionView(name, result.metric.description, score, outcomes, ties)


def _require_outcomes(result: Result, outcomes: Sequence[bool], ties: Sequence[int]) -> None:
    counts = {CORRECT: sum(outcomes), "items": len(outcomes), "ties": len(ties)}
    require_counts(result, counts)


def _whole(
    results: Mapping[str, Result], predictions: Sequence[PredictionView]
) -> PredictionView | None:
    """The conjunction of some predictions; what rounding decided in one of them is a tie."""
    if len(predictions) < 2:
        return next(iter(predictions), None)
    outcomes = tuple(map(all, zip(*(p.outcomes for p in predictions), strict=True)))
    ties = tuple(sorted({tie for prediction in predictions for tie in prediction.ties}))
    score = score_of(results[ALL], CORRECT)
    _require_outcomes(results[ALL], outcomes, ties)
    return PredictionView(ALL, "", score, outcomes, ties)


def _item(number: int, holds: Iterable[bool], sample: Sample, metric: str) -> ItemView:
    if REGIONS not in sample.metadata:
        raise ScoringError("its samples have no regions, as in earlier editions: score it again")
    stated = json.loads(sample.metadata[REGIONS])
    conditions = tuple((name, tuple(_cells(columns, metric))) for name, columns in stated.items())
    computed = tuple(
        (name, {cell.number: cell for cell in cells if cell.surprisals is not None})
        for name, cells in conditions
    )
    sentences = tuple((name, cells) for name, cells in computed if cells)
    return ItemView(number, tuple(holds), conditions, sentences)


def _cells(columns: Mapping[str, Sequence[Any]], metric: str) -> Iterator[RegionCell]:
    """The regions of a condition: columns of numbers, names, texts, surprisals, tokens and ids."""
    tokens, ids = (columns.get(key) or [()] * len(columns["texts"]) for key in ("tokens", "ids"))
    for number, name, text, bits, *of_tokens in zip(
        *(columns[key] for key in ("numbers", "names", "texts", SURPRISALS)),
        tokens,
        ids,
        strict=True,
    ):
        value = None if bits is None else region_value(bits, metric)
        yield RegionCell(number, name, text, value, bits, *of_tokens)


def _curves(items: Sequence[ItemView]) -> Iterator[Curve]:
    """Means over the items in which the value of a region is defined and finite.

    A region without text in every item has no point: its value of 0 is not a fall.
    """
    values: dict[str, dict[int, list[float]]] = {}
    with_text: set[tuple[str, int]] = set()
    for item in items:
        for condition, sentence in item.sentences:
            regions = values.setdefault(condition, {})
            for number, cell in sentence.items():
                if cell.text.strip():
                    with_text.add((condition, number))
                if cell.value is not None and math.isfinite(cell.value):
                    regions.setdefault(number, []).append(cell.value)
    for condition, regions in values.items():
        points = (
            _point(number, values_of_region)
            for number, values_of_region in sorted(regions.items())
            if (condition, number) in with_text
        )
        yield Curve(condition, tuple(points))


def _point(region: int, values: Sequence[float]) -> Point:
    """The mean of some values in bits with its 95 % interval, on a log scale.

    The interval is that of the logarithm of the mean (delta method): mean times or divided by
    exp(1.96 standard errors / mean). Surprisals are not negative, and so neither is it. Where a
    value is negative, as those of other scorers may be, it is the mean ± 1.96 standard errors.
    """
    mean = math.fsum(values) / len(values)
    spread = statistics.stdev(values, mean) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    if mean > 0 and min(values) >= 0:
        factor = math.exp(QUANTILE * spread / mean)
        return Point(region, mean, mean / factor, mean * factor)
    return Point(region, mean, mean - QUANTILE * spread, mean + QUANTILE * spread)
