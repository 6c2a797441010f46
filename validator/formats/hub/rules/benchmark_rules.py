"""Rules on ``eval.yaml``, which makes a data set on the Hugging Face Hub a benchmark."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.findings.finding import Action, At, Hit
from evalmark.validator.findings.phrasing import quoted, shown, similar
from evalmark.validator.formats.hub.hub_entries import FRAMEWORKS, EvalTask, EvalYamlView

#: What Inspect takes for a key that is missing.
_DEFAULTS = {"config": "default", "split": "test"}


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


def task_without_id(view: EvalYamlView) -> Iterator[Hit]:
    """A task has an id.

    Results name it in `task_id`. Inspect asks for ids only where there are several tasks.

    Bad: `- config: default`
    Good: `- id: hle`
    """
    for task in view.tasks:
        if task.id is None:
            yield Hit(
                "the task has no id, so no result can name it",
                At(task.at),
                helps=('say what it is called: add "id"',),
                fold="no id",
            )


def task_data(view: EvalYamlView) -> Iterator[Hit]:
    """A task names the configuration and the split of its data.

    Where they are missing, Inspect reads the configuration `default` and the split `test`; other
    programs may read others.

    Bad: `- id: hle`
    Good: `- {id: hle, config: default, split: test}`
    """
    for task in view.tasks:
        missing = [key for key in _DEFAULTS if not task.has(key)]
        if missing:
            members = ", ".join(f'"{key}": {quoted(_DEFAULTS[key])}' for key in missing)
            names = " and ".join(f"`{key}`" for key in missing)
            yield Hit(
                f"the task does not name its {names}",
                At(task.at),
                helps=(f"add {members}, if this is what Inspect should read",),
                fold="task data",
            )


def no_framework(view: EvalYamlView) -> Iterator[Hit]:
    """A benchmark names the framework that runs it.

    The Hub shows it, and verifies results by it.

    Bad: no `evaluation_framework`
    Good: `evaluation_framework: inspect-ai`
    """
    if view.framework is None:
        inspect = any(task.is_for_inspect for task in view.tasks)
        yield Hit(
            "the benchmark does not name its evaluation framework",
            At(""),
            helps=('add "evaluation_framework": "inspect-ai"',)
            if inspect
            else ("say which framework runs it: add `evaluation_framework`",),
        )


def unlisted_framework(view: EvalYamlView) -> Iterator[Hit]:
    """The framework of a benchmark is one that the Hub lists.

    The list is part of huggingface.js (`packages/tasks/src/eval.ts`), and grows: a framework of
    your own is added there.

    Bad: `evaluation_framework: inspect_ai`
    Good: `evaluation_framework: inspect-ai`
    """
    name = view.framework
    if name is None or name in FRAMEWORKS:
        return
    plain = name.strip().lower().replace("_", "-").replace(" ", "-")
    right = (plain,) if plain in FRAMEWORKS else similar(plain, FRAMEWORKS)
    yield Hit(
        f"{shown(name)} is not a framework that the Hub lists",
        At("/evaluation_framework"),
        notes=(f"listed: {', '.join(FRAMEWORKS)}",),
        helps=tuple(Action.WRITE(quoted(framework)) for framework in right),
    )


def unread_task_key(view: EvalYamlView) -> Iterator[Hit]:
    """A task has only keys that are read.

    Inspect refuses a task with any other key.

    Bad: `solver: generate`
    Good: `solvers: [{name: generate}]`
    """
    for task in view.tasks:
        for pointer, key, free in task.unread():
            right = similar(key, free)
            yield Hit(
                f"`{key}` is not a key of a task",
                At(pointer, key=True),
                helps=(Action.RENAME(key, right[0]) if right else Action.REMOVE(key),),
                fold=f"key {key}",
            )
