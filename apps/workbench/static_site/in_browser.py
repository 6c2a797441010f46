"""The answers of the workbench in a browser: what the server answers, without a server.

The files that are open are in a folder of Pyodide's file system; ``page/browser/`` keeps them in
the browser between visits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import parse_qsl

from evalmark.schemas.errors import RequestRefused
from evalmark.validator.io.escaping import json_text
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import write_atomically
from evalmark.workbench.file_routes import FILE_ROUTES
from evalmark.workbench.folder_listing import Browser
from evalmark.workbench.request_values import RequestValues, body_of, refusal
from evalmark.workbench.served_folder import LARGEST, ServedFolder

#: In the archive of the suites of a site: the folder of the files, and its runs as JSON.
FILES = "files"
RECORDED = "recorded.json"
ELSEWHERE = "only `evalmark serve` does this: models are not in this page"


class BrowserAnswers:
    """Answers about the files of a folder."""

    def __init__(self, root: str, site: str | None = None) -> None:
        """The answers about a folder.

        ``site`` has the unpacked suites of the site, which the folder has too until they are
        edited.
        """
        self.browser = Browser(ServedFolder(root), with_runs=False)
        self._site = Path(site) if site else None
        self._recorded: dict[str, Any] = {}
        if self._site:
            self._recorded = json.loads(read_whole(self._site / RECORDED))

    def answer(self, route: str, body: str | None = None) -> str:
        """The answer that the server would give: JSON with ``status`` and ``answer``.

        ``route`` is the path below ``/api/``, with its query; ``body`` is the JSON of a request
        that has one.
        """
        name, _, query = route.partition("?")
        function = self._function("GET" if body is None else "POST", f"/api/{name}")

        def answered() -> Any:
            values: dict[str, Any] = dict(parse_qsl(query, keep_blank_values=True))
            if body is not None:
                values |= body_of(body.encode("utf-8", "surrogatepass"))
            return function(self.browser, RequestValues(values))

        return _answer_text(answered)

    def _function(self, method: str, path: str) -> Callable[[Browser, RequestValues], Any]:
        own = {("GET", "/api/folder"): self._folder, ("GET", "/api/report"): self._report}
        return own.get((method, path)) or FILE_ROUTES.get((method, path), _refused)

    def _folder(self, browser: Browser, _: RequestValues) -> Any:
        site_files = [*self._site_files()]
        listed = browser.listing()
        return {**listed, "runs": self._recorded.get("runs", listed["runs"]), "given": site_files}

    def _site_files(self) -> Iterator[str]:
        if self._site is None:
            return
        files = self._site / FILES
        for path in files.rglob("*"):
            name = path.relative_to(files).as_posix()
            here = self.browser.folder.path(name)
            if path.is_file() and here.is_file() and read_whole(here) == read_whole(path):
                yield name

    def _report(self, _: Browser, request: RequestValues) -> Any:
        reports = self._recorded.get("reports", {})
        if "b" in request or request.text("a") not in reports:
            raise RequestRefused(ELSEWHERE, status=404)
        return reports[request.text("a")]

    def put(self, name: str, content: bytes) -> str:
        """Add a file that was chosen or dropped: JSON with its path.

        A file of the same name stays, and the new one gets a number; the same content is one file.
        """

        def answered() -> Any:
            if len(content) > LARGEST:
                raise RequestRefused(f"{name} is larger than {LARGEST >> 20} MiB", status=413)
            return {"path": self._put(name, bytes(content))}

        return _answer_text(answered)

    def _put(self, name: str, content: bytes) -> str:
        folder = self.browser.folder
        whole = PurePosixPath(name)
        for number in count(1):
            free = name if number == 1 else f"{whole.stem}-{number}{whole.suffix}"
            path = folder.path(free)
            if not path.exists():
                write_atomically(path, content)
                return free
            if path.is_file() and read_whole(path) == content:
                return free
        raise AssertionError


def _refused(_: Browser, __: RequestValues) -> Any:
    raise RequestRefused(ELSEWHERE, status=404)


def _answer_text(function: Callable[[], Any]) -> str:
    try:
        return json_text({"status": 200, "answer": function()}, whole=True)
    except Exception as error:
        answer, status = refusal(error)
        return json_text({"status": status, "answer": answer})
