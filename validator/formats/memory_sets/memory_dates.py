"""Dates as memory sets write them, and dates that were meant to be such."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

_LOCOMO = re.compile(r"(\d{1,2}):(\d\d) (am|pm) on (\d{1,2}) ([A-Z][a-z]+), (\d{4})")
_LONGMEMEVAL = re.compile(r"(\d{4})/(\d\d)/(\d\d) \(([A-Z][a-z]{2})\) (\d\d):(\d\d)")

_TIME = re.compile(
    r"(?<![\d:])(\d{1,2}):(\d\d)(?::\d\d(?:\.\d+)?)?\s*([ap]\.?m\b\.?)?", re.IGNORECASE
)
_NUMBERS = re.compile(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_YEAR = re.compile(r"\b\d{4}\b")
_DAY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\b(?!:)")
_DIGITS = re.compile(r"\d+")
_NAME = re.compile(r"[^\W\d_]{3,}")


class DateForm(NamedTuple):
    """How the dates of a set are written.

    Attributes:
        example: A date in this form.
        read: The time of a date; None if it is not in this form.
        write: The date of a time.
    """

    example: str
    read: Callable[[str], datetime | None]
    write: Callable[[datetime], str]

    def meant(self, text: str) -> str | None:
        """The date that a text in another form means; None if that is not certain."""
        time = read_loosely(text)
        return self.write(time) if time else None


def read_locomo(text: str) -> datetime | None:
    """The time of ``1:56 pm on 8 May, 2023``."""
    found = _LOCOMO.fullmatch(text)
    if found is None or found[5] not in _MONTHS:
        return None
    hour = _hour(int(found[1]), found[3])
    month = _MONTHS.index(found[5]) + 1
    return _time(int(found[6]), month, int(found[4]), hour, int(found[2]))


def write_locomo(time: datetime) -> str:
    """A time as ``1:56 pm on 8 May, 2023``."""
    half = "am" if time.hour < 12 else "pm"
    date = f"{time.day} {_MONTHS[time.month - 1]}, {time.year:04}"
    return f"{(time.hour - 1) % 12 + 1}:{time.minute:02} {half} on {date}"


def read_longmemeval(text: str) -> datetime | None:
    """The time of ``2023/05/30 (Tue) 23:40``, whatever its day of the week."""
    found = _LONGMEMEVAL.fullmatch(text)
    if found is None or found[4] not in _DAYS:
        return None
    year, month, day, hour, minute = (int(found[group]) for group in (1, 2, 3, 5, 6))
    return _time(year, month, day, hour, minute)


def write_longmemeval(time: datetime) -> str:
    """A time as ``2023/05/30 (Tue) 23:40``."""
    date = f"{time.year:04}/{time.month:02}/{time.day:02} ({_DAYS[time.weekday()]})"
    return f"{date} {time.hour:02}:{time.minute:02}"


LOCOMO_DATES = DateForm("1:56 pm on 8 May, 2023", read_locomo, write_locomo)
LONGMEMEVAL_DATES = DateForm("2023/05/30 (Tue) 23:40", read_longmemeval, write_longmemeval)


def read_loosely(text: str) -> datetime | None:
    """The time of a date in another form, if it has all parts and each has one reading."""
    times = list(_TIME.finditer(text))
    if len(times) != 1:
        return None
    hour, minute, half = int(times[0][1]), int(times[0][2]), times[0][3]
    rest = text[: times[0].start()].rstrip("T") + " " + text[times[0].end() :]
    if half:
        hour = _hour(hour, half.replace(".", "").lower())
    if numbers := _NUMBERS.search(rest):
        return _time(int(numbers[1]), int(numbers[2]), int(numbers[3]), hour, minute)
    years = _YEAR.findall(rest)
    days = _DAY.findall(_YEAR.sub(" ", rest))
    months = {month for name in _NAME.findall(rest) for month in _months(name)}
    if len(years) != 1 or len(days) != 1 or len(months) != 1 or len(_DIGITS.findall(rest)) != 2:
        return None
    return _time(int(years[0]), months.pop(), int(days[0]), hour, minute)


def _months(name: str) -> list[int]:
    """The month that a word is, shortened or misspelt."""
    import difflib  # valid files need none

    word = name.capitalize()
    short = [number for number, month in enumerate(_MONTHS, 1) if month.startswith(word)]
    if len(short) == 1:
        return short
    near = difflib.get_close_matches(word, _MONTHS, n=1, cutoff=0.8)
    return [_MONTHS.index(near[0]) + 1] if near else []


def _hour(hour: int, half: str) -> int:
    """The hour of 24; 25 if it is not one of 12."""
    if not 1 <= hour <= 12:
        return 25
    return hour % 12 + (12 if half == "pm" else 0)


def _time(year: int, month: int, day: int, hour: int, minute: int) -> datetime | None:
    try:
        return datetime(year, month, day, hour, minute)
    except ValueError:
        return None
