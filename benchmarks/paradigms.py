"""How often `compare` claims a difference that is none: ``python -m benchmarks.paradigms``.

Two models are equal over a population of paradigms: in each paradigm one or the other is better, by
a difference that is normal in log odds, with mean 0 and standard deviation ``--spread``. A set has
some paradigms of it. For each simulated set the real comparison is made; the table shows how often
the mean over paradigms and the pool of all pairs have p < 0.05, and how often they are claimed.
With an advantage of the second model, the same numbers are the power.
"""

from __future__ import annotations

import argparse
import math
import random
from pathlib import Path

from evalmark.scoring.comparison.common_items import MatchedItems, match
from evalmark.scoring.comparison.compared_run import (
    PAIRS,
    ComparedRun,
    ComparedSuite,
    ItemScore,
    ScoredItems,
)
from evalmark.scoring.comparison.paired_statistics import LEVEL, paired

RIGHT, WRONG = ItemScore(1.0), ItemScore(0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=400, help="simulated sets for each row")
    parser.add_argument("--uids", type=int, default=67, help="paradigms of a set, as BLiMP has")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of a paradigm")
    parser.add_argument("--spread", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--advantages", type=float, nargs="+", default=(0.0, 0.2, 0.4, 0.6))
    options = parser.parse_args()
    print("| advantage in log odds | accuracies | mean, p < 0.05 | pool, p < 0.05 "
          "| mean claimed | pool claimed |")  # fmt: skip
    print("|---|---|---:|---:|---:|---:|")
    for advantage in options.advantages:
        draw = random.Random(options.seed)
        counts = [0, 0, 0, 0]
        sums = [0.0, 0.0]
        for _ in range(options.sets):
            found = paired(_matched(draw, options, advantage), PAIRS)
            headline, pooled = found.headline, found.pooled
            assert headline is not None
            assert pooled is not None
            sums[0] += headline.recorded.first
            sums[1] += headline.recorded.second
            for place, row in enumerate((headline, pooled)):
                counts[place] += row.p_value < LEVEL
                counts[place + 2] += row.better is not None
        shares = " | ".join(f"{100 * count / options.sets:.1f} %" for count in counts)
        means = " and ".join(f"{total / options.sets:.3f}" for total in sums)
        print(f"| {advantage} | {means} | {shares} |", flush=True)


def _matched(
    draw: random.Random, options: argparse.Namespace, advantage: float
) -> tuple[MatchedItems, ...]:
    """The matched UIDs of two models in one simulated set."""
    suites: tuple[list[ComparedSuite], list[ComparedSuite]] = ([], [])
    for number in range(options.uids):
        ease, difference = draw.gauss(1.0, 1.0), draw.gauss(advantage, options.spread)
        for side, sign in enumerate((-0.5, 0.5)):
            chance = 1 / (1 + math.exp(-(ease + sign * difference)))
            items = {
                str(k): RIGHT if draw.random() < chance else WRONG for k in range(options.pairs)
            }
            uid = ComparedSuite(
                f"uid {number}", f"uid {number}", None, {"": ScoredItems("", items)}
            )
            suites[side].append(uid)
    runs = [
        ComparedRun(Path(), name, {}, tuple(own)) for name, own in zip("ab", suites, strict=True)
    ]
    return match(*runs).items


if __name__ == "__main__":
    main()
