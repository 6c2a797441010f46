"""The process that checks: how many processors it may use, and its memory."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager


def processors() -> int:
    """Processors that this process may use: in a container often fewer than there are."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


@contextmanager
def no_collection() -> Iterator[None]:
    """No search for reference cycles: documents are trees, and a search takes long."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()
