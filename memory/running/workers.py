"""Jobs that are done at the same time, up to a limit."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

#: Does something, and returns the jobs that it makes possible.
Job: TypeAlias = "Callable[[], Sequence[Job]]"


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
    ended = SimpleQueue[Sequence[Job] | BaseException]()
    running, failure = 0, None
    while running or (waiting and failure is None):
        while waiting and running < workers and failure is None:
            Thread(target=_do, args=(waiting.popleft(), ended), daemon=True).start()
            running += 1
        outcome = ended.get()
        running -= 1
        if isinstance(outcome, BaseException):
            failure = failure or outcome
        else:
            waiting.extendleft(reversed(outcome))
    if failure is not None:
        raise failure


def _do(job: Job, ended: SimpleQueue[Sequence[Job] | BaseException]) -> None:
    try:
        ended.put(job())
    except BaseException as error:  # raised in the caller's thread
        ended.put(error)
