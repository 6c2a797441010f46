"""Child processes that do what cannot be trusted: without the terminal, and with limits."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


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
