"""What every request has to pass: host, origin, token, size; and what every answer says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hmac import compare_digest
from typing import Any

from evalmark.schemas.errors import RequestRefused
from evalmark.workbench.folder import LARGEST
from evalmark.workbench.static_site.page_files import policy
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The header that has the token.
TOKEN = "x-evalmark-token"  # noqa: S105 - the name of a header
TOO_LARGE = f"a request has at most {LARGEST >> 20} MiB"
POLICY = policy("'self'", "frame-ancestors 'none'")
#: What every answer says: a browser loads nothing from elsewhere, and guesses no type.
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """Lets requests of the served page pass, and nobody else's.

    Attributes:
        app: What answers.
        token: The secret of the page.
        hosts: Hosts with their port, as browsers write them. Another host is a page elsewhere
            whose name was pointed at this machine.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: frozenset[str]) -> None:
        self.app, self.token, self.hosts = app, token, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = _headers(scope)
        refused = None if headers is None else self._refused(scope, headers)
        if headers is None:
            await _refuse(send, 400, "a header is there twice")
        elif refused:
            await _refuse(send, *refused)
        else:
            await self._pass(scope, receive, send)

    def _refused(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Status and reason; None if the request may pass."""
        if headers.get("host", "").lower() not in self.hosts:
            return 421, "this server answers only under its own address"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in {f"http://{host}" for host in self.hosts}:
            return 403, "another page asks"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and (
            scope["path"] != "/"  # a link to the page may be anywhere
        ):
            return 403, "another page asks"
        if not scope["path"].startswith("/api/"):
            return None
        given = headers.get(TOKEN, "").encode()
        if not compare_digest(given, self.token.encode()):
            return 401, "the token is missing or wrong: open the address that evalmark serve prints"
        if scope["method"] == "POST" and _media_type(headers) != "application/json":
            return 415, "requests are JSON: content-type has to be application/json"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST:
            return 413, TOO_LARGE
        return None

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        size = 0

        async def received() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > LARGEST:
                raise RequestRefused(TOO_LARGE, status=413)
            return message

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [pair for pair in message["headers"] if pair[0].decode() not in HEADERS]
                message["headers"] = [*own, *_HEADERS]
            await send(message)

        await self.app(scope, received, sent)


def _headers(scope: Scope) -> dict[str, str] | None:
    """The headers of a request; None if one that counts here is there twice."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", TOKEN, "content-length"):
            return None
        found[key] = value.decode("latin-1")
    return found


def _media_type(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


async def _refuse(send: Send, status: int, reason: str) -> None:
    body = json.dumps({"error": reason}).encode()
    start: dict[str, Any] = {
        "type": "http.response.start",
        "status": status,
        "headers": [(b"content-type", b"application/json"), *_HEADERS],
    }
    await send(start)
    await send({"type": "http.response.body", "body": body})
