"""The map of conversions, and the way through it."""

from __future__ import annotations

from collections import deque

from ._errors import ConversionError
from ._forms import FORMS
from ._ltm_definitions import DEFINITION_STEPS
from ._step import Step
from ._suites import SUITE_STEPS
from ._tables import TABLE_STEPS
from .records import RECORD_STEPS, SAMPLE_STEPS

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
