"""Ways to break a file × suggestion: ``python -m benchmarks.cures [--failures]``.

Breaks a good record, sample, suite or definition in each of the ways of ``cases``, and applies what
is suggested, to the letter. Cured is a file that has no finding that the good one lacks.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from benchmarks.cures.applied import Outcome, outcome
from benchmarks.cures.cases import breaks


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--failures", action="store_true", help="only what is not cured")
    options = parser.parse_args()
    counts: Counter[tuple[str, bool, str]] = Counter()
    for each in breaks():
        result = outcome(each)
        counts[each.sort, each.has_cure, result.verdict] += 1
        if not options.failures or (each.has_cure and result.verdict != "cured"):
            open_ = "" if each.has_cure else " (open)"
            print(f"{each.sort:10} {each.name + open_:38} {result.verdict:9} {_said(result)}")
    print(f"\n{'sort':10} {'one cure':>9} {'cured':>6} {'open':>6}")
    for sort in dict.fromkeys(sort for sort, _, _ in counts):
        curable = sum(n for (of, cure, _), n in counts.items() if of == sort and cure)
        cured = counts[sort, True, "cured"]
        rest = sum(n for (of, cure, _), n in counts.items() if of == sort and not cure)
        print(f"{sort:10} {curable:9} {cured:6} {rest:6}")
    total = sum(n for (_, cure, _), n in counts.items() if cure)
    cured = sum(n for (_, cure, verdict), n in counts.items() if cure and verdict == "cured")
    print(f"{cured} of {total} with one cure are cured by what is suggested: {cured / total:.1%}")
    return 0


def _said(result: Outcome) -> str:
    return "; ".join(result.said) or "-"


if __name__ == "__main__":
    sys.exit(main())
