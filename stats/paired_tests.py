"""Tests of two runs over the same items, their correction for many tests, and their power."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from operator import add
from typing import NamedTuple

from evalmark.stats.intervals import MeanSpread, incomplete_beta, t_quantile

#: Differences whose signs are all tried, and bits of the number that counts them by steps.
ALL_SIGNS, MOST_BITS = 14, 1 << 25
#: Random draws of signs, and their seed.
DRAWS, SEED = 10_000, 0


class PValue(NamedTuple):
    """A p value, and its standard error: 0 if it is exact."""

    value: float
    standard_error: float = 0.0


def mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided p value of McNemar's exact test: a sign test on the items that differ.

    It is the probability of a split at least as uneven, if both sides were equally likely for each
    of these items (Q. McNemar, Psychometrika 12, 153-157, 1947; exact binomial form).
    """
    count = only_first + only_second
    if not count:
        return 1.0
    # Each binomial coefficient from the one before: of ten thousands, one alone takes milliseconds.
    # Integers, since floats overflow beyond a thousand items.
    splits = term = 1
    for k in range(min(only_first, only_second)):
        term = term * (count - k) // (k + 1)
        splits += term
    return min(1.0, float(Fraction(2 * splits, 1 << count)))


def sign_flip(differences: Sequence[float]) -> PValue:
    """Two-sided p value of the paired permutation test: each difference may have either sign.

    The statistic is the sum of the differences (R. A. Fisher, The Design of Experiments, 1935,
    section 21). The p value is exact up to ``ALL_SIGNS`` differences, and for any number of scores
    in steps, such as those of 0.25. Otherwise signs are drawn from a seeded generator, and the
    observed signs count as one of the draws (B. Phipson and G. K. Smyth, Statistical Applications
    in Genetics and Molecular Biology 9, 39, 2010). For differences of -1 and 1 it is McNemar's
    exact test.
    """
    moving = [value for value in differences if value]
    if not moving:
        return PValue(1.0)
    steps = _steps(moving)
    if steps is None:
        return _drawn(moving)
    whole, observed = sum(map(abs, steps)), abs(sum(steps))
    if not observed:
        return PValue(1.0)
    # Signs are extreme if the differences that become negative add up to at most ``least``, or if
    # those that become positive do: as many.
    least, count = (whole - observed) // 2, len(steps)
    if count > ALL_SIGNS and (least + 1) * (count + 1) > MOST_BITS:
        return _drawn(moving)
    count_of = _few if count <= ALL_SIGNS else _stepped
    return PValue(float(Fraction(2 * count_of(list(map(abs, steps)), least), 1 << count)))


def _steps(values: Sequence[float]) -> list[int] | None:
    """The values as multiples of one number: sums of floats that should be equal can differ.

    None for many values that are not multiples of one number.
    """
    near, unit = [], 1
    for value in values:
        near.append(Fraction(value).limit_denominator(10**6))
        unit = math.lcm(unit, near[-1].denominator)
        if unit > 10**12 or not near[-1]:
            if len(values) > ALL_SIGNS:
                return None
            near = [Fraction(value) for value in values]
            unit = max(value.denominator for value in near)  # a power of two
            break
    multiples = [int(value * unit) for value in near]
    common = math.gcd(*multiples)
    return [value // common for value in multiples]


def _few(steps: Sequence[int], least: int) -> int:
    """The number of subsets with a sum of at most ``least``, by listing all sums."""
    sums = [0]
    for step in steps:
        sums += [total + step for total in sums]
    return sum(total <= least for total in sums)


def _stepped(steps: Sequence[int], least: int) -> int:
    """The same by the coefficients of the product of all (1 + x^step), as digits of one integer."""
    width = len(steps) + 1
    mask = (1 << (least + 1) * width) - 1
    product = 1
    for step in steps:
        product = (product + (product << step * width)) & mask if step <= least else product
    digits, subsets = f"{product:b}", 0
    for end in range(len(digits), 0, -width):
        subsets += int(digits[max(0, end - width) : end], 2)
    return subsets


def _drawn(differences: Sequence[float]) -> PValue:
    """The share of random signs that are as extreme, eight differences at a time."""
    generator = random.Random(SEED)  # noqa: S311 - nothing is kept secret
    moving = [abs(value) for value in differences]
    whole = math.fsum(moving)
    # Of those that become positive. Rounding must not make an equal sum a smaller one.
    least = abs(math.fsum(differences)) - 1e-9 * whole
    positive = [0.0] * DRAWS
    for start in range(0, len(moving), 8):
        sums = [0.0]
        for step in [*moving[start : start + 8], *[0.0] * 8][:8]:
            sums += [total + step for total in sums]
        drawn = map(sums.__getitem__, generator.randbytes(DRAWS))
        positive = list(map(add, positive, drawn))
    extreme = sum(abs(2 * total - whole) >= least for total in positive)
    p = (extreme + 1) / (DRAWS + 1)
    return PValue(p, math.sqrt(p * (1 - p) / DRAWS))


def holm(p_values: Sequence[float]) -> list[float]:
    """P values corrected by Holm's step-down method, in the order given.

    The probability that any true null hypothesis is rejected is at most the level, whatever the
    dependence of the tests (S. Holm, "A simple sequentially rejective multiple test procedure",
    Scandinavian Journal of Statistics 6, 65-70, 1979).
    """
    count = len(p_values)
    corrected = [1.0] * count
    least = 0.0
    for rank, index in enumerate(sorted(range(count), key=lambda i: p_values[i])):
        least = max(least, min(1.0, (count - rank) * p_values[index]))
        corrected[index] = least
    return corrected


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
    log_ways = math.lgamma(items + 1) - math.lgamma(count + 1) - math.lgamma(items - count + 1)
    return math.exp(log_ways + count * math.log(share) + (items - count) * math.log1p(-share))


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
