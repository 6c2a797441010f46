"""Everything hostile at evalmark: ``python -m benchmarks.torture --minutes 30``.

Prints a table: calls by group, what was wrong with them, and the figures of kills and random
documents. The exit code is 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks.torture import calls
from benchmarks.torture.attacks import attacked
from benchmarks.torture.commands import once
from benchmarks.torture.faults import FAULTS, faulty
from benchmarks.torture.files import COLUMNS, Tally, files
from benchmarks.torture.fuzz import Fuzzed, fuzzed
from benchmarks.torture.kills import Tried, Whole, all_writings, killed
from benchmarks.torture.probed import probed

#: Shares of the time: files, random documents.
FILES, FUZZ = 0.6, 0.4
#: The last needs the right to mount.
PARTS = ("files", "kills", "fuzz", "attacks", "faults")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--files", type=int, help="at most, whatever time is left")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kills", type=int, default=5, help="of each command that writes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", default=PARTS[:4], choices=PARTS)
    options = parser.parse_args()
    only = options.only
    seconds = 60 * options.minutes
    began = time.monotonic()
    tallies: dict[str, Tally] = {}
    if "files" in only:
        until, large = began + FILES * seconds, options.minutes >= 10
        tallies |= files(
            until, seed=options.seed, jobs=options.jobs, large=large, most=options.files
        )
        with ProcessPoolExecutor(1, initializer=calls.prepare) as pool:
            tallies["no file"] = pool.submit(without_a_file).result()
    print_tallies(tallies)
    wrong = [line for tally in tallies.values() for line in tally.examples]
    wrong += _probed(only, options.kills) if {"kills", "faults"} & {*only} else []
    wrong += attacked() if "attacks" in only else []
    wrong += _fuzz(FUZZ * seconds, options.seed, options.jobs) if "fuzz" in only else []
    print(f"\n{time.monotonic() - began:.0f} s, seed {options.seed}, {options.jobs} jobs")
    for line in wrong:
        print(line)
    return bool(wrong)


def without_a_file() -> Tally:
    """Calls that are given no file, and what was wrong with them."""
    tally = Tally()
    for one in once():
        tally.take("no file", one)
    return tally


def print_tallies(tallies: dict[str, Tally]) -> None:
    """A line for each group, and their sum."""
    print(f"{'':10} {'files':>6} {'calls':>7}", *(f"{name:>14}" for name in COLUMNS), "  slowest")
    whole = Tally()
    for tally in tallies.values():
        whole.add(tally)
    for name, tally in {**tallies, "all": whole}.items():
        counts = (f"{tally.wrong[column]:14}" for column in COLUMNS)
        print(f"{name:10} {tally.files:6} {tally.calls:7}", *counts, f"{tally.slowest:7.1f} s")


def _probed(only: list[str], count: int) -> list[str]:
    """Kills and faults of each command that writes, as a table; what was wrong."""
    wrong = []
    doing: dict[str, Callable[[Whole, Path], Tried]] = {}
    if "kills" in only:
        doing["kills"] = lambda whole, home: killed(whole, home, count)
    if "faults" in only:
        doing |= {fault: partial(faulty, fault=fault) for fault in FAULTS}
    whole_sum = dict.fromkeys(doing, 0)
    print("\n| |", *(f" {name}: tried, hit, failed |" for name in doing))
    with tempfile.TemporaryDirectory(prefix="torture-") as home, probed() as process:
        for name, writing in all_writings(Path(home)).items():
            with tempfile.TemporaryDirectory(prefix="torture-") as place:
                cells = []
                whole = Whole(writing, process, Path(place, "whole"))
                for number, (what, do) in enumerate(doing.items()):
                    Path(place, str(number)).mkdir()
                    found = do(whole, Path(place, str(number)))
                    whole_sum[what] += found.tried
                    cells.append(f" {found.tried}, {found.hit}, {len(found.wrong)} |")
                    wrong += [f"{what} of {name}: {text}" for text in found.wrong]
                print(f"| `{name}` |", *cells, flush=True)
    print(*(f"{what}: {number}," for what, number in whole_sum.items()), f"losses {len(wrong)}")
    return wrong


def _fuzz(seconds: float, seed: int, jobs: int) -> list[str]:
    until, whole = time.monotonic() + seconds, Fuzzed()
    with ProcessPoolExecutor(jobs) as pool:
        for found in pool.map(fuzzed, [until] * jobs, range(seed, seed + jobs)):
            whole.add(found)
    print(
        f"random documents: {whole.documents}, in folders {whole.files} files; valid "
        f"{whole.verdicts[True]}, invalid {whole.verdicts[False]}; exceptions "
        f"{len(whole.exceptions)}, different verdicts {len(whole.different)}"
    )
    return [*whole.exceptions, *whole.different]


if __name__ == "__main__":
    sys.exit(main())
