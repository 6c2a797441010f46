"""Dates of memory sets: how they are written, and which of them are out of order."""

from __future__ import annotations

import re
from bisect import bisect, bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import NamedTuple

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

_LOCOMO = re.compile(r"(\d{1,2}):(\d\d) (am|pm) on (\d{1,2}) ([A-Z][a-z]+), (\d{4})")
_LONGMEMEVAL = re.compile(r"(\d{4})/(\d\d)/(\d\d) \(([A-Z][a-z]{2})\) (\d\d):(\d\d)")

_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?")

_TIME = re.compile(
    r"(?<![\d:])(\d{1,2}):(\d\d)(?::\d\d(?:\.\d+)?)?\s*([ap]\.?m\b\.?)?", re.IGNORECASE
)
_NUMBERS = re.compile(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_YEAR = re.compile(r"\b\d{4}\b")
_DAY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\b(?!:)")
_DIGITS = re.compile(r"\d+")
_NAME = re.compile(r"[^\W\d_]{3,}")


class DateForm(NamedTuple):
    """The notation of the dates of a set.

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
    match = _LOCOMO.fullmatch(text)
    if match is None or match[5] not in _MONTHS:
        return None
    hour = _hour(int(match[1]), match[3])
    month = _MONTHS.index(match[5]) + 1
    return _time(int(match[6]), month, int(match[4]), hour, int(match[2]))


def write_locomo(time: datetime) -> str:
    """A time as ``1:56 pm on 8 May, 2023``."""
    half = "am" if time.hour < 12 else "pm"
    date = f"{time.day} {_MONTHS[time.month - 1]}, {time.year:04}"
    return f"{(time.hour - 1) % 12 + 1}:{time.minute:02} {half} on {date}"


def read_longmemeval(text: str) -> datetime | None:
    """The time of ``2023/05/30 (Tue) 23:40``, whatever its day of the week."""
    match = _LONGMEMEVAL.fullmatch(text)
    if match is None or match[4] not in _DAYS:
        return None
    year, month, day, hour, minute = (int(match[group]) for group in (1, 2, 3, 5, 6))
    return _time(year, month, day, hour, minute)


def write_longmemeval(time: datetime) -> str:
    """A time as ``2023/05/30 (Tue) 23:40``."""
    date = f"{time.year:04}/{time.month:02}/{time.day:02} ({_DAYS[time.weekday()]})"
    return f"{date} {time.hour:02}:{time.minute:02}"


def read_iso(text: str) -> datetime | None:
    """The time of ``2024-03-04T19:30`` or ``2024-03-04``, the beginning of the day."""
    if not _ISO.fullmatch(text):
        return None
    with suppress(ValueError):
        return datetime.fromisoformat(text)
    return None


def write_iso(time: datetime) -> str:
    """A time as ``2024-03-04T19:30``."""
    return time.isoformat(timespec="seconds" if time.second else "minutes")


ISO_DATES = DateForm("2024-03-04T19:30", read_iso, write_iso)
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


class Slip(NamedTuple):
    """A time that is out of order.

    Attributes:
        wrong: Its place.
        neighbour: The place of the time with which it is out of order.
        meant: The same day of another year that fits; None if none does, or the other time may
            be the wrong one.
    """

    wrong: int
    neighbour: int
    meant: datetime | None


def slips(times: Sequence[datetime]) -> Iterator[Slip]:
    """The times without which the others are in order; as few as possible."""
    if all(time <= following for time, following in pairwise(times)):
        return
    right = _longest(times)
    for index in sorted(set(range(len(times))) - set(right)):
        place = bisect(right, index)
        low, high = right[:place][-1:], right[place:][:1]
        is_late = bool(high) and times[index] > times[high[0]]
        (neighbour,) = high if is_late else low
        around = (right[:place], right[place:])
        slip = _slip(times, index, neighbour, *around)
        # The other one may be wrong as well: then the order without it is right too.
        beside = (right[:place], right[place + 1 :]) if is_late else (right[: place - 1], around[1])
        with_index = [*beside[0], index, *beside[1]]
        if any(times[a] > times[b] for a, b in pairwise(with_index)):
            yield slip
            continue
        before = [*beside[0], index] if is_late else beside[0]
        reverse = _slip(times, neighbour, index, before, with_index[len(before) :])
        span_of = partial(_span, times, right, with_index)
        best, worse = sorted((slip, reverse), key=span_of)
        yield best if 2 * span_of(best) < span_of(worse) else slip._replace(meant=None)


def _slip(
    times: Sequence[datetime], wrong: int, neighbour: int, before: list[int], after: list[int]
) -> Slip:
    """A slip, with the year that puts it between the times before and after it.

    It must bring it nearer to the other one: a day too early is not a year too early.
    """
    low = times[before[-1]] if before else datetime.min
    high = times[after[0]] if after else datetime.max
    candidates = []
    for year in (times[wrong].year - 1, times[wrong].year + 1):
        with suppress(ValueError):  # 29 February, or no such year
            candidates.append(times[wrong].replace(year=year))
    gap = abs(times[wrong] - times[neighbour])
    fitting = [
        time for time in candidates if low <= time <= high and abs(time - times[neighbour]) < gap
    ]
    return Slip(wrong, neighbour, fitting[0] if len(fitting) == 1 else None)


def _span(
    times: Sequence[datetime], right: list[int], alternative: list[int], slip: Slip
) -> timedelta:
    """The length of the history if a slip is corrected; very long if it cannot be."""
    if slip.meant is None:
        return timedelta.max / 4
    kept = [times[place] for place in (alternative if slip.wrong in right else right)]
    return max(*kept, slip.meant) - min(*kept, slip.meant)


def _longest(times: Sequence[datetime]) -> list[int]:
    """The places of a longest series of times that does not decrease."""
    last: list[int] = []  # the place of the least time at which a series of each length ends
    before: dict[int, int] = {}
    for place, time in enumerate(times):
        length = bisect_right(last, time, key=times.__getitem__)
        if length:
            before[place] = last[length - 1]
        last[length : length + 1] = [place]
    series = last[-1:]
    while series and series[-1] in before:
        series.append(before[series[-1]])
    return series[::-1]
