"""The corpus: every hostile file by group, and all commands on each of them."""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.torture.calls import prepare
from benchmarks.torture.commands import Judged, of_file
from benchmarks.torture.hostile import Hostile
from benchmarks.torture.json_files import json_files
from benchmarks.torture.our_files import damaged, records
from benchmarks.torture.row_files import changed_bytes, row_files, tables
from benchmarks.torture.yaml_files import yaml_files

GROUPS: dict[str, Callable[[], Iterator[Hostile]]] = {
    "JSON": json_files,
    "YAML": yaml_files,
    "rows": row_files,
    "tables": tables,
    "records": records,
    "damaged": damaged,
    "bytes": changed_bytes,
}


#: What can be wrong with a call.
COLUMNS = ("traceback", "hang", "internal error", "exit code", "other")


@dataclass(slots=True)
class Tally:
    """Calls of a group, and what was wrong with them."""

    files: int = 0
    calls: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    slowest: float = 0
    examples: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.files += other.files
        self.calls += other.calls
        self.wrong += other.wrong
        self.slowest = max(self.slowest, other.slowest)
        self.examples += other.examples

    def take(self, group: str, one: Judged, hidden: str = "") -> None:
        """Count a call; ``hidden`` is a folder that needs no showing."""
        ended, wrong = one
        self.calls += 1
        self.slowest = max(self.slowest, ended.seconds)
        for what in wrong:
            self.wrong[_column(what)] += 1
            said = (ended.err or ended.out).decode("utf-8", "replace").strip().split("\n")[-1]
            shown = ended.call.shown.replace(hidden, "")[:150]
            self.examples.append(f"{group}: {what[:150]}: {shown}: {said[:200]}")


def tried(group: str, entry: Hostile) -> Tally:
    """All commands on a hostile file."""
    tally = Tally(files=1)
    with tempfile.TemporaryDirectory(prefix="torture-") as name:
        folder, work = Path(name, "here"), Path(name, "work")
        work.mkdir()
        path = entry.put(folder)
        for one in of_file(entry, path, work):
            tally.take(f"{group}/{entry.name}", one, name)
    return tally


def _column(wrong: str) -> str:
    """The column of the table in which something wrong is counted."""
    found = next((name for name in COLUMNS[:-1] if name in wrong), None)
    return found or COLUMNS[-1]


def corpus(seed: int = 0, *, large: bool) -> list[tuple[str, Hostile]]:
    """All files, in a random order, so that a share of them has some of every group."""
    found = [(group, entry) for group, make in GROUPS.items() for entry in make()]
    random.Random(seed).shuffle(found)
    return [(group, entry) for group, entry in found if large or not entry.is_large]


def files(
    until: float, *, seed: int = 0, jobs: int = 1, large: bool = False, most: int | None = None
) -> dict[str, Tally]:
    """Group → what its files did, for as many files as there is time, or at most so many."""
    tallies = {group: Tally() for group in GROUPS}
    entries = corpus(seed, large=large)[:most]
    if jobs == 1:
        prepare()
        for group, entry in entries:
            if time.monotonic() > until:
                break
            tallies[group].add(tried(group, entry))
        return tallies
    with ProcessPoolExecutor(jobs, initializer=prepare) as pool:
        under_way = []
        for group, entry in entries:
            under_way.append((group, pool.submit(tried, group, entry)))
            while len(under_way) > 3 * jobs:
                done, future = under_way.pop(0)
                tallies[done].add(future.result())
            if time.monotonic() > until:
                break
        for group, future in under_way:
            tallies[group].add(future.result())
    return tallies
