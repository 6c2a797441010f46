"""Pieces of work shared among processes, of this machine or of a Ray cluster.

Results come in the order of the pieces. No result is lost when a worker dies: its pieces are tried
again, each in a process of its own. If that process dies too, ``died`` makes the result of the
piece. A cluster gets only names of functions and plain data: each of its machines needs evalmark,
and the files under the same paths.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import chdir, contextmanager
from importlib import import_module
from itertools import islice
from tempfile import TemporaryDirectory
from typing import Any, Generic, NamedTuple, TypeVar

from evalmark.schemas.errors import ClusterError, require
from evalmark.validator.io.processes import no_modules_of_the_folder

Piece = TypeVar("Piece")
Result = TypeVar("Result")

#: Batches in progress for each worker, or processor of a cluster.
AHEAD = 3
#: Objects that may be left over before a search for reference cycles, which takes as long as the
#: check of ten files.
LEFT_OVER = 100_000


class Done(NamedTuple, Generic[Piece, Result]):
    """A piece of work and its result."""

    piece: Piece
    result: Result


def in_processes(
    pieces: Iterable[Piece],
    work: Callable[[Piece], Result],
    died: Callable[[Piece, str], Result],
    processes: int,
    *,
    batch: int = 32,
) -> Iterator[Done[Piece, Result]]:
    """Do pieces of work in worker processes.

    Args:
        pieces: Read lazily, as workers become free.
        work: Piece → result; all three must be picklable.
        died: Piece and cause of death → result, for a piece that killed its process.
        processes: Number of workers.
        batch: Pieces sent to a worker at a time.
    """
    remaining = iter(pieces)
    under_way: deque[tuple[list[Piece], Future[Any]]] = deque()
    context = _context()
    with (
        no_modules_of_the_folder(context),
        ProcessPoolExecutor(processes, context, _begin) as pool,
    ):
        broken = False
        while taken := list(islice(remaining, batch)):
            if not broken:
                try:
                    under_way.append((taken, pool.submit(do_batch, work, taken)))
                except BrokenProcessPool:
                    broken = True
            if broken:
                while under_way:
                    yield from _results(*under_way.popleft(), work, died)
                yield from (_alone(piece, work, died) for piece in taken)
            elif len(under_way) > processes * AHEAD:
                yield from _results(*under_way.popleft(), work, died)
        while under_way:
            yield from _results(*under_way.popleft(), work, died)


def _context() -> Any:
    # On other systems, a process with threads (system libraries start some) cannot be forked.
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def _begin() -> None:
    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent reports an interruption


def do_batch(work: Callable[[Piece], Result], pieces: list[Piece]) -> list[Result]:
    """Do pieces of work in this process."""
    results = [work(piece) for piece in pieces]
    if gc.get_count()[0] > LEFT_OVER:
        gc.collect()
    return results


def _results(
    pieces: list[Piece],
    future: Future[Any],
    work: Callable[[Piece], Result],
    died: Callable[[Piece, str], Result],
) -> Iterator[Done[Piece, Result]]:
    try:
        yield from map(Done, pieces, future.result())
    except BrokenProcessPool:
        yield from (_alone(piece, work, died) for piece in pieces)


def _alone(
    piece: Piece, work: Callable[[Piece], Result], died: Callable[[Piece, str], Result]
) -> Done[Piece, Result]:
    context = _context()
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, work, piece))
    process.start()
    sender.close()
    try:
        result = receiver.recv()
    except EOFError:
        process.join()
        code = process.exitcode
        cause = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        result = died(piece, cause)
    process.join()
    return Done(piece, result)


def _send(sender: Any, work: Callable[[Piece], Result], piece: Piece) -> None:
    sender.send(work(piece))
    sender.close()


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
    cpus: float = 1,
    gpus: float = 0,
) -> Generator[Done[Piece, Result]]:
    """Do pieces of work on a cluster; results come in the order of the pieces.

    Ray repeats a batch whose process or machine is lost. If that fails, each piece is tried alone,
    and ``died`` makes the result of a piece that is lost again. Batches start small, so that little
    work still reaches the whole cluster, and grow to ``batch`` pieces. ``cpus`` and ``gpus`` are
    those of a batch; batches may share a GPU. The other arguments are those of ``in_processes``.
    """
    call = (os.getcwd(), ray.put(work))  # sent to each machine once
    remote = ray.remote(_batch).options
    task, alone = (
        remote(max_retries=retries, num_cpus=cpus, num_gpus=gpus) for retries in (RETRIES, 0)
    )
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
                    (result,) = ray.get(alone.remote(*call, [piece]))
                except lost as error:
                    result = died(piece, type(error).__name__)
                yield Done(piece, result)
            return
        yield from map(Done, taken, results)

    for taken in batches(pieces, batch, most):
        under_way.append((taken, task.remote(*call, taken)))
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
