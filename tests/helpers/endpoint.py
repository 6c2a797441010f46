"""An endpoint of a language model on this machine, for tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Endpoint:
    """A server on this machine: its answers come in order, or from the path and the body."""

    def __init__(self, answers):
        given = iter(() if callable(answers) else answers)
        self.answer = answers if callable(answers) else lambda *_: next(given)
        self.seen = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or "{}")
                endpoint.seen.append((self.path, self.headers.get("Authorization"), body))
                status, said = endpoint.answer(self.path, body)
                if status is None:
                    self.connection.close()
                    return
                raw = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.send_header("Retry-After", "0")
                self.end_headers()
                self.wfile.write(raw)

            def do_GET(self):
                self.do_POST()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        host, port = self.server.server_address
        self.url = f"http://{host}:{port}/v1"
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def said(text, read=10, written=5):
    usage = {"prompt_tokens": read, "completion_tokens": written}
    return {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage}


def forever(text) -> Iterator:
    while True:
        yield 200, said(text)
