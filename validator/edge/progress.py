"""Progress bars on stderr, on a terminal only: for large files, and for numbers of things."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Bytes from which reading a file is worth a bar.
LARGE = 50_000_000


@contextmanager
def reading(path: str) -> Iterator[Callable[[int], None] | None]:
    """A bar on stderr while a large file is read, on a terminal only."""
    size = os.path.getsize(path) if os.path.exists(path) else 0
    # A small record may have a large sample file.
    if not sys.stderr.isatty() or not (size > LARGE or path.endswith(".json")):
        yield None
        return
    bar = None

    def show(done: int) -> None:
        nonlocal bar
        if bar is None and done > LARGE:
            from evalmark.validator.edge.escaping import shown
            from rich.console import Console
            from rich.progress import DownloadColumn, Progress, TextColumn

            columns = (TextColumn("{task.description}", markup=False), DownloadColumn())
            bar = Progress(*columns, console=Console(stderr=True), transient=True)
            bar.start()
            bar.add_task(shown(os.path.basename(path)), total=None)
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done)

    try:
        yield show
    finally:
        if bar is not None:
            bar.stop()


@contextmanager
def counting(
    what: str, unit: str, *, wanted: bool = True
) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on stderr with rate and time left, on a terminal only."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(what),
        BarColumn(),
        TextColumn(f"{{task.completed}}/{{task.total}} {unit}"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, rate="")
        started = time.monotonic()

        def show(done: int, total: int) -> None:
            rate = done / max(time.monotonic() - started, 1e-6)
            bar.update(task, completed=done, total=total, rate=f"{rate:.0f}/s")

        yield show
