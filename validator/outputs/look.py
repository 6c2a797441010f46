"""What an output format needs to know besides the findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from evalmark.validator.outputs.summary import Summary
from evalmark.validator.reading.source import Source


@dataclass(frozen=True, slots=True)
class Look:
    """How findings are shown.

    Attributes:
        summary: Counts over the whole call.
        source_of: Path -> its text, if it is at hand.
        show_all: Do not fold repeats.
        colour: Use terminal colours.
    """

    summary: Summary
    source_of: Callable[[str], Source | None]
    show_all: bool = False
    colour: bool = False
