"""One-mistake mutants: ``python -m benchmarks.mistakes [--seeds N] [--only SORT]``.

Makes each mistake of the tables in good files of the fixtures, and of ``EVALMARK_SHARED``, in so
many places as there are seeds, checks what comes out, and counts the findings that were not there
before: as printed, that is, repeats folded. A mutant that means the same is not counted: its data
equal the original's, however the file is written (order of keys, 1 or 1.0). So an operator returns
False rather than make such a change, and the runner compares once more.
"""

from __future__ import annotations

import argparse
import collections
import copy
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from evalmark.validator.batch.check_files import check_files
from evalmark.validator.findings.finding import Finding

from benchmarks.mistakes.cases import SORTS, Case, Sort
from benchmarks.mistakes.operators import Operator


@dataclass(slots=True)
class Count:
    """What became of the mutants of an operator or a kind."""

    applied: int = 0
    found: int = 0
    single: int = 0
    codes: collections.Counter[str] = field(default_factory=collections.Counter)

    def add(self, other: Count) -> None:
        self.applied += other.applied
        self.found += other.found
        self.single += other.single
        self.codes += other.codes

    def __str__(self) -> str:
        if not self.applied:
            return "applies to no file"
        found = 100 * self.found / self.applied
        single = 100 * self.single / max(1, self.found)
        return (
            f"{self.applied:6} applied, {found:5.1f} % found, {single:5.1f} % of them exactly one"
        )


def findings(case: Case, folder: Path) -> dict[tuple[str, ...], Finding]:
    """The findings of a case as they are printed, by what makes them repeats of each other."""
    for name, raw in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(raw)
    checked = check_files([folder / name for name in case.named], jobs=1)
    found: dict[tuple[str, ...], Finding] = {}
    for finding in checked.findings:
        key = (finding.path, finding.code, finding.fold or f"{finding.pointer} {finding.message}")
        found.setdefault(key, finding)
    return found


@cache
def before(case: Case) -> tuple[set[tuple[str, ...]], set[tuple[str, str]]]:
    """What is found in a good case: as findings are told apart, and codes with their pointers."""
    with tempfile.TemporaryDirectory() as place:
        found = findings(case.with_data(case.data()), Path(place))
    return {key[1:] for key in found}, {(f.code, f.pointer) for f in found.values()}


def known_in(case: Case, key: tuple[str, ...], finding: Finding) -> bool:
    """Whether a good case has a finding, too; its message may name other items."""
    keys, places = before(case)
    return key[1:] in keys or (finding.code, finding.pointer) in places


def mutants(
    sort: Sort, operator: Operator, cases: list[Case], seeds: int
) -> Iterator[tuple[Case, Case]]:
    """Each good case beside one with a mistake; each seed starts with another case."""
    for seed in range(seeds):
        r = random.Random(f"{sort.name} {label(operator)} {seed}")
        for case in r.sample(cases, min(len(cases), 20)):
            original = case.data()
            data = copy.deepcopy(original)
            try:
                applied = operator(data, r)
            except (KeyError, TypeError, AttributeError, ValueError):
                continue  # an older version has this elsewhere, or in another shape
            if applied and data != original:
                yield case, case.with_data(data)
                break


def label(operator: Operator) -> str:
    return operator.__name__


def counted(sort: Sort, operator: Operator, cases: list[Case], seeds: int, show: bool) -> Count:
    count = Count()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for good, bad in mutants(sort, operator, cases, seeds):
            count.applied += 1
            new = [f for key, f in findings(bad, folder).items() if not known_in(good, key, f)]
            count.found += bool(new)
            count.single += len(new) == 1
            if len(new) != 1:
                count.codes["+".join(sorted(f.code for f in new)) or "nothing"] += 1
            if show and len(new) != 1:
                print(f"--- {bad.changed}\n  " + "\n  ".join(f"{f.code} {f.message}" for f in new))
            for name in bad.files:
                (folder / name).unlink()
    return count


def usable(sort: Sort) -> list[Case]:
    """Its good cases: those in which nothing is an error, and no file is unrecognized."""
    with tempfile.TemporaryDirectory() as place:
        return [
            case
            for at, case in enumerate(sort.cases())
            if all(f.severity != "error" for f in findings(case, Path(place) / str(at)).values())
        ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--only", help="one sort of file")
    parser.add_argument("--show", help="one operator: print what is not found with one finding")
    options = parser.parse_args()
    kinds: dict[str, Count] = {}
    rest: list[str] = []
    for sort in SORTS:
        if options.only and sort.name != options.only:
            continue
        cases, total = usable(sort), Count()
        for operator in sort.operators:
            if options.show and label(operator) != options.show:
                continue
            count = counted(sort, operator, cases, options.seeds, bool(options.show))
            total.add(count)
            if count.single < count.applied:
                codes = ", ".join(f"{n} {name}" for name, n in count.codes.most_common(4))
                rest.append(f"  {sort.name}: {label(operator)}: {count}: {codes}")
        print(f"{sort.name:16} {total}; {len(sort.operators)} operators, {len(cases)} files")
        sys.stdout.flush()
        kinds.setdefault(sort.kind, Count()).add(total)
    print()
    for kind, count in kinds.items():
        print(f"{kind:16} {count}")
    print("\nnot found with exactly one finding, by operator:")
    print("\n".join(rest))
    return 0


if __name__ == "__main__":
    sys.exit(main())
