"""`compare` checked with other libraries: ``python -m benchmarks.compare_scipy --scipy PYTHON``.

Makes pairs of runs from results of lm-evaluation-harness and logs of Inspect: those of the
fixtures, or of a folder with ``lm_eval`` and ``inspect``. ``evalmark compare`` compares them, and
scipy and statsmodels compute the same from the scores:

- McNemar's exact test: ``scipy.stats.binomtest``; pooled, of all items together;
- Newcombe's interval: his formula, with the Wilson intervals of ``binomtest``;
- sign flips: ``scipy.stats.permutation_test``, exact for few items; where scores have steps, the
  distribution of their sum by ``numpy.convolve``;
- Student's interval: ``scipy.stats.ttest_rel``; Holm: ``multipletests`` of statsmodels.

Prints both numbers of every comparison, and the largest difference of each kind. The exit code is 1
if one is above ``TOLERANCE``, or above ``SIGMA`` standard errors where signs are drawn. The other
environment: ``pip install scipy statsmodels``.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalmark.scoring import compare
from evalmark.scoring.comparison.paired_statistics import PairedComparison

from benchmarks.compare_scipy.runs import Case, Scored, cases

RESULTS = Path(__file__).resolve().parents[2] / "fixtures/results"
PEER = Path(__file__).with_name("peer.py")
#: Relative, of p values; of intervals, as a share of the range of scores.
TOLERANCE = 1e-8
SIGMA = 5.0
DRAWN = "p values of drawn signs, in standard errors"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=RESULTS)
    parser.add_argument("--scipy", required=True, help="a Python with scipy and statsmodels")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        made = list(cases(options.folder, Path(home), random.Random(options.seed)))
        groups = [(case.name, group) for case in made for group in compared(case)]
    theirs = computed(options.scipy, [group for _, group in groups])
    worst: dict[str, float] = {}
    shown = ""
    for name, group in groups:
        if name != shown:
            print(
                f"\n{name}\n{'':22} items  only one{'':6}p{'':11}scipy       interval{'':12}scipy"
            )
            shown = name
        for place, (scored, row) in enumerate(group):
            p, error, interval, holm = next(theirs)
            print(line_of(scored, row, p, interval))
            found = differences(scored, row, (p, error), interval)
            found["Holm's p values"] = relative(row.recorded.p_holm, holm[place])
            for kind, value in found.items():
                worst[kind] = max(worst.get(kind, 0.0), value)
    print(f"\n{sum(len(group) for _, group in groups)} comparisons; the largest differences:")
    for kind, value in worst.items():
        print(f"  {kind}: {value:.2g}")
    return int(any(v > (SIGMA if kind == DRAWN else TOLERANCE) for kind, v in worst.items()))


#: Comparisons that Holm corrects together.
Group = list[tuple[Scored, PairedComparison]]


def compared(case: Case) -> Iterator[Group]:
    """What `compare` finds for the results of two runs, and for all together."""
    found = compare(*case.paths)
    assert len(found.predictions) == len(case.results), case.name
    by_name = {row.suite: row for row in found.predictions}
    yield [(each, by_name[each.name]) for each in case.results]
    if found.pooled:
        parts = [each for each in case.results if each.width == 1]
        steps = max(each.steps for each in parts) if all(each.steps for each in parts) else 0
        first, second = ([x for part in parts for x in part[side]] for side in (1, 2))
        yield [(Scored("pooled", first, second, steps, 1), found.pooled)]


def computed(python: str, groups: list[Group]) -> Iterator[Any]:
    """What the other libraries compute: p, its standard error, the interval, p values by Holm."""
    asked = (
        {
            **scored._asdict(),
            "binary": {*scored.first, *scored.second} <= {0, 1},
            "p_values": [row.p_value for _, row in group],
        }
        for group in groups
        for scored, _ in group
    )
    text = "".join(f"{json.dumps(each)}\n" for each in asked)
    done = subprocess.run([python, PEER], input=text, stdout=subprocess.PIPE, check=True, text=True)
    return map(json.loads, done.stdout.splitlines())


def differences(
    scored: Scored, row: PairedComparison, p: tuple[float, float], interval: Any
) -> dict[str, float]:
    """By how much ours differ from theirs."""
    error = math.hypot(row.recorded.standard_error, p[1])
    kind = f"p values of {row.test.split(',')[0]}, exact"
    found = {DRAWN: abs(row.p_value - p[0]) / error} if error else {}
    if not error:
        found[kind] = relative(row.p_value, p[0])
    assert (row.interval is None) == (interval is None), row
    if row.interval is not None:
        ends = zip(row.interval, interval, strict=True)
        far = max(abs(ours - theirs) for ours, theirs in ends) / (scored.width or 1)
        found[f"intervals by {row.interval_method}"] = far
    return found


def relative(ours: float, theirs: float) -> float:
    """Their difference, as a share of the greater one."""
    return abs(ours - theirs) / max(ours, theirs)


def line_of(scored: Scored, row: PairedComparison, p: float, interval: Any) -> str:
    """A comparison in one line."""
    split = f"{row.only_first} : {row.only_second}"
    ends = ["none" if i is None else f"{i[0]:+.5f} {i[1]:+.5f}" for i in (row.interval, interval)]
    return (
        f"{scored.name:22} {row.items:5}  {split:>10}  {row.p_value:<10.5g}  {p:<10.5g}  "
        f"{ends[0]:18}  {ends[1]}"
    )


if __name__ == "__main__":
    sys.exit(main())
