"""What a page of suites says first: averages, differences, and a table of models and suites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from evalmark.converters.statistics.proportions import average_interval
from evalmark.pages.run_folder import GroupView, Origin, PredictionView, RunView
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.compare import compare
from evalmark.scoring.comparison.differences import of_texts, shown_difference
from evalmark.scoring.comparison.paired import PairedComparison


class HasOrigin(Protocol):
    """A run of suites or of pairs."""

    @property
    def origin(self) -> Origin:
        """Where its numbers are from."""


@dataclass(frozen=True, slots=True)
class Average:
    """The mean accuracy of a run over some suites."""

    run: RunView
    suites: int
    accuracy: float
    interval: tuple[float, float]  # 95 %, over items
    chance: float


@dataclass(frozen=True, slots=True)
class AverageRow:
    """The averages of all runs over the same choice of suites."""

    tag: str | None  # the tag that they share; None for all suites
    metric: str | None
    averages: tuple[Average | None, ...]  # for each run

    @property
    def shown(self) -> str:
        """What the suites are, in words."""
        words = "all suites" if self.tag is None else self.tag
        return f"{words}, {self.metric}" if self.metric else words

    @property
    def chances(self) -> str:
        """The mean chance accuracy; several if runs differ."""
        return _chances(self.averages)


@dataclass(frozen=True, slots=True)
class HeadlineDifference:
    """How much the second of two runs differs from the first.

    Attributes:
        whole: The mean over the suites they share, or a single suite; None if not compared.
        over: What it is the difference of, in words.
        rows: Suite and prediction -> how they differ.
        claims: What may be claimed of the mean, and of all items pooled, each with its test.
        texts: Why the runs did not read the same texts; empty if they did.
        why_not: Why the runs cannot be compared.
    """

    whole: PairedComparison | None
    over: str
    rows: Mapping[tuple[str, str], PairedComparison]
    claims: tuple[tuple[str, str], ...] = ()
    texts: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class PredictionRow:
    """A prediction of a suite under all runs."""

    suite: str
    tags: tuple[str, ...]
    label: str
    cells: tuple[PredictionView | None, ...]  # for each run
    compared: PairedComparison | None

    @property
    def chances(self) -> str:
        """The chance accuracy; several if the settings of the runs make it differ."""
        return _chances(self.cells)

    @property
    def items(self) -> int:
        """The number of items."""
        return max(cell.items for cell in self.cells if cell)

    @property
    def kind(self) -> str:
        """The classes of the row: what the views of the page show."""
        cells = [cell for cell in self.cells if cell]
        below = any(cell.is_below_chance for cell in cells)
        failed = any(cell.correct < cell.items for cell in cells)
        return " ".join(["below"] * below + ["failed"] * failed)


def average_rows(runs: Sequence[RunView]) -> list[AverageRow]:
    """The averages over all suites, and then over those of each tag."""
    found: dict[tuple[str | None, str | None], list[Average | None]] = {}
    for index, run in enumerate(runs):
        for group in run.groups:
            key = group.tag, group.metric
            found.setdefault(key, [None] * len(runs))[index] = _average(run, group)
    rows = [AverageRow(*key, tuple(averages)) for key, averages in found.items()]
    return sorted(rows, key=lambda row: (row.tag is not None, row.tag or "", row.metric or ""))


def difference(first: HasOrigin, second: HasOrigin) -> HeadlineDifference | None:
    """The difference of two runs; None if they are not from folders."""
    if first.origin.folder is None or second.origin.folder is None:
        return None
    try:
        found = compare(first.origin.folder, second.origin.folder)
    except (ScoringError, OSError, ValueError) as error:
        return HeadlineDifference(None, "", {}, why_not=str(error))
    # Of a single suite, the last comparison is the conjunction of its predictions.
    whole, words = found.headline or found.pooled or found.predictions[-1], found.words
    over = (
        f"mean over {whole.items} {words.parts} with the same weight"
        if found.headline
        else f"over {whole.items} {words.item if whole.items == 1 else words.items}"
    )
    return HeadlineDifference(
        whole,
        over,
        {(row.suite, row.prediction): row for row in found.predictions},
        tuple(
            (_sentence(row.claim), row.test) for row in dict.fromkeys((whole, found.pooled)) if row
        ),
        "; ".join(map(shown_difference, of_texts(found.differences))),
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def rows(runs: Sequence[RunView], found: HeadlineDifference | None) -> list[PredictionRow]:
    """A row for each prediction of each suite, in the order of the runs."""
    cells: dict[tuple[str, str], list[PredictionView | None]] = {}
    tags: dict[str, dict[str, None]] = {}
    for index, run in enumerate(runs):
        for suite in run.suites:
            tags.setdefault(suite.name, {}).update(dict.fromkeys(suite.tags))
            for prediction in suite.shown:
                key = suite.name, prediction.label
                cells.setdefault(key, [None] * len(runs))[index] = prediction
    order = {name: place for place, name in enumerate(tags)}
    compared = found.rows if found else {}
    return [
        PredictionRow(name, tuple(tags[name]), label, tuple(own), compared.get((name, label)))
        for (name, label), own in sorted(cells.items(), key=lambda pair: order[pair[0][0]])
    ]


def _chances(found: Sequence[Average | PredictionView | None]) -> str:
    return " or ".join(dict.fromkeys(f"{one.chance:.3f}" for one in found if one))


def _average(run: RunView, group: GroupView) -> Average | None:
    whole = [s.predictions[-1] for s in run.suites if s.predictions and s.name in group.suites]
    shares = [prediction.accuracy for prediction in whole]
    if not whole:
        return None
    interval = average_interval(shares, [prediction.items for prediction in whole])
    return Average(run, len(whole), group.accuracy, interval, group.chance)
