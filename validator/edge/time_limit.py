"""A limit of time for work in this process: it is interrupted by a signal, wherever it is."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import NoReturn, TypeVar

from evalmark.schemas.errors import TimeIsUp

Result = TypeVar("Result")


def can_be_limited() -> bool:
    """Whether this thread can be interrupted: the main one, on Unix, whose timer is not in use."""
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
