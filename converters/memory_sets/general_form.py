"""The parts of a memory set in the general form; what is None or empty is left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from evalmark.converters.step import Object
from evalmark.validator.formats.memory_sets.memory_dates import read_iso, read_loosely, write_iso

#: The version that is written.
VERSION = "1"
USER, ASSISTANT = "user", "assistant"
_ROLES = {"assistant": ASSISTANT, "ai": ASSISTANT, "bot": ASSISTANT, "system": ASSISTANT}


def _without_nothing(data: Mapping[str, Any]) -> Object:
    return {key: value for key, value in data.items() if value is not None and value != []}


def turn(name: str, role: str, content: str, speaker: str = "") -> Object:
    """A turn; a role of another program is that of the user or of the assistant."""
    return _without_nothing(
        {
            "id": name,
            "role": _ROLES.get(role.lower(), USER),
            "speaker": speaker or None,
            "content": content,
        }
    )


def session(name: str, turns: Sequence[Object], date: str | None = None) -> Object:
    """A session."""
    return {**_without_nothing({"id": name, "date": date}), "turns": list(turns)}


def question(name: str, text: str, kind: str, **members: object) -> Object:
    """A question; ``members`` are further keys of the format."""
    return {"id": name, "question": text, "type": kind, **_without_nothing(members)}


def history(
    name: str, sessions: Sequence[Object], questions: Sequence[Object], speakers: Iterable[str] = ()
) -> Object:
    """A history."""
    return {
        "id": name,
        **_without_nothing({"speakers": list(speakers)}),
        "sessions": list(sessions),
        "questions": list(questions),
    }


def memory_set(name: str, histories: Sequence[Object], **members: object) -> Object:
    """A set; ``members`` are further keys of the format."""
    return {
        "memory_set": VERSION,
        "name": name,
        **_without_nothing(members),
        "histories": list(histories),
    }


def written_date(date: object) -> str | None:
    """A date in the general form; None if it cannot be read."""
    if not isinstance(date, str) or not date.strip():
        return None
    time = read_iso(date.strip()) or read_loosely(date) or _day(date)
    return write_iso(time) if time else None


def _day(date: str) -> datetime | None:
    """The beginning of a day that is stated without a time, such as ``March-15-2024``."""
    return read_loosely(f"{date.replace('-', ' ').replace(',', ' ')} 00:00")
