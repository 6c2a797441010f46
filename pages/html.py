"""Pages of runs and of conversations: each is one file that needs nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalmark.pages.bars import accuracies, scores
from evalmark.pages.charts import bar_chart, curve_chart, overlaid_charts, span_of
from evalmark.pages.conversation_folder import ConversationView
from evalmark.pages.failures import Compared, compared
from evalmark.pages.items import item_table, mean_table
from evalmark.pages.overview import average_rows, difference, rows
from evalmark.pages.render import link, render
from evalmark.pages.run_folder import ItemView, RunView, SuiteView

#: Items shown of a suite.
ITEMS = 200
#: Characters shown of a message.
LONGEST = 4000
#: Bars of a chart.
BARS = 24
#: Suites whose charts have all details: bars of each prediction, and points that tell numbers.
DETAILED = 12


@dataclass(frozen=True, slots=True)
class SuitePart:
    """A suite under one run, as the page shows it. Charts and tables are HTML."""

    run: RunView
    suite: SuiteView
    chart: str  # its region curves
    means: str  # their numbers, as a table
    items: str
    shown: int  # how many items the table has
    failing: int  # how many items fail, shown or not


@dataclass(frozen=True, slots=True)
class SuiteSection:
    """A suite under all runs that have it."""

    overlay: str  # the curves of the runs on one scale; empty for a single run
    parts: tuple[SuitePart, ...]

    @property
    def kind(self) -> str:
        """The classes of the section: what the views of the page show."""
        below = any(p.is_below_chance for part in self.parts for p in part.suite.predictions)
        failed = any(part.failing for part in self.parts)
        return " ".join(["below"] * below + ["failed"] * failed)


def run_page(
    runs: Sequence[RunView],
    *,
    items: int = ITEMS,
    page: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """HTML with accuracies, region curves, and items that open on a click.

    It shows at most ``items`` of each suite, failing ones first, and says when there are more.
    ``page`` is where it will be, for links to the records.
    """
    found: dict[str, list[tuple[RunView, SuiteView]]] = {}
    for run in runs:
        for suite in run.suites:
            found.setdefault(suite.name, []).append((run, suite))
    detailed = len(found) <= DETAILED
    sections: dict[str, SuiteSection] = {}
    for done, (name, shared) in enumerate(found.items(), 1):
        sections[name] = _section(shared, items, tells=detailed and len(runs) == 1)
        if progress:
            progress(done, len(found))
    compared_runs = difference(*runs) if len(runs) == 2 else None
    chart = accuracies(runs, detailed=detailed)
    return render(
        "run.html.j2",
        title=_title(runs),
        runs=runs,
        links=[link(run.origin.record, page) for run in runs],
        averages=average_rows(runs),
        difference=compared_runs,
        rows=rows(runs, compared_runs),
        tags=sorted({tag for run in runs for suite in run.suites for tag in suite.tags}),
        sections=sections,
        accuracies="".join(map(bar_chart, chart.parts(BARS))),
        ids={name: f"suite-{index}" for index, name in enumerate(sections, 1)},
    )


def _title(runs: Sequence[RunView]) -> str:
    models = ", ".join(run.model for run in runs)
    data = ", ".join(dict.fromkeys(run.origin.data for run in runs if run.origin.data)) or "suites"
    dates = ", ".join(dict.fromkeys(run.origin.date for run in runs if run.origin.date))
    versions = ", ".join(dict.fromkeys(run.origin.version for run in runs if run.origin.version))
    told = [f"{models}: {data}", dates, versions and f"evalmark {versions}"]
    return ", ".join(filter(None, told))


def _section(
    shared: Sequence[tuple[RunView, SuiteView]], items: int, *, tells: bool
) -> SuiteSection:
    suites = [suite for _, suite in shared]
    span = span_of(curve for suite in suites for curve in suite.curves)
    # Curves of different metrics have nothing to do with each other. A run may lack regions.
    regions = {number: name for suite in suites for number, name in suite.regions}
    same = {(s.metric, all(regions[number] == name for number, name in s.regions)) for s in suites}
    together = len(shared) > 1 and same == {(suites[0].metric, True)}
    overlay = ""
    if together:
        overlay = overlaid_charts(
            f"Surprisal by region: {suites[0].name}",
            _axis(suites[0]),
            sorted(regions.items()),
            [(run.model, suite.curves) for run, suite in shared],
            compared(suites[0]).regions,
            span,
        )
    one_scale = span if together else None
    parts = (_part(run, suite, items, one_scale, tells) for run, suite in shared)
    return SuiteSection(overlay, tuple(parts))


def _part(
    run: RunView, suite: SuiteView, items: int, span: tuple[float, float] | None, tells: bool
) -> SuitePart:
    failing = [item for item in suite.items if not all(item.holds)]
    holding = [item for item in suite.items if all(item.holds)]
    shown = sorted([*failing, *holding][:items], key=lambda item: item.number)
    parts = compared(suite)
    named = f"{suite.name}, {run.model}"
    return SuitePart(
        run,
        suite,
        _curves(run, suite, parts, span, tells),
        mean_table(suite, f"Mean surprisal (bits) and half its 95 % interval: {named}"),
        _items(run, suite, shown, parts),
        len(shown),
        len(failing),
    )


def _items(run: RunView, suite: SuiteView, shown: Sequence[ItemView], parts: Compared) -> str:
    caption = f"Items and their surprisals (bits), {suite.metric}: {suite.name}, {run.model}"
    if parts.cells:
        caption += ". What predictions compare has a frame"
    if run.details.get("regions") == "predicted":
        caption += ". Other regions were not computed; `evalmark score --regions all` does that"
    return item_table(suite, shown, parts, caption)


def _axis(suite: SuiteView) -> str:
    return f"surprisal, {suite.metric} (bits)"


def _curves(
    run: RunView, suite: SuiteView, parts: Compared, span: tuple[float, float] | None, tells: bool
) -> str:
    return curve_chart(
        f"Surprisal by region: {suite.name}, {run.model}",
        f"Mean surprisal over {len(suite.items)} items with its 95 % interval, "
        f"for {len(suite.curves)} conditions in {len(suite.regions)} regions. "
        "The table below has the numbers.",
        _axis(suite),
        suite.regions,
        suite.curves,
        compared=parts.regions,
        span=span,
        tells=tells,
    )


def conversation_page(views: Sequence[ConversationView]) -> str:
    """HTML with the scores of datasets and, for each test, the conversation."""
    names = list(dict.fromkeys(d.name for view in views for d in view.datasets))
    return render(
        "conversation.html.j2",
        title=f"{', '.join(view.agent for view in views)}: conversations",
        failing={d.name for view in views for d in view.datasets if not d.holds},
        views=views,
        chart=bar_chart(scores(views)),
        ids={name: f"dataset-{index}" for index, name in enumerate(names, 1)},
        longest=LONGEST,
    )
