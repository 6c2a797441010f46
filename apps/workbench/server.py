"""The server: Starlette in front of the routes, a guard for every request, and uvicorn."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import Awaitable, Callable, Mapping
from hmac import compare_digest
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import RequestRefused, UsageError
from evalmark.validator.io.escaping import json_text
from evalmark.validator.io.opening import read_whole
from evalmark.workbench.request_values import RequestValues, body_of, refusal
from evalmark.workbench.routes import ROUTES, Workbench
from evalmark.workbench.served_folder import LARGEST, ServedFolder
from evalmark.workbench.static_site.page_files import INDEX, TYPES, page_files, policy
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The header that has the token.
TOKEN = "x-evalmark-token"  # noqa: S105 - the name of a header
TOO_LARGE = f"a request has at most {LARGEST >> 20} MiB"
POLICY = policy("'self'", "frame-ancestors 'none'")
#: Headers of every answer: a browser loads nothing from elsewhere, and guesses no type.
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

    ``token`` is the secret of the page. ``hosts`` have their port, as browsers write them: another
    host is a page elsewhere whose name was pointed at this machine.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: frozenset[str]) -> None:
        self.app, self.token, self.hosts = app, token, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        headers = _headers(scope)
        refused = None if headers is None else self._refused(scope, headers)
        if headers is None:
            await _refuse(send, 400, "a header is there twice")
        elif refused:
            await _refuse(send, *refused)
        else:
            await self._pass(scope, receive, send)

    def _refused(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
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
        token = headers.get(TOKEN, "").encode()
        if not compare_digest(token, self.token.encode()):
            return 401, "the token is missing or wrong: open the address that evalmark serve prints"
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        if scope["method"] == "POST" and media_type != "application/json":
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
                headers = [pair for pair in message["headers"] if pair[0].decode() not in HEADERS]
                message["headers"] = [*headers, *_HEADERS]
            await send(message)

        await self.app(scope, received, sent)


def _headers(scope: Scope) -> dict[str, str] | None:
    """The headers of a request; None if one that counts here is there twice."""
    values: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in values and key in ("host", "origin", TOKEN, "content-length"):
            return None
        values[key] = value.decode("latin-1")
    return values


async def _refuse(send: Send, status: int, reason: str) -> None:
    body = json.dumps({"error": reason}).encode()
    # A connection that stays open is one of the page.
    close = [(b"connection", b"close")] if status in (403, 421) else []
    start: dict[str, Any] = {
        "type": "http.response.start",
        "status": status,
        "headers": [(b"content-type", b"application/json"), *close, *_HEADERS],
    }
    await send(start)
    await send({"type": "http.response.body", "body": body})


HOST = "127.0.0.1"
#: The port that is tried first, and how many after it.
PORT, MORE = 8765, 20


def app_of(bench: Workbench, token: str, port: int) -> Guard:
    """The application; it answers only requests to this port."""
    routes = [
        Route(path, _endpoint(bench, function), methods=[method])
        for (method, path), function in ROUTES.items()
    ]
    page = [Route("/", _index), Route("/page/{name:path}", _page)]
    inner = Starlette(routes=[*routes, *page], exception_handlers={HTTPException: _http})
    names = {f"{name}:{port}" for name in (HOST, "localhost")}
    names |= {HOST, "localhost"} if port == 80 else set()
    return Guard(inner, token, frozenset(names))


def _endpoint(
    bench: Workbench, function: Callable[[Workbench, RequestValues], Any]
) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        values = {**request.query_params, **request.path_params}
        try:
            if request.method == "POST":
                values |= body_of(await request.body())
            return _json(await run_in_threadpool(function, bench, RequestValues(values)))
        except Exception as error:  # a bug of ours too; the server continues
            return _json(*_refusal(bench.folder, error))

    return answer


def _refusal(folder: ServedFolder, error: Exception) -> tuple[dict[str, Any], int]:
    """The answer to a failed request, without the place of the folder on this machine."""
    answer, status = refusal(error)
    return {**answer, "error": folder.relative(answer["error"])}, status


def _json(data: Any, status: int = 200) -> Response:
    return Response(json_text(data, whole=True), status, media_type="application/json")


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    reasons = {404: f"there is no {request.url.path}", 405: "not with this method"}
    return _json({"error": reasons.get(error.status_code, error.detail)}, error.status_code)


async def _index(_: Request) -> Response:
    return _static(INDEX)


async def _page(request: Request) -> Response:
    file = page_files().get(request.path_params["name"])
    if file is None:
        raise HTTPException(404)
    return _static(file)


def _static(path: Path) -> Response:
    # Without a media type Starlette adds none of its own.
    return Response(read_whole(path), headers={"content-type": TYPES[path.suffix]})


def listen(port: int | None) -> socket.socket:
    """A socket on this machine, on a port or the first free one; UsageError if it is taken."""
    ports = [port] if port is not None else [*range(PORT, PORT + MORE), 0]
    for number in ports:
        # asyncio sends small answers at once only over sockets that name the protocol.
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, number))
            listening.listen()  # until then another server could bind the same port
        except OSError:
            listening.close()
            continue
        return listening
    raise UsageError(f"port {port} is taken: without --port, a free one is found")


def serve(root: str, port: int | None, started: Callable[[str], object]) -> None:
    """Serve a folder until the process is interrupted; raises UsageError if the port is taken.

    ``started`` is called with the address of the page, which has the token.
    """
    import uvicorn
    from evalmark.workbench.connections import BoundedProtocol, close_late, report_failure

    listening = listen(port)
    number = listening.getsockname()[1]
    token = secrets.token_urlsafe(24)
    bench = Workbench.of(root)
    app = app_of(bench, token, number)
    config = uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="off",
        http=BoundedProtocol,
        backlog=32,  # asyncio accepts so many at once, before we see the first of them
        timeout_graceful_shutdown=3,
    )

    class Server(uvicorn.Server):
        """Says where it is once it answers, and ends what it waits for before it ends."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            asyncio.get_running_loop().set_exception_handler(report_failure)
            await super().startup(sockets)
            listening.listen(1024)  # those that asyncio accepts later wait, and are not refused
            started(f"http://{HOST}:{number}/?token={token}")

        async def on_tick(self, counter: int) -> bool:
            close_late(self.server_state.connections)
            return await super().on_tick(counter)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await run_in_threadpool(bench.close)
            await super().shutdown(sockets)

    Server(config).run(sockets=[listening])
