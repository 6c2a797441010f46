"""Child processes that do what cannot be trusted: without the terminal, and with limits.

Work in this process has a limit of time: a signal interrupts it, wherever it is.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn, TypeVar

from evalmark.schemas.errors import TimeIsUp


def leave_parent(pipe: int) -> None:
    """Leave a parent its terminal, its signals and its files, except for a pipe to it."""
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent reports an interruption
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    if sys.platform == "linux":
        # A file that the parent has locked would stay so as long as this process has it open.
        os.closerange(3, pipe)
        os.closerange(pipe + 1, 1 << 20)


def limit_memory(size: int) -> None:
    """Let this process take so many bytes more than it has; only on Linux."""
    if sys.platform != "linux":
        return
    import resource

    with open("/proc/self/statm", "rb") as file:
        most = int(file.read().split()[0]) * resource.getpagesize() + size
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def end_after(seconds: int) -> None:
    """End this process after some seconds, whatever it does then; 0 to take that back."""
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)


@contextmanager
def no_modules_of_the_folder(context: Any) -> Iterator[None]:
    """Start processes of ``multiprocessing`` that import nothing from the current folder.

    One that is not forked would look for modules there first: with ``multiprocessing`` itself.
    """
    name = "PYTHONSAFEPATH"
    if context.get_start_method() == "fork" or name in os.environ:
        yield
        return
    os.environ[name] = "1"
    try:
        yield
    finally:
        os.environ.pop(name, None)


Result = TypeVar("Result")


def can_be_limited() -> bool:
    """True if this thread can be interrupted: the main one, on Unix, whose timer is not in use."""
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getitimer(signal.ITIMER_REAL)[0] == 0
        and signal.getsignal(signal.SIGALRM) is not None
    )


def limited(work: Callable[[], Result], seconds: float) -> Result:
    """Do work, no longer than some seconds; see ``can_be_limited``.

    Raises:
        TimeIsUp: It takes longer.
    """

    def ring(_: int, __: FrameType | None) -> NoReturn:
        raise TimeIsUp

    former = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return work()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, former)
