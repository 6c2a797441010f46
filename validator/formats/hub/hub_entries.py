"""Files of community evals as rules see them, and values that are texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from evalmark.schemas.hub_benchmarks import Benchmark, Benchmarks, find
from evalmark.validator.findings.phrasing import quoted
from evalmark.validator.format import Violation


@dataclass(frozen=True, slots=True)
class HubEntry:
    """A result.

    Attributes:
        at: Its pointer.
        data: Its object, which the schema accepts.
        benchmark: Its benchmark, if that is known.
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
    def key(self) -> tuple[str, ...]:
        """Data set, task, revision, notes and date, which no other result of the model has."""
        notes, date = self.data.get("notes", "").strip().lower(), self.data.get("date", "")
        return self.dataset.lower(), self.task, self.revision or "", notes, date

    @property
    def revision(self) -> Any:
        """The revision of the data set; None if it is not stated."""
        return self.data["dataset"].get("revision")

    @property
    def source_url(self) -> Any:
        """The link to where the result comes from; None if there is none."""
        return self.data.get("source", {}).get("url")

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


class EvalTask(NamedTuple):
    """A task of a benchmark: its pointer and its id, if it has one."""

    at: str
    id: str | None


@dataclass(frozen=True, slots=True)
class EvalYamlView:
    """The description of a benchmark in the repository of its data: ``eval.yaml``."""

    data: Mapping[str, Any]

    @property
    def tasks(self) -> tuple[EvalTask, ...]:
        """Its tasks."""
        return tuple(
            EvalTask(f"/tasks/{n}", task.get("id")) for n, task in enumerate(self.data["tasks"])
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
        violation._replace(hit=replace(violation.hit, helps=(help_text,)))
        if violation.hit.at.pointer == "/value"
        else violation
        for violation in explained
    ]
