"""The page of runs of one kind: where they are from, their scores, what differs, and sections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from evalmark.scoring.reports.charts import bar_charts
from evalmark.scoring.reports.comparison.base_comparison import BaseComparison
from evalmark.scoring.reports.comparison.model_scores import ModelScores
from evalmark.scoring.reports.render import link, render
from evalmark.scoring.runs.pair_views import PairRunView
from evalmark.scoring.runs.run_origin import RunOrigin, run_names
from evalmark.scoring.runs.scores import Score
from evalmark.scoring.runs.suite_views import RunView
from evalmark.stats.intervals import WILSON

NamedView = TypeVar("NamedView", RunView, PairRunView)


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """Scores under all runs: of a prediction, a UID or a result, or an average."""

    names: tuple[str, ...]  # what the first columns hold, such as a suite and a prediction
    cells: tuple[Score | None, ...]  # for each run
    tags: Mapping[str, Sequence[str]] = field(default_factory=dict)  # column -> tags

    @property
    def present(self) -> list[Score]:
        """The scores of the runs that have it."""
        return [cell for cell in self.cells if cell]

    def common(self, shown: Callable[[Score], object]) -> str:
        """A number that runs have in common; several values if they differ."""
        return " or ".join(dict.fromkeys(str(shown(cell)) for cell in self.present))

    @property
    def chances(self) -> str:
        """Chance; empty if it is not known."""
        return self.common(lambda cell: "" if cell.chance is None else f"{cell.chance:.3f}")

    @property
    def items(self) -> str:
        """The number of items."""
        return self.common(lambda cell: cell.items or "")  # 0: the record does not say it

    @property
    def impossible(self) -> str:
        """The number of impossible pairs; empty for correlations."""
        accuracies = any(not cell.is_signed for cell in self.present)
        return self.common(lambda cell: cell.impossible) if accuracies else ""

    @property
    def parts(self) -> str:
        """The number of suites or UIDs of an average."""
        return self.common(lambda cell: cell.parts)

    @property
    def kind(self) -> str:
        """The classes of the row: what the views of the page show."""
        below = any(cell.is_below_chance for cell in self.present)
        failed = any(cell.has_failures for cell in self.present)
        return " ".join(["below"] * below + ["failed"] * failed)


def rows_of_table(runs: Sequence[ModelScores]) -> list[ScoreRow]:
    """A row for each prediction, UID or result, in the order of the runs and their suites."""
    tags = {names: columns for run in reversed(runs) for names, columns in run.tags.items()}
    names = dict.fromkeys(names for run in runs for names in run.details)
    order: dict[str, int] = {}
    for first, *_ in names:
        order.setdefault(first, len(order))
    return [
        ScoreRow(row, tuple(run.details.get(row) for run in runs), tags.get(row, {}))
        for row in sorted(names, key=lambda row: order[row[0]])
    ]


@dataclass(frozen=True, slots=True)
class Card:
    """A score at the top of the page: of all suites of a run, or of a set."""

    run: int  # the place of the run
    score: Score
    words: str  # what the score is
    verdict: str = ""  # how it compares with chance, in words


@dataclass(frozen=True, slots=True)
class Contents:
    """What differs between the pages of suites, of minimal pairs and of samples."""

    kind: str  # what was scored, for the title
    template: str  # of a section
    counts: Sequence[str]  # for each run, how much it has
    cards: Sequence[Sequence[Card]]
    averages: Sequence[ScoreRow]
    averaged: tuple[str, str, str]  # the caption of averages, and the heads of names and counts
    rows: Sequence[ScoreRow]
    heads: tuple[str, ...]  # of the names of rows
    items: str  # what is counted
    tags: tuple[str, ...]  # columns of tags
    sections: Mapping[str, Any]  # name -> the section of rows that begin with it
    chart: str  # HTML
    about: Sequence[str]  # what the scores are
    about_sections: str = ""
    has_counts: bool = False  # whether columns say how many items are right, tied or impossible
    unit: str = "accuracy"  # what a score is
    notes: Sequence[str] = ()  # what is true of several runs


def run_page(
    views: Sequence[RunView | PairRunView | SampledRun],
    contents: Contents,
    page: Path | None,
    compared: BaseComparison | None,
) -> str:
    """HTML of a page of runs of one kind, whose names differ.

    ``page`` is where it will be, for links to the records. ``compared`` has the differences from
    the first run.
    """
    origins = [view.origin for view in views]
    has_chance = any(row.chances for row in contents.rows)
    choices = {
        column: sorted({tag for row in contents.rows for tag in row.tags.get(column, ())})
        for column in contents.tags
    }
    names = [view.model for view in views]
    return render(
        "run.html.j2",
        title=_title(names, origins, contents.kind),
        runs=views,
        several=len(views) > 1,
        links=[link(origin.record, page) for origin in origins],
        page=contents,
        compared=compared,
        has_chance=has_chance,
        has_intervals=any(cell.interval for row in contents.rows for cell in row.present),
        choices={column: tags for column, tags in choices.items() if tags},
        about=[*contents.about, *([f"{WILSON}."] if has_chance else [])],
        ids={name: f"part-{index}" for index, name in enumerate(contents.sections, 1)},
    )


@dataclass(frozen=True, slots=True)
class SampledRun:
    """A run of another program or of conversations."""

    model: str
    origin: RunOrigin
    details: Mapping[str, str]
    notes: tuple[str, ...] = ()


def _title(names: Sequence[str], origins: Iterable[RunOrigin], kind: str) -> str:
    every = list(origins)
    data = ", ".join(dict.fromkeys(origin.data for origin in every if origin.data))
    written = dict.fromkeys(origin.written for origin in every if origin.written)
    return ", ".join([f"{', '.join(names)}: {data or kind}", *written])


def with_names(views: Sequence[NamedView]) -> list[NamedView]:
    """The runs, with what tells equal models apart after their names."""
    names = run_names([view.run for view in views])
    return [replace(view, model=name) for view, name in zip(views, names, strict=True)]


def score_charts(title: str, models: Sequence[str], rows: Iterable[ScoreRow]) -> str:
    """Charts of the accuracies of rows."""
    return bar_charts(title, models, ((row.names, row.cells) for row in rows))
