"""Pictures for papers, drawn with matplotlib: region curves and accuracies."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from evalmark.pages.charts import Bar, BarChart, accuracies, scores
from evalmark.pages.conversation_folder import ConversationView
from evalmark.pages.suite_run_folder import Curve, Point, RunView, SuiteView
from evalmark.schemas.errors import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colors that most people can tell apart; pages have their own.
COLORS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#9a7d0a", "#56b4e9", "#7f3fbf", "#6b6b6b",
)  # fmt: skip
INK, FAINT = "#222221", "#8a8a89"
_MARKERS = "osD^vPX*"
_WIDE = 8.0

#: Equal runs give equal files, and text stays text.
_STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "evalmark",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.size": 9.0,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": FAINT,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}


def plot(runs: Sequence[RunView], output_format: str) -> bytes:
    """One picture: accuracies against chance, then the region curves of every suite and run."""
    panels = [(run, suite) for run in runs for suite in run.suites]
    chart = accuracies(runs)
    heights = [_height(chart)] if chart.groups else []
    with _picture(output_format, [*heights, *(3.2 for _ in panels)]) as (axes, stream):
        if chart.groups:
            _bars(axes[0], chart)
        for ax, (run, suite) in zip(axes[len(heights) :], panels, strict=True):
            title = f"{suite.name}: {run.model}" if len(runs) > 1 else suite.name
            ax.set_title(title, loc="left", fontweight="bold")
            _curves(ax, suite)
    return stream.getvalue()


def plot_scores(views: Sequence[ConversationView], output_format: str) -> bytes:
    """One picture of the mean scores of datasets; arguments as in ``plot``."""
    chart = scores(views)
    with _picture(output_format, [_height(chart)]) as (axes, stream):
        _bars(axes[0], chart)
    return stream.getvalue()


@contextmanager
def _picture(
    output_format: str, heights: Sequence[float]
) -> Iterator[tuple[Sequence[Axes], io.BytesIO]]:
    """Panels of these heights (inches) to draw on; the stream holds the picture afterwards."""
    require("matplotlib")
    # It reads settings from the current folder, which may come from anyone: they can run LaTeX.
    with TemporaryDirectory() as empty, chdir(empty):
        import matplotlib as mpl
    from matplotlib.figure import Figure

    stream = io.BytesIO()
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        # The library's fonts lack the scripts of many languages.
        warnings.simplefilter("ignore", UserWarning)
        figure = Figure(figsize=(_WIDE, sum(heights)), layout="constrained")
        if output_format == "png":
            figure.set_facecolor("white")
        grid = figure.subplots(len(heights), 1, height_ratios=heights, squeeze=False)
        yield grid[:, 0].tolist(), stream
        dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(output_format, {})
        figure.savefig(stream, format=output_format, dpi=150, metadata=dates)


def _curves(ax: Axes, suite: SuiteView) -> None:
    numbers = [number for number, _ in suite.regions]
    place = {number: index for index, number in enumerate(numbers)}
    for index, curve in enumerate(suite.curves):
        color = COLORS[index % len(COLORS)]
        # Conditions are moved apart a little so that their intervals do not overlap.
        shift = 0.05 * (index - (len(suite.curves) - 1) / 2)
        points = _with_gaps(curve, numbers, is_partial=suite.is_partial)
        at = [place[number] + shift for number, _ in points]
        means = [point.mean if point else math.nan for _, point in points]
        below = [point.mean - point.low if point else math.nan for _, point in points]
        ax.errorbar(
            at, means, yerr=below, color=color, label=curve.condition, linewidth=1.4,
            elinewidth=1.0, marker=_MARKERS[index % len(_MARKERS)], markersize=4,
            linestyle="-" if index < len(COLORS) else "--",
        )  # fmt: skip
    _name_regions(ax, suite)
    ax.set_ylabel(f"surprisal, {suite.metric} (bits)")
    ax.grid(axis="y")
    if suite.curves:
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)


def _name_regions(ax: Axes, suite: SuiteView) -> None:
    """Put the numbers and names of regions at the axis, tilted where they are long."""
    labels = [f"{number}\n{name}" if name else str(number) for number, name in suite.regions]
    longest = max((len(name) for _, name in suite.regions), default=0)
    crowded = longest * len(labels) > 100
    ax.set_xticks(
        range(len(labels)),
        [label.replace("\n", " ") for label in labels] if crowded else labels,
        rotation=30 if crowded else 0,
        ha="right" if crowded else "center",
    )


def _with_gaps(
    curve: Curve, numbers: Sequence[int], *, is_partial: bool
) -> list[tuple[int, Point | None]]:
    """Regions and their points; None where the line has a gap, as on the page."""
    points = {point.region: point for point in curve.points}
    places: list[tuple[int, Point | None]] = []
    for last, number in zip((None, *numbers), numbers, strict=False):
        if is_partial and last is not None and number > last + 1:
            places.append((number, None))
        places.append((number, points.get(number)))
    return places


def _height(chart: BarChart) -> float:
    rows = sum(len(group.rows) for group in chart.groups)
    return 1.1 + (0.2 + 0.06 * (len(chart.series) - 1)) * rows


def _bars(ax: Axes, chart: BarChart) -> None:
    rows = [
        (f"{group.name}  {label}", bars) for group in chart.groups for label, bars in group.rows
    ]
    placed = [(at, bar) for at, (_, bars) in enumerate(rows) for bar in bars]
    _draw_series(ax, chart, placed)
    chances = [(bar.chance, at) for at, bar in placed if bar.chance is not None]
    if chances:
        ax.scatter(
            [value for value, _ in chances], [at for _, at in chances], marker="|", s=110,
            color=INK, linewidth=1.6, label="chance", zorder=3,
        )  # fmt: skip
    ax.set_yticks(range(len(rows)), [name for name, _ in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel(f"{chart.axis}, with its {chart.interval}")
    ax.grid(axis="x")
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=4, fontsize=8)


def _draw_series(ax: Axes, chart: BarChart, placed: Sequence[tuple[int, Bar]]) -> None:
    """Draw the bars, each in its row, and those of a series in one color."""
    for index, name in enumerate(chart.series):
        shift = (index - (len(chart.series) - 1) / 2) * 0.6 / max(len(chart.series), 2)
        series = [(at + shift, bar) for at, bar in placed if bar.series == index]
        # Rounding can put the value a little outside its interval.
        below = [max(bar.value - bar.low, 0.0) for _, bar in series]
        above = [max(bar.high - bar.value, 0.0) for _, bar in series]
        ax.errorbar(
            [bar.value for _, bar in series], [at for at, _ in series], xerr=(below, above),
            linestyle="none", label=name, markersize=5,
            color=COLORS[index % len(COLORS)], marker=_MARKERS[index % len(_MARKERS)],
        )  # fmt: skip
