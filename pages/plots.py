"""Charts, by matplotlib: region curves and accuracies."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from evalmark.pages.conversation_folder import ConversationView
from evalmark.pages.run_folder import PredictionView, RunView, SuiteView
from evalmark.schemas.errors import ScoringError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours that can be told apart by most eyes, on white and on black; the page has its own.
COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#9a7d0a", "#56b4e9", "#7f3fbf", "#6b6b6b",
)  # fmt: skip
INK, FAINT = "#222221", "#8a8a89"
_MARKERS = "osD^vPX*"
_WIDE = 8.0

#: For the library: no file that differs from one run to the next, and text that stays text.
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


def plot(runs: Sequence[RunView], form: str) -> bytes:
    """One picture: accuracies against chance, then the region curves of every suite and run.

    Args:
        runs: What to draw.
        form: ``png``, ``svg`` or ``pdf``.

    Raises:
        ScoringError: matplotlib is not installed.
    """
    with _library() as figure_of:
        panels = [(run, suite) for run in runs for suite in run.suites]
        heights = [_accuracy_height(runs), *(3.2 for _ in panels)]
        figure = figure_of(figsize=(_WIDE, sum(heights)), layout="constrained")
        if form == "png":
            figure.set_facecolor("white")
        axes = figure.subplots(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
        _accuracies(axes[0], runs)
        for ax, (run, suite) in zip(axes[1:], panels, strict=True):
            title = f"{suite.name}: {run.model}" if len(runs) > 1 else suite.name
            ax.set_title(title, loc="left", fontweight="bold")
            _curves(ax, suite)
        return _saved(figure, form)


def curves_svg(suite: SuiteView) -> str:
    """The region curves of a suite, for a page: its colours are the page's."""
    with _library() as figure_of:
        figure = figure_of(figsize=(_WIDE, 3.0), layout="constrained")
        _curves(figure.subplots(), suite)
        return _inline(_saved(figure, "svg"))


def accuracies_svg(runs: Sequence[RunView]) -> str:
    """Accuracies against chance, for a page."""
    with _library() as figure_of:
        figure = figure_of(figsize=(_WIDE, _accuracy_height(runs)), layout="constrained")
        _accuracies(figure.subplots(), runs)
        return _inline(_saved(figure, "svg"))


def means_svg(views: Sequence[ConversationView]) -> str:
    """The mean scores of datasets with the deviation of their tests, for a page."""
    with _library() as figure_of:
        figure = figure_of(figsize=(_WIDE, _means_height(views)), layout="constrained")
        _means(figure.subplots(), views)
        return _inline(_saved(figure, "svg"))


def plot_means(views: Sequence[ConversationView], form: str) -> bytes:
    """The same as a picture; see ``plot``.

    Raises:
        ScoringError: matplotlib is not installed.
    """
    with _library() as figure_of:
        figure = figure_of(figsize=(_WIDE, _means_height(views)), layout="constrained")
        if form == "png":
            figure.set_facecolor("white")
        _means(figure.subplots(), views)
        return _saved(figure, form)


@contextmanager
def _library() -> Iterator[type[Figure]]:
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ScoringError("plots need matplotlib: pip install 'evalmark[report]'") from error
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        # Its fonts lack the scripts of many languages; a page is drawn with the reader's fonts.
        warnings.simplefilter("ignore", UserWarning)
        yield Figure


def _curves(ax: Axes, suite: SuiteView) -> None:
    numbers = [number for number, _ in suite.regions]
    place = {number: index for index, number in enumerate(numbers)}
    for index, curve in enumerate(suite.curves):
        colour = COLOURS[index % len(COLOURS)]
        # Conditions stand beside each other a little, so that their intervals can be told apart.
        shift = 0.05 * (index - (len(suite.curves) - 1) / 2)
        at = [place[point.region] + shift for point in curve.points]
        means = [point.mean for point in curve.points]
        below = [point.mean - point.low for point in curve.points]
        ax.errorbar(
            at, means, yerr=below, color=colour, label=curve.condition, linewidth=1.4,
            elinewidth=1.0, marker=_MARKERS[index % len(_MARKERS)], markersize=4,
            linestyle="-" if index < len(COLOURS) else "--",
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


def _shown(suite: SuiteView) -> tuple[PredictionView, ...]:
    """A suite of one prediction has nothing to say twice."""
    return suite.predictions[:1] if len(suite.predictions) == 2 else suite.predictions


def _rows(runs: Sequence[RunView]) -> list[tuple[str, str]]:
    found = {
        (suite.name, prediction.label)
        : None
        for run in runs for suite in run.suites for prediction in _shown(suite)
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
            for prediction in _shown(suite)
        ]
        at = [where + shift for where, _ in shown]
        values = [prediction.accuracy for _, prediction in shown]
        # The interval can end a rounding away from an accuracy of 0 or 1.
        low = [max(p.accuracy - p.interval[0], 0.0) for _, p in shown]
        high = [max(p.interval[1] - p.accuracy, 0.0) for _, p in shown]
        ax.errorbar(
            values, at, xerr=(low, high), linestyle="none", label=run.model, markersize=5,
            color=COLOURS[index % len(COLOURS)], marker=_MARKERS[index % len(_MARKERS)],
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
            color=COLOURS[index % len(COLOURS)], marker=_MARKERS[index % len(_MARKERS)],
        )  # fmt: skip
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel("score, with the standard deviation of the tests")
    ax.grid(axis="x")
    if len(views) > 1:
        ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=1, fontsize=8)


def _saved(figure: Figure, form: str) -> bytes:
    stream = io.BytesIO()
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form, {})
    figure.savefig(stream, format=form, dpi=150, metadata=dates)
    return stream.getvalue()


def _inline(svg: bytes) -> str:
    """A picture as an element of a page, in the colours of the page."""
    text = svg.decode("utf-8")
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    head, bracket, rest = text.partition(">")
    head = re.sub(r' (width|height)="[^"]*"', "", head)  # as wide as the page
    text = head + bracket + rest
    for index, colour in enumerate(COLOURS, 1):
        text = text.replace(colour, f"var(--c{index})")
    return text.replace(INK, "var(--ink)").replace(FAINT, "var(--faint)")
