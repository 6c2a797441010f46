"""Tests of two runs over the same items."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from operator import add
from typing import NamedTuple

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
    ways = term = 1
    for k in range(min(only_first, only_second)):
        term = term * (count - k) // (k + 1)
        ways += term
    return min(1.0, float(Fraction(2 * ways, 1 << count)))


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
