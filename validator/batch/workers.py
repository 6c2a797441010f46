"""Pieces of work shared among processes, of this machine or of a Ray cluster.

Results come in the order of the pieces. No result is lost when a worker dies: its pieces are tried
again alone, each in a process of its own. If that process dies too, ``died`` makes the result of
the piece. A cluster gets only names of functions and plain data: each of its machines needs
evalmark, and the files under the same paths.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import chdir, contextmanager, suppress
from importlib import import_module
from itertools import islice
from multiprocessing.connection import Connection, wait
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Generic, NamedTuple, TypeVar

from evalmark.schemas.errors import ClusterError, require
from evalmark.validator.io.processes import START, nothing_of_the_caller

Piece = TypeVar("Piece")
Result = TypeVar("Result")

#: Batches whose results are awaited for each worker, or processor of a cluster.
AHEAD = 3
#: The variable that says how many threads torch has.
THREADS = "OMP_NUM_THREADS"
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
    is_new: bool = False,
) -> Generator[Done[Piece, Result]]:
    """Do pieces of work in worker processes, which end at once if the caller stops.

    Pieces are read lazily; pieces, ``work`` and results must be picklable. ``died`` makes the
    result of a piece that killed its process twice, from the cause. With ``is_new`` a worker is a
    new interpreter with its share of the processors: a copy of this one could not use the threads
    of torch.
    """
    remaining = iter(pieces)
    pool = _Pool(work, max(1, (os.cpu_count() or 1) // processes) if is_new else 0)
    under_way: dict[int, list[Piece]] = {}
    begun = done = 0
    try:
        while True:
            while len(pool.running) < processes and begun - done < AHEAD * processes:
                if not (taken := list(islice(remaining, batch))):
                    break
                pool.send(begun, taken)
                under_way[begun] = taken
                begun += 1
            if not under_way:
                return
            while done in pool.results:
                yield from map(Done, under_way.pop(done), pool.results.pop(done))
                done += 1
            pool.receive()
            while pool.lost and not pool.running:  # alone: memory may have been short
                number = pool.lost.pop()
                alone = [_run_alone(piece, pool.start, died) for piece in under_way[number]]
                pool.results[number] = alone
    finally:
        pool.kill()


class _Pool:
    def __init__(self, work: Callable[[Any], Any], threads: int) -> None:
        self.work, self.threads = work, threads
        self.started: list[_Worker] = []
        self.free: list[_Worker] = []
        self.running: dict[Connection, tuple[_Worker, int]] = {}
        self.results: dict[int, list[Any]] = {}
        self.lost: list[int] = []

    def start(self) -> _Worker:
        self.started.append(_Worker(self.work, self.threads))
        return self.started[-1]

    def send(self, number: int, pieces: list[Any]) -> None:
        worker = self.free.pop() if self.free else self.start()
        worker.send(pieces)
        self.running[worker.pipe] = worker, number

    def receive(self) -> None:
        for pipe in wait(list(self.running)) if self.running else ():
            worker, number = self.running.pop(pipe)  # type: ignore[call-overload]
            try:
                self.results[number] = worker.receive()
                self.free.append(worker)
            except EOFError:
                worker.end()
                self.lost.append(number)

    def kill(self) -> None:
        for worker in self.started:  # also one that an interruption has left without work
            worker.kill()


class _Worker:
    def __init__(self, work: Callable[[Any], Any], threads: int) -> None:
        context: Any = multiprocessing.get_context("spawn" if threads else START)
        self.pipe, theirs = context.Pipe()
        # Checks end with this process, whatever still refers to them; models have children.
        self.process = context.Process(target=_serve, args=(theirs, threads), daemon=not threads)
        with nothing_of_the_caller(context):
            self.process.start()
        theirs.close()
        # Not an argument of the process: what a new interpreter does not read before it dies would
        # be waited for without end.
        try:
            self.send(work)
        except Exception:  # it cannot be pickled
            self.kill()
            raise

    def send(self, what: object) -> None:
        with suppress(OSError):  # it has died; so there is no answer either
            self.pipe.send(what)

    def receive(self) -> list[Any]:
        """The results; raises EOFError if the process has died, or the error of the work."""
        try:
            answer = self.pipe.recv()
        except OSError as error:
            raise EOFError from error
        if isinstance(answer, Exception):
            raise answer
        return list(answer)

    def end(self) -> str:
        """End the process; what had ended it before, in words."""
        self.pipe.close()
        self.process.join(1)
        self.process.kill()
        self.process.join()
        code = self.process.exitcode
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def kill(self) -> None:
        self.process.kill()
        self.end()


def _run_alone(
    piece: Piece, start: Callable[[], _Worker], died: Callable[[Piece, str], Result]
) -> Result:
    worker = start()
    try:
        worker.send([piece])
        result: Result = worker.receive()[0]
    except EOFError:
        return died(piece, worker.end())
    finally:
        worker.kill()
    return result


def _serve(pipe: Connection, threads: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent reports an interruption
    Thread(target=_end_with_parent, daemon=True).start()
    if threads:
        os.environ.setdefault(THREADS, str(threads))
    else:
        gc.disable()
    with suppress(EOFError, OSError):
        work = pipe.recv()
        while True:
            pieces = pipe.recv()
            try:
                answer: object = do_batch(work, pieces)
            except Exception as error:
                answer = error
            pipe.send(answer)


def _end_with_parent() -> None:
    """Leave no process that writes to the folders of a killed run."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def do_batch(work: Callable[[Piece], Result], pieces: list[Piece]) -> list[Result]:
    """Do pieces of work in this process."""
    results = [work(piece) for piece in pieces]
    if gc.get_count()[0] > LEFT_OVER:
        gc.collect()
    return results


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
    batch: int = 32,
    cpus: float = 1,
    gpus: float = 0,
) -> Generator[Done[Piece, Result]]:
    """Do pieces of work on a cluster; results come in the order of the pieces.

    Ray repeats a batch whose process or machine is lost. If that fails, each piece is tried alone,
    and ``died`` makes the result of a piece that is lost again. ``cpus`` and ``gpus`` are those of
    a batch; batches may share a GPU. The other arguments are those of ``in_processes``.
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

    remaining = iter(pieces)
    while taken := list(islice(remaining, batch)):
        under_way.append((taken, task.remote(*call, taken)))
        if len(under_way) > most:
            yield from finish(*under_way.popleft())
    while under_way:
        yield from finish(*under_way.popleft())


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
