"""A built site behind a plain web server, which says the strictest things that static hosts can."""

import functools
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from evalmark.workbench.static_site.site_build import POLICY


class _Handler(SimpleHTTPRequestHandler):
    def end_headers(self):
        # A policy in the page does not reach its worker; a header does.
        self.send_header("content-security-policy", POLICY)
        self.send_header("x-content-type-options", "nosniff")
        super().end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def hosted(folder, handler=_Handler):
    """The address of a folder."""
    handler = functools.partial(handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
