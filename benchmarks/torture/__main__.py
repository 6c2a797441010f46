"""Everything hostile at evalmark: ``python -m benchmarks.torture --minutes 30``.

Prints a table: calls by group, what was wrong with them, and the figures of kills and random
documents. The exit code is 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from benchmarks.torture import calls
from benchmarks.torture.commands import once
from benchmarks.torture.faults import FAULTS, faulty
from benchmarks.torture.files import COLUMNS, Tally, files
from benchmarks.torture.fuzz import Fuzzed, fuzzed
from benchmarks.torture.kills import WRITINGS, Kills, killed

#: Shares of the time: files, kills, random documents.
FILES, KILLS, FUZZ = 0.5, 0.15, 0.35
PARTS = ("files", "kills", "fuzz", "faults")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", default=PARTS[:3], choices=PARTS)
    options = parser.parse_args()
    only = options.only
    seconds = 60 * options.minutes
    began = time.monotonic()
    tallies: dict[str, Tally] = {}
    if "files" in only:
        until, large = began + FILES * seconds, options.minutes >= 10
        tallies |= files(until, seed=options.seed, jobs=options.jobs, large=large)
        with ProcessPoolExecutor(1, initializer=calls.prepare) as pool:
            tallies["no file"] = pool.submit(without_a_file).result()
    print_tallies(tallies)
    wrong = [line for tally in tallies.values() for line in tally.examples]
    wrong += _kills(KILLS * seconds, options.seed) if "kills" in only else []
    wrong += _faults() if "faults" in only else []
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


def _faults() -> list[str]:
    wrong = []
    for name in WRITINGS:
        for fault in FAULTS:
            found = faulty(name, fault)
            print(f"{fault}, {name}: met {found.met}, wrong {len(found.wrong)}", flush=True)
            wrong += [f"{fault}, {name}: {what}" for what in found.wrong]
    return wrong


def _kills(seconds: float, seed: int) -> list[str]:
    r, whole, lost = random.Random(seed), Kills(), []
    for name in WRITINGS:
        found = killed(name, time.monotonic() + seconds / len(WRITINGS), r)
        print(
            f"kills of {name}: {found.kills}, amid the work {found.amid}, losses {len(found.lost)}"
        )
        whole.kills += found.kills
        lost += [f"kill of {name}: {what}" for what in found.lost]
    print(f"kills: {whole.kills}, losses {len(lost)}")
    return lost


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
