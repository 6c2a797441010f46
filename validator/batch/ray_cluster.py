"""Work on a Ray cluster: pieces in batches, and jobs on actors that keep what is dear to load.

What is sent are functions of this package by name, and plain data: each machine of the cluster has
evalmark installed, and sees the files under the same paths.
"""

from __future__ import annotations

import gc
import os
from collections import deque
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from evalmark.schemas.errors import ClusterError
from evalmark.schemas.extras import require
from evalmark.validator.batch.workers import Done, do_batch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Piece = TypeVar("Piece")
Result = TypeVar("Result")
Job = TypeVar("Job")

#: Batches that are under way for each processor of the cluster.
AHEAD = 3
#: Pieces in each of the first batches.
FIRST = 16
#: What Ray does by itself about a machine or a process that is lost.
RETRIES = 3


@contextmanager
def cluster(address: str | None) -> Iterator[Any]:
    """Ray, connected; without an address, a cluster of this machine that ends with the work.

    Raises:
        ClusterError: There is no Ray, or no cluster.
    """
    # Ray speaks of matters of its own, and sends statistics home unless it is told not to.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    require("ray")
    ray: Any = import_module("ray")
    local = {} if address else {"include_dashboard": False}
    try:
        ray.init(address=address or "local", log_to_driver=False, logging_level="error", **local)
    except (ConnectionError, ValueError, RuntimeError) as error:
        first = str(error).strip().partition("\n")[0]
        raise ClusterError(f"no Ray cluster at {address}: {first}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def in_ray(
    ray: Any,
    pieces: Iterable[Piece],
    work: Callable[[Piece], Result],
    died: Callable[[Piece, str], Result],
    *,
    batch: int = 256,
) -> Iterator[Done[Piece, Result]]:
    """Do pieces of work on a cluster; results come in the order of the pieces.

    A batch whose process or machine is lost is done again by Ray; if that does not help, each of
    its pieces by a task of its own, and one that is lost even so is what ``died`` makes of it.
    Batches begin small, so that all of the cluster has some of little work, and grow to ``batch``
    pieces. Arguments are those of ``in_processes``.
    """
    here = os.getcwd()
    task = ray.remote(_batch).options(max_retries=RETRIES)
    alone = ray.remote(_batch).options(max_retries=0)
    lost = (
        ray.exceptions.WorkerCrashedError,
        ray.exceptions.NodeDiedError,
        ray.exceptions.OutOfMemoryError,
    )
    how = (here, work)
    most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
    under_way: deque[tuple[list[Piece], Any]] = deque()

    def finish(taken: list[Piece], reference: Any) -> Iterator[Done[Piece, Result]]:
        try:
            results = ray.get(reference)
        except lost:
            for piece in taken:
                try:
                    (result,) = ray.get(alone.remote(*how, [piece]))
                except lost as error:
                    result = died(piece, type(error).__name__)
                yield Done(piece, result)
            return
        yield from map(Done, taken, results)

    for taken in batches(pieces, batch, most):
        under_way.append((taken, task.remote(*how, taken)))
        if len(under_way) > most:
            yield from finish(*under_way.popleft())
    while under_way:
        yield from finish(*under_way.popleft())


def batches(pieces: Iterable[Piece], largest: int, many: int) -> Iterator[list[Piece]]:
    """Batches of pieces: ``many`` of them small, as many of twice the size, and so on."""
    remaining = iter(pieces)
    size = min(FIRST, largest)
    while True:
        for _ in range(many):
            if not (batch := list(islice(remaining, size))):
                return
            yield batch
        size = min(2 * size, largest)


def in_this_ray(
    pieces: Iterable[Piece],
    work: Callable[[Piece], Result],
    died: Callable[[Piece, str], Result],
    *,
    batch: int,
) -> Iterator[Done[Piece, Result]]:
    """``in_ray`` for a piece of work that is on the cluster already, and too large for one process.

    As long as it waits, Ray counts its processor as free.
    """
    yield from in_ray(import_module("ray"), pieces, work, died, batch=batch)


def _batch(folder: str, work: Callable[[Any], Any], pieces: list[Any]) -> list[Any]:
    """A batch, in a process of Ray's: it may have done others before."""
    _enter(folder)
    gc.disable()
    return do_batch(work, pieces)


def _enter(folder: str) -> None:
    """Go where the user is: paths are sent as they were written."""
    if os.path.isdir(folder):
        os.chdir(folder)


class _Actor:
    """What does jobs on a machine of the cluster."""

    def __init__(self, make: Callable[[], Any], folder: str) -> None:
        _enter(folder)
        self._doer = make()

    def run(self, job: Any, shared: Any) -> Any:
        return self._doer.run(job, shared)


def on_actors(
    ray: Any, jobs: list[Job], make: Callable[[], Any], shared: Any, *, cpus: float, gpus: float
) -> Iterator[tuple[Job, Any]]:
    """Do jobs on actors, as many as the cluster has room for; results in the order of the jobs.

    Args:
        ray: Ray, connected.
        jobs: What is to be done.
        make: A class; its method ``run`` does a job, and may keep what the next one needs as well.
        shared: What ``run`` gets with every job; it is sent to each machine once.
        cpus: Processors of an actor.
        gpus: GPUs of an actor, which may share one.

    Yields:
        Each job and its result; the error, if there was one, or if its actor was lost more often
        than Ray puts up with.

    Raises:
        ClusterError: There is no room for a single actor.
    """
    has = ray.cluster_resources()
    room = len(jobs)
    for name, need in (("CPU", cpus), ("GPU", gpus)):
        there = has.get(name, 0)
        if there < need:
            raise ClusterError(
                f"a model asks for {need:g} {name}s, the whole cluster has {there:g}"
            )
        room = min(room, int(there // need)) if need else room
    actor = ray.remote(_Actor).options(
        num_cpus=cpus, num_gpus=gpus, max_restarts=RETRIES, max_task_retries=RETRIES
    )
    how = (make, os.getcwd())
    known = ray.put(shared)
    free = [actor.remote(*how) for _ in range(room)]
    waiting = deque(enumerate(jobs))
    running: dict[Any, tuple[int, Any]] = {}
    results: dict[int, Any] = {}
    told = 0
    while told < len(jobs):
        while waiting and free:
            index, job = waiting.popleft()
            worker = free.pop()
            running[worker.run.remote(job, known)] = index, worker
        (ready,), _ = ray.wait(list(running), num_returns=1)
        index, worker = running.pop(ready)
        try:
            results[index] = ray.get(ready)
            free.append(worker)
        except ray.exceptions.RayTaskError as error:
            results[index] = error.cause
            free.append(worker)  # it is as well as before
        except ray.exceptions.RayError as error:
            results[index] = error
            free.append(actor.remote(*how))
        while told in results:
            yield jobs[told], results.pop(told)
            told += 1
