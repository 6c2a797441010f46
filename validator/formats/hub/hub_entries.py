"""Files of community evals as rules see them, and values that are texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from evalmark.schemas.hub_benchmarks import Benchmark, Benchmarks, find
from evalmark.validator.findings.phrasing import quoted
from evalmark.validator.format import Violation
from evalmark.validator.formats.explaining.misspelt_keys import nearest_key
from evalmark.validator.reading.source import make_pointer

#: Keys of a result, and of the objects in it. The Hub reads no others.
KEYS: dict[str, tuple[str, ...]] = {
    "": ("dataset", "value", "verifyToken", "date", "source", "evaluation_framework", "notes"),
    "dataset": ("id", "task_id", "revision"),
    "source": ("url", "name", "user", "org"),
}


#: Keys of a task: the first three are the Hub's, Inspect reads all of them and refuses others.
TASK_KEYS = (
    "id",
    "config",
    "split",
    "field_spec",
    "shuffle_choices",
    "epochs",
    "epoch_reducer",
    "solvers",
    "scorers",
)


class EntryKey(NamedTuple):
    """The identity of a result: no other result of the model has the same."""

    dataset: str
    task: str
    revision: str
    notes: str
    date: str


def _unread(
    part: Mapping[str, Any], at: str, keys: tuple[str, ...]
) -> Iterator[tuple[str, str, list[str]]]:
    """Unknown keys, except misspelt ones, which are reported in every format."""
    for key in part:
        if key not in keys and nearest_key(key, keys, part) is None:
            yield at + make_pointer([key]), key, [k for k in keys if k not in part]


@dataclass(frozen=True, slots=True)
class HubEntry:
    """A result.

    Attributes:
        at: Its pointer.
        data: Its object, which the schema accepts.
        benchmark: What is known of its benchmark.
    """

    at: str
    data: Mapping[str, Any]
    benchmark: Benchmark | None = None

    @property
    def dataset(self) -> str:
        """The data set."""
        return str(self.data["dataset"]["id"])

    @property
    def task(self) -> str:
        """The id of the task."""
        return str(self.data["dataset"]["task_id"])

    @property
    def value(self) -> float:
        """The value."""
        value: float = self.data["value"]
        return value

    @property
    def key(self) -> EntryKey:
        """The identity of the result among those of the model."""
        about = self.data["dataset"]
        return EntryKey(
            self.dataset.lower(),
            self.task,
            about.get("revision", ""),
            self.data.get("notes", "").strip().lower(),
            self.data.get("date", ""),
        )

    @property
    def revision(self) -> str | None:
        """The revision of the data set."""
        revision: str | None = self.data["dataset"].get("revision")
        return revision

    @property
    def has_source(self) -> bool:
        """True if it says where it comes from."""
        return "source" in self.data

    @property
    def source_url(self) -> str | None:
        """The link to where it comes from."""
        url: str | None = self.data.get("source", {}).get("url")
        return url

    def unread(self) -> Iterator[tuple[str, str, list[str]]]:
        """Pointer and name of each key that the Hub does not read, and the keys that are free."""
        for name, keys in KEYS.items():
            part = self.data.get(name, {}) if name else self.data
            yield from _unread(part, f"{self.at}/{name}" if name else self.at, keys)

    def text(self, key: str) -> str | None:
        """A text of the result itself, if it is there."""
        return self.data.get(key)

    def strings(self) -> Iterator[tuple[str, str]]:
        """Its texts with their pointers."""
        for key, value in self.data.items():
            if isinstance(value, str):
                yield f"{self.at}/{key}", value
            elif isinstance(value, dict):
                yield from (
                    (f"{self.at}/{key}/{name}", text)
                    for name, text in value.items()
                    if isinstance(text, str)
                )


@dataclass(frozen=True, slots=True)
class EntriesView:
    """A file of results.

    Attributes:
        path: The file.
        entries: The results that the schema accepts.
        is_list: Whether the file is a list, as the Hub wants it.
        now: The Unix timestamp by which dates are judged.
        benchmarks: The benchmarks that are known.
    """

    path: str
    entries: tuple[HubEntry, ...]
    is_list: bool
    now: float
    benchmarks: Benchmarks


def entries_of(
    items: list[tuple[str, Any]], benchmarks: Benchmarks | None = None
) -> tuple[HubEntry, ...]:
    """The results with these pointers and objects."""
    return tuple(
        HubEntry(at, data, find(benchmarks, str(data["dataset"]["id"]))) for at, data in items
    )


@dataclass(frozen=True, slots=True)
class EvalTask:
    """A task of a benchmark: its pointer and its object."""

    at: str
    data: Mapping[str, Any]

    @property
    def id(self) -> str | None:
        """Its id."""
        return self.data.get("id")

    def has(self, key: str) -> bool:
        """True if it has a key."""
        return key in self.data

    def unread(self) -> Iterator[tuple[str, str, list[str]]]:
        """As that of a result; Inspect refuses such a task."""
        return _unread(self.data, self.at, TASK_KEYS)

    @property
    def is_for_inspect(self) -> bool:
        """True if it says how Inspect runs it."""
        return "solvers" in self.data


@dataclass(frozen=True, slots=True)
class EvalYamlView:
    """The description of a benchmark in the repository of its data: ``eval.yaml``."""

    data: Mapping[str, Any]

    @property
    def tasks(self) -> tuple[EvalTask, ...]:
        """Its tasks."""
        return tuple(EvalTask(f"/tasks/{n}", task) for n, task in enumerate(self.data["tasks"]))

    @property
    def framework(self) -> str | None:
        """The evaluation framework."""
        return self.data.get("evaluation_framework")


#: The frameworks that the Hub lists: EVALUATION_FRAMEWORKS in packages/tasks/src/eval.ts of
#: huggingface/huggingface.js.
FRAMEWORKS = (
    "apex-evals",
    "archipelago",
    "claw-eval",
    "exgentic",
    "harbor",
    "inspect-ai",
    "math-arena",
    "mdpbench",
    "mteb",
    "nemo-evaluator",
    "olmocr-bench",
    "open-asr-leaderboard",
    "parsebench",
    "screenspot-pro",
    "swe-bench",
    "swe-bench-pro",
    "video-mme-v2",
    "wildclawbench",
    "yc-bench",
)


_PERCENTAGE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*%\s*")


def as_numbers(data: object, explained: list[Violation]) -> list[Violation]:
    """The mistakes of a result; where its value is a percentage with its sign, what to write."""
    value = data.get("value") if isinstance(data, dict) else None
    percentage = _PERCENTAGE.fullmatch(value) if isinstance(value, str) else None
    if percentage is None:
        return explained
    number = (
        quoted(float(percentage[1])) if "." in percentage[1] else percentage[1].lstrip("0") or "0"
    )
    help_text = f"if the scale is from 0 to 100, write {number}"
    return [
        replace(violation, hit=replace(violation.hit, helps=(help_text,)))
        if violation.hit.at.pointer == "/value"
        else violation
        for violation in explained
    ]
