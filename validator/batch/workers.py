"""Pieces of work shared among worker processes; results come in the order of the pieces.

No result is lost when a worker dies: its pieces are tried again, each in a process of its own. If
that process dies too, ``died`` makes the result of the piece.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from evalmark.validator.edge.processes import no_modules_of_the_folder

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
    """Do one piece in a process of its own."""
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
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        result = died(piece, how)
    process.join()
    return Done(piece, result)


def _send(sender: Any, work: Callable[[Piece], Result], piece: Piece) -> None:
    sender.send(work(piece))
    sender.close()
