"""Runs that pages ask for: one at a time, each a process; stopped and interrupted ones resume.

A run has a folder below ``results``, as that of ``evalmark score``. What was asked for is in a file
beside it until the run is done, so that a new server can resume it.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from evalmark.schemas.errors import RequestRefused
from evalmark.scoring.output import is_finished
from evalmark.scoring.settings import Settings
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.edge.writing import json_bytes, remove_superseded, sweep, write_atomically
from evalmark.workbench.folder import ServedFolder
from evalmark.workbench.runs.child import Child, said
from evalmark.workbench.runs.models import model_name

RESULTS = "results"
#: What the name of the file of an unfinished run ends in.
ASKED = ".run.json"
MODULE = "evalmark.workbench.runs.scoring_process"
_ID = re.compile(r"[\w.-]{1,120}", re.ASCII)
#: Options of a run -> where they go.
SETTINGS = ("bos", "first_token", "join", "undefined", "boundary", "regions")
LOADING = ("dtype", "device", "kind", "revision", "model_id")
#: States in which a run takes no more time.
ENDED = frozenset({"done", "stopped", "failed"})


@dataclass(frozen=True, slots=True)
class ScoringAsked:
    """What a run is to do.

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
        asked: What it is to do.
        state: waiting, loading, running, done, stopped or failed.
        done: How many values are known.
        total: How many there will be; None before that is known.
        message: What it is at, or why it failed.
        not_scored: Why some suites have no scores.
        child: Its process.
    """

    id: str
    asked: ScoringAsked
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
            "model": self.asked.model,
            "paths": list(self.asked.paths),
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

    def start(self, asked: ScoringAsked) -> dict[str, Any]:
        """Begin a run.

        Raises:
            RequestRefused: The model or a path is none of the folder.
            UnknownNameError: An option has a value that does not exist.
        """
        model_name(self._folder, asked.model)
        if not asked.paths:
            raise RequestRefused("no suite is named")
        for path in asked.paths:
            if path not in asked.contents and not self._folder.path(path).exists():
                raise RequestRefused(f"{path} does not exist", status=404)
        Settings(**asked.settings)
        run = ScoringRun(_new_id(asked.model), asked)
        place = self._asked_at(run.id)
        place.parent.mkdir(parents=True, exist_ok=True)
        sweep(place)
        write_atomically(place, json_bytes({"version": 1, **asdict(asked)}))
        with self._lock:
            self._known[run.id] = run
        self._enqueue(run)
        return run.answer()

    def listing(self) -> list[dict[str, Any]]:
        """The runs of this server and those that an earlier one left, newest last."""
        folder = self._folder.root / RESULTS
        left = {path.name.removesuffix(ASKED) for path in folder.glob(f"*{ASKED}")}
        answers = []
        for name in sorted(left | self._known.keys()):
            with suppress(RequestRefused):
                answers.append(self.state(name))
        return answers

    def state(self, name: str) -> dict[str, Any]:
        """How far a run is."""
        return self._run(name).answer()

    def stop(self, name: str) -> dict[str, Any]:
        """Stop a run; what it has computed is kept."""
        run = self._run(name)
        with self._lock:
            if run.state not in ENDED:
                run.state, run.message = "stopped", "stopped; it resumes where it was"
            child = run.child
        if child is not None:
            child.stop()
        return run.answer()

    def resume(self, name: str) -> dict[str, Any]:
        """Continue a run that was stopped or has failed."""
        run = self._run(name)
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
        if not _ID.fullmatch(name) or name.startswith("."):
            raise RequestRefused("there is no such run", status=404)
        with self._lock:
            run = self._known.get(name)
            if run is None:
                run = self._known[name] = self._left(name)
        return run

    def _left(self, name: str) -> ScoringRun:
        folder = self._folder.root / RESULTS / name
        if is_finished(folder):
            return ScoringRun(name, ScoringAsked("", ()), "done")
        try:
            data = json.loads(read_whole(self._asked_at(name)))
            data.pop("version")
            asked = ScoringAsked(**data)
            for path in asked.paths:
                self._folder.path(path)
            model_name(self._folder, asked.model)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            raise RequestRefused("there is no such run", status=404) from None
        return ScoringRun(name, asked, "stopped", message="interrupted; it resumes where it was")

    def _asked_at(self, name: str) -> Path:
        return self._folder.root / RESULTS / f"{name}{ASKED}"

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
        child.ask({**asdict(run.asked), "folder": folder})
        for told in child.answers():
            with self._lock:
                _note(run, told)
        code = child.end()
        if run.state == "done":
            with suppress(OSError):  # a run that is finished needs it no more
                remove_superseded(self._asked_at(run.id))
        with self._lock:
            run.child = None
            if run.state not in ENDED:
                run.state, run.message = "failed", said(code)


def _note(run: ScoringRun, told: Mapping[str, Any]) -> None:
    """Note a line of the process; what ends a run is not taken back."""
    if told.get("done") is True:
        run.state, run.message = "done", ""
        run.not_scored = told["not_scored"]
        run.done = run.total or run.done
    elif run.state in ENDED:
        return
    elif "failed" in told:
        run.state, run.message = "failed", told["failed"]
    else:
        run.state, run.message = told["state"], told["message"]
        run.done, run.total = told["done"], told["total"]


def _new_id(model: str) -> str:
    """A name for a run that sorts by time and says the model."""
    now = datetime.now(tz=UTC).strftime("%Y%m%d-%H%M%S")
    plain = re.sub(r"[^\w.-]+", "-", model, flags=re.ASCII).strip(".-")[:40] or "model"
    return f"{now}-{plain}-{secrets.token_hex(2)}"


def asked_of(values: Mapping[str, Any], model: str, paths: Sequence[str]) -> ScoringAsked:
    """What a page asks for, from its options; unknown ones are refused.

    Raises:
        RequestRefused: An option does not exist, or its value is of the wrong type.
    """
    known = {*SETTINGS, *LOADING, "metric", "limit"}
    for name, value in values.items():
        if name not in known:
            raise RequestRefused(f"there is no option `{name}`: {', '.join(sorted(known))}")
        wanted: type = int if name == "limit" else str
        if value is not None and (not isinstance(value, wanted) or isinstance(value, bool)):
            raise RequestRefused(f"the option `{name}` is not a {wanted.__name__}")
    given = {name: value for name, value in values.items() if value is not None}
    return ScoringAsked(
        model,
        tuple(paths),
        {},
        {name: given[name] for name in SETTINGS if name in given},
        {name: given[name] for name in LOADING if name in given},
        given.get("metric"),
        given.get("limit"),
    )
