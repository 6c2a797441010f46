"""The statistics of `compare` by scipy and statsmodels: lines of JSON in, lines of JSON out.

A line of input has the scores of two runs (``first``, ``second``), whether they are right or wrong
(``binary``), the number of their ``steps`` and the ``width`` of their range (0 for none), and the
p values of all results of the comparison. This is run by a Python that has no evalmark.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests

#: Differences whose signs are all tried, and draws of the others.
FEW, DRAWS = 14, 100_000


def newcombe(first, second):
    """Newcombe's formula (1998, method 10) with the Wilson intervals of scipy."""
    count = len(first)
    both = int((first * second).sum())
    one, other = int((first > second).sum()), int((second > first).sum())
    neither = count - both - one - other
    (p, low_p, high_p), (q, low_q, high_q) = (
        (hits / count, *stats.binomtest(hits, count).proportion_ci(0.95, "wilson"))
        for hits in (both + one, both + other)
    )
    margins = (both + one) * (other + neither) * (both + other) * (one + neither)
    excess = both * neither - one * other
    excess = max(excess - count / 2, 0) if excess > 0 else excess
    phi = excess / margins**0.5 if margins else 0

    def length(x, y):
        return max(0, x * x - 2 * phi * x * y + y * y) ** 0.5

    return (
        max(-1, q - p - length(q - low_q, high_p - p)),
        min(1, q - p + length(high_q - q, p - low_p)),
    )


def flips(difference, steps):
    """The p value of sign flips, and its standard error."""
    if not difference.any():
        return 1.0, 0.0
    if steps:  # the distribution of the sum, difference by difference
        found = np.ones(1)
        for step in np.rint(np.abs(difference) * steps).astype(int):
            signs = np.zeros(2 * step + 1)
            signs[0] += 0.5
            signs[-1] += 0.5
            found = np.convolve(found, signs)
        sums = np.abs(np.arange(len(found)) - len(found) // 2)
        return min(1.0, found[sums >= abs(round(difference.sum() * steps))].sum()), 0.0
    draws = np.inf if len(difference) <= FEW else DRAWS
    p = stats.permutation_test(
        (difference,),
        lambda x, axis: x.sum(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=draws,
        batch=1000,
        rng=1,
    ).pvalue
    return p, (p * (1 - p) / draws) ** 0.5


def compared(case):
    """The p value, its standard error, the interval, and the p values corrected by Holm."""
    first, second = np.array(case["first"]), np.array(case["second"])
    holm = multipletests(case["p_values"], method="holm")[1].tolist()
    if case["binary"]:
        one, other = int((first > second).sum()), int((second > first).sum())
        p = stats.binomtest(one, one + other).pvalue if one + other else 1.0
        return p, 0.0, newcombe(first, second), holm
    p, error = flips(second - first, case["steps"])
    if (second - first).std() == 0:
        return p, error, None, holm
    low, high = stats.ttest_rel(second, first).confidence_interval(0.95)
    if case["width"]:
        low, high = max(low, -case["width"]), min(high, case["width"])
    return p, error, (low, high), holm


for line in sys.stdin:
    p, error, interval, holm = compared(json.loads(line))
    shown = interval and [float(end) for end in interval]
    print(json.dumps([float(p), float(error), shown, holm]))
