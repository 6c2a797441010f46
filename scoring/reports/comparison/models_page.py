"""The page of many models, or of a series of runs: a table, differences from the first, curves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evalmark.scoring.reports.charts import overlaid_charts
from evalmark.scoring.reports.comparison.base_comparison import base_differences
from evalmark.scoring.reports.comparison.model_scores import (
    MEAN,
    ModelScores,
    in_series,
    kind_of_columns,
    notes_of_table,
    score_table,
    told_apart,
)
from evalmark.scoring.reports.pairs.pair_folder import Score
from evalmark.scoring.reports.render import link, render
from evalmark.scoring.reports.suites.suite_run_folder import Curve, Point
from evalmark.scoring.runs.run_files import SCORES
from evalmark.stats.proportions import average_interval

#: The legend of the interval of a point.
SPREAD = "95 % interval over items"


def models_page(
    runs: Sequence[ModelScores], *, is_series: bool = False, page: Path | None = None
) -> str:
    """HTML with a table of models by suites or sets, and their differences from the first run.

    Args:
        runs: The runs; the first is the base.
        is_series: Whether they are in an order, so that curves are drawn over them. Those of the
            checkpoints of one model are put in the order of their steps.
        page: Where the page will be, for links to the runs.
    """
    ordered = in_series(runs)
    runs = told_apart(ordered or runs)
    table = score_table(runs)
    kind = kind_of_columns(runs, detailed=False)
    if len(table.columns) > len(table.rows):
        table = table.turned(kind)
    names = [run.name for run in runs]
    return render(
        "models.html.j2",
        title=f"{len(runs)} runs of {len(runs[0].parts)} {kind}{'s'[: len(runs[0].parts) != 1]}",
        runs=runs,
        links=[link(run.folder / SCORES if run.folder else None, page) for run in runs],
        table=table,
        notes=list(notes_of_table(runs)),
        kind=kind,
        curves=series_curves(runs) if is_series or ordered else "",
        compared=base_differences(names, [run.folder for run in runs]),
    )


def series_curves(runs: Sequence[ModelScores]) -> str:
    """A chart of each suite or set over the runs, with chance; first that of their mean.

    Correlations have charts of their own, from -1 to 1.
    """
    rows = [with_mean(run, runs) for run in runs]
    parts = dict.fromkeys(part for row in rows for part in row)
    charts = []
    for is_correlation, axis in ((False, "accuracy"), (True, "correlation with people")):
        chosen = [
            part
            for part in parts
            if any(part in row and row[part].is_correlation for row in rows) == is_correlation
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
                    (-1.0, 1.0) if is_correlation else (0.0, 1.0),
                    spread=SPREAD,
                    by="set" if runs[0].is_of_pairs else "suite",
                )
            )
    return "".join(charts)


def with_mean(run: ModelScores, runs: Sequence[ModelScores]) -> dict[str, Score]:
    """The scores of a run, after the mean over the suites that all runs have; sets have none."""
    shared = [
        score for part, score in run.parts.items() if all(part in other.parts for other in runs)
    ]
    shares = [score.score for score in shared if score.score is not None]
    if run.is_of_pairs or len(shares) < 2:
        return dict(run.parts)
    items = [score.items for score in shared]
    chance = sum(score.chance for score in shared) / len(shared)
    interval = average_interval(shares, items)
    mean = Score(sum(shares) / len(shares), interval, chance, False, sum(items))
    return {MEAN: mean, **run.parts}


def _points(rows: Sequence[dict[str, Score]], part: str) -> tuple[Point, ...]:
    points = []
    for number, row in enumerate(rows, 1):
        if part in row and (score := row[part].score) is not None:
            points.append(Point(number, score, *(row[part].interval or (score, score))))
    return tuple(points)


def _chances(rows: Sequence[dict[str, Score]], part: str) -> tuple[Point, ...]:
    return tuple(
        Point(number, row[part].chance, row[part].chance, row[part].chance)
        for number, row in enumerate(rows, 1)
        if part in row
    )
