"""What the record rules share: the results of a record, and reading numbers out of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cached_property

from .._pointer import make_pointer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Result:
    """One evaluation result, with the parts that most rules look at; absent parts are empty.

    Attributes:
        pointer: Where it stands.
        data: The result.
        metric: Its ``metric_config``.
        details: Its ``score_details``.
        score: The score, where it is a number.
        low: The least possible score, where it is a number.
        high: The greatest possible score, where it is a number.
        uncertainty: What is said of the uncertainty of the score.
    """

    __slots__ = (
        "data", "details", "high", "low", "metric", "pointer", "score", "uncertainty",
    )  # fmt: skip

    def __init__(self, pointer: str, data: Mapping[str, Any]) -> None:
        self.pointer = pointer
        self.data = data
        self.metric = mapping(data.get("metric_config"))
        self.details = mapping(data.get("score_details"))
        self.score = number(self.details.get("score"))
        self.low = number(self.metric.get("min_score"))
        self.high = number(self.metric.get("max_score"))
        self.uncertainty = mapping(self.details.get("uncertainty"))


class RecordFacts:
    """A record that its schema accepts, as the rules see it.

    Attributes:
        data: The parsed file.
        now: Seconds since 1970, by which timestamps are judged.
        source: The text of the file, if there is one.
        compact: The same without needless escapes, if it is at hand.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        now: float,
        source: str | None = None,
        compact: bytes | None = None,
    ) -> None:
        self.data = data
        self.now = now
        self.source = source
        self.compact = compact

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """The results of the record, in order."""
        results = self.data.get("evaluation_results")
        return tuple(
            Result(f"/evaluation_results/{index}", result)
            for index, result in enumerate(results if isinstance(results, list) else ())
            if isinstance(result, dict)
        )

    def text(self) -> bytes:
        """A text that holds all strings of the record: to see whether one holds a thing."""
        if self.compact is not None:
            return self.compact
        if self.source is not None and "\\" not in self.source:
            return self.source.encode("utf-8", "surrogatepass")
        return "\n".join(text for _, text in self.strings()).encode("utf-8", "surrogatepass")

    def strings(self) -> Iterator[tuple[str, str]]:
        """Every string of the record with its pointer."""
        stack: list[tuple[tuple[str | int, ...], Any]] = [((), self.data)]
        while stack:
            path, node = stack.pop()
            if isinstance(node, str):
                yield make_pointer(path), node
            elif isinstance(node, dict):
                stack += [((*path, key), child) for key, child in node.items()]
            elif isinstance(node, list):
                stack += [((*path, index), child) for index, child in enumerate(node)]


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def number(value: Any) -> float | None:
    """The value as a number; the format's "Infinity" counts, true and false do not."""
    kind = type(value)
    if kind is float or kind is int:  # nearly always
        return float(value)
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
