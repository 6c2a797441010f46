"""The map of conversions, and the way through it."""

from __future__ import annotations

from collections import deque

from evalmark.converters.formats import FORMS
from evalmark.converters.records.migrate import RECORD_STEPS
from evalmark.converters.records.migrate_rows import SAMPLE_STEPS
from evalmark.converters.step import Step
from evalmark.converters.steps.ltm_definitions import DEFINITION_STEPS
from evalmark.converters.steps.suites import SUITE_STEPS
from evalmark.converters.steps.tables import TABLE_STEPS
from evalmark.schemas.errors import ConversionError

#: Every step there is. Its source and target are keys of ``FORMS``.
STEPS: tuple[Step, ...] = (
    *SUITE_STEPS,
    *TABLE_STEPS,
    *RECORD_STEPS,
    *SAMPLE_STEPS,
    *DEFINITION_STEPS,
)


def route(source: str, target: str) -> tuple[Step, ...]:
    """The shortest way from one form to another; empty if they are the same.

    Raises:
        ConversionError: There is no way.
    """
    if target not in FORMS:
        raise ConversionError(f"there is no form `{target}`", "`evalmark convert --list` names all")
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
    reachable = ", ".join(sorted(ways.keys() - {source})) or "nowhere"
    raise ConversionError(f"there is no way from {source} to {target}", f"it leads to {reachable}")
