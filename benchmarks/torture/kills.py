"""Every command that writes, killed at random moments: each file is the old one or the new one.

A command runs once to its end. Then it is started again and again from the same beginning and
killed; after each kill every file must be as before or as after, and the same command, run again,
must end as if nothing had happened. SIGTERM must leave no temporary file.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.torture.calls import FIXTURES, Call, command
from benchmarks.torture.commands import SCRIPT

#: What differs between two runs: the time that exchanges took, as it appears in logs and results.
_TIMES = re.compile(
    rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(\+00:00)?|\"duration\": [0-9.e-]+"
    rb"|latency_ms\": [0-9.e-]+"
)
#: In `run.json`: it is written before the record, and again with the files of the record.
LISTED = re.compile(rb'"files": \{[^}]*\}')
#: Files of a run that is under way, and those that hold a digest of times.
_GROWING = ("conversation.jsonl", "unfinished.jsonl")
#: The folder in which the files of a site are made.
STAGED = "/.evalmark-site/"
OLD = FIXTURES / "legacy/brackets.old.json"
FIXABLE = FIXTURES / "bad/SG301_trailing_space.json"


@dataclass(frozen=True, slots=True)
class Writing:
    """A command that writes: what it begins with, and its words."""

    begin: Callable[[Path], object]
    words: tuple[str, ...]


def _many(source: Path, count: int = 40) -> Callable[[Path], object]:
    def begin(folder: Path) -> None:
        (folder / "in").mkdir()
        for number in range(count):
            shutil.copy(source, folder / f"in/{number:03}.json")

    return begin


def _records(folder: Path) -> None:
    _many(FIXTURES / "good/record.json", 3)(folder)


def _evaluated(folder: Path) -> None:
    shutil.copy(FIXTURES / "legacy/evaluated.old.json", folder / "suite.json")


WRITINGS: dict[str, Writing] = {
    "convert --in-place": Writing(_many(OLD), ("convert", "--in-place", "in")),
    "convert -o": Writing(_many(OLD), ("convert", "in", "-o", "out")),
    "check --fix": Writing(_many(FIXABLE), ("check", "--fix", "--unsafe-fixes", "in")),
    "score": Writing(
        _evaluated, ("score", "suite.json", "--surprisals=recorded", "--out", "out", "--overwrite")
    ),
    "converse": Writing(
        lambda _: None,
        ("memory", "colours", "--agent", str(SCRIPT), "--out", "out", "--examples", "8"),
    ),
    "table": Writing(_records, ("table", "in", "-o", "out.csv")),
    "publish": Writing(_records, ("publish", "in", "-o", "site")),
    "init": Writing(lambda _: None, ("init", "new", "--name", "first")),
}  # fmt: skip


@dataclass(slots=True)
class Kills:
    """Kills of a command, and what was lost."""

    kills: int = 0
    amid: int = 0  # in which something had been written, and not all
    lost: list[str] = field(default_factory=list)


def killed(name: str, until: float, r: random.Random, most: int = 1000) -> Kills:
    """Kill a command until time is over; at least once."""
    writing, found = WRITINGS[name], Kills()
    with tempfile.TemporaryDirectory(prefix="torture-") as home:
        began = time.monotonic()
        after = ended(writing, Path(home, "whole"))
        whole = time.monotonic() - began
        before = started(writing, Path(home, "before"))
        while found.kills < most and (not found.kills or time.monotonic() < until):
            number = signal.SIGTERM if found.kills % 3 == 2 else signal.SIGKILL
            folder = Path(home, f"kill{found.kills}")
            started(writing, folder)
            _kill(writing, folder, r.uniform(0.1 * whole, whole), number)
            found.kills += 1
            between = state(folder)
            found.amid += between not in (before, after)
            found.lost += _torn(between, before, after, number)
            again = ended(writing, folder, fresh=False)
            if again != after:
                different = sorted(k for k in {*again, *after} if again.get(k) != after.get(k))
                found.lost.append(f"the next run differs: {different[:3]}")
            shutil.rmtree(folder)
    return found


def started(writing: Writing, folder: Path) -> dict[str, bytes]:
    """Make the folder of a command; its files."""
    folder.mkdir()
    writing.begin(folder)
    return state(folder)


def process_of(
    writing: Writing, folder: Path, errors: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """The command in a folder, as a process."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1760000000"}
    words = command(Call(writing.words))
    return subprocess.Popen(
        words, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors, env=environment
    )


def ended(writing: Writing, folder: Path, *, fresh: bool = True) -> dict[str, bytes]:
    """Run a command to its end; the files that are then in its folder."""
    if fresh:
        started(writing, folder)
    assert process_of(writing, folder).wait() in (0, 1), writing.words
    return state(folder)


def _kill(writing: Writing, folder: Path, seconds: float, number: int) -> None:
    process = process_of(writing, folder)
    time.sleep(seconds)
    process.send_signal(number)
    process.wait()


def _torn(
    between: dict[str, bytes], before: dict[str, bytes], after: dict[str, bytes], number: int
) -> list[str]:
    found = [f"{name} is gone" for name in before if name in after and name not in between]
    for name, content in between.items():
        base = name.rpartition("/")[2]
        if STAGED in name:
            continue  # moved to their places when all are there
        if base in _GROWING or (
            name in before | after and content in (before.get(name), after.get(name))
        ):
            continue
        if base == "run.json" and LISTED.sub(b"", content) == LISTED.sub(b"", after[name]):
            continue
        if base.startswith(".evalmark-"):
            found += [f"{name} is left after SIGTERM"] if number == signal.SIGTERM else []
        else:
            found.append(f"{name} is torn")
    return found


def state(folder: Path) -> dict[str, bytes]:
    """Files and their contents, without times; records are named by what they hold."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name = path.relative_to(folder).as_posix()
            content = _TIMES.sub(b"", path.read_bytes())
            if "records/" in name and not path.name.startswith(".evalmark-"):
                name, content = f"records/{path.suffix}", b""  # digests of times
            found[name] = re.sub(rb'"(records/[^"]*|checksum)": "[^"]*"', b"", content)
    return found
