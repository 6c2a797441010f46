"""Connections to the server: fewer than it may open files, and none that asks nothing for long."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any

from evalmark.validator.io.terminal import print_note
from uvicorn.protocols.http.h11_impl import H11Protocol

#: Files that the server would like to have open at most.
FILES = 4096
#: Seconds in which a connection has to send the whole head of its next request.
PATIENCE = 10.0


#: Print a line once only: where nobody reads, a full pipe would stop the server.
say_once = cache(print_note)


@cache
def most_connections() -> int:
    """Half of the files that may be open, once their limit is raised as far as it may be.

    The others are what the server reads, and what asyncio has accepted and not shown to us.
    """
    if sys.platform == "win32":
        return FILES // 2
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return files // 2


def report_failure(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Print one line about all connections that fail for one reason, and not their tracebacks."""
    error = context.get("exception")
    if isinstance(error, OSError):
        say_once(f"note: {context['message']}: {error.strerror}")
    else:
        loop.default_exception_handler(context)


class BoundedProtocol(H11Protocol):
    """A connection; if there are too many, the least important one is closed."""

    #: When it began to wait for its next request.
    since = 0.0
    was_answered = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room for this connection."""
        super().connection_made(transport)
        self.since = self.loop.time()
        others = open_connections(self.connections)
        if len(others) > most_connections():
            say_once("note: too many connections are open: the oldest idle ones are closed")
            min(others, key=lambda other: other.importance).transport.abort()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.since = self.loop.time()
        self.was_answered = True
        super().on_response_complete()

    @property
    def is_waiting(self) -> bool:
        """True unless a request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def importance(self) -> tuple[bool, bool, float]:
        """An answered connection is the page's: requests of others are refused and closed."""
        return not self.is_waiting, self.was_answered, self.since


def open_connections(connections: Iterable[object]) -> list[BoundedProtocol]:
    """Connections of a server that are not being closed."""
    ours = (connection for connection in connections if isinstance(connection, BoundedProtocol))
    return [connection for connection in ours if not connection.transport.is_closing()]


def close_late(connections: Iterable[object]) -> None:
    """Close connections whose next request did not come in time."""
    for connection in open_connections(connections):
        if connection.is_waiting and connection.loop.time() - connection.since > PATIENCE:
            connection.transport.abort()  # also if nobody reads what was written to it
