"""What a script states beside its messages: replies that are given, and dates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Protocol

from evalmark.schemas.errors import ScoringError

#: Keys of what is stated for each message.
GIVEN_REPLIES, DATES = "given_replies", "dates"


class HasScript(Protocol):
    """A test as this module sees it."""

    script: list[str]
    is_temporal: bool
    given_replies: list[str | None]
    dates: list[datetime | str | None]

    @property
    def unique_id(self) -> str:
        """Dataset and id."""


def as_text(date: datetime | str | None) -> str | None:
    """A date as ISO 8601.

    Raises:
        ScoringError: It is not a date.
    """
    if not isinstance(date, str):
        return date.isoformat() if date is not None else None
    try:
        datetime.fromisoformat(date)
    except ValueError:
        raise ScoringError(f"{date!r} is not a date like 2023-05-20T14:30") from None
    return date


def messages_of(test: HasScript) -> Iterator[tuple[str, str | None, str | None]]:
    """Each message with its given reply and its date.

    Raises:
        ScoringError: There are more or fewer of them than messages.
    """
    count = len(test.script)
    stated: list[list[Any]] = []
    for key in (GIVEN_REPLIES, DATES):
        values = list(getattr(test, key)) or [None] * count
        if len(values) != count:
            raise ScoringError(f"{test.unique_id}: {len(values)} `{key}` for {count} messages")
        stated.append(values)
    yield from zip(test.script, stated[0], map(as_text, stated[1]), strict=True)
    if test.is_temporal:
        yield "", None, None


def stated_of(test: HasScript) -> dict[str, Any]:
    """Given replies and dates as a definition file holds them, if there are any."""
    found = {GIVEN_REPLIES: list(test.given_replies), DATES: list(map(as_text, test.dates))}
    return {key: values for key, values in found.items() if values}
