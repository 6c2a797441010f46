"""Runs that pages ask for: one at a time, each a process; stopped and interrupted ones resume.

A run has a folder below ``results``, as that of ``evalmark score``. What was asked for is in a file
beside it until the run is done, so that a new server can resume it.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from types import MappingProxyType
from typing import Any

from evalmark.schemas.errors import EvalmarkError, RequestRefused
from evalmark.scoring.runs.run_output import is_finished
from evalmark.scoring.score_settings import DEVICES, DTYPES, MODEL_KINDS, Settings, require_known
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import json_bytes, remove_superseded, sweep, write_atomically
from evalmark.workbench.request_values import RequestValues, body_of
from evalmark.workbench.runs.json_child import Child, exit_sentence
from evalmark.workbench.runs.served_models import LONGEST, model_name
from evalmark.workbench.served_folder import LARGEST, ServedFolder

RESULTS = "results"
#: The name of an unfinished run's file ends like this.
REQUEST_ENDING = ".run.json"
MODULE = "evalmark.workbench.runs.scoring_process"
_ID = re.compile(r"[\w.-]{1,120}", re.ASCII)
#: Options of a run -> where they go.
SETTINGS = ("bos", "first_token", "join", "undefined", "boundary", "regions")
LOADING = ("dtype", "device", "kind", "revision", "model_id")
#: Options that run code of the model: only the command has them.
OWN_RISK = ("trust_remote_code", "allow_pickle")
#: Keys of an unfinished run's file.
KEYS = frozenset(
    ("version", "model", "paths", "contents", "settings", "loading", "metric", "limit")
)
VERSION = 1
#: Bytes of such a file: the unsaved suites of a request, as a text in JSON.
LARGEST_FILE = 4 * LARGEST
#: A branch, tag or commit on the hub.
_REVISION = re.compile(r"\w[\w-]*([./]\w[\w-]*)*", re.ASCII)
#: States in which a run takes no more time.
ENDED = frozenset({"done", "stopped", "failed", "refused"})


@dataclass(frozen=True, slots=True)
class ScoringRequest:
    """The request for a run: a model, suites and options.

    Attributes:
        model: The model.
        paths: The suites, relative to the folder.
        contents: The texts of suites that are not saved.
        settings: Options of ``Settings`` that are not the default.
        loading: Options of ``load_model``.
        metric: The only metric, where a suite names several.
        limit: How many items of each suite.
    """

    model: str
    paths: Sequence[str]
    contents: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    loading: Mapping[str, Any] = field(default_factory=dict)
    metric: str | None = None
    limit: int | None = None


@dataclass(slots=True)
class ScoringRun:
    """A run and how far it is.

    Attributes:
        id: The name of its folder.
        request: What it is to do.
        state: waiting, loading, running, done, stopped, failed, or refused, which is a file of a
            run that cannot be used.
        done: How many values are known.
        total: How many there will be; None before that is known.
        message: What it is at, or why it failed.
        not_scored: Why some suites have no scores.
        child: Its process.
    """

    id: str
    request: ScoringRequest
    state: str = "waiting"
    done: int = 0
    total: int | None = None
    message: str = ""
    not_scored: Sequence[str] = ()
    child: Child | None = None

    def answer(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "id": self.id,
            "model": self.request.model,
            "paths": list(self.request.paths),
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "message": self.message,
            "not_scored": list(self.not_scored),
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
        """Begin a run.

        Raises:
            RequestRefused: The model or a path is none of the folder.
            UnknownNameError: An option has a value that does not exist.
        """
        self._require_usable(request)
        run = ScoringRun(_new_id(request.model), request)
        place = self._request_file(run.id)
        place.parent.mkdir(parents=True, exist_ok=True)
        sweep(place)
        write_atomically(place, json_bytes({"version": VERSION, **asdict(request)}))
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
        """The names of runs that have a file of what was asked for."""
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
        """Continue a run that was stopped or has failed.

        Raises:
            RequestRefused: It cannot be continued: see ``start``.
        """
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
        """A run of this server, or one that an earlier server left."""
        with self._lock:
            run = self._known.get(name)
            if run is None:
                run = self._left(name)
                if run.state != "refused":  # its file may be replaced
                    self._known[name] = run
        return run

    def _left(self, name: str) -> ScoringRun:
        """A run of an earlier server; its file may be anybody's."""
        nothing = ScoringRequest("", ())
        try:
            if not _ID.fullmatch(name):
                raise RequestRefused(f"{name!r} is not the name of a run", status=404)
            if is_finished(self._folder.whole(f"{RESULTS}/{name}")):
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
        """Refuse what names files or models out of the folder, or values that do not exist.

        Raises:
            RequestRefused: The model or a path is none of the folder.
            UnknownNameError: An option has a value that does not exist.
        """
        model_name(self._folder, request.model)
        if not request.paths:
            raise RequestRefused("no suite is named")
        for path in request.paths:
            place = self._folder.path(path)
            if path not in request.contents and not place.exists():
                raise RequestRefused(f"{path} does not exist", status=404)
        Settings(**request.settings)

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
        """Ask the process of a run, and note what it says until it ends."""
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
        run.not_scored = message["not_scored"]
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


