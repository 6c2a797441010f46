"""Jobs on the actors of a Ray cluster.

Functions of this package are sent by name, together with plain data: every machine of the cluster
needs evalmark installed, and the files under the same paths.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from evalmark.schemas.errors import ClusterError

Job = TypeVar("Job")

#: How often Ray restarts an actor that is lost.
RETRIES = 3


class _Actor:
    """Does jobs on a machine of the cluster."""

    def __init__(self, make: Callable[[], Any], folder: str) -> None:
        if Path(folder).is_dir():
            os.chdir(folder)  # paths are sent as the user wrote them
        self._doer = make()

    def run(self, job: Any, shared: Any) -> Any:
        return self._doer.run(job, shared)


def on_actors(
    ray: Any, jobs: list[Job], make: Callable[[], Any], shared: Any, *, cpus: float, gpus: float
) -> Iterator[tuple[Job, Any]]:
    """Do jobs on as many actors as the cluster has room for; results in the order of the jobs.

    ``make`` is a class whose method ``run`` does a job with ``shared``, which is sent to each
    machine once. ``cpus`` and ``gpus`` are those of an actor; actors may share a GPU.

    Yields:
        Each job and its result, or the error if it failed or its actor was lost too often.

    Raises:
        ClusterError: There is no room for a single actor.
    """
    has = ray.cluster_resources()
    room = len(jobs)
    for name, need in (("CPU", cpus), ("GPU", gpus)):
        there = has.get(name, 0)
        if there < need:
            raise ClusterError(f"each model needs {need:g} {name}s, but the cluster has {there:g}")
        room = min(room, int(there // need)) if need else room
    actor = ray.remote(_Actor).options(
        num_cpus=cpus, num_gpus=gpus, max_restarts=RETRIES, max_task_retries=RETRIES
    )
    how = (make, str(Path.cwd()))
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
            free.append(worker)
        except ray.exceptions.RayError as error:
            results[index] = error
            free.append(actor.remote(*how))
        while told in results:
            yield jobs[told], results.pop(told)
            told += 1
