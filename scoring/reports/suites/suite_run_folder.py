"""Reading the folder of a run: ``scores.json`` and ``regions.csv``."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalmark.converters.step import spaced
from evalmark.scoring.quality import DETAILS, notes_of
from evalmark.scoring.runs.run_files import (
    LEFT_OUT,
    SCORES,
    reading_folder,
    region_rows,
    scored_part,
    scores_of,
)
from evalmark.scoring.surprisals.rounding import margin_text
from evalmark.stats.proportions import QUANTILE, wilson_interval
from evalmark.validator.io.opening import read_whole

#: Suites that the label of a run names; of more, it names the first.
NAMED = 3


@dataclass(frozen=True, slots=True)
class RegionCell:
    """A region of a sentence: its text, its number of tokens, its value in bits if defined."""

    text: str
    tokens: int
    value: float | None


@dataclass(frozen=True, slots=True)
class ItemView:
    """An item: which predictions hold, and the regions of each condition by number."""

    number: int
    holds: tuple[bool, ...]
    sentences: tuple[tuple[str, Mapping[int, RegionCell]], ...]


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

    label: str  # `1`, `2`, … or `all`
    formula: str  # as written in the suite; empty for the conjunction
    correct: int  # the number of items for which it holds
    items: int
    chance: float
    interval: tuple[float, float]  # 95 % Wilson interval of the accuracy
    ties: tuple[int, ...] = ()  # items decided by rounding

    @property
    def accuracy(self) -> float:
        """The share of items for which it holds."""
        return self.correct / self.items

    @property
    def is_below_chance(self) -> bool:
        """True if it is worse than chance, by its interval as its verdict says."""
        return self.verdict == "worse"

    @property
    def has_failures(self) -> bool:
        """True if it does not hold for all items."""
        return self.correct < self.items

    @property
    def verdict(self) -> str:
        """How it compares with chance: ``better``, ``worse``, or empty if it cannot be told."""
        low, high = self.interval
        return "better" if low > self.chance else "worse" if high < self.chance else ""


@dataclass(frozen=True, slots=True)
class SuiteView:
    """A suite and its results. The last prediction is the conjunction of all, if there are any.

    ``regions`` are numbers and names, ascending. A partial suite has only the regions that its
    predictions refer to: the others were not computed. ``notes`` say why its values are doubtful.
    """

    name: str
    metric: str
    tags: tuple[str, ...]
    regions: tuple[tuple[int, str], ...]
    predictions: tuple[PredictionView, ...]
    curves: tuple[Curve, ...]
    items: tuple[ItemView, ...]
    is_partial: bool = False
    notes: tuple[str, ...] = ()
    left_out: int = 0  # items that a limit left out

    @property
    def shown(self) -> tuple[PredictionView, ...]:
        """The predictions, without the conjunction if there is only one."""
        return self.predictions[:1] if len(self.predictions) == 2 else self.predictions


@dataclass(frozen=True, slots=True)
class GroupView:
    """Averages over some suites of a run."""

    tag: str | None  # the tag that they share; None for all suites
    metric: str | None  # their metric, if a suite of the run has several
    suites: frozenset[str]
    accuracy: float
    chance: float


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of the numbers of a run; unknown parts are empty or None."""

    folder: Path | None = None
    record: Path | None = None
    data: str = ""  # what was evaluated
    date: str = ""  # ISO 8601, UTC
    version: str = ""  # of evalmark

    @property
    def written(self) -> str:
        """The date and the version of evalmark."""
        return ", ".join(filter(None, (self.date, self.version and f"evalmark {self.version}")))


#: Where the numbers are from, if nothing is known.
NOWHERE = Origin()


@dataclass(frozen=True, slots=True)
class RunView:
    """A run: its model, its settings, its suites, averages over suites, doubts about its values."""

    model: str
    details: Mapping[str, str]
    suites: tuple[SuiteView, ...]
    groups: tuple[GroupView, ...]
    origin: Origin = NOWHERE
    notes: tuple[str, ...] = ()

    def part(self, suites: Collection[str]) -> str:
        """The part of some suites that was scored, if a limit left items out."""
        chosen = [suite for suite in self.suites if suite.name in suites]
        done, left_out = (
            sum(column)
            for column in zip(*((len(s.items), s.left_out) for s in chosen), strict=True)
        )
        return scored_part(done, left_out, "items")


def read_run(folder: Path) -> RunView:
    """Read the folder of a run."""
    folder = folder.parent if folder.name == SCORES else folder
    with reading_folder(folder):
        data = scores_of(folder)
        return _view(data, region_rows(folder), origin_of(folder, data, data["suites"]))


def origin_of(folder: Path, data: Mapping[str, Any], named: Sequence[Mapping[str, Any]]) -> Origin:
    """From the record that the run lists, if it is still there.

    Args:
        folder: The folder of the run.
        data: Its ``scores.json``.
        named: What its results are called: its suites, or its UIDs.
    """
    names = [name for name in data.get("files", ()) if name.endswith(".json")]
    path = folder / names[0] if names and Path(names[0]).name == names[0] else None
    try:
        record = json.loads(read_whole(path)) if path else {}
        time = int(record["retrieved_timestamp"])
        details = record["evaluation_results"][0]["generation_config"]["additional_details"]
        return Origin(
            folder,
            path,
            _data(spaced(record["evaluation_id"].partition("/")[0]), named),
            datetime.fromtimestamp(time, tz=UTC).date().isoformat(),
            spaced(details["evalmark"]),
        )
    except (OSError, ValueError, OverflowError, LookupError, TypeError, AttributeError):
        return Origin(folder)


