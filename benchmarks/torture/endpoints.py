"""Endpoints that stall, flood, redirect or answer nonsense."""

from __future__ import annotations

import gzip
import json
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

from evalmark.conversations.agents import endpoints
from evalmark.conversations.agents.endpoints import HttpCompleter
from evalmark.schemas.errors import AgentError

#: Seconds that an attempt may take here.
TIMEOUT = 1.0
Answer = Callable[[socket.socket], object]


def _whole(content: bytes, *headers: str, status: str = "200 OK") -> Answer:
    head = "\r\n".join((f"HTTP/1.1 {status}", f"Content-Length: {len(content)}", *headers, "", ""))
    return lambda stream: stream.sendall(head.encode("latin-1") + content)


def _reply(message: object, **usage: object) -> bytes:
    return json.dumps({"choices": [{"message": {"content": message}}], "usage": usage}).encode()


def _slow(first: bytes) -> Answer:
    """One byte after the other, for ever."""

    def answer(stream: socket.socket) -> None:
        stream.sendall(first)
        while True:
            time.sleep(0.2)
            stream.sendall(b" ")

    return answer


def _flood(stream: socket.socket) -> None:
    stream.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        stream.sendall(b" " * 65536)


_OK = b"HTTP/1.1 200 OK\r\n"
#: What an endpoint does -> its answer.
ANSWERS: dict[str, Answer] = {
    "says nothing": lambda _: time.sleep(30),
    "hangs up": lambda stream: stream.close(),
    "one byte a time": _slow(_OK + b"Content-Length: 1000\r\n\r\n"),
    "headers without end": _slow(_OK + b"X: "),
    "chunks without end": _slow(_OK + b"Transfer-Encoding: chunked\r\n\r\n"),
    "a flood": _flood,
    "a header of 1 MB": lambda stream: stream.sendall(_OK + b"X: " + b"x" * 10**6),
    "a gzip bomb": _whole(gzip.compress(b" " * 10**8), "Content-Encoding: gzip"),
    "a cut answer": lambda stream: stream.sendall(_OK + b"Content-Length: 99\r\n\r\n{"),
    "no HTTP": lambda stream: stream.sendall(b"\x00\xff\x1b[31m\r\n\r\n"),
    "no JSON": _whole(b"<html>"),
    "deep JSON": _whole(b"[" * 100_000),
    "JSON of UTF-16": _whole(_reply("x").decode().encode("utf-16")),
    "a list": _whole(b"[]"),
    "no choices": _whole(b'{"choices": []}'),
    "a number as reply": _whole(_reply(3)),
    "half a character": _whole(_reply("\ud800")),
    "an escape": _whole(_reply("\x1b[31m\n::set-env name=A::b")),
    "tokens as words": _whole(_reply("x", prompt_tokens="x")),
    "tokens without end": _whole(_reply("x").replace(b"{}", b'{"prompt_tokens": 1e999}')),
    "a redirect": _whole(b"", "Location: http://127.0.0.1:1/", status="302 Found"),
    "a reason with a line feed": _whole(b"", status="500 a\x1b[31mb ::error::c"),
    "retry after a date": _whole(b"", "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT", status="429 x"),
    "retry after nonsense": _whole(b"", "Retry-After: nan", status="503 Wait"),
    "retry after years": _whole(b"", "Retry-After: 1e308", status="503 Wait"),
}  # fmt: skip


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """An endpoint that gives an answer to everybody; its URL."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    stream, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=_answered, args=(stream, answer), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"


def _answered(stream: socket.socket, answer: Answer) -> None:
    with stream, suppress(OSError):
        stream.recv(65536)
        answer(stream)
        with suppress(OSError):
            stream.shutdown(socket.SHUT_WR)


def asked(answer: Answer) -> tuple[str, float]:
    """How asking an endpoint ends, and after how many seconds."""
    began = time.monotonic()
    with serving(answer) as url:
        completer = HttpCompleter(url, "m", timeout=TIMEOUT, attempts=2, pause=0.0)
        try:
            reply = completer.complete(
                [{"role": "user", "content": "x"}], temperature=0.0, max_tokens=5
            )
            reply.text.encode("utf-8")
            said = "a reply"
        except AgentError as error:
            said = f"refused: {error}"
    return said, time.monotonic() - began


def ended(answer: Answer) -> tuple[str, float]:
    """How asking an endpoint ends, with an exception or without end too, and after which time."""
    try:
        said, seconds = asked(answer)
    except Exception as error:
        return f"traceback: {error!r}", 0.0
    if seconds > 2 * TIMEOUT + 15:  # these answers have no end; machines may be busy
        said = f"hang: {said}"
    return said, seconds


def hostile_endpoints() -> Iterator[tuple[str, str, float]]:
    """What each endpoint does, how it ends and after how many seconds."""
    longest, endpoints.LONGEST_PAUSE = endpoints.LONGEST_PAUSE, 0.1
    try:
        with ThreadPoolExecutor(4) as pool:  # those that say nothing are waited for together
            for name, (said, seconds) in zip(
                ANSWERS, pool.map(ended, ANSWERS.values()), strict=True
            ):
                yield name, said, seconds
    finally:
        endpoints.LONGEST_PAUSE = longest


def main() -> None:
    """Print what becomes of each endpoint."""
    with tempfile.TemporaryDirectory():
        for name, said, seconds in hostile_endpoints():
            print(f"{name:28} {seconds:5.1f} s  {said[:150]!r}")


if __name__ == "__main__":
    main()
