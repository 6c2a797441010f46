"""Child processes that do what cannot be trusted: without the terminal, and with limits."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

#: How processes start. On other systems, one with threads (system libraries start some) cannot be
#: forked.
START = "fork" if sys.platform == "linux" else "spawn"


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
def nothing_of_the_caller(context: Any) -> Iterator[None]:
    """Start processes of ``multiprocessing`` without modules of the current folder, or a script.

    One that is not forked would look for modules there first: with ``multiprocessing`` itself. Then
    it would run the script of this process, which may load a model at once.
    """
    if context.get_start_method() == "fork":
        yield
        return
    name, main = "PYTHONSAFEPATH", sys.modules["__main__"]
    is_set = name in os.environ
    os.environ.setdefault(name, "1")
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        if not is_set:
            os.environ.pop(name, None)
