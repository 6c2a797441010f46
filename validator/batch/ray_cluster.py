"""Work on a Ray cluster, in batches.

Only names of functions and plain data are sent: each machine of the cluster needs evalmark, and the
files under the same paths.
"""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, contextmanager
from importlib import import_module
from itertools import islice
from tempfile import TemporaryDirectory
from typing import Any

from evalmark.schemas.errors import ClusterError, require
from evalmark.validator.batch.workers import AHEAD, Done, Piece, Result, do_batch

#: Pieces in each of the first batches.
FIRST = 16
#: How often Ray repeats a batch whose machine or process was lost.
RETRIES = 3


@contextmanager
def cluster(address: str | None) -> Iterator[Any]:
    """Connect to Ray; without an address, start a cluster on this machine meanwhile.

    Raises:
        NotInstalledError: Ray is not installed.
        ClusterError: There is no cluster at the address.
    """
    # By default Ray prints its own hints and sends usage statistics.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    require("ray")
    ray: Any = import_module("ray")
    local = {} if address else {"include_dashboard": False}
    # Processes of Ray import from the folder in which it was started before any other, and only
    # data of the user is in the current one.
    with TemporaryDirectory(ignore_cleanup_errors=True) as empty:
        try:
            with chdir(empty):
                ray.init(
                    address=address or "local", log_to_driver=False, logging_level="error", **local
                )
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

    Ray repeats a batch whose process or machine is lost. If that fails, each piece is tried alone,
    and ``died`` makes the result of a piece that is lost again. Batches start small, so that little
    work still reaches the whole cluster, and grow to ``batch`` pieces. The other arguments are
    those of ``in_processes``.
    """
    how = (os.getcwd(), work)
    task = ray.remote(_batch).options(max_retries=RETRIES)
    alone = ray.remote(_batch).options(max_retries=0)
    lost = (
        ray.exceptions.WorkerCrashedError,
        ray.exceptions.NodeDiedError,
        ray.exceptions.OutOfMemoryError,
    )
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
    """Batches that grow: ``many`` small ones, as many of twice the size, and so on."""
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
    """``in_ray`` from inside a task of the cluster, whose work is too large for one process.

    Ray counts the processor of the waiting task as free.
    """
    yield from in_ray(import_module("ray"), pieces, work, died, batch=batch)


def _batch(folder: str, work: Callable[[Any], Any], pieces: list[Any]) -> list[Any]:
    """Do a batch in a process of Ray, in the folder of the caller: paths are sent as written."""
    if os.path.isdir(folder):
        os.chdir(folder)
    gc.disable()
    return do_batch(work, pieces)
