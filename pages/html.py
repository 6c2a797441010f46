"""Pages of runs and of conversations: each is one file that needs nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.pages.bars import accuracies, scores
from evalmark.pages.charts import bar_chart, curve_chart
from evalmark.pages.conversation_folder import ConversationView
from evalmark.pages.run_folder import ItemView, RunView, SuiteView
from evalmark.schemas.extras import require
from evalmark.validator.edge.opening import read_whole

#: Items shown of a suite.
ITEMS = 200
#: Characters shown of a message.
LONGEST = 4000


@dataclass(frozen=True, slots=True)
class SuiteSection:
    """A suite under one run, as the page shows it."""

    run: RunView
    suite: SuiteView
    chart: str  # its region curves
    items: tuple[ItemView, ...]
    largest: float  # the largest value among them, which has the deepest color


def run_page(
    runs: Sequence[RunView],
    *,
    items: int = ITEMS,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """HTML with accuracies, region curves, and items that open on a click.

    It shows at most ``items`` of each suite, failing ones first, and says when there are more.
    """
    chart = accuracies(runs)
    total = sum(len(run.suites) for run in runs)
    sections: dict[str, list[SuiteSection]] = {}
    done = 0
    for run in runs:
        for suite in run.suites:
            sections.setdefault(suite.name, []).append(_section(run, suite, items))
            done += 1
            if progress:
                progress(done, total)
    return render(
        "run.html.j2",
        runs=runs,
        sections=sections,
        accuracies=bar_chart(chart) if chart.groups else "",
        ids={name: f"suite-{index}" for index, name in enumerate(sections, 1)},
    )


def _section(run: RunView, suite: SuiteView, items: int) -> SuiteSection:
    failing = [item for item in suite.items if not all(item.holds)]
    holding = [item for item in suite.items if all(item.holds)]
    shown = sorted([*failing, *holding][:items], key=lambda item: item.number)
    largest = max(_values(shown), default=0.0)
    return SuiteSection(run, suite, _curves(run, suite), tuple(shown), largest or 1.0)


def _values(items: Sequence[ItemView]) -> Iterator[float]:
    for item in items:
        for _, sentence in item.sentences:
            for cell in sentence.values():
                if cell.value is not None and math.isfinite(cell.value):
                    yield abs(cell.value)


def _curves(run: RunView, suite: SuiteView) -> str:
    return curve_chart(
        f"Surprisal by region: {suite.name}, {run.model}",
        f"Mean surprisal over {len(suite.items)} items with its 95 % interval, "
        f"for {len(suite.curves)} conditions in {len(suite.regions)} regions.",
        f"surprisal, {suite.metric} (bits)",
        suite.regions,
        suite.curves,
    )


def conversation_page(views: Sequence[ConversationView]) -> str:
    """HTML with the scores of datasets and, for each test, the conversation."""
    names = list(dict.fromkeys(d.name for view in views for d in view.datasets))
    return render(
        "conversation.html.j2",
        views=views,
        chart=bar_chart(scores(views)),
        ids={name: f"dataset-{index}" for index, name in enumerate(names, 1)},
        longest=LONGEST,
    )


def render(template: str, **values: Any) -> str:
    """Fill a template of this folder. All text is escaped."""
    require("jinja2")
    import jinja2
    from markupsafe import Markup

    here = Path(__file__).parent
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(here),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["markup"] = Markup  # for charts and the style, which are our own
    style = read_whole(here / "page.css").decode()
    return environment.get_template(template).render(style=style, **values)