def scoring_request(
    values: Mapping[str, Any],
    model: str,
    paths: Sequence[str],
    contents: Mapping[str, Any] = MappingProxyType({}),
) -> ScoringRequest:
    """The request of a page, or of the file of a run; unknown options are refused.

    Raises:
        RequestRefused: An option does not exist, or it cannot have its value.
        UnknownNameError: A value is not one of those of its option.
    """
    options = {name: value for name, value in values.items() if value is not None}
    for name, value in options.items():
        _require_option(name, value)
    if "revision" in options and not _REVISION.fullmatch(options["revision"]):
        raise RequestRefused("the option `revision` is not a branch, tag or commit of the hub")
    for name, ways in (("dtype", DTYPES), ("kind", MODEL_KINDS), ("device", DEVICES)):
        require_known(name, options.get(name, "auto").partition(":")[0], ("auto", *ways))
    for path, text in contents.items():
        if path not in paths or not isinstance(text, str):
            raise RequestRefused(f"{path!r} is not the text of a suite that is named")
    return ScoringRequest(
        model,
        tuple(paths),
        dict(contents),
        {name: options[name] for name in SETTINGS if name in options},
        {name: options[name] for name in LOADING if name in options},
        options.get("metric"),
        options.get("limit"),
    )


def _require_option(name: str, value: Any) -> None:
    """Refuse an option that does not exist, and a value of another type than its own.

    Raises:
        RequestRefused: It is one.
    """
    names = {*SETTINGS, *LOADING, "metric", "limit"}
    if name in OWN_RISK:
        option = f"--{name.replace('_', '-')}"
        raise RequestRefused(
            f"there is no option `{name}` here: if you trust the model, use "
            f"`evalmark score {option}` in a terminal"
        )
    if name not in names:
        raise RequestRefused(f"there is no option `{name}`: {', '.join(sorted(names))}")
    kind: type = int if name == "limit" else str
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RequestRefused(f"the option `{name}` is not a {kind.__name__}")
    if isinstance(value, int) and value < 1:
        raise RequestRefused("the option `limit` is less than 1")
    if isinstance(value, str) and len(value) > LONGEST:
        raise RequestRefused(f"the option `{name}` is longer than {LONGEST} characters")


def stored_request(raw: bytes) -> ScoringRequest:
    """The request in the file of a run, read as one of the page is.

    Raises:
        RequestRefused: See ``scoring_request``; or it is not the file of a run.
        UnknownNameError: See ``scoring_request``.
    """
    data = body_of(raw, "it")
    if unknown := sorted(data.keys() - KEYS):
        raise RequestRefused(f"`{unknown[0]}` is not a key of the file of a run")
    if data.get("version") != VERSION:
        raise RequestRefused(f"it is not the file of a run of version {VERSION}")
    values = RequestValues(data)
    options = {name: data.get(name) for name in ("metric", "limit")}
    options |= values.object("settings", {}) | values.object("loading", {})
    return scoring_request(
        options, values.text("model"), values.texts("paths"), values.object("contents", {})
    )
