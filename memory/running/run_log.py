"""Logs of runs: append-only, versioned, and all that is needed to resume.

A run depends on its plan and on the replies of agents and judges. The log holds both. A resumed run
of tests starts from the beginning and takes replies from the log while there are any.
One without a judge can be completed by one: an event that names the judge is
appended to the log.

The questions of memory sets do not depend on each other, so the log of a run over them is read by
their ids: an interrupted run asks the questions that have no reply, a retry also those that failed,
and more questions can be asked later.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, takewhile
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, ClassVar

from evalmark.memory.running.outcome import FAILED
from evalmark.schemas.errors import OtherRun
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import (
    named_in_errors,
    open_to_append,
    remove_superseded,
    write_atomically,
)

VERSION = 1
#: Name of the log in the folder of an agent.
LOG = "conversation.jsonl"

#: The events of the agent's and the judge's replies.
MESSAGE, LLM = "message", "llm"
#: The events that a run cannot begin again without; ``asked`` is that of runs over memory sets.
ASKED = "asked"
REPLIES = frozenset({MESSAGE, LLM, ASKED})
#: The events that begin and end a test.
BEGIN, END = "begin", "end"
#: The event that names the judge of a run that began without one.
JUDGE = "judge"

#: The events of a run over memory sets: it began, a history was told, an answer was judged.
TOLD, JUDGED = "told", "judged"
_BEGAN = "began"
#: The field of an event of such a run that differs between equal runs: seconds, tokens that were
#: billed, dollars, ids of requests.
MEASURED = "measured"

Event = dict[str, Any]


def measured(event: Event) -> Event:
    """The measurements of an event."""
    inside = event.get(MEASURED)
    return inside if isinstance(inside, dict) else {}


class EventLog:
    """A log of a run: one JSON object a line; the first holds the plan.

    An incomplete last line, as an interrupted run leaves it, is removed; with ``retry``, so is
    what failed. A log in which nobody has replied yet begins again, whatever its plan.

    Raises:
        OtherRun: The file is not a log, or has another plan.
        OSError: The file cannot be read or written.
    """

    #: The events after which everything so far is on the disk.
    _synced: ClassVar[frozenset[str]]

    def __init__(self, path: Path, plan: Mapping[str, object], *, retry: bool = False) -> None:
        self.path = path
        if retry:
            self._remove_failures()
        head = {"event": "run", "version": VERSION, "plan": json.loads(json.dumps(plan))}
        events, whole = _read(path)
        resumes = self._resume(events, head)
        self._file: BinaryIO = open_to_append(path, keep=whole if resumes else 0)
        if not resumes:
            self._write(head)

    def _resume(self, events: Sequence[Event], head: Event) -> bool:
        """Load the events of an earlier run; False if there is none to resume."""
        raise NotImplementedError

    def _survivors(self, entries: Iterable[tuple[bytes, Event]]) -> Iterable[tuple[bytes, Event]]:
        """The lines and events that a retry keeps."""
        raise NotImplementedError

    def _remove_failures(self) -> None:
        events = read_log(self.path)
        lines = read_whole(self.path).splitlines(keepends=True) if events else []
        entries = [*zip(lines, events, strict=False)]
        survivors = [line for line, _ in self._survivors(entries)]
        if len(survivors) < len(entries):
            write_atomically(self.path, b"".join(survivors))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, event: Event) -> None:
        with named_in_errors(self.path):
            self._file.write(json.dumps(event, ensure_ascii=False).encode("utf-8") + b"\n")
            self._file.flush()
            if event["event"] in self._synced:
                os.fsync(self._file.fileno())


def has_replies(events: Iterable[Event]) -> bool:
    """True if an agent or a judge has replied."""
    return any(event.get("event") in REPLIES for event in events)


class RunLog(EventLog):
    """The log of a run whose replies depend on all earlier ones: events in their order.

    A retry removes the first failed reply and everything after it.

    Attributes:
        judged_later: True if the plan has a judge that the run began without.
    """

    _synced = frozenset({"run", END})

    def _resume(self, events: Sequence[Event], head: Event) -> bool:
        self._old: deque[Event] = deque()
        self.judged_later = False
        if events and (events[0].get("event") != "run" or events[0].get("version") != VERSION):
            raise OtherRun(f"cannot resume from {self.path}: not a log")
        if not has_replies(events):
            return False
        self._old.extend(events[1:])
        self.judged_later = _resumes(self.path, events[0]["plan"], head["plan"], self._old)
        return True

    def _survivors(self, entries: Iterable[tuple[bytes, Event]]) -> Iterable[tuple[bytes, Event]]:
        return takewhile(lambda entry: "error" not in entry[1], entries)

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
        """An event with a reply, from the log or from ``ask``.

        Returns:
            The event, and whether it is from the log.
        """
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

        Args:
            last: The exchange; nothing is removed if the log does not have it.
            exchanges: Its number, from 1.
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


def _is_same(old: Event, new: Event) -> bool:
    """True if an event is that of the earlier run; reasons for a score may have new words."""
    if old.get("event") == new["event"] == END and old.get("test") == new["test"]:
        return old.get("state") == FAILED or all(old.get(k) == new[k] for k in ("state", "score"))
    return old == new


def _resumes(
    path: Path, old: Mapping[str, Any], plan: Mapping[str, Any], events: Iterable[Event]
) -> bool:
    """True if the plan adds a judge; it may not differ in anything else.

    Raises:
        OtherRun: The log has another plan.
    """
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


class SetLog(EventLog):
    """The log of a run over memory sets, whose questions do not depend on each other: by ids.

    A retry removes failed replies. Several threads may write to it.

    Attributes:
        tellings: Id of each history that was told -> the event.
        replies: Id of each question that was asked -> the event.
        judged: Id of each question whose answer was judged -> the event.
        judge: Which judge that was; None before the first judgement.
    """

    _synced = frozenset({"run", ASKED})

    def __init__(self, path: Path, plan: Mapping[str, object], *, retry: bool = False) -> None:
        self._lock = Lock()
        super().__init__(path, plan, retry=retry)

    def _resume(self, events: Sequence[Event], head: Event) -> bool:
        self._began: Event | None = None
        self.tellings: dict[str, Event] = {}
        self.replies: dict[str, Event] = {}
        self.judged: dict[str, Event] = {}
        self.judge: Event | None = None
        if not has_replies(events):
            return False
        if events[0] != head:
            plan = events[0].get("plan")
            difference = _difference(plan if isinstance(plan, dict) else {}, head["plan"])
            raise OtherRun(f"{self.path} is from another run: {difference}")
        for event in events[1:]:
            self._take(event)
        return True

    def _survivors(self, entries: Iterable[tuple[bytes, Event]]) -> Iterable[tuple[bytes, Event]]:
        """All but what failed, and answers without a verdict."""
        for line, event in entries:
            is_unjudged = event.get("event") == JUDGED and event.get("accepted") is None
            if "error" not in event and not is_unjudged:
                yield line, event

    def began(self, at: str) -> str:
        """The time at which the run began: now, or as the log says."""
        event = self._began or self.add(_BEGAN, at=at)
        return str(event["at"])

    def name_judge(self, about: Mapping[str, object]) -> None:
        """Say which judge is asked.

        Raises:
            OtherRun: The log has judgements by another one.
        """
        if self.judge is None:
            self.add(JUDGE, **about)
        elif self.judge != about:
            raise OtherRun(f"{self.path} has judgements by another judge or prompt")

    def add(self, event: str, **data: object) -> Event:
        """Write an event."""
        # Code of users may return halves of characters, which no file can hold.
        text = json.dumps({"event": event, **data}, ensure_ascii=False)
        whole = json.loads(text.encode("utf-8", "replace"))
        with self._lock:
            self._write(whole)
            self._take(whole)
        return dict(whole)

    def close(self) -> None:
        """Close the file; who still waits for a reply can write it no more."""
        with self._lock:
            super().close()

    def arrange(self, histories: Mapping[str, Sequence[str]]) -> None:
        """Put the events into the order in which one worker writes them.

        Args:
            histories: Id of each history -> the ids of its questions, in their order.
        """
        places: dict[tuple[str, str], int] = {}
        for history, questions in histories.items():
            places[TOLD, history] = len(places)
            for question in questions:
                places[ASKED, question] = len(places)
        lines = read_whole(self.path).splitlines(keepends=True)
        head, *rest = lines

        def place(line: bytes) -> tuple[int, int]:
            event = json.loads(line)
            kind = str(event["event"])
            part = (_BEGAN, TOLD, JUDGE, JUDGED).index(TOLD if kind == ASKED else kind)
            name = str(event.get("history" if kind == TOLD else "question"))
            return part, places.get((ASKED if kind == JUDGED else kind, name), len(places))

        arranged = [head, *sorted(rest, key=place)]
        if arranged != lines:
            with self._lock:
                self._file.close()  # Windows replaces no file that is open
                write_atomically(self.path, b"".join(arranged))
                self._file = open_to_append(self.path)

    def _take(self, event: Event) -> None:
        kept = {TOLD: self.tellings, ASKED: self.replies, JUDGED: self.judged}.get(
            str(event["event"])
        )
        if kept is not None:
            kept[event["history" if event["event"] == TOLD else "question"]] = event
        elif event["event"] == JUDGE:
            self.judge = {key: value for key, value in event.items() if key != "event"}
        elif event["event"] == _BEGAN:
            self._began = event
