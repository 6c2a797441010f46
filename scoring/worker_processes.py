"""Jobs in worker processes of this machine, each of which does one after the other.

A worker starts as a new interpreter, since a forked one could not use the threads of torch. It ends
with its parent, whatever ended that: a killed run leaves no process that writes to its folders.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, TypeVar

from evalmark.scoring.models.tokenizer_process import without_main
from evalmark.validator.io.processes import no_modules_of_the_folder

Job = TypeVar("Job")

#: The variable that says how many threads torch has.
THREADS = "OMP_NUM_THREADS"


class JobRunner(Protocol):
    """Does jobs in a worker."""

    def run(self, job: Any) -> Any:
        """The result of a job; an error is one, too."""


class _Worker:
    """A process and the pipe to it."""

    def __init__(self, make: Callable[[], JobRunner], threads: int) -> None:
        context: Any = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, make))
        with without_main(), no_modules_of_the_folder(context), _threads(threads):
            self.process.start()
        theirs.close()

    def end(self) -> str:
        """End the process; what had ended it before, in words."""
        self.pipe.close()
        self.process.join(1)
        self.process.kill()
        self.process.join()
        code = self.process.exitcode
        return f"signal {-code}" if code < 0 else f"exit code {code}"


def in_workers(
    jobs: Sequence[Job],
    make: Callable[[], JobRunner],
    died: Callable[[Job, str], Any],
    processes: int,
) -> Generator[tuple[Job, Any]]:
    """Do jobs in worker processes; results in the order of the jobs.

    A job whose worker dies is done once more, in a new process and alone, when the others are done:
    memory may have been short. If the caller stops, so do the workers, at once.

    Args:
        jobs: The jobs; they and their results are pickled.
        make: Makes the object that does the jobs of a worker; it is pickled.
        died: Job and cause of death → result, for a job that killed its worker twice.
        processes: Number of workers.

    Yields:
        Each job and its result.
    """
    waiting = deque(enumerate(jobs))
    again: deque[tuple[int, Job]] = deque()
    running: dict[Connection, tuple[_Worker, int, Job]] = {}
    free: list[_Worker] = []
    results: dict[int, Any] = {}
    processes = max(1, min(processes, len(jobs)))
    threads = max(1, (os.cpu_count() or 1) // processes)
    lost: set[int] = set()
    place = 0
    try:
        while place < len(jobs):
            if not waiting and not running:
                waiting, again, processes = again, waiting, 1
            while waiting and len(running) < processes:
                worker = free.pop() if free else _Worker(make, threads)
                index, job = waiting.popleft()
                running[worker.pipe] = (worker, index, job)
                _send(worker.pipe, job)
            ready = wait(list(running))
            for pipe in [pipe for pipe in running if pipe in ready]:
                worker, index, job = running.pop(pipe)
                try:
                    results[index] = pipe.recv()
                    free.append(worker)
                except (EOFError, OSError):
                    cause = worker.end()
                    if index in lost:
                        results[index] = died(job, cause)
                    else:
                        lost.add(index)
                        again.append((index, job))
            while place in results:
                yield jobs[place], results.pop(place)
                place += 1
    finally:
        for worker in (*free, *(worker for worker, _, _ in running.values())):
            worker.process.kill()
            worker.end()


def _send(pipe: Connection, job: object) -> None:
    try:
        pipe.send(job)
    except OSError:
        return  # the worker has died; so there is no answer either


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """Let processes that start meanwhile have so many threads, unless the user says how many."""
    if THREADS in os.environ:
        yield
        return
    os.environ[THREADS] = str(count)
    try:
        yield
    finally:
        os.environ.pop(THREADS, None)


def _serve(pipe: Connection, make: Callable[[], JobRunner]) -> None:
    """In the worker: do jobs until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent reports an interruption
    threading.Thread(target=_end_with_parent, daemon=True).start()
    runner = make()
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        pipe.send(runner.run(job))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
