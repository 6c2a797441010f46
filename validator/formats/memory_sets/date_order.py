"""Dates that are out of order: which of them is wrong, and what it may have been."""

from __future__ import annotations

from bisect import bisect, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple


class Slip(NamedTuple):
    """A time that is out of order.

    Attributes:
        wrong: Its place.
        other: The place of the time with which it is out of order.
        meant: The same day of another year that fits; None if none does, or the other time may
            be the wrong one.
    """

    wrong: int
    other: int
    meant: datetime | None


def slips(times: Sequence[datetime]) -> Iterator[Slip]:
    """The times without which the others are in order; as few as possible."""
    if all(one <= other for one, other in pairwise(times)):
        return
    right = _longest(times)
    for index in sorted(set(range(len(times))) - set(right)):
        place = bisect(right, index)
        low, high = right[:place][-1:], right[place:][:1]
        is_late = bool(high) and times[index] > times[high[0]]
        (other,) = high if is_late else low
        around = (right[:place], right[place:])
        one = _slip(times, index, other, *around)
        # The other one may be wrong as well: then the order without it is right too.
        beside = (right[:place], right[place + 1 :]) if is_late else (right[: place - 1], around[1])
        with_index = [*beside[0], index, *beside[1]]
        if any(times[a] > times[b] for a, b in pairwise(with_index)):
            yield one
            continue
        before = [*beside[0], index] if is_late else beside[0]
        two = _slip(times, other, index, before, with_index[len(before) :])
        best, worse = sorted((one, two), key=lambda slip: _span(times, slip, right, with_index))
        clear = 2 * _span(times, best, right, with_index) < _span(times, worse, right, with_index)
        yield best if clear else one._replace(meant=None)


def _slip(
    times: Sequence[datetime], wrong: int, other: int, before: list[int], after: list[int]
) -> Slip:
    """A slip, with the year that puts it between the times before and after it.

    It must bring it nearer to the other one: a day too early is not a year too early.
    """
    low = times[before[-1]] if before else datetime.min
    high = times[after[0]] if after else datetime.max
    found = []
    for year in (times[wrong].year - 1, times[wrong].year + 1):
        with suppress(ValueError):  # 29 February, or no such year
            found.append(times[wrong].replace(year=year))
    gap = abs(times[wrong] - times[other])
    fitting = [one for one in found if low <= one <= high and abs(one - times[other]) < gap]
    return Slip(wrong, other, fitting[0] if len(fitting) == 1 else None)


def _span(times: Sequence[datetime], slip: Slip, right: list[int], other: list[int]) -> timedelta:
    """How long the history is if a slip is corrected; very long if it cannot be."""
    if slip.meant is None:
        return timedelta.max / 4
    kept = [times[place] for place in (other if slip.wrong in right else right)]
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
    found = last[-1:]
    while found and found[-1] in before:
        found.append(before[found[-1]])
    return found[::-1]
