"""Jobs that are done at the same time, up to a limit."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Thread, current_thread, main_thread
from typing import TypeAlias

#: Does something, and returns the jobs that it makes possible.
Job: TypeAlias = "Callable[[], Sequence[Job]]"

#: The end of a job: the jobs that it made possible, or why it failed.
Ended: TypeAlias = SimpleQueue[Sequence[Job] | BaseException]


def run_jobs(jobs: Iterable[Job], workers: int) -> None:
    """Do jobs and those that they return, which come first, at most ``workers`` at a time.

    With one worker, the caller's thread does them in their order. Otherwise each has a thread.
    After an error no job begins, and it is raised once the others have ended; an interrupt waits
    for none.
    """
    if workers == 1:
        stack = [*jobs][::-1]
        while stack:
            stack += stack.pop()()[::-1]
        return
    waiting = deque(jobs)
    ended = Ended()
    running, failure = 0, None
    with _interrupts(ended):
        while running or (waiting and failure is None):
            while waiting and running < workers and failure is None:
                Thread(target=_do, args=(waiting.popleft(), ended), daemon=True).start()
                running += 1
            outcome = _next(ended)
            running -= 1
            if isinstance(outcome, KeyboardInterrupt):
                raise outcome
            if isinstance(outcome, BaseException):
                failure = failure or outcome
            else:
                waiting.extendleft(reversed(outcome))
    if failure is not None:
        raise failure


@contextmanager
def _interrupts(ended: Ended) -> Iterator[None]:
    """Make Ctrl-C an outcome: Python drops an exception that reaches it in a callback."""
    usual = signal.default_int_handler
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not usual:
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: ended.put(KeyboardInterrupt()))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _next(ended: Ended) -> Sequence[Job] | BaseException:
    """The next outcome; this thread wakes each second, as no signal may wake it (on Windows)."""
    while True:
        try:
            return ended.get(timeout=1)
        except Empty:
            continue


def _do(job: Job, ended: Ended) -> None:
    try:
        ended.put(job())
    except BaseException as error:  # raised in the caller's thread
        ended.put(error)
