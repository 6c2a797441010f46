"""The size of an effect: the mean margin of a comparison over items, with its tests."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from evalmark.stats.intervals import mean_error, mean_interval, student_p
from evalmark.stats.paired_tests import PValue, sign_flip


class EffectSize(NamedTuple):
    """The mean of margins over items, and whether it differs from 0.

    The three of the tests are None for margins that have no direction.
    """

    items: int  # number of margins
    mean: float  # in the unit of the margins (bits)
    # Student's 95 % interval of the mean; None if all margins are equal
    interval: tuple[float, float] | None
    t: float | None  # mean / standard error, of the paired t test; None if all are equal
    t_test: float | None  # two-sided p value, with ``items - 1`` degrees of freedom
    sign_flip: PValue | None  # two-sided p value


def effect_size(margins: Sequence[float], *, is_directed: bool = True) -> EffectSize | None:
    """The size of an effect (bits), given the margin of each item; None without items.

    A margin is a difference of two sides in one item, so this is a paired comparison: the t test is
    that of Student (Biometrika 6, 1-25, 1908) for the differences, which assumes that means are
    nearly normal. The sign-flip test (Fisher 1935, see ``sign_flip``) assumes that without an
    effect each margin could as well have the other sign. Both take items to be independent. The
    sign-flip test is exact for up to 14 items, and has 10,000 seeded draws for more.

    Margins of ``=`` are not ``is_directed``: they are at most a tolerance, so 0 is not what they
    are without an effect, and a test would mean nothing.
    """
    if not margins:
        return None
    interval = mean_interval(margins)
    mean = math.fsum(margins) / len(margins)
    if not is_directed:
        return EffectSize(len(margins), mean, interval, None, None, None)
    flipped = sign_flip(margins)
    if interval is None:
        return EffectSize(len(margins), mean, None, None, None, flipped)
    t = statistics.fmean(margins) / mean_error(margins)
    p = student_p(t, len(margins) - 1)
    return EffectSize(len(margins), mean, interval, t, p, flipped)
