"""The log of a run: append-only, versioned, and enough to go on exactly where it stopped.

A run is a function of its plan and of what agents and judges said. The log holds both; going on
means to run again from the start, with replies from the log as long as there are any.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from evalmark.schemas.errors import OtherRun
from evalmark.validator.edge.writing import write_atomically

VERSION = 1
#: What the log is called in the folder of an agent.
LOG = "conversation.jsonl"

Event = dict[str, Any]


class RunLog:
    """Events, one JSON object a line; the first says what the run is.

    A line that was cut by a kill is left out, and written again.

    Args:
        path: The file.
        plan: What the run depends on.
        retry: Whether to go back to before the first reply that failed.

    Raises:
        OtherRun: The file is of another plan, or no log.
        OSError: It cannot be read or written.
    """

    def __init__(self, path: Path, plan: Mapping[str, Any], *, retry: bool = False) -> None:
        self.path = path
        if retry:
            _cut_at_error(path)
        head = {"event": "run", "version": VERSION, "plan": dict(plan)}
        self._old: deque[Event] = deque(_events(path))
        if self._old:
            first = self._old.popleft()
            if first.get("event") != "run" or first.get("version") != VERSION:
                raise OtherRun(f"{path} is no log that can be gone on with")
            if first["plan"] != json.loads(json.dumps(head["plan"])):
                raise OtherRun(f"{path} is of another run: {_difference(first['plan'], plan)}")
        self.resumed = len(self._old)
        self._file: IO[bytes] = path.open("ab")
        if self._file.tell() == 0:
            self._write(head)

    @property
    def replaying(self) -> bool:
        """Whether the log still holds what comes next."""
        return bool(self._old)

    def event(self, event: str, **data: Any) -> None:
        """Write an event that follows from the run; in the log it must be the same.

        Raises:
            OtherRun: The log holds something else here.
        """
        whole = {"event": event, **data}
        if self._old:
            found = self._old.popleft()
            if found != json.loads(json.dumps(whole)):
                raise OtherRun(f"{self.path} holds {found} where the run says {whole}")
        else:
            self._write(whole)

    def answered(self, event: str, ask: Callable[[], Event], **asked: Any) -> tuple[Event, bool]:
        """An event whose second half comes from outside: from the log, or from asking.

        Returns:
            The event, and whether it is from the log.

        Raises:
            OtherRun: The log holds something else here.
        """
        first = {"event": event, **asked}
        if self._old:
            found = self._old.popleft()
            if {key: found.get(key) for key in first} != json.loads(json.dumps(first)):
                raise OtherRun(f"{self.path} holds {found} where the run asks {first}")
            return found, True
        whole = {**first, **ask()}
        self._write(whole)
        return whole, False

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, event: Event) -> None:
        self._file.write(json.dumps(event, ensure_ascii=False).encode("utf-8") + b"\n")
        self._file.flush()
        if event["event"] in ("run", "end"):
            os.fsync(self._file.fileno())


def _events(path: Path) -> list[Event]:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return []
    whole = raw.rfind(b"\n") + 1
    try:
        events = [json.loads(line) for line in raw[:whole].splitlines()]
    except ValueError as error:
        raise OtherRun(f"{path} is no log that can be gone on with: {error}") from error
    if not all(isinstance(event, dict) for event in events):
        raise OtherRun(f"{path} is no log that can be gone on with")
    if whole < len(raw):
        with path.open("r+b") as file:
            file.truncate(whole)
    return events


def _cut_at_error(path: Path) -> None:
    """Leave out the first event of a reply that failed, and all that came after."""
    events = _events(path)
    failed = next((i for i, event in enumerate(events) if "error" in event), None)
    if failed is not None:
        lines = path.read_bytes().splitlines(keepends=True)
        write_atomically(path, b"".join(lines[:failed]))


def _difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
    return ", ".join(keys) + " differ" if keys else "its plan differs"


def read_log(path: Path) -> list[Event]:
    """All events of a log.

    Raises:
        OtherRun: The file is no log.
    """
    return _events(path)
