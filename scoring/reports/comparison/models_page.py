"""The page of many models, or of a series of runs: a table, differences from the first, curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from evalmark.converters.records.run import Run
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.reports.charts import overlaid_charts
from evalmark.scoring.reports.comparison.base_comparison import compared_with_first
from evalmark.scoring.reports.comparison.model_scores import (
    MEAN,
    ModelScores,
    in_series,
    kind_of_columns,
    notes_of_table,
    score_table,
    with_unique_names,
)
from evalmark.scoring.reports.render import link, render
from evalmark.scoring.reports.suite_page import have_same_items, item_ranking, margins_of
from evalmark.scoring.runs.scores import Score, average_of
from evalmark.scoring.runs.suite_views import Curve, Point, SuiteView, is_of_suite, suite_run
from evalmark.scoring.suites.item_evidence import Margins
from evalmark.validator.findings.phrasing import counted

#: The legend of the interval of a point.
SPREAD = "95 % interval over items"


def models_page(
    runs: Sequence[ModelScores], *, is_series: bool = False, page: Path | None = None
) -> str:
    """HTML with a table of models by suites or sets, and their differences from the first run.

    With ``is_series`` curves are drawn over the runs; the checkpoints of one model are put in the
    order of their steps. ``page`` is where the page will be, for links to the runs.
    """
    ordered = in_series(runs)
    runs = with_unique_names(ordered or runs)
    table = score_table(runs)
    kind = kind_of_columns(runs, detailed=False)
    if len(table.columns) > len(table.rows):
        table = table.turned(kind)
    sampled = [run for run in runs if not run.run.lacks]
    count = len({part for run in runs for part in run.parts})
    return render(
        "models.html.j2",
        title=f"{len(runs)} run{'s'[: len(runs) != 1]} of {count} {kind}{'s'[: count != 1]}",
        runs=runs,
        links=[link(run.run.path, page) for run in runs],
        table=table,
        notes=[
            *notes_of_table(runs),
            *(f"{run.name} has no samples: {run.run.lacks}" for run in runs if run.run.lacks),
        ],
        kind=kind,
        curves=series_curves(runs) if is_series or ordered else "",
        rankings=list(item_rankings([run.run for run in sampled])),
        compared=compared_with_first([run.run for run in sampled], [run.name for run in sampled]),
    )


def item_rankings(runs: Sequence[Run]) -> Iterator[str]:
    """HTML of each suite in which runs speak against items; one run is read at a time."""
    suites: dict[str, tuple[SuiteView, list[Margins]]] = {}
    for run in runs:
        if not any(map(is_of_suite, run.results)):
            continue
        try:
            read = suite_run(run).suites
        except (ScoringError, OSError):
            continue  # the table has the run all the same, and says what it lacks
        for suite in read:
            first, margins = suites.setdefault(suite.name, (suite, []))
            if have_same_items([first, suite]):
                margins.append(margins_of(suite))
    for name, (_, margins) in suites.items():
        runs_of = counted(len(margins), "run")
        caption = f"Items that agree least with the rest of the suite: {name}, {runs_of}"
        if ranking := item_ranking(margins, caption):
            yield ranking


def series_curves(runs: Sequence[ModelScores]) -> str:
    """A chart of each suite or set over the runs, with chance; first that of their mean.

    Correlations, and other scores from -1 to 1, have charts of their own.
    """
    shares, signed = "accuracy", "correlation with people"
    if not all(run.kind for run in runs):  # what other programs measured
        shares, signed = "score", "score from -1 to 1"
    rows = [with_mean(run, runs) for run in runs]
    parts = dict.fromkeys(part for row in rows for part in row)
    charts = []
    for is_signed, axis in ((False, shares), (True, signed)):
        chosen = [
            part
            for part in parts
            if any(part in row and row[part].is_signed for row in rows) == is_signed
        ]
        if chosen:
            charts.append(
                overlaid_charts(
                    f"{axis} over runs",
                    axis,
                    [(number, run.name) for number, run in enumerate(runs, 1)],
                    [
                        (axis, [Curve(part, _points(rows, part)) for part in chosen]),
                        ("chance", [Curve(part, _chances(rows, part)) for part in chosen]),
                    ],
                    {},
                    (-1.0, 1.0) if is_signed else (0.0, 1.0),
                    spread=SPREAD,
                    by=kind_of_columns(runs, detailed=False),
                )
            )
    return "".join(charts)


def with_mean(run: ModelScores, runs: Sequence[ModelScores]) -> dict[str, Score]:
    """The scores of a run, after the mean over the suites that all runs have; sets have none."""
    shared = [
        score for part, score in run.parts.items() if all(part in other.parts for other in runs)
    ]
    if run.kind != "suites" or len(shared) < 2:
        return dict(run.parts)
    return {MEAN: average_of(shared), **run.parts}


def _points(rows: Sequence[dict[str, Score]], part: str) -> tuple[Point, ...]:
    points = []
    for number, row in enumerate(rows, 1):
        if part in row and (score := row[part].score) is not None:
            points.append(Point(number, score, *(row[part].interval or (score, score))))
    return tuple(points)


def _chances(rows: Sequence[dict[str, Score]], part: str) -> tuple[Point, ...]:
    return tuple(
        Point(number, chance, chance, chance)
        for number, row in enumerate(rows, 1)
        if part in row and (chance := row[part].chance) is not None
    )
