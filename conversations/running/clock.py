"""The clock of a run: it can be moved, and never is by the machine's time alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime


class Clock:
    """Time as the tests see it.

    It starts when the run does, goes on by what an exchange really took, and jumps where a test
    waits. All times are in UTC.

    Args:
        start: When the run begins.
        measure: Seconds that pass, for measuring an exchange.
    """

    def __init__(self, start: datetime, measure: Callable[[], float] = time.monotonic) -> None:
        self._now = start.astimezone(UTC)
        self.measure = measure

    def restart(self, start: datetime) -> None:
        """Begin when a run began that is gone on with."""
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        """The time, in UTC."""
        return self._now

    def set(self, to: datetime) -> None:
        """Go on to a time; it never runs backwards."""
        self._now = max(self._now, to)
