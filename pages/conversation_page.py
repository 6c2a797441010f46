"""The page of a run of conversations."""

from __future__ import annotations

from collections.abc import Sequence

from evalmark.pages.bars import scores
from evalmark.pages.charts import bar_chart
from evalmark.pages.conversation_folder import ConversationView
from evalmark.pages.templates import render

#: Characters shown of a message.
LONGEST = 4000


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
