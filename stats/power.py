"""Power: the least difference that a test would have shown, had it been there."""

from __future__ import annotations

import math
from functools import lru_cache

from evalmark.stats.means import MeanSpread, incomplete_beta, t_quantile

#: The probability with which a difference has to be found.
POWER = 0.8
#: Numbers of items that differ which are looked at, and the exactness of a difference.
_LOOKS, _STEP = 10, 2e-3


def detectable_mean(spread: MeanSpread, level: float) -> float:
    """The mean that a two-sided test at a level finds in 80 of 100 comparisons.

    As Student's t does, the sign-flip test finds means of so many standard errors.
    """
    quantiles = t_quantile(spread.freedom, level) + t_quantile(spread.freedom, 2 * (1 - POWER))
    return quantiles * spread.error


@lru_cache(1000)
def detectable_share(items: int, differing: int, level: float) -> float | None:
    """The difference of two shares that McNemar's exact test finds in 80 of 100 comparisons.

    As many items as were observed are right in one run only, or more if the difference is larger.
    None if not even a difference of 1 is found.
    """
    low, high = 0.0, 1.0
    if _power(items, differing / items, 1.0, level) < POWER:
        return None
    while high - low > _STEP:
        middle = (low + high) / 2
        if _power(items, differing / items, middle, level) < POWER:
            low = middle
        else:
            high = middle
    return high


def _power(items: int, differing: float, difference: float, level: float) -> float:
    """The probability that McNemar's test finds a difference of shares, by the side it is on."""
    share = max(differing, difference)
    towards = (1 + difference / share) / 2
    middle, reach = items * share, 4 * math.sqrt(items * share * (1 - share)) + 1
    first, last = max(1, math.floor(middle - reach)), min(items, math.ceil(middle + reach))
    found = whole = 0.0
    for count in range(first, last + 1, max(1, (last - first) // _LOOKS)):
        weight = _binomial(items, count, share)
        whole += weight
        found += weight * _tail(count, _least(count, level), towards)
    # What lies below the first number is not found; steps leave out as much of both.
    return found / whole


def _binomial(items: int, count: int, share: float) -> float:
    if share == 1:
        return float(count == items)
    ways = math.lgamma(items + 1) - math.lgamma(count + 1) - math.lgamma(items - count + 1)
    return math.exp(ways + count * math.log(share) + (items - count) * math.log1p(-share))


def _tail(count: int, least: int, share: float) -> float:
    """The probability of at least so many of a number of items."""
    if least > count or share == 1:
        return float(least <= count)
    return incomplete_beta(least, count - least + 1, share, 1 - share)


@lru_cache(100_000)
def _least(count: int, level: float) -> int:
    """The least number of differing items on one side that is significant: p below the level."""
    low, high = count // 2, count + 1
    while high - low > 1:
        middle = (low + high) // 2
        if 2 * _tail(count, middle, 0.5) < level:
            high = middle
        else:
            low = middle
    return high
