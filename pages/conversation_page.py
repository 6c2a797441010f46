"""The page of a run of conversations."""

from __future__ import annotations

from collections.abc import Sequence

from evalmark.pages.charts import Bar, BarGroup, bar_chart
from evalmark.pages.conversation_folder import ConversationView
from evalmark.pages.templates import render

#: Characters shown of a message.
LONGEST = 4000


def conversation_page(views: Sequence[ConversationView]) -> str:
    """HTML with the scores of datasets and, for each test, the conversation.

    Args:
        views: The agents, in the order of the page.

    Raises:
        NotInstalledError: jinja2 is not installed.
    """
    names = list(dict.fromkeys(d.name for view in views for d in view.datasets))
    return render(
        "conversation.html.j2",
        views=views,
        chart=_means(views),
        ids={name: f"dataset-{index}" for index, name in enumerate(names, 1)},
        longest=LONGEST,
    )


def _means(views: Sequence[ConversationView]) -> str:
    """Mean scores with the standard deviation of the tests, cut to the range of scores."""
    bars: dict[str, list[Bar]] = {}
    for index, view in enumerate(views):
        for dataset in view.datasets:
            of_dataset = bars.setdefault(dataset.name, [])
            if dataset.mean is not None:
                mean, spread = dataset.mean, dataset.deviation or 0.0
                bar = Bar(index, mean, max(mean - spread, 0.0), min(mean + spread, 1.0))
                of_dataset.append(bar)
    return bar_chart(
        "Mean score by dataset",
        "The mean score of the tests of each dataset, with their standard deviation. "
        "The table below has the numbers.",
        "score",
        "standard deviation of the tests",
        [view.agent for view in views],
        [BarGroup(name, (("", tuple(found)),)) for name, found in bars.items()],
    )
