"""Does the time for a record grow with their number? From 10,000 to 1,000,000 records.

Records are made from the shapes of real ones (those of up to ``--largest`` bytes, so that a million
of them fit a disk), each with an id of its own, a thousand to a folder. Measured is
``evalmark check -q`` on all of them, in one process (user plus system CPU) and with ``--ray`` on a
Ray cluster of this machine (wall time: its processes are not our children). Start-up is the same
call on one record, and taken off. Larger corpora contain the smaller ones.

Machines are faster at one moment than at another, and a large corpus does not stay in memory. So
what counts is the time for a record beside that of six parts of the same corpus, each as large as
the smallest one, checked just before and just after.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks._measure import Took, measured, once
from benchmarks.check import shapes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="real files")
    parser.add_argument("--counts", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--largest", type=int, default=6000)
    parser.add_argument("--ray", action="store_true")
    parser.add_argument("--home", type=Path, help="where the records go; several gigabytes")
    options = parser.parse_args()
    records = [
        text
        for data in shapes(options.folders)[0]
        if len(text := json.dumps(data, indent=2)) <= options.largest
    ]
    evalmark = [str(Path(sys.executable).parent / "evalmark"), "check", "-q"]
    ways = {"one process": [*evalmark, "--jobs", "1"]}
    if options.ray:
        ways["Ray"] = [*evalmark, "--engine", "ray"]
    with tempfile.TemporaryDirectory(dir=options.home) as home:
        one = [str(write(Path(home) / "one", records, 0, 1))]
        start = {name: median([*way, *one]) for name, way in ways.items()}
        folder, made = Path(home) / "all", 0
        yardstick = options.counts[0]
        for count in options.counts:
            write(folder, records, made, count)
            made = count
            for name, way in ways.items():
                before = blocks(way, folder, count, yardstick, 0)
                took = once([*way, str(folder)])
                after = blocks(way, folder, count, yardstick, 1)
                show(name, count, took, start[name])
                beside = [share(t, start[name], yardstick, name) for t in (*before, *after)]
                ratio = share(took, start[name], count, name) / statistics.mean(beside)
                print(f"{ratio:.2f} of what {yardstick} of them take", flush=True)
    return 0


def blocks(way: list[str], folder: Path, count: int, yardstick: int, which: int) -> list[Took]:
    """Three checks of as many records as the yardstick has, from different parts of the corpus."""
    size = yardstick // 1000
    starts = [(count // 1000 - size) * part // 5 for part in range(which, 6, 2)]
    return [
        once([*way, *(str(folder / f"{at:04}") for at in range(start, start + size))])
        for start in starts
    ]


def median(command: list[str]) -> Took:
    return measured({"": command}, 3, warm=False)[""]


def share(took: Took, start: Took, count: int, name: str) -> float:
    """Seconds for a record: of processors, or on Ray, whose processes are not ours, of the wall."""
    return (took.wall - start.wall if name == "Ray" else took.cpu - start.cpu) / count


def show(name: str, count: int, took: Took, start: Took) -> None:
    each = 1e6 / count
    parts = {
        "user": (took.user - start.user) * each,
        "system": (took.system - start.system) * each,
        "wall": (took.wall - start.wall) * each,
    }
    text = ", ".join(f"{value:.1f} µs {part}" for part, value in parts.items())
    own = " of the command itself" if name == "Ray" else ""
    line = f"{name:12} {count:9} records: {text} each{own}; {took.memory:.0f} MB; "
    print(line, end="", flush=True)


def write(folder: Path, records: list[str], start: int, end: int) -> Path:
    """Records ``start`` to ``end``; their ids are as long as each other."""
    for number in range(start, end):
        data = records[number % len(records)]
        place = folder / f"{number // 1000:04}"
        if number % 1000 == 0:
            place.mkdir(parents=True, exist_ok=True)
        text = data.replace('"evaluation_id": "', f'"evaluation_id": "{number:07}-', 1)
        (place / f"{number % 1000:03}.json").write_text(text, encoding="utf-8")
    return folder


if __name__ == "__main__":
    sys.exit(main())
