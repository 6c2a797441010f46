"""How far long work is, on stderr: a bar on a terminal, elsewhere a line every half minute."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from evalmark.validator.edge.escaping import shown
from evalmark.validator.edge.lines import say

#: Seconds before a bar is drawn, and between the lines where there is no terminal.
PATIENCE, PAUSE = 0.5, 30.0


class Counter:
    """Shows a piece of work; call it with what is done, how much there is, and what it is at."""

    def __init__(self, what: str, unit: str, patience: float) -> None:
        self.what, self.unit, self.patience = what, unit, patience
        self.done, self.total, self.note = 0, None, ""
        self.started = self.told = time.monotonic()
        self.bar: Any = None

    done: int
    total: int | None
    note: str

    def __call__(self, done: int, total: int | None = None, note: str = "") -> None:
        """Show the state if it is time to."""
        self.done, self.total, self.note = done, total, note
        now = time.monotonic()
        if sys.stderr.isatty():
            if self.bar is not None or now - self.started >= self.patience:
                self._draw(now)
        elif now - self.told >= PAUSE:
            self.told = now
            say(f"{self.state} ({self._rate(now)})")

    @property
    def is_long(self) -> bool:
        """Whether the work takes so long already that it is worth counting what there is."""
        return time.monotonic() - self.started >= PATIENCE

    @property
    def state(self) -> str:
        """For example ``checking: 120 of 4000 files``."""
        total = f" of {self.total}" if self.total is not None else ""
        note = f", {self.note}" if self.note else ""
        return f"{self.what}: {self.done}{total} {self.unit}{note}"

    def _rate(self, now: float) -> str:
        return f"{self.done / max(now - self.started, 1e-6):.0f}/s"

    def _draw(self, now: float) -> None:
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self.bar.start()
            self.bar.add_task("", total=None, rate="")
        self.bar.update(
            self.bar.task_ids[0],
            description=shown(self.state),
            completed=self.done,
            total=self.total,
            rate=self._rate(now),
        )

    def stop(self) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar.stop()


@contextmanager
def counting(
    what: str,
    unit: str,
    *,
    wanted: bool = True,
    resumes: bool = False,
    patience: float = PATIENCE,
) -> Iterator[Counter | None]:
    """Show progress while work is done; an interruption says how far it was.

    Args:
        what: What is done, for example ``checking``.
        unit: What is counted, for example ``files``.
        wanted: False for a caller that wants no progress.
        resumes: Whether the same command continues after an interruption.
        patience: Seconds before a bar is drawn.
    """
    if not wanted:
        yield None
        return
    counter = Counter(what, unit, patience)
    try:
        yield counter
    except KeyboardInterrupt:
        counter.stop()
        again = "; the same command resumes" if resumes else ""
        say(f"evalmark: interrupted; {counter.state} done{again}")
        raise
    finally:
        counter.stop()
