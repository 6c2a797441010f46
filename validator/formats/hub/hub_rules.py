"""Rules on results in the repository of a model, and on ``eval.yaml``.

Results: values, dates, names, links and keys. ``eval.yaml`` makes a data set a benchmark.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from decimal import Decimal

from evalmark.schemas.hub_benchmarks import KNOWN, Benchmark, times
from evalmark.validator.findings.finding import Action, At, Hit
from evalmark.validator.findings.phrasing import quoted, shown, similar
from evalmark.validator.formats.hub.hub_entries import EntriesView, EvalTask, EvalYamlView, HubEntry
from evalmark.validator.formats.hub.repositories import is_id, is_in_results
from evalmark.validator.formats.hub.result_dates import meant, read

#: Clocks differ: up to a day ahead is not a mistake.
_DAY = 86_400


def off_scale(view: EntriesView) -> Iterator[Hit]:
    """A value is off the scale of its benchmark.

    The format has no scale: the Hub accepts 65.7 and 0.657 alike, and ranks both on one
    leaderboard. The scales of a few benchmarks are known; `[tool.evalmark.benchmarks]` adds others.

    Bad: `value: 657` on a benchmark from 0 to 100
    Good: `value: 65.7`
    """
    for entry in view.entries:
        benchmark = entry.benchmark
        if benchmark is None or benchmark.low <= entry.value <= benchmark.high:
            continue
        is_percent = (benchmark.low, benchmark.high) == (0, 1) and 1 < entry.value <= 100
        share = quoted(times(entry.value, Decimal("0.01")))
        yield Hit(
            f"{shown(entry.value)} is not on the scale of {benchmark.name}, {benchmark.scale}",
            At(f"{entry.at}/value"),
            notes=(f"known from {benchmark.documented}",),
            helps=(f"if it is a percentage, write {share}",) if is_percent else (),
            fold="off scale",
        )


def share_or_percentage(view: EntriesView) -> Iterator[Hit]:
    """A value of a benchmark in percent is a share of 1.

    On a scale from 0 to 100, a value up to 1 is worse than nearly all models, and is usually a
    share that was not multiplied by 100.

    Bad: `value: 0.657` on GPQA
    Good: `value: 65.7`
    """
    for entry in view.entries:
        benchmark = entry.benchmark
        if benchmark is not None and benchmark.is_percentage and 0 < entry.value <= 1:
            yield Hit(
                f"{quoted(entry.value)} is at most 1 percent: {benchmark.name} has values "
                f"{benchmark.scale}",
                At(f"{entry.at}/value"),
                notes=(f"known from {benchmark.documented}",),
                helps=(f"if it is a share of 1, write {quoted(times(entry.value, 100))}",),
                fold="share",
            )


def unknown_task(view: EntriesView) -> Iterator[Hit]:
    """A task is not one of its benchmark.

    The leaderboard of a task lists only results with its id. The ids are in `eval.yaml` in the
    repository of the data set; here they are those that documentation or the settings name.

    Bad: `task_id: gpqa-diamond`
    Good: `task_id: diamond`
    """
    for entry in view.entries:
        benchmark = entry.benchmark
        if benchmark is not None and benchmark.tasks and entry.task not in benchmark.tasks:
            yield Hit(
                f"{benchmark.name} is not known to have a task {shown(entry.task)}",
                At(f"{entry.at}/dataset/task_id"),
                notes=(f"known from {benchmark.documented}: {', '.join(benchmark.tasks)}",),
                helps=_task_meant(entry.task, benchmark),
                fold="unknown task",
            )


def _task_meant(task: str, benchmark: Benchmark) -> tuple[str, ...]:
    plain = task.lower().replace("-", "_").replace(" ", "_")
    if plain in benchmark.tasks:
        return (Action.WRITE(quoted(plain)),)
    if len(benchmark.tasks) == 1:
        return (Action.WRITE(quoted(benchmark.tasks[0])),)
    return tuple(Action.WRITE(quoted(name)) for name in similar(task, benchmark.tasks))


def unreadable_date(view: EntriesView) -> Iterator[Hit]:
    """A date is not an ISO 8601 date or time.

    Without a date the Hub shows when the file was committed.

    Bad: `date: "15.01.2025"`
    Good: `date: "2025-01-15"`
    """
    for entry, date in _dates(view):
        if read(date) is None:
            right = meant(date)
            yield Hit(
                f"{shown(date)} is not an ISO 8601 date",
                At(f"{entry.at}/date"),
                caret='expected a date such as "2025-01-15"',
                helps=(Action.WRITE(quoted(right)) if right else "write a date in this form",),
                fold="date",
            )


def date_in_future(view: EntriesView) -> Iterator[Hit]:
    """A date is in the future.

    Bad: `date: "2125-01-15"`
    Good: `date: "2025-01-15"`
    """
    for entry, date in _dates(view):
        time = read(date)
        if time is not None and time.timestamp() > view.now + _DAY:
            yield Hit(f"{shown(date)} is in the future", At(f"{entry.at}/date"), fold="future")


def _dates(view: EntriesView) -> Iterator[tuple[HubEntry, str]]:
    for entry in view.entries:
        date = entry.text("date")
        if date is not None:
            yield entry, date


def duplicate_entry(view: EntriesView) -> Iterator[Hit]:
    """A file has duplicate results.

    Results that differ in their date, in the revision of the data set or in their notes are
    different ones.

    Bad: the same result twice
    Good: one of them
    """
    for entry, first in _repeats(view):
        if entry.value == first.value:
            yield Hit(
                f"duplicate result for task {shown(entry.task)} of {entry.dataset}",
                At(entry.at),
                labels=((At(first.at), "the first one"),),
                helps=("remove one of them",),
                fold="duplicate",
            )


def conflicting_entries(view: EntriesView) -> Iterator[Hit]:
    """A model has two values for a task, and neither notes, date nor revision says why.

    The leaderboard shows one of them.

    Bad: `value: 22.1` and `value: 44.9` for the same task
    Good: `notes: "With tools"` for one of them
    """
    for entry, first in _repeats(view):
        if entry.value != first.value:
            yield Hit(
                f"{entry.value:g} for task {shown(entry.task)} of {entry.dataset}, which has the "
                f"value {first.value:g} already",
                At(f"{entry.at}/value"),
                labels=((At(f"{first.at}/value"), "the first one"),),
                helps=("say which is right, or what was different: add `notes`",),
                fold="conflict",
            )


def _repeats(view: EntriesView) -> Iterator[tuple[HubEntry, HubEntry]]:
    first: dict[object, HubEntry] = {}
    for entry in view.entries:
        earlier = first.setdefault(entry.key, entry)
        if earlier is not entry:
            yield entry, earlier


def not_a_list(view: EntriesView) -> Iterator[Hit]:
    """A file of results is not a list.

    Bad: `dataset: …` at the beginning of a line
    Good: `- dataset: …`
    """
    if not view.is_list:
        yield Hit(
            "the file is one result, and not a list of results",
            At(""),
            helps=("make it a list: put `- ` before the first line, and indent the others",),
        )


def file_name(view: EntriesView) -> Iterator[Hit]:
    """A file of results does not end in .yaml.

    The Hub reads `.eval_results/*.yaml`, and no other file of the folder.

    Bad: `.eval_results/hle.yml`
    Good: `.eval_results/hle.yaml`
    """
    if is_in_results(view.path) and not view.path.endswith(".yaml"):
        yield Hit("the Hub reads only files that end in .yaml", At(""), helps=("rename the file",))


#: A value that was left as the documentation has it.
_PLACEHOLDER = re.compile(r"<[a-z][a-z_ -]*>|\{[a-z][a-z_ -]*\}")
_COMMIT = re.compile(r"[0-9a-f]{7,64}", re.IGNORECASE)
_PAGE = re.compile(r"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/(?:datasets/)?(.+?)/?")
_SERVER = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?(/\S*)?$", re.IGNORECASE)


def source_url(view: EntriesView) -> Iterator[Hit]:
    """The URL of a source does not begin with http:// or https://.

    Bad: `url: huggingface.co/spaces/example/traces`
    Good: `url: https://huggingface.co/spaces/example/traces`
    """
    for entry in view.entries:
        url = entry.source_url
        if url is None or _PLACEHOLDER.fullmatch(url):
            continue
        scheme, separator, rest = url.partition("://")
        if scheme in ("http", "https") and separator and rest.strip("/"):
            continue
        helps: tuple[str, ...] = ()
        if _SERVER.match(url):
            helps = (Action.WRITE(quoted(f"https://{url}")),)
        elif is_id(url):
            helps = (f"write {quoted(f'https://huggingface.co/{url}')}, if it is a model",)
        at = At(f"{entry.at}/source/url")
        yield Hit(f"{shown(url)} is not a URL", at, helps=helps, fold="url")


def dataset_id(view: EntriesView) -> Iterator[Hit]:
    """A data set is not named as the Hub names it: owner/name.

    Bad: `id: gsm8k`
    Good: `id: openai/gsm8k`
    """
    for entry in view.entries:
        if is_id(entry.dataset) or _PLACEHOLDER.fullmatch(entry.dataset):
            continue
        page = _PAGE.fullmatch(entry.dataset)
        inside = "/".join(page[1].split("/")[:2]) if page else entry.dataset.strip().strip("/")
        names = {known.dataset.rpartition("/")[2].lower(): known.dataset for known in KNOWN}
        right = inside if is_id(inside) else names.get(inside.lower())
        yield Hit(
            f"{shown(entry.dataset)} is not the id of a data set",
            At(f"{entry.at}/dataset/id"),
            caret="expected owner/name",
            helps=(Action.WRITE(quoted(right)),) if right else (),
            fold="data set",
        )


def verify_token(view: EntriesView) -> Iterator[Hit]:
    """A verifyToken is not a token signed by the Hub: three parts with dots between them.

    Only the Hub can make one. With any other text the result is shown as not verified. An access
    token (`hf_…`) does not belong here: whoever reads the file can use it.

    Bad: `verifyToken: "yes"`
    Good: no `verifyToken`
    """
    for entry in view.entries:
        token = entry.text("verifyToken")
        if token is None or _PLACEHOLDER.fullmatch(token) or _is_signed(token):
            continue
        at, helps = At(f"{entry.at}/verifyToken"), ("remove `verifyToken`",)
        if token.startswith("hf_"):
            message = f"this looks like an access token: {token[:7]}…"
            yield Hit(message, at, notes=("revoke it: it may have been read",), helps=helps)
        else:
            message = f"{shown(token)} is not a token that the Hub has signed"
            yield Hit(message, at, helps=helps, fold="token")


def _is_signed(token: str) -> bool:
    parts = token.split(".")
    if len(parts) != 3 or not all(parts):
        return False
    try:
        header = base64.b64decode(parts[0] + "=" * (-len(parts[0]) % 4), b"-_", validate=True)
        return isinstance(json.loads(header), dict)
    except ValueError:
        return False


def placeholder(view: EntriesView) -> Iterator[Hit]:
    """A value is a placeholder of the documentation.

    Bad: `revision: <hash>`
    Good: no `revision`, or `revision: "5503434ddd753f426f4b38109466949a1217c2bb"`
    """
    for entry in view.entries:
        for pointer, text in entry.strings():
            if _PLACEHOLDER.fullmatch(text):
                key = pointer.rpartition("/")[2]
                is_required = pointer.endswith(("/dataset/id", "/dataset/task_id", "/source/url"))
                helps = () if is_required else (Action.REMOVE(key),)
                yield Hit(f"{shown(text)} is a placeholder", At(pointer), helps=helps)


def revision_form(view: EntriesView) -> Iterator[Hit]:
    """A revision is not the hash of a commit.

    A branch has other contents later.

    Bad: `revision: main`
    Good: `revision: "5503434ddd753f426f4b38109466949a1217c2bb"`
    """
    for entry in view.entries:
        revision = entry.revision
        if revision is None or _COMMIT.fullmatch(revision) or _PLACEHOLDER.fullmatch(revision):
            continue
        yield Hit(
            f"{shown(revision)} is not the hash of a commit",
            At(f"{entry.at}/dataset/revision"),
            helps=("remove `revision`, or write the hash",),
            fold="revision",
        )


def repeated_task(view: EvalYamlView) -> Iterator[Hit]:
    """Two tasks of a benchmark have the same id.

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
