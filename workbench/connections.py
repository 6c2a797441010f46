"""Connections to the server: no more than it can hold, and none that sends nothing for long."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

#: Connections at a time. A browser opens six to a host.
MOST = 64
#: Seconds in which a connection has to send the whole head of its next request.
PATIENCE = 10.0


class BoundedProtocol(H11Protocol):
    """A connection that is closed if its next request does not come in time.

    If there are too many, the one that has waited longest gives its place to the new one.
    """

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()
        others = [c for c in self.connections if not c.transport.is_closing()]
        if len(others) > MOST:
            waiting = [
                connection
                for connection in others
                if isinstance(connection, BoundedProtocol) and connection.is_waiting
            ]
            min(waiting, key=lambda connection: connection.deadline).abort()

    def handle_events(self) -> None:
        """A request that is being answered takes as long as it takes."""
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting: the connection is lost."""
        self._stop_waiting()
        super().connection_lost(exc)

    @property
    def is_waiting(self) -> bool:
        """True if no request is being answered."""
        return self._deadline is not None

    @property
    def deadline(self) -> float:
        """The end of the waiting, in the time of the event loop."""
        return self._deadline.when() if self._deadline else float("inf")

    def abort(self) -> None:
        """Close the connection, also if nobody reads what was written to it."""
        self.transport.abort()

    def _wait(self) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(PATIENCE, self.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
