"""Which items of a suite several models speak against: a ranking, not a verdict.

A margin is the number of bits by which a comparison of a prediction holds in an item; negative
where it fails. In each run, the margin of an item is set against the median of the rest, the other
items of the suite:

    agreement = sum of (margin x median of the rest) / sum of (median of the rest)^2

over runs. It is 1 for an item that is like the rest, 0 for one in which there is no effect, and -1
for one whose conditions are exchanged. Models that show a large effect count most. A run in which a
comparison does not hold, or fail, more often than by chance (sign test at 0.05) says nothing of it,
and where fewer than three runs say something of an item, it is not ranked. The agreement of an item
is that of its comparison that agrees least: two conditions that are exchanged reverse one
comparison, and the others hold.

The correlation is that of the item with the rest over runs (Pearson's; the item-rest correlation of
test theory, with models as people): of a good item it is positive, since a model that does better
in the rest does better in it. An item can be hard, or rare, and still be as its author wants it: it
is ranked, and never called broken.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalmark.stats.correlations import pearson
from evalmark.stats.paired_tests import mcnemar

#: Runs that say something of an item; of fewer, each has too much weight.
LEAST_RUNS = 3
#: A run shows an effect if the p value of the sign test over items is below this.
LEVEL = 0.05

#: Comparison -> item -> its margin in a run (bits).
Margins = Mapping[str, Mapping[int, float]]


@dataclass(frozen=True, slots=True)
class ItemEvidence:
    """The evidence of several runs on an item, in its comparison that agrees least."""

    item: int  # its number
    comparison: str  # the key of the comparison
    agreement: float  # how its margins agree with those of the rest: 1 as they do, -1 reversed
    #: That of its margins with those of the rest; None if either does not vary.
    correlation: float | None
    against: int  # in how many runs its margin is against that of the rest
    runs: int  # how many runs say something of the comparison


def rank_items(runs: Sequence[Margins]) -> list[ItemEvidence]:
    """The items of a suite, the one first that agrees least with the rest of its items.

    Empty if fewer than three runs show an effect. An item without a defined margin is not in it.
    """
    pairs: dict[tuple[int, str], list[tuple[float, float]]] = {}
    telling: dict[int, set[int]] = {}  # item -> the runs that say something of it
    for number, run in enumerate(runs):
        for comparison, margins in run.items():
            for item, pair in _against_rest(margins).items():
                pairs.setdefault((item, comparison), []).append(pair)
                telling.setdefault(item, set()).add(number)
    every = (
        _evidence(*key, values)
        for key, values in pairs.items()
        if len(telling[key[0]]) >= LEAST_RUNS
    )
    found: dict[int, ItemEvidence] = {}
    for evidence in sorted(every, key=lambda evidence: (evidence.agreement, evidence.item)):
        found.setdefault(evidence.item, evidence)
    return [*found.values()]


def _against_rest(margins: Mapping[int, float]) -> dict[int, tuple[float, float]]:
    """Each item's margin, and the median of those of all others; none without an effect."""
    holds, fails = (sum(sign * margin > 0 for margin in margins.values()) for sign in (1, -1))
    if mcnemar(holds, fails) >= LEVEL:
        return {}
    ordered = sorted(margins.values())
    found = {}
    for item, margin in margins.items():
        place = ordered.index(margin)
        found[item] = margin, statistics.median([*ordered[:place], *ordered[place + 1 :]])
    return found


def _evidence(item: int, comparison: str, runs: Sequence[tuple[float, float]]) -> ItemEvidence:
    size = math.fsum(rest * rest for _, rest in runs)  # above 0: most items have an effect
    agreement = math.fsum(margin * rest for margin, rest in runs) / size
    against = sum(margin * rest < 0 for margin, rest in runs)
    margins, rests = zip(*runs, strict=True)
    correlation = pearson(margins, rests)
    return ItemEvidence(item, comparison, agreement, correlation, against, len(runs))
