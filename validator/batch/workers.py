"""Many pieces of work, shared out to several processes; results come in the order of the pieces.

A process that dies takes no result with it: what it had is done again, each piece by a process of
its own, and a piece that is the end of that one as well is what ``died`` makes of it.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

Piece = TypeVar("Piece")
Result = TypeVar("Result")

#: Batches that are under way for each process.
AHEAD = 3
#: Batches of a process after which cycles are looked for; it takes as long as some ten files.
COLLECTED = 16
_BATCHES = count(1)


class Done(NamedTuple, Generic[Piece, Result]):
    """A piece of work that was done.

    Attributes:
        piece: What was to be done.
        result: What came of it.
    """

    piece: Piece
    result: Result


#: What does pieces of work elsewhere: ``in_processes``, but for its ``processes``.
Share = Callable[..., Iterator[Done[Any, Any]]]


def in_processes(
    pieces: Iterable[Piece],
    work: Callable[[Piece], Result],
    died: Callable[[Piece, str], Result],
    processes: int,
    *,
    batch: int = 32,
) -> Iterator[Done[Piece, Result]]:
    """Do pieces of work in several processes.

    Args:
        pieces: What is to be done; taken as the work goes on.
        work: Piece → result; it must be possible to pickle it, and both of these.
        died: The result of a piece that ended the process, and how that ended.
        processes: How many.
        batch: Pieces that are sent to a process at a time.
    """
    remaining = iter(pieces)
    under_way: deque[tuple[list[Piece], Future[Any]]] = deque()
    with ProcessPoolExecutor(processes, _context(), _begin) as pool:
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
    # Elsewhere a process that has threads, as those of system libraries, may not be forked.
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def _begin() -> None:
    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # one process says goodbye, not all of them


def do_batch(work: Callable[[Piece], Result], pieces: list[Piece]) -> list[Result]:
    """Do some pieces in this process."""
    results = [work(piece) for piece in pieces]
    if next(_BATCHES) % COLLECTED == 0:
        gc.collect()
    return results


def _results(
    pieces: list[Piece],
    future: Future[Any],
    work: Callable[[Piece], Result],
    died: Callable[[Piece, str], Result],
) -> Iterator[Done[Piece, Result]]:
    try:
        results = future.result()
    except BrokenProcessPool:
        yield from (_alone(piece, work, died) for piece in pieces)
        return
    yield from map(Done, pieces, results)


def _alone(
    piece: Piece, work: Callable[[Piece], Result], died: Callable[[Piece, str], Result]
) -> Done[Piece, Result]:
    """One piece by a process of its own, whose end is not ours."""
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
