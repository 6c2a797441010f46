"""Conflicts: different numbers of one model on one benchmark, and the settings that differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import combinations

from evalmark.leaderboard.columns import ResultRow
from evalmark.leaderboard.representative import conditions_of, settings_of

#: The kinds of conflicts: different numbers under the same settings, or under several.
CONTRADICTION, SEVERAL = "contradiction", "several settings"
#: Decimals beyond which doubles are not told apart.
_MOST_DECIMALS = 12


def width_of(models: Mapping[str, Sequence[ResultRow]]) -> float | None:
    """The width of the scale of a benchmark, if its results state one."""
    for rows in models.values():
        for row in rows:
            if row.min_score is not None and row.max_score is not None:
                return row.max_score - row.min_score
    return None


def conflict_of(rows: Sequence[ResultRow], width: float | None) -> str | None:
    """The kind of conflict between the results of a model on a benchmark; None if they agree.

    It is a contradiction if two results disagree of which no stated setting differs, else there are
    several settings: models are run with several precisions and efforts on purpose. Sources, dates,
    ranks and costs are not settings.

    Two numbers agree if one is the other rounded: to its own number of decimals, but never more
    coarsely than 0.5 % of the scale, so that 1 does not agree with 0.6.
    """
    numbers = [(row.score, row) for row in rows if row.score is not None]
    finite = [(score, row) for score, row in numbers if math.isfinite(score)]
    scores = {score for score, _ in finite}
    if len(scores) < 2:
        return None
    if width is None or not 0 < width < math.inf:
        width = 10.0 ** math.ceil(math.log10(max(map(abs, scores))))
    fewest = max(0, math.ceil(2 - math.log10(width)))
    decimals = {score: _decimals(score, fewest) for score in scores}

    def disagree(one: float, other: float) -> bool:
        coarser = min(decimals[one], decimals[other])
        return abs(one - other) > 0.5000001 * 10.0**-coarser

    if not any(disagree(one, other) for one, other in combinations(scores, 2)):
        return None
    stated = [(score, conditions_of(settings_of(row))) for score, row in finite]
    different = {(score, *sorted(own.items())): (score, own) for score, own in stated}
    for (one, ours), (other, theirs) in combinations(different.values(), 2):
        is_same = all(theirs.get(name, value) == value for name, value in ours.items())
        if is_same and disagree(one, other):
            return CONTRADICTION
    return SEVERAL


def _decimals(score: float, fewest: int) -> int:
    """The decimals to which a number is given, as far as they count."""
    exponent = Decimal(repr(score)).normalize().as_tuple().exponent
    return min(_MOST_DECIMALS, max(fewest, -int(exponent)))
