"""Work on a Ray cluster, in batches.

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
