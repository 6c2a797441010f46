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

    If there are too many, one that waits gives its place to the new one: first those that were
    answered already, then those that have waited longest.
    """

    _deadline: asyncio.TimerHandle | None = None
    _is_answered = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()
        others = [c for c in self.connections if not c.transport.is_closing()]
        if len(others) > MOST:
            bounded = (other for other in others if isinstance(other, BoundedProtocol))
            min(bounded, key=lambda other: other.importance).transport.abort()

    def handle_events(self) -> None:
        """A request that is being answered takes as long as it takes."""
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._wait()
        self._is_answered = True
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting: the connection is lost."""
        self._stop_waiting()
        super().connection_lost(exc)

    @property
    def importance(self) -> tuple[bool, float]:
        """The least important connection makes room; one that is being answered is the most."""
        return not self._is_answered, self._deadline.when() if self._deadline else float("inf")

    def _wait(self) -> None:
        self._stop_waiting()
        # Aborted, it is closed even if nobody reads what was written to it.
        self._deadline = self.loop.call_later(PATIENCE, self.transport.abort)

    def _stop_waiting(self) -> None:
        self._is_answered = False
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
