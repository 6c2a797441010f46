"""Many files, checked by several processes: reports come in the order of the paths.

A process that dies takes no finding with it: what it had is checked again, each file by a process
of its own, and a file that is the end of that one as well is reported.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import count, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from evalmark.validator import (
    RULES,
    Finding,
    Report,
    Severity,
    Span,
    measure_stages,
    taken_stages,
    use_backend,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ._checking import Entry

    Check = Callable[[str], Report]

#: Files that are sent to a process at a time, and how many such batches are under way for each.
BATCH, AHEAD = 32, 3
#: Batches of a process after which cycles are looked for; it takes as long as some ten files.
COLLECTED = 16
_BATCHES = count(1)


class Checked(NamedTuple):
    """A file that was checked.

    Attributes:
        entry: The file.
        report: What was found.
        stages: Seconds by stage; of a whole batch, with its last file.
    """

    entry: Entry
    report: Report
    stages: dict[str, float]


def check_many(
    entries: Iterable[Entry], check: Check, processes: int, backend: str, *, timed: bool = False
) -> Iterator[Checked]:
    """Check files in several processes.

    Args:
        entries: The files; taken as the work goes on.
        check: Path → report; it must be possible to pickle it.
        processes: How many.
        backend: See ``use_backend``.
        timed: Whether to measure stages.
    """
    remaining = iter(entries)
    under_way: deque[tuple[list[Entry], Future[Any]]] = deque()
    context = _context()
    with ProcessPoolExecutor(processes, context, _begin, (backend, timed)) as pool:
        broken = False
        while batch := list(islice(remaining, BATCH)):
            if not broken:
                try:
                    under_way.append(
                        (batch, pool.submit(_batch, check, [entry.path for entry in batch]))
                    )
                except BrokenProcessPool:
                    broken = True
            if broken:
                while under_way:
                    yield from _results(*under_way.popleft(), check)
                yield from (_alone(entry, check) for entry in batch)
            elif len(under_way) > processes * AHEAD:
                yield from _results(*under_way.popleft(), check)
        while under_way:
            yield from _results(*under_way.popleft(), check)


def _context() -> Any:
    # Elsewhere a process that has threads, as those of system libraries, may not be forked.
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def _begin(backend: str, timed: bool) -> None:
    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # one process says goodbye, not all of them
    measure_stages(timed)
    use_backend(backend)


def _batch(check: Check, paths: list[str]) -> tuple[list[Report], dict[str, float]]:
    reports = [check(path) for path in paths]
    if next(_BATCHES) % COLLECTED == 0:
        gc.collect()
    return reports, taken_stages()


def _results(batch: list[Entry], future: Future[Any], check: Check) -> Iterator[Checked]:
    try:
        reports, took = future.result()
    except BrokenProcessPool:
        yield from (_alone(entry, check) for entry in batch)
        return
    for index, (entry, report) in enumerate(zip(batch, reports, strict=True), 1):
        yield Checked(entry, report, took if index == len(batch) else {})


def _alone(entry: Entry, check: Check) -> Checked:
    """One file by a process of its own, whose end is not ours."""
    context = _context()
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, check, entry.path))
    process.start()
    sender.close()
    try:
        report = receiver.recv()
    except EOFError:
        process.join()
        report = _died(entry.path, process.exitcode)
    process.join()
    return Checked(entry, report, {})


def _send(sender: Any, check: Check, path: str) -> None:
    sender.send(check(path))
    sender.close()


def _died(path: str, code: int | None) -> Report:
    how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
    message = f"cannot be checked: the process that looked at it ended with {how}"
    finding = Finding(
        "F011", RULES["F011"].name, Severity.ERROR, message, path, span=Span(1, 1, 1, 1),
        fold=message,
    )  # fmt: skip
    return Report(path, None, None, (finding,))
