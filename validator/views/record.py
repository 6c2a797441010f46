"""What the record rules share: the results of a record, and reading numbers out of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from evalmark.validator.reading.pointer import make_pointer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_EMPTY: Mapping[str, Any] = {}


class Result:
    """One evaluation result, with the parts that most rules look at; absent parts are empty.

    Attributes:
        index: Its number among the results, from 0.
        data: The result.
        metric: Its ``metric_config``.
        details: Its ``score_details``.
        score: The score, where it is a number.
        low: The least possible score, where it is a number.
        high: The greatest possible score, where it is a number.
        source: Its ``source_data``.
        uncertainty: What is said of the uncertainty of the score.
    """

    __slots__ = (
        "data", "details", "high", "index", "low", "metric", "score", "source", "uncertainty",
    )  # fmt: skip

    def __init__(self, index: int, data: Mapping[str, Any]) -> None:
        self.index = index
        self.data = data
        self.metric = metric = mapping(data.get("metric_config"))
        self.details = details = mapping(data.get("score_details"))
        self.score = number(details.get("score"))
        self.low = number(metric.get("min_score"))
        self.high = number(metric.get("max_score"))
        self.source = mapping(data.get("source_data"))
        self.uncertainty = mapping(details.get("uncertainty"))

    @property
    def pointer(self) -> str:
        """Where it stands."""
        return f"/evaluation_results/{self.index}"


class Time(NamedTuple):
    """A time that a record names: where, what stands there, and the seconds since 1970, if any."""

    pointer: str
    value: Any
    seconds: float | None


class RecordFacts:
    """A record that its schema accepts, as the rules see it.

    Attributes:
        data: The parsed file.
        now: Seconds since 1970, by which timestamps are judged.
        results: Its results, in order.
        with_levels: Those whose metric names levels.
        with_uncertainty: Those that say how certain their score is.
        times: Its times, and those of its results.
        plain: Its text without needless escapes, where the fast backend has read it.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        now: float,
        source: str | None = None,
        plain: bytes | None = None,
    ) -> None:
        """Look at a record; ``source`` is its text, if there is one."""
        self.data = data
        self.now = now
        self.plain = plain
        self._source = source
        # All rules ask for these, so there is nothing to gain by waiting until one does.
        listed = data.get("evaluation_results")
        self.results = results = [
            Result(index, result)
            for index, result in enumerate(listed if isinstance(listed, list) else ())
            if isinstance(result, dict)
        ]
        self.with_levels = [result for result in results if "level_names" in result.metric]
        self.with_uncertainty = [result for result in results if result.uncertainty]
        key = "evaluation_timestamp"
        places = [("/retrieved_timestamp", data.get("retrieved_timestamp"))]
        places.append((f"/{key}", data.get(key)))
        places += [(f"{r.pointer}/{key}", r.data[key]) for r in results if key in r.data]
        self.times = [
            Time(at, value, timestamp(value)) for at, value in places if value is not None
        ]

    def text(self) -> str:
        """A text that holds all strings of the record: to see whether one holds a thing."""
        if self.plain is not None:
            return self.plain.decode("utf-8")
        if self._source is not None and "\\" not in self._source:
            return self._source
        return "\n".join(text for _, text in self.strings())

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
    return value if isinstance(value, dict) else _EMPTY


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
