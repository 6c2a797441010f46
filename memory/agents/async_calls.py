"""Calls of code of users: coroutines are awaited, and prints go to stderr."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # 4 MB, which only coroutines need
    import asyncio


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop of all coroutines: clients of users belong to one loop."""
    import asyncio

    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="evalmark-async", daemon=True).start()
    return loop


def awaited(value: Any) -> Any:
    """The result of a call, or of the coroutine that it returned.

    The coroutine runs on an event loop in another thread, so this also works in a notebook, and
    where other threads wait for coroutines of their own.
    """
    if not inspect.isawaitable(value):
        return value

    import asyncio

    async def result() -> Any:
        return await value

    coroutine: Coroutine[Any, Any, Any] = result()
    return asyncio.run_coroutine_threadsafe(coroutine, _loop()).result()


_lock = Lock()
_redirections: list[Any] = []


@contextmanager
def prints_to_stderr() -> Iterator[None]:
    """Send what is printed to stderr, until the last of several threads has left."""
    with _lock:
        _redirections.append(sys.stdout)
        sys.stdout = sys.stderr
    try:
        yield
    finally:
        with _lock:
            first = _redirections[0]
            _redirections.pop()
            if not _redirections:
                sys.stdout = first
