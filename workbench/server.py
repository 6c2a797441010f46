"""The server: Starlette in front of the routes, and uvicorn on this machine only."""

from __future__ import annotations

import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import EvalmarkError, UsageError
from evalmark.validator.edge.escaping import json_text
from evalmark.validator.edge.opening import read_whole
from evalmark.workbench.folder import ServedFolder
from evalmark.workbench.guard import Guard
from evalmark.workbench.requests import RequestValues, body_of, refusal
from evalmark.workbench.routes import ROUTES, Workbench
from evalmark.workbench.static_site.page_files import INDEX, TYPES, page_files
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

HOST = "127.0.0.1"
#: The port that is tried first, and how many after it.
PORT, MORE = 8765, 20


def app_of(bench: Workbench, token: str, port: int) -> Guard:
    """The application; it answers only requests to this port."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            bench.close()

    async def sentence(_: Request, error: Exception) -> Response:
        """A request that is refused before a route answers it."""
        return _json(*_refusal(bench.folder, error))

    routes = [
        Route(path, _endpoint(bench, function), methods=[method])
        for (method, path), function in ROUTES.items()
    ]
    page = [Route("/", _index), Route("/page/{name:path}", _page)]
    inner = Starlette(
        routes=[*routes, *page],
        lifespan=lifespan,
        exception_handlers={EvalmarkError: sentence, HTTPException: _http},
    )
    names = {f"{name}:{port}" for name in (HOST, "localhost")}
    names |= {HOST, "localhost"} if port == 80 else set()
    return Guard(inner, token, frozenset(names))


def _endpoint(
    bench: Workbench, function: Callable[[Workbench, RequestValues], Any]
) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        values = {**request.query_params, **request.path_params}
        if request.method == "POST":
            values |= body_of(await request.body())
        try:
            return _json(await run_in_threadpool(function, bench, RequestValues(values)))
        except Exception as error:  # a bug of ours too; the server goes on
            return _json(*_refusal(bench.folder, error))

    return answer


def _refusal(folder: ServedFolder, error: Exception) -> tuple[dict[str, Any], int]:
    """What a failed request is answered, without the place of the folder on this machine."""
    answer, status = refusal(error)
    return {**answer, "error": folder.relative(answer["error"])}, status


def _json(data: Any, status: int = 200) -> Response:
    return Response(json_text(data), status, media_type="application/json")


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    reasons = {404: f"there is no {request.url.path}", 405: "not with this method"}
    return _json({"error": reasons.get(error.status_code, error.detail)}, error.status_code)


async def _index(_: Request) -> Response:
    return _static(INDEX)


async def _page(request: Request) -> Response:
    found = page_files().get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return _static(found)


def _static(path: Path) -> Response:
    # Without a media type Starlette adds none of its own.
    return Response(read_whole(path), headers={"content-type": TYPES[path.suffix]})


def listen(port: int | None) -> socket.socket:
    """A socket on this machine: on a port, or on the first free one if none is asked for.

    Raises:
        UsageError: The port is taken.
    """
    wanted = [port] if port is not None else [*range(PORT, PORT + MORE), 0]
    for one in wanted:
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((HOST, one))
            found.listen()  # until then another server could bind the same port
        except OSError:
            found.close()
            continue
        return found
    raise UsageError(f"port {port} is taken: without --port, a free one is found")


def serve(root: str, port: int | None, started: Callable[[str], object]) -> None:
    """Serve a folder until the process is interrupted.

    Args:
        root: The folder.
        port: The port; None for a free one.
        started: Called with the address of the page, which has the token.

    Raises:
        UsageError: The port is taken.
    """
    import uvicorn
    from evalmark.workbench.connections import MOST, BoundedProtocol

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
        http=BoundedProtocol,
        backlog=MOST,  # connections that are accepted before the first of them is looked at
        timeout_graceful_shutdown=3,
    )

    class Server(uvicorn.Server):
        """Says where it is once it answers, and ends what it waits for before it ends."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            started(f"http://{HOST}:{number}/?token={token}")

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await run_in_threadpool(bench.close)
            await super().shutdown(sockets)

    Server(config).run(sockets=[listening])
