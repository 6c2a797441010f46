"""What the record rules share: the results of a record, and reading numbers out of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from .._positions import make_pointer


class Result(NamedTuple):
    """One evaluation result, with the parts that most rules look at; absent parts are empty."""

    pointer: str
    data: Mapping[str, Any]
    metric: Mapping[str, Any]
    details: Mapping[str, Any]

    @property
    def score(self) -> float | None:
        """The score, where it is a number."""
        return number(self.details.get("score"))


@dataclass(frozen=True)
class RecordFacts:
    """A record that its schema accepts, as the rules see it.

    Attributes:
        data: The parsed file.
        now: Seconds since 1970, by which timestamps are judged.
    """

    data: Mapping[str, Any]
    now: float

    def results(self) -> Iterator[Result]:
        """The results of the record, in order."""
        results = self.data.get("evaluation_results")
        for index, result in enumerate(results if isinstance(results, list) else ()):
            if isinstance(result, Mapping):
                yield Result(
                    f"/evaluation_results/{index}",
                    result,
                    mapping(result.get("metric_config")),
                    mapping(result.get("score_details")),
                )

    def strings(self) -> Iterator[tuple[str, str]]:
        """Every string of the record with its pointer."""
        stack: list[tuple[tuple[str | int, ...], Any]] = [((), self.data)]
        while stack:
            path, node = stack.pop()
            if isinstance(node, str):
                yield make_pointer(path), node
            elif isinstance(node, Mapping):
                stack += [((*path, key), child) for key, child in node.items()]
            elif isinstance(node, list):
                stack += [((*path, index), child) for index, child in enumerate(node)]


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def number(value: Any) -> float | None:
    """The value as a number; the format's "Infinity" counts, true and false do not."""
    if value in ("Infinity", "-Infinity"):
        return math.inf if value == "Infinity" else -math.inf
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


def timestamp(value: Any) -> float | None:
    """Seconds since 1970, where the value is one, as a string or a number."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    seconds = number(value)
    # From 2000 on: smaller numbers are no dates of evaluations.
    return seconds if seconds is not None and 946_684_800 <= seconds < 1e11 else None
