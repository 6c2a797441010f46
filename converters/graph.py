"""The map of conversions, and the shortest way through it."""

from __future__ import annotations

from collections import deque

from evalmark.converters.records.migrations import MIGRATIONS
from evalmark.converters.step import Step
from evalmark.converters.steps.ltm_definitions import DEFINITION_STEPS
from evalmark.converters.steps.suites import SUITE_STEPS
from evalmark.converters.steps.tables import TABLE_STEPS
from evalmark.schemas.errors import ConversionError

#: Every step there is. Its source and target are keys of ``FORMATS``.
STEPS: tuple[Step, ...] = (
    *SUITE_STEPS,
    *TABLE_STEPS,
    *MIGRATIONS,
    *DEFINITION_STEPS,
)


def route(source: str, target: str) -> tuple[Step, ...]:
    """The shortest way from one format to another; empty if they are the same."""
    ways: dict[str, tuple[Step, ...]] = {source: ()}
    queue = deque([source])
    while queue:
        here = queue.popleft()
        if here == target:
            return ways[here]
        for step in STEPS:
            if step.source == here and step.target not in ways:
                ways[step.target] = (*ways[here], step)
                queue.append(step.target)
    reachable = ", ".join(sorted(ways.keys() - {source}))
    targets = f"{source} can become: {reachable}" if reachable else ""
    raise ConversionError(f"no conversion from {source} to {target}", targets)
