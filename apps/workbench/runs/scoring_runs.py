"""Runs that pages ask for: one at a time, each a process; stopped and interrupted ones resume.

A run has a folder below ``results``, as that of ``evalmark score``. What was asked for is in a file
beside it until the run is done, so that a new server can resume it.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from evalmark.schemas.errors import EvalmarkError, RequestRefused, require_known
from evalmark.scoring.runs.run_files import record_in
from evalmark.validator.formats.suites.suite import JOINS
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import (
    json_bytes,
    remove_stale_temp_files,
    remove_superseded,
    write_atomically,
)
from evalmark.workbench.request_values import RequestValues, body_of
from evalmark.workbench.runs.json_child import Child, exit_sentence
from evalmark.workbench.runs.served_models import model_name
from evalmark.workbench.served_folder import LARGEST, ServedFolder

RESULTS = "results"
#: The name of an unfinished run's file ends like this.
REQUEST_ENDING = ".run.json"
MODULE = "evalmark.workbench.runs.scoring_process"
_ID = re.compile(r"[\w.-]{1,120}", re.ASCII)
#: Bytes of such a file: the unsaved suite of a request, as a text in JSON.
LARGEST_FILE = 4 * LARGEST
#: States in which a run takes no more time.
ENDED = frozenset({"done", "stopped", "failed", "refused"})


@dataclass(frozen=True, slots=True)
class ScoringRequest:
    """The request for a run."""

    model: str  # the model
    path: str  # the suite, relative to the folder
    join: str  # how regions become sentences
    content: str | None = None  # the text of a suite that is not saved; None for that of the file


@dataclass(slots=True)
class ScoringRun:
    """A run and how far it is."""

    id: str  # the name of its folder
    request: ScoringRequest  # what it is to do
    #: waiting, loading, running, done, stopped, failed, or refused, which is a file of a run that
    #: cannot be used.
    state: str = "waiting"
    done: int = 0  # how many values are known
    total: int | None = None  # how many there will be; None before that is known
    message: str = ""  # what it is at, or why it failed
    child: Child | None = None  # its process

    def answer(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "id": self.id,
            "model": self.request.model,
            "path": self.request.path,
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "message": self.message,
            "result": f"{RESULTS}/{self.id}" if self.state == "done" else None,
        }


class ScoringRuns:
    """The runs of a folder."""

    def __init__(self, folder: ServedFolder) -> None:
        self._folder = folder
        self._known: dict[str, ScoringRun] = {}
        self._queue: SimpleQueue[ScoringRun | None] = SimpleQueue()
        self._lock = Lock()
        self._thread: Thread | None = None
        self._closed = False

    def start(self, request: ScoringRequest) -> dict[str, Any]:
        """Begin a run; raises RequestRefused if the model or the path is none of the folder."""
        self._require_usable(request)
        run = ScoringRun(_new_id(request.model), request)
        place = self._request_file(run.id)
        place.parent.mkdir(parents=True, exist_ok=True)
        remove_stale_temp_files(place)
        write_atomically(place, json_bytes(asdict(request)))
        with self._lock:
            self._known[run.id] = run
        self._enqueue(run)
        return run.answer()

    def listing(self) -> list[dict[str, Any]]:
        """The runs of this server and those that an earlier one left, newest last."""
        answers = []
        for name in sorted(self._left_names() | self._known.keys()):
            with suppress(RequestRefused):
                answers.append(self.state(name))
        return answers

    def problems(self) -> list[dict[str, str]]:
        """Files of runs that cannot be used, and why."""
        try:
            names = self._left_names()
        except RequestRefused as error:
            why = f"{error}: runs are neither read nor written"
            return [{"path": RESULTS, "message": why}]
        refused = (run for name in sorted(names) if (run := self._run(name)).state == "refused")
        return [
            {"path": f"{RESULTS}/{run.id}{REQUEST_ENDING}", "message": run.message}
            for run in refused
        ]

    def _left_names(self) -> set[str]:
        files = self._folder.path(RESULTS).glob(f"*{REQUEST_ENDING}")
        return {path.name.removesuffix(REQUEST_ENDING) for path in files if path.name[0] != "."}

    def state(self, name: str) -> dict[str, Any]:
        """The progress of a run."""
        return self._run(name).answer()

    def stop(self, name: str) -> dict[str, Any]:
        """Stop a run; what it has computed is kept."""
        run = self._run(name)
        with self._lock:
            if run.state not in ENDED:
                run.state, run.message = "stopped", "it resumes where it was"
            child = run.child
        if child is not None:
            child.stop()
        return run.answer()

    def resume(self, name: str) -> dict[str, Any]:
        """Continue a run that was stopped or has failed; errors are those of ``start``."""
        run = self._run(name)
        if run.state == "refused":
            raise RequestRefused(run.message, status=422)
        if run.state in ("stopped", "failed"):  # the folder may have changed since
            self._require_usable(run.request)
            self._folder.whole(f"{RESULTS}/{name}")
        with self._lock:
            if run.state not in ("stopped", "failed"):
                return run.answer()
            if run.child is not None:
                raise RequestRefused("the run is still stopping: try again in a moment", status=409)
            run.state, run.message = "waiting", ""
        self._enqueue(run)
        return run.answer()

    def close(self) -> None:
        """Stop everything; a new server can resume it."""
        self._closed = True
        with self._lock:
            runs = list(self._known.values())
        for run in runs:
            if run.state not in ENDED:
                self.stop(run.id)
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join(timeout=15)

    def _run(self, name: str) -> ScoringRun:
        with self._lock:
            run = self._known.get(name)
            if run is None:
                run = self._left_run(name)
                if run.state != "refused":  # its file may be replaced
                    self._known[name] = run
        return run

    def _left_run(self, name: str) -> ScoringRun:
        """A run of an earlier server; its file may be anybody's."""
        nothing = ScoringRequest("", "", "")
        try:
            if not _ID.fullmatch(name):
                raise RequestRefused(f"{name!r} is not the name of a run", status=404)
            if record_in(self._folder.whole(f"{RESULTS}/{name}")):
                return ScoringRun(name, nothing, "done")
            request = stored_request(read_whole(self._request_file(name), most=LARGEST_FILE))
            self._require_usable(request)
        except (EvalmarkError, OSError) as error:
            if name not in self._left_names():
                raise RequestRefused("there is no such run", status=404) from None
            why = (error.strerror if isinstance(error, OSError) else None) or str(error)
            return ScoringRun(name, nothing, "refused", message=f"cannot be resumed: {why}")
        return ScoringRun(name, request, "stopped", message="interrupted; it resumes where it was")

    def _require_usable(self, request: ScoringRequest) -> None:
        model_name(self._folder, request.model)
        place = self._folder.path(request.path)
        if request.content is None and not place.exists():
            raise RequestRefused(f"{request.path} does not exist", status=404)
        require_known("join", request.join, tuple(JOINS))

    def _request_file(self, name: str) -> Path:
        return self._folder.path(f"{RESULTS}/{name}{REQUEST_ENDING}")

    def _enqueue(self, run: ScoringRun) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._work, daemon=True)
                self._thread.start()
        self._queue.put(run)

    def _work(self) -> None:
        """One run after the other: two models at once would have half of the machine each."""
        while (run := self._queue.get()) is not None:
            with self._lock:
                if run.state != "waiting" or self._closed:
                    continue
                run.state, run.child = "loading", Child(MODULE, self._folder.root)
            self._follow(run, run.child)

    def _follow(self, run: ScoringRun, child: Child) -> None:
        folder = f"{RESULTS}/{run.id}"
        child.ask({**asdict(run.request), "folder": folder})
        for message in child.answers():
            with self._lock:
                _note(run, message)
                run.message = self._folder.relative(run.message)
        code = child.end()
        if run.state == "done":
            # A run that is finished needs it no more; the folder may have become a link.
            with suppress(OSError, RequestRefused):
                remove_superseded(self._request_file(run.id))
        with self._lock:
            run.child = None
            if run.state not in ENDED:
                run.state, run.message = "failed", exit_sentence(code)


