"""Pictures for papers, drawn with matplotlib: region curves and accuracies."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from evalmark.pages.conversation_folder import ConversationView
from evalmark.pages.run_folder import RunView, SuiteView
from evalmark.schemas.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
    """One picture: accuracies against chance, then the region curves of every suite and run.

    Args:
        runs: What to draw.
        output_format: ``png``, ``svg`` or ``pdf``.

    Raises:
        NotInstalledError: matplotlib is not installed.
    """
    with _library() as figure_of:
        panels = [(run, suite) for run in runs for suite in run.suites]
        heights = [_accuracy_height(runs), *(3.2 for _ in panels)]
        figure = figure_of(figsize=(_WIDE, sum(heights)), layout="constrained")
        if output_format == "png":
            figure.set_facecolor("white")
        axes = figure.subplots(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
        _accuracies(axes[0], runs)
        for ax, (run, suite) in zip(axes[1:], panels, strict=True):
            title = f"{suite.name}: {run.model}" if len(runs) > 1 else suite.name
            ax.set_title(title, loc="left", fontweight="bold")
            _curves(ax, suite)
        return _saved(figure, output_format)


def plot_means(views: Sequence[ConversationView], output_format: str) -> bytes:
    """One picture of the mean scores of datasets, with the deviation of their tests.

    Raises:
        NotInstalledError: matplotlib is not installed.
    """
    with _library() as figure_of:
        figure = figure_of(figsize=(_WIDE, _means_height(views)), layout="constrained")
        if output_format == "png":
            figure.set_facecolor("white")
        _means(figure.subplots(), views)
        return _saved(figure, output_format)


@contextmanager
def _library() -> Iterator[type[Figure]]:
    require("matplotlib")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        # The library's fonts lack the scripts of many languages.
        warnings.simplefilter("ignore", UserWarning)
        yield Figure


def _curves(ax: Axes, suite: SuiteView) -> None:
    numbers = [number for number, _ in suite.regions]
    place = {number: index for index, number in enumerate(numbers)}
    for index, curve in enumerate(suite.curves):
        color = COLORS[index % len(COLORS)]
        # Conditions are moved apart a little so that their intervals do not overlap.
        shift = 0.05 * (index - (len(suite.curves) - 1) / 2)
        at = [place[point.region] + shift for point in curve.points]
        means = [point.mean for point in curve.points]
        below = [point.mean - point.low for point in curve.points]
        ax.errorbar(
            at, means, yerr=below, color=color, label=curve.condition, linewidth=1.4,
            elinewidth=1.0, marker=_MARKERS[index % len(_MARKERS)], markersize=4,
            linestyle="-" if index < len(COLORS) else "--",
        )  # fmt: skip
    labels = [f"{number}\n{name}" if name else str(number) for number, name in suite.regions]
    longest = max((len(name) for _, name in suite.regions), default=0)
    crowded = longest * len(numbers) > 100
    ax.set_xticks(
        range(len(numbers)),
        [label.replace("\n", " ") for label in labels] if crowded else labels,
        rotation=30 if crowded else 0,
        ha="right" if crowded else "center",
    )
    ax.set_ylabel(f"surprisal, {suite.metric} (bits)")
    ax.grid(axis="y")
    if suite.curves:
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)


def _rows(runs: Sequence[RunView]) -> list[tuple[str, str]]:
    found = {
        (suite.name, prediction.label)
        : None
        for run in runs for suite in run.suites for prediction in suite.shown
    }  # fmt: skip
    return list(found)


def _accuracy_height(runs: Sequence[RunView]) -> float:
    return 1.1 + (0.2 + 0.06 * (len(runs) - 1)) * len(_rows(runs))


def _accuracies(ax: Axes, runs: Sequence[RunView]) -> None:
    rows = _rows(runs)
    place = {row: index for index, row in enumerate(rows)}
    for index, run in enumerate(runs):
        shift = (index - (len(runs) - 1) / 2) * 0.6 / max(len(runs), 2)
        shown = [
            (place[suite.name, prediction.label], prediction)
            for suite in run.suites
            for prediction in suite.shown
        ]
        at = [where + shift for where, _ in shown]
        values = [prediction.accuracy for _, prediction in shown]
        # Rounding can put the accuracy a little outside its interval.
        low = [max(p.accuracy - p.interval[0], 0.0) for _, p in shown]
        high = [max(p.interval[1] - p.accuracy, 0.0) for _, p in shown]
        ax.errorbar(
            values, at, xerr=(low, high), linestyle="none", label=run.model, markersize=5,
            color=COLORS[index % len(COLORS)], marker=_MARKERS[index % len(_MARKERS)],
        )  # fmt: skip
        if index == 0:
            chances = [prediction.chance for _, prediction in shown]
            ax.scatter(
                chances, [where for where, _ in shown], marker="|", s=110, color=INK, linewidth=1.6,
                label="chance", zorder=3,
            )  # fmt: skip
    names = [f"{suite}  {label}" for suite, label in rows]
    ax.set_yticks(range(len(rows)), names)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel("accuracy, with its 95 % Wilson interval")
    ax.grid(axis="x")
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=4, fontsize=8)


def _means_height(views: Sequence[ConversationView]) -> float:
    names = {dataset.name for view in views for dataset in view.datasets}
    return 1.1 + (0.22 + 0.06 * (len(views) - 1)) * len(names)


def _means(ax: Axes, views: Sequence[ConversationView]) -> None:
    names = list(dict.fromkeys(d.name for view in views for d in view.datasets))
    for index, view in enumerate(views):
        shift = (index - (len(views) - 1) / 2) * 0.6 / max(len(views), 2)
        shown = [(dataset, dataset.mean) for dataset in view.datasets if dataset.mean is not None]
        ax.errorbar(
            [mean for _, mean in shown],
            [names.index(dataset.name) + shift for dataset, _ in shown],
            # A score lies between 0 and 1, however far its tests are apart.
            xerr=[
                [min(dataset.deviation or 0.0, mean) for dataset, mean in shown],
                [min(dataset.deviation or 0.0, 1 - mean) for dataset, mean in shown],
            ],
            linestyle="none", label=view.agent, markersize=5,
            color=COLORS[index % len(COLORS)], marker=_MARKERS[index % len(_MARKERS)],
        )  # fmt: skip
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel("score, with the standard deviation of the tests")
    ax.grid(axis="x")
    if len(views) > 1:
        ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=1, fontsize=8)


def _saved(figure: Figure, output_format: str) -> bytes:
    stream = io.BytesIO()
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(output_format, {})
    figure.savefig(stream, format=output_format, dpi=150, metadata=dates)
    return stream.getvalue()
