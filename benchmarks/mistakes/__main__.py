"""One-mistake mutants: ``python -m benchmarks.mistakes [--seeds N] [--only SORT]``.

Makes each mistake of the tables in good files of the fixtures, and of ``EVALMARK_SHARED``, in so
many places as there are seeds, checks what comes out, and counts the findings that were not there
before: as printed, that is, repeats folded. A mutant that means the same is not counted: its data
equal the original's, however the file is written (order of keys, 1 or 1.0). So an operator returns
False rather than make such a change, and the runner compares once more.

Some good files have warnings already. A finding is new if the file had none of its code at its
place, or if it is about the very value that was changed and says something else than before. Where
nothing is new, a further repeat of a finding counts.

What is a mistake in one version of a format may be legal in an older one: such mutants are not
counted either. ``legal.py`` decides that without our check.
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

from evalmark.validator.checker import check_files
from evalmark.validator.findings.finding import Finding, apply_fixes
from evalmark.validator.reading.source import parse_pointer

from benchmarks.mistakes.cases import SORTS, Case, Sort
from benchmarks.mistakes.legal import changed, is_legal
from benchmarks.mistakes.operators import Operator


@dataclass(slots=True)
class Count:
    """What became of the mutants of an operator or a kind."""

    applied: int = 0
    found: int = 0
    placed: int = 0
    single: int = 0
    cured: int = 0
    wrong: int = 0
    codes: collections.Counter[str] = field(default_factory=collections.Counter)

    def add(self, other: Count) -> None:
        self.applied += other.applied
        self.found += other.found
        self.placed += other.placed
        self.single += other.single
        self.cured += other.cured
        self.wrong += other.wrong
        self.codes += other.codes

    def __str__(self) -> str:
        if not self.applied:
            return "applies to no file"
        found = 100 * self.found / self.applied
        single = 100 * self.single / max(1, self.found)
        return (
            f"{self.applied:6} applied, {found:5.1f} % found, "
            f"{100 * self.placed / self.applied:5.1f} % at the place, "
            f"{single:5.1f} % of them exactly one, "
            f"{100 * self.cured / max(1, self.found):5.1f} % fixed, {self.wrong} wrongly"
        )


def findings(case: Case, folder: Path) -> dict[tuple[str, ...], list[Finding]]:
    """The findings of a case as they are printed: repeats together."""
    for name, raw in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(raw)
    checked = check_files([folder / name for name in case.named], jobs=1)
    found: dict[tuple[str, ...], list[Finding]] = {}
    for finding in checked.findings:
        key = (finding.path, finding.code, finding.fold or f"{finding.pointer} {finding.message}")
        found.setdefault(key, []).append(finding)
    return found


@dataclass(frozen=True, slots=True)
class Before:
    """What is found in a good case."""

    repeats: dict[tuple[str, ...], int]
    places: set[tuple[str, str]]
    said: set[tuple[str, str, str]]


@cache
def before(case: Case) -> Before:
    """What is found in a good case."""
    with tempfile.TemporaryDirectory() as place:
        found = findings(case.with_data(case.data()), Path(place))
    every = [finding for group in found.values() for finding in group]
    return Before(
        {key[1:]: len(group) for key, group in found.items()},
        {(f.code, f.pointer) for f in every},
        {(f.code, f.pointer, f.message) for f in every},
    )


def is_new(good: Case, bad: Case, key: tuple[str, ...], group: list[Finding]) -> bool:
    """Whether repeats of a finding are not those of the good case, whose messages may differ."""
    known = before(good)
    if not bad.changed.endswith(".jsonl"):  # there, pointers are those of rows
        places = set(changed(good.data(), bad.data()))
        about = (f for f in group if f.pointer in places)
        if any((f.code, f.pointer, f.message) not in known.said for f in about):
            return True
    return key[1:] not in known.repeats and (group[0].code, group[0].pointer) not in known.places


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
            if is_legal(sort.kind.removesuffix("s"), label(operator), bad.data()):
                continue
            count.applied += 1
            found = findings(bad, folder)
            new = [group[0] for key, group in found.items() if is_new(good, bad, key, group)]
            # A further repeat is printed as a higher count: it matters where nothing else is said.
            new = new or [
                group[0]
                for key, group in found.items()
                if len(group) > before(good).repeats.get(key[1:], len(group))
            ]
            count.found += bool(new)
            count.placed += is_placed(good, bad, new)
            count.single += len(new) == 1
            fixed = fixed_case(
                bad,
                [f for key, group in found.items() if is_new(good, bad, key, group) for f in group],
            )
            count.cured += fixed is not None and is_cured(good, fixed, folder)
            wrong = fixed is not None and is_wrong(good, bad, fixed)
            count.wrong += wrong
            if len(new) != 1:
                count.codes["+".join(sorted(f.code for f in new)) or "nothing"] += 1
            if show and (len(new) != 1 or wrong):
                if wrong and fixed:
                    for place in changed(bad.data(), fixed.data()):
                        print([value_at(d.data(), place) for d in (good, bad, fixed)])
                for place in [*changed(good.data(), bad.data())][:2]:
                    print(place, [value_at(d.data(), place) for d in (good, bad)])
                print(f"--- {bad.changed}\n  " + "\n  ".join(f"{f.code} {f.message}" for f in new))
            for name in bad.files:
                (folder / name).unlink()
    return count


def is_placed(good: Case, bad: Case, new: list[Finding]) -> bool:
    """True if a finding is at a value that was changed, or at what has it; of JSON documents."""
    if bad.changed.endswith(".jsonl"):
        return bool(new)
    changes = changed(good.data(), bad.data())
    places = {place for finding in new for place in (finding.pointer, *finding.also)}
    return any(
        a == b or f"{a}/".startswith(f"{b}/") or _item(a) == _item(b) != ""
        for a in changes
        for b in places
        if b
    )


def _item(pointer: str) -> str:
    """The item, or the prediction, in which a pointer is; empty if it is in none."""
    _, *parts = pointer.split("/")
    return "/".join(parts[:2]) if len(parts) > 1 and parts[0] in ("items", "predictions") else ""


def fixed_case(bad: Case, new: list[Finding]) -> Case | None:
    """The case with the fixes of the new findings; None if there are none; of one file of JSON."""
    fixes = [finding for finding in new if finding.fix]
    if not fixes or bad.changed.endswith(".jsonl"):
        return None
    text = apply_fixes(bad.files[bad.changed].decode(), fixes, unsafe=True).text
    return Case({**bad.files, bad.changed: text.encode()}, bad.changed, bad.named)


def is_cured(good: Case, fixed: Case, folder: Path) -> bool:
    """True if the fixes leave nothing new."""
    found = findings(fixed, folder)
    return not any(is_new(good, fixed, key, group) for key, group in found.items())


def is_wrong(good: Case, bad: Case, fixed: Case) -> bool:
    """True if a fix wrote a value that is neither the original nor the mistake, but for spaces."""
    every = good.data(), bad.data(), fixed.data()
    for place in changed(*every[1:]):
        *others, new = (str(value_at(data, place)).strip() for data in every)
        if new not in others:
            return True
    return False


def value_at(data: object, pointer: str) -> object:
    for part in parse_pointer(pointer):
        try:
            data = data[int(part) if isinstance(data, list) else part]  # type: ignore[index]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return data


def has_errors(found: dict[tuple[str, ...], list[Finding]]) -> bool:
    return any(finding.severity == "error" for group in found.values() for finding in group)


def usable(sort: Sort) -> list[Case]:
    """Its good cases: those in which nothing is an error, and no file is unrecognized."""
    with tempfile.TemporaryDirectory() as place:
        return [
            case
            for at, case in enumerate(sort.cases())
            if not has_errors(findings(case, Path(place) / str(at)))
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
            if count.single < count.applied or count.wrong:
                codes = ", ".join(f"{n} {name}" for name, n in count.codes.most_common(4))
                rest.append(f"  {sort.name}: {label(operator)}: {count}: {codes}")
        print(f"{sort.name:16} {total}; {len(sort.operators)} operators, {len(cases)} files")
        sys.stdout.flush()
        kinds.setdefault(sort.kind, Count()).add(total)
    print()
    for kind, count in kinds.items():
        print(f"{kind:16} {count}")
    print("\nnot found with exactly one finding, or wrongly fixed, by operator:")
    print("\n".join(rest))
    return 0


if __name__ == "__main__":
    sys.exit(main())
