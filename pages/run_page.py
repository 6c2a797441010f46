"""The page of one or more runs: one file that needs nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.pages.plots import accuracies_svg, curves_svg
from evalmark.pages.run_folder import ItemView, RunView, SuiteView
from evalmark.schemas.errors import ScoringError

#: Items of a suite that are shown, those first for which a prediction fails.
ITEMS = 200


@dataclass(frozen=True, slots=True)
class Part:
    """A suite under one run, as the page shows it."""

    run: RunView
    suite: SuiteView
    chart: str
    items: tuple[ItemView, ...]
    largest: float


def run_page(
    runs: Sequence[RunView],
    *,
    items: int = ITEMS,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """HTML that shows accuracies, region curves, and items one can open.

    Args:
        runs: What to show, in this order.
        items: How many items of each suite; the page says when some are left out.
        progress: Called with the suites that are drawn, and how many there will be.

    Raises:
        ScoringError: The extra ``report`` is not installed.
    """
    total = sum(len(run.suites) for run in runs)
    sections: dict[str, list[Part]] = {}
    done = 0
    for run in runs:
        for suite in run.suites:
            sections.setdefault(suite.name, []).append(_part(run, suite, items))
            done += 1
            if progress:
                progress(done, total)
    return render(
        "run.html.j2",
        runs=runs,
        sections=sections,
        accuracies=accuracies_svg(runs),
        items=items,
        ids={name: f"suite-{index}" for index, name in enumerate(sections, 1)},
    )


def _part(run: RunView, suite: SuiteView, items: int) -> Part:
    failing = [item for item in suite.items if not all(item.holds)]
    holding = [item for item in suite.items if all(item.holds)]
    shown = sorted([*failing, *holding][:items], key=lambda item: item.number)
    largest = max(_values(shown), default=0.0)
    return Part(run, suite, curves_svg(suite), tuple(shown), largest or 1.0)


def _values(items: Sequence[ItemView]) -> Iterator[float]:
    for item in items:
        for _, sentence in item.sentences:
            yield from (abs(cell.value) for cell in sentence.values() if cell.value is not None)


def render(template: str, **values: Any) -> str:
    """A template of this folder with the style of all pages; all text is escaped.

    Raises:
        ScoringError: jinja2 is not installed.
    """
    try:
        import jinja2
        from markupsafe import Markup
    except ImportError as error:
        raise ScoringError("pages need jinja2: pip install 'evalmark[report]'") from error
    here = Path(__file__).parent
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(here),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["drawn"] = Markup  # pictures are our own, and hold escaped text
    style = Markup((here / "page.css").read_text(encoding="utf-8"))  # noqa: S704 - ours
    return environment.get_template(template).render(style=style, **values)
