"""Scores of memory systems against what they cost and how long they take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalmark.pages.charts import ScatterPoint, scatter_chart
from evalmark.pages.conversation_folder import ConversationView
from evalmark.validator.fields import mapping

#: The steps of a memory system, as a run names them -> what one of them is.
STEPS = {"ingest": "session", "search": "question", "answer": "question"}


@dataclass(frozen=True, slots=True)
class Measure:
    """A cost that scores are plotted against.

    Attributes:
        axis: Its name, with its unit.
        of: Takes it from the costs of a run; None if the run does not state it.
    """

    axis: str
    of: Callable[[Mapping[str, Any]], float | None]


def _dollars(costs: Mapping[str, Any]) -> float | None:
    """The price of all steps; None if no prices are given."""
    return sum(number(costs, step, "dollars") or 0.0 for step in STEPS) or None


def _latency(costs: Mapping[str, Any]) -> float | None:
    """The median of the seconds of a search and that of an answer, together."""
    answer = number(costs, "answer", "seconds_p50")
    return None if answer is None else answer + (number(costs, "search", "seconds_p50") or 0.0)


MEASURES = (
    Measure("US dollars, all steps", _dollars),
    Measure("seconds per question, median", _latency),
)


def number(costs: Mapping[str, Any], step: str, name: str) -> float | None:
    """A number of a step; None if the run does not state it."""
    return _number(mapping(costs.get(step)).get(name))


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def scatters(views: Sequence[ConversationView]) -> list[str]:
    """A chart of the total score of each run against each measure that a run states."""
    charts = []
    for measure in MEASURES:
        points = [
            ScatterPoint(index, x, view.totals[0].score)
            for index, view in enumerate(views)
            if view.totals and (x := measure.of(view.costs)) is not None
        ]
        if points:
            charts.append(scatter_chart(measure.axis, points, [view.model for view in views]))
    return charts


def cost_rows(views: Sequence[ConversationView]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Name, definition and cells of each cost that a run over memory sets states."""
    for step, unit in STEPS.items():
        for name, what, shown in (
            ("seconds_p50", f"Median of the seconds of a {unit}.", "{:.3g} s"),
            ("seconds_p95", f"95th percentile of the seconds of a {unit}.", "{:.3g} s"),
            ("calls", "Requests to models, as far as the agent counts them.", "{:,.0f}"),
            ("read", "Tokens that the models read.", "{:,.0f} tokens"),
            ("written", "Tokens that they wrote.", "{:,.0f} tokens"),
            ("dollars", "Their price.", "{:,.2f} USD"),
        ):
            values = [number(view.costs, step, name) for view in views]
            if any(values):
                cells = tuple("" if value is None else shown.format(value) for value in values)
                yield f"{step}: {name.replace('_', ' ')}", what, cells
    contexts = [_number(view.costs.get("context_tokens")) for view in views]
    if any(contexts):
        cells = tuple("" if value is None else f"{value:,.0f} tokens" for value in contexts)
        yield "context of a question", "Mean tokens of memories that an answer read.", cells
