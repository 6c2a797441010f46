"""The page of runs of conversations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evalmark.pages.bars import scores
from evalmark.pages.charts import bar_chart, curve_chart
from evalmark.pages.conversations.distances import Distances, distances
from evalmark.pages.conversations.figures import figures, headline
from evalmark.pages.conversations.folder import ConversationView, told_apart
from evalmark.pages.html import LONGEST, page_title
from evalmark.pages.overview import HeadlineDifference, difference
from evalmark.pages.render import link, render


def conversation_page(views: Sequence[ConversationView], *, page: Path | None = None) -> str:
    """HTML with the figures of runs, the scores of datasets, and the conversation of each test.

    ``page`` is where it will be, for links to the records.
    """
    runs = told_apart(views)
    origins = [view.origin for view in runs]
    names = dict.fromkeys(d.name for view in runs for d in view.datasets)
    described = {d.name: d.description for view in runs for d in view.datasets if d.description}
    found = distances(runs)
    return render(
        "conversation.html.j2",
        title=page_title([view.model for view in runs], origins, "conversations"),
        failing={d.name for view in runs for d in view.datasets if not d.holds},
        runs=runs,
        links=[link(origin.record, page) for origin in origins],
        headlines=list(map(headline, runs)),
        difference=_difference(runs),
        figures=figures(runs),
        chart=bar_chart(scores(runs)),
        distances=found,
        curves=_curves(found) if found else "",
        ids={name: f"dataset-{index}" for index, name in enumerate(names, 1)},
        described=described,
        longest=LONGEST,
    )


def _difference(runs: Sequence[ConversationView]) -> HeadlineDifference | None:
    return difference(*runs) if len(runs) == 2 else None


def _curves(found: Distances) -> str:
    return curve_chart(
        "Score by distance",
        "Mean score of the tests in each range of distances, with its 95 % interval. The table "
        "below has the numbers.",
        "score",
        [(number, row.name) for number, row in enumerate(found.rows, 1)],
        found.curves,
        span=(0, 1),
        is_partial=False,
    )
