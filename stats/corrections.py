"""Many tests at once."""

from __future__ import annotations

from collections.abc import Sequence


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