def _data(collection: str, suites: Sequence[Mapping[str, Any]]) -> str:
    """The evaluated data. A collection that is named after its suites is put into words."""
    labels = [str(suite["label"]) for suite in suites]
    if collection not in ("+".join(labels), f"{labels[0]}+{len(labels) - 1}"):
        return collection
    # A suite with several metrics is there once for each.
    names = list(dict.fromkeys(spaced(suite["name"]) for suite in suites))
    return ", ".join(names) if len(names) <= NAMED else f"{names[0]} and {len(names) - 1} more"


def _view(data: Mapping[str, Any], rows: Iterator[Mapping[str, str]], origin: Origin) -> RunView:
    cells: dict[str, _Cells] = {}
    names: dict[str, dict[int, str]] = {}
    for row in rows:
        number = int(row["region"])
        value = float(row["value"]) if row["value"] else None
        of_suite = cells.setdefault(row["suite"], {})
        of_item = of_suite.setdefault(int(row["item"]), {})
        sentence = of_item.setdefault(row["condition"], {})
        sentence[number] = RegionCell(row["content"], int(row["tokens"]), value)
        names.setdefault(row["suite"], {}).setdefault(number, row["region_name"])
    # The table gives suites of the same name different names; both files have the same order.
    is_partial = data["settings"].get("regions") == "predicted"
    suites = tuple(
        _suite(suite, name, items, names[name], is_partial=is_partial)
        for suite, (name, items) in zip(data["suites"], cells.items(), strict=True)
    )
    groups = tuple(map(_group, data["groups"]))
    doubts = {name: _doubts(suite) for name, suite in zip(cells, data["suites"], strict=True)}
    return RunView(
        spaced(data["model"]["id"]), details_of(data), suites, groups, origin, notes_of(doubts)
    )


def _doubts(data: Mapping[str, Any]) -> dict[str, str]:
    """The doubts about the values of a suite."""
    details = data["details"]
    return {key: spaced(details[key]) for key in DETAILS if details.get(key)}


def details_of(data: Mapping[str, Any]) -> dict[str, str]:
    """The conditions of the numbers of ``scores.json``, by name."""
    return {
        **{key: spaced(value) for key, value in data["model"].items() if key != "engine"},
        **{key: spaced(value) for key, value in data["settings"].items()},
        "computation": spaced(data["computation"]),
        "rounding margin": margin_text(float(data["rounding_margin"])),  # bits
    }


def _group(data: Mapping[str, Any]) -> GroupView:
    tag, metric = (
        None if data.get(key) is None else spaced(data[key]) for key in ("tag", "metric")
    )
    suites = frozenset(map(str, data["suites"]))
    return GroupView(tag, metric, suites, float(data["accuracy"]), float(data["chance"]))


_Cells = dict[int, dict[str, dict[int, RegionCell]]]


def _suite(
    data: Mapping[str, Any], name: str, cells: _Cells, names: dict[int, str], *, is_partial: bool
) -> SuiteView:
    count = data["items"]
    predictions = [
        _prediction(str(number), prediction["formula"], prediction)
        for number, prediction in enumerate(data["predictions"], 1)
    ]
    outcomes = [prediction["outcomes"] for prediction in data["predictions"]]
    if any(len(column) != count for column in outcomes) or len(cells) != count:
        raise ValueError(f"{name}: {count} items in scores.json, {len(cells)} in regions.csv")
    items = tuple(
        ItemView(number, tuple(holds), tuple(sentences.items()))
        for (number, sentences), *holds in zip(cells.items(), *outcomes, strict=True)
    )
    return SuiteView(
        name=name,
        metric=spaced(data["metric"]),
        tags=tuple(map(spaced, data["tags"])),
        regions=tuple(sorted(names.items())),
        predictions=(*predictions, _prediction("all", "", data["conjunction"]))
        if predictions
        else (),
        curves=tuple(_curves(items)),
        items=items,
        is_partial=is_partial,
        notes=notes_of({name: _doubts(data)}),
        left_out=int(data.get(LEFT_OUT, 0)),
    )


def _prediction(label: str, formula: str, data: Mapping[str, Any]) -> PredictionView:
    correct, items = data["correct"], data["items"]
    interval = wilson_interval(correct / items, items)
    ties = tuple(data.get("ties", ()))  # the conjunction has none
    return PredictionView(label, formula, correct, items, float(data["chance"]), interval, ties)


def _curves(items: Sequence[ItemView]) -> Iterator[Curve]:
    """Means over the items in which the value of a region is defined and finite."""
    values: dict[str, dict[int, list[float]]] = {}
    for item in items:
        for condition, sentence in item.sentences:
            regions = values.setdefault(condition, {})
            for number, cell in sentence.items():
                if cell.value is not None and math.isfinite(cell.value):
                    regions.setdefault(number, []).append(cell.value)
    for condition, regions in values.items():
        points = (
            _point(number, values_of_region) for number, values_of_region in sorted(regions.items())
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
