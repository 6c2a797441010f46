"""Rules on ``eval.yaml``, which makes a data set on the Hugging Face Hub a benchmark."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.findings.finding import At, Hit
from evalmark.validator.findings.phrasing import shown
from evalmark.validator.formats.hub.hub_entries import EvalTask, EvalYamlView


def repeated_task(view: EvalYamlView) -> Iterator[Hit]:
    """The tasks of a benchmark have different ids.

    Each task has a leaderboard, and results name it by its id.

    Bad: two tasks `id: main`
    Good: `id: main` and `id: diamond`
    """
    first: dict[str, EvalTask] = {}
    for task in view.tasks:
        if task.id is None:
            continue
        earlier = first.setdefault(task.id, task)
        if earlier is not task:
            yield Hit(
                f"duplicate task id {shown(task.id)}",
                At(f"{task.at}/id"),
                labels=((At(f"{earlier.at}/id"), "the first one"),),
                helps=("say which is which: give one of them another id",),
                fold="task id",
            )
