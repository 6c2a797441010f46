"""The log of a run: append-only, versioned, and all that is needed to resume.

A run depends on its plan and on the replies of agent and judge. The log holds both. A resumed run
starts from the beginning and takes replies from the log while there are any. One without a judge
can be completed by one: an event that names the judge is appended to the log.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, BinaryIO

from evalmark.memory.running.outcome import FAILED
from evalmark.schemas.errors import OtherRun
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import (
    add_path_to_errors,
    open_to_append,
    remove_superseded,
    write_atomically,
)

VERSION = 1
#: Name of the log in the folder of an agent.
LOG = "conversation.jsonl"

#: The events of the agent's and the judge's replies, without which a run begins again.
MESSAGE, LLM = "message", "llm"
#: The events that begin and end a test.
BEGIN, END = "begin", "end"
#: The event that names the judge of a run that began without one.
JUDGE = "judge"

Event = dict[str, Any]


class RunLog:
    """The log of a run: one JSON object a line, in their order; the first holds the plan.

    An incomplete last line, as an interrupted run leaves it, is removed; with ``retry``, so are the
    first failed reply and everything after it. A log in which nobody has replied yet begins again,
    whatever its plan.

    Raises:
        OtherRun: The file is not a log, or has another plan.
        OSError: The file cannot be read or written.
    """

    def __init__(self, path: Path, plan: Mapping[str, object], *, retry: bool = False) -> None:
        self.path = path
        if retry:
            self._remove_failures()
        head = {"event": "run", "version": VERSION, "plan": json.loads(json.dumps(plan))}
        events, whole = _read(path)
        if events and (events[0].get("event") != "run" or events[0].get("version") != VERSION):
            raise OtherRun(f"cannot resume from {path}: not a log")
        resumes = any(event.get("event") in (MESSAGE, LLM) for event in events)
        self._old: deque[Event] = deque(events[1:] if resumes else ())
        # the plan has a judge that the run began without
        self.judged_later = resumes and _resumes(path, events[0]["plan"], head["plan"], self._old)
        self._file: BinaryIO = open_to_append(path, keep=whole if resumes else 0)
        if not resumes:
            self._write(head)

    def _remove_failures(self) -> None:
        events = read_log(self.path)
        kept = len([*takewhile(lambda event: "error" not in event, events)])
        if kept < len(events):
            lines = read_whole(self.path).splitlines(keepends=True)
            write_atomically(self.path, b"".join(lines[:kept]))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def event(self, event: str, **data: object) -> None:
        """Write an event that follows from the plan. A log of an earlier run must have the same.

        A test whose class has failed may end in another way, once the class is fixed.
        """
        whole = {"event": event, **data}
        if self._old:
            logged = self._old.popleft()
            if not _is_same(logged, json.loads(json.dumps(whole))):
                raise OtherRun(f"{self.path}: expected {whole}, found {logged}")
        else:
            self._write(whole)

    def answered(
        self, event: str, ask: Callable[[], Event], **request: object
    ) -> tuple[Event, bool]:
        """An event with a reply, from the log or from ``ask``; and whether it is from the log."""
        first = {"event": event, **request}
        if self._old:
            logged = self._old.popleft()
            if {key: logged.get(key) for key in first} != json.loads(json.dumps(first)):
                raise OtherRun(f"{self.path}: expected {first}, found {logged}")
            return logged, True
        whole = {**first, **ask()}
        self._write(whole)
        return whole, False

    @property
    def upcoming(self) -> str | None:
        """The next event of the earlier run; None if there is none."""
        return self._old[0].get("event") if self._old else None

    def rewind(self, last: Event, exchanges: int) -> None:
        """Remove what follows an exchange of the earlier run, so that it is asked again.

        ``last`` is the exchange (nothing is removed if the log lacks it), ``exchanges`` its number,
        from 1.
        """
        places = [n for n, event in enumerate(self._old) if event.get("event") == MESSAGE]
        if not (0 < exchanges < len(places)) or self._old[places[exchanges - 1]] != last:
            return
        kept = places[exchanges - 1] + 1
        self._old = deque(islice(self._old, kept))
        self._file.close()
        lines = read_whole(self.path).splitlines(keepends=True)[: kept + 1]
        self._file = open_to_append(self.path, keep=sum(map(len, lines)))

    def forget(self) -> None:
        """Close and delete the file if nothing has happened in the run."""
        self.close()
        if all(event.get("event") in ("run", "began") for event in read_log(self.path)):
            remove_superseded(self.path)

    def _write(self, event: Event) -> None:
        with add_path_to_errors(self.path):
            self._file.write(json.dumps(event, ensure_ascii=False).encode("utf-8") + b"\n")
            self._file.flush()
            if event["event"] in ("run", END):
                os.fsync(self._file.fileno())


def _is_same(old: Event, new: Event) -> bool:
    """True if an event is that of the earlier run; reasons for a score may have new words."""
    if old.get("event") == new["event"] == END and old.get("test") == new["test"]:
        return old.get("state") == FAILED or all(old.get(k) == new[k] for k in ("state", "score"))
    return old == new


def _resumes(
    path: Path, old: Mapping[str, Any], plan: Mapping[str, Any], events: Iterable[Event]
) -> bool:
    """True if the plan adds a judge; an OtherRun if it differs in anything else."""
    named = [event.get("about") for event in events if event.get("event") == JUDGE]
    current = {**old, "judge": named[-1]} if named else old
    adds = old.get("judge") is None and plan.get("judge") is not None
    if current != plan and not (adds and {**current, "judge": plan["judge"]} == plan and not named):
        raise OtherRun(f"{path} is from another run: {_difference(current, plan)}")
    return adds


def read_log(path: Path) -> list[Event]:
    """All events of a log, without an incomplete last line; none if there is no file."""
    return _read(path)[0]


def _read(path: Path) -> tuple[list[Event], int]:
    """The events of a log, and how many bytes of it are complete lines."""
    try:
        raw = read_whole(path)
    except FileNotFoundError:
        return [], 0
    whole = raw.rfind(b"\n") + 1
    try:
        events = [json.loads(line) for line in raw[:whole].splitlines()]
    except (ValueError, RecursionError) as error:
        raise OtherRun(f"cannot resume from {path}: {error}") from error
    if not all(isinstance(event, dict) for event in events):
        raise OtherRun(f"cannot resume from {path}: not a log")
    return events, whole


def _difference(left: Mapping[str, object], right: Mapping[str, object]) -> str:
    keys = [key for key in {**left, **right} if left.get(key) != right.get(key)]
    return ", ".join(keys) + " differ" if keys else "its plan differs"
