"""The page of a run of conversations."""

from __future__ import annotations

from collections.abc import Sequence

from evalmark.pages.conversation_folder import ConversationView
from evalmark.pages.plots import means_svg
from evalmark.pages.run_page import render

#: Characters of a message that are shown.
LONGEST = 4000


def conversation_page(views: Sequence[ConversationView]) -> str:
    """HTML that shows the scores of datasets, and of each test what was said.

    Args:
        views: Agents, in this order.

    Raises:
        ScoringError: The extra ``report`` is not installed.
    """
    names = list(dict.fromkeys(d.name for view in views for d in view.datasets))
    return render(
        "conversation.html.j2",
        views=views,
        chart=means_svg(views),
        ids={name: f"dataset-{index}" for index, name in enumerate(names, 1)},
        longest=LONGEST,
    )
