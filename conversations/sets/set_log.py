"""The log of a run over memory sets: what each question was answered, and how that was judged.

Questions do not depend on each other, so the log is read by their ids: an interrupted run asks the
questions that have no reply, a retry also those that failed, and more questions can be asked
later.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evalmark.conversations.running.run_log import ASKED, JUDGE, REPLIES, VERSION, Event, read_log
from evalmark.schemas.errors import OtherRun
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.edge.writing import named_in_errors, open_to_append, write_atomically

#: The events: a history was told, a question was asked, an answer was judged, by which judge.
TOLD, JUDGED = "told", "judged"
_BEGAN = "began"


class SetLog:
    """Events, one JSON object a line. The first holds the plan of the run.

    An incomplete last line, as an interrupted run leaves it, is removed; with ``retry``, so are
    failed replies. A log in which nobody has replied yet begins again, whatever its plan.

    Attributes:
        told: Id of each history that was told -> the event.
        asked: Id of each question that was asked -> the event.
        judged: Id of each question whose answer was judged -> the event.
        judge: Which judge that was; None before the first judgement.

    Raises:
        OtherRun: The file is not a log, or has another plan.
        OSError: The file cannot be read or written.
    """

    def __init__(self, path: Path, plan: Mapping[str, Any], *, retry: bool = False) -> None:
        self.path = path
        if retry:
            _without_failures(path)
        head = {"event": "run", "version": VERSION, "plan": json.loads(json.dumps(plan))}
        events = read_log(path)
        if not any(event.get("event") in REPLIES for event in events):
            events = []
        elif events[0] != head:
            old = events[0].get("plan", {}) if isinstance(events[0].get("plan"), dict) else {}
            differ = [key for key in {**old, **plan} if old.get(key) != head["plan"].get(key)]
            raise OtherRun(f"{path} is from another run: {', '.join(differ) or 'plan'} differ")
        self._began: Event | None = None
        self.told: dict[str, Event] = {}
        self.asked: dict[str, Event] = {}
        self.judged: dict[str, Event] = {}
        self.judge: Event | None = None
        for event in events[1:]:
            self._take(event)
        whole = read_whole(path).rfind(b"\n") + 1 if events else 0
        self._file = open_to_append(path, keep=whole)
        if not events:
            self._write(head)

    def began(self, at: str) -> str:
        """When the run began: now, or as the log says."""
        event = self._began or self.add(_BEGAN, at=at)
        return str(event["at"])

    def name_judge(self, about: Mapping[str, Any]) -> None:
        """Say which judge is asked.

        Raises:
            OtherRun: The log has judgements by another one.
        """
        if self.judge is None:
            self.add(JUDGE, **about)
        elif {key: value for key, value in self.judge.items() if key != "event"} != about:
            raise OtherRun(f"{self.path} has judgements by another judge or prompt")

    def add(self, event: str, **data: Any) -> Event:
        """Write an event."""
        # Code of users may return halves of characters, which no file can hold.
        text = json.dumps({"event": event, **data}, ensure_ascii=False)
        whole = json.loads(text.encode("utf-8", "replace"))
        self._write(whole)
        self._take(whole)
        return dict(whole)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _take(self, event: Event) -> None:
        kept = {TOLD: self.told, ASKED: self.asked, JUDGED: self.judged}.get(str(event["event"]))
        if kept is not None:
            kept[event["history" if event["event"] == TOLD else "question"]] = event
        elif event["event"] == JUDGE:
            self.judge = event
        elif event["event"] == _BEGAN:
            self._began = event

    def _write(self, event: Event) -> None:
        with named_in_errors(self.path):
            self._file.write(json.dumps(event, ensure_ascii=False).encode("utf-8") + b"\n")
            self._file.flush()
            if event["event"] in ("run", ASKED):
                os.fsync(self._file.fileno())


def has_failed(event: Event) -> bool:
    """Whether an event is one that is asked again with ``retry``."""
    return "error" in event or (event.get("event") == JUDGED and event.get("accepted") is None)


def _without_failures(path: Path) -> None:
    """Remove what failed, and judgements about answers that are asked for again."""
    events = read_log(path)
    if any(map(has_failed, events)):
        lines = read_whole(path).splitlines(keepends=True)
        kept = [line for line, event in zip(lines, events, strict=False) if not has_failed(event)]
        write_atomically(path, b"".join(kept))
