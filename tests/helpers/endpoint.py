"""An endpoint of a language model on this machine, for tests."""

import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Endpoint:
    """A server on this machine: its answers come in order, or from the path and the body.

    An answer is a status and its data, or what answers with the handler of the request.
    """

    def __init__(self, answers):
        given = iter(() if callable(answers) else answers)
        self.answer = answers if callable(answers) else lambda *_: next(given)
        self.seen = []
        self.over = threading.Event()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or "{}")
                endpoint.seen.append((self.path, self.headers.get("Authorization"), body))
                answer = endpoint.answer(self.path, body)
                if callable(answer):
                    self.over, self.close_connection = endpoint.over, True
                    with suppress(OSError):
                        answer(self)
                    return
                status, said = answer
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
        self.server.block_on_close = False
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)

    @property
    def bodies(self):
        """The data of each request."""
        return [body for _, _, body in self.seen]

    def __enter__(self):
        self.thread.start()
        host, port = self.server.server_address
        self.url = f"http://{host}:{port}/v1"
        return self

    def __exit__(self, *_):
        self.over.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def said(text, read=10, written=5):
    usage = {"prompt_tokens": read, "completion_tokens": written}
    return {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage}


def forever(text) -> Iterator:
    while True:
        yield 200, said(text)
