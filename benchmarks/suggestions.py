"""Suggestions, applied: ``python -m benchmarks.suggestions [--times N] [--seed N] [--failures N]``.

Applies every suggestion of the bad fixtures, of runs of memory tests with one mistake, and of good
files of every kind with one mistake each, to the letter. Prints for each code: findings, findings
with a suggestion, those whose suggestion
is advice that only a person can follow, applied ones, and cured ones (the finding is gone and none
has come); then the first suggestions that do not cure.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))  # the tests apply suggestions too

from curing import of_bad_fixtures, of_mutants, of_runs, table, tried  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=60, help="mutants an operator and file")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--failures", type=int, default=20, help="so many are shown")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = chain(
            of_bad_fixtures(Path(folder, "bad")),
            of_runs(Path(folder, "runs")),
            of_mutants(options.seed, options.times),
        )
        counts = tried(cases)
    print(table(counts))
    failures = [line for count in counts.values() for line in count.failures]
    print(f"\n{len(failures)} do not cure")
    for line in failures[: options.failures]:
        print(line)


if __name__ == "__main__":
    main()
