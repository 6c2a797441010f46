"""Dates of results: ISO 8601, a date or a time."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta

#: Other ways to write a date that have one meaning.
_OTHERS = ("%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y")
_SLASHES = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_SECONDS = re.compile(r"\d{10}(\.\d+)?")


def read(text: str) -> datetime | None:
    """The time that a text names; without a time zone it is taken as UTC."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def meant(text: str) -> str | None:
    """The ISO date that a text in another form means; None if it may be another one."""
    plain = text.strip()
    if read(plain) is not None:
        return plain
    if _SECONDS.fullmatch(plain):
        return written(int(float(plain)))
    for form in _OTHERS:
        with suppress(ValueError):
            return datetime.strptime(plain, form).date().isoformat()
    if match := _SLASHES.fullmatch(plain):  # 01/02/2025 has two meanings
        first, second, year = map(int, match.groups())
        for month, day, rest in ((first, second, second), (second, first, first)):
            if rest > 12:
                with suppress(ValueError):
                    return datetime(year, month, day, tzinfo=UTC).date().isoformat()
    return None


def written(seconds: int) -> str:
    """A Unix timestamp as ISO 8601: a date if it is midnight (UTC), else a time."""
    time = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    if not seconds % 86_400:
        return time.date().isoformat()
    return time.isoformat().replace("+00:00", "Z")