def _note(run: ScoringRun, message: Mapping[str, Any]) -> None:
    """Note a line of the process; what ends a run is not taken back."""
    if message.get("done") is True:
        run.state, run.message = "done", ""
        run.done = run.total or run.done
    elif run.state in ENDED:
        return
    elif "failed" in message:
        run.state, run.message = "failed", message["failed"]
    else:
        run.state, run.message = message["state"], message["message"]
        run.done, run.total = message["done"], message["total"]


def _new_id(model: str) -> str:
    """A name for a run that sorts by time and says the model."""
    now = datetime.now(tz=UTC).strftime("%Y%m%d-%H%M%S")
    plain = re.sub(r"[^\w.-]+", "-", model, flags=re.ASCII).strip(".-")[:40] or "model"
    return f"{now}-{plain}-{secrets.token_hex(2)}"


def stored_request(raw: bytes) -> ScoringRequest:
    """The request in the file of a run, read as one of the page is; else a RequestRefused."""
    data = body_of(raw, "it")
    if unknown := sorted(data.keys() - {field.name for field in fields(ScoringRequest)}):
        raise RequestRefused(f"`{unknown[0]}` is not a key of the file of a run")
    values = RequestValues(data)
    model, path, join = (values.text(name) for name in ("model", "path", "join"))
    return ScoringRequest(model, path, join, values.text("content", None))
