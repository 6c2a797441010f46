"""Equality of two installations: ``python -m benchmarks.equality OLD_PYTHON NEW_PYTHON``.

Runs the commands of both on the fixtures, on the data of ``EVALMARK_SHARED`` and on further
folders, and lists each product that differs: what was printed, exit codes, files. What changed on
purpose is declared in ``declared.py`` and printed with the result. Both sides get
the same files, clock (SOURCE_DATE_EPOCH) and model; ids, versions and durations are not compared.
The calls of a group run in one process, one after the other; both sides run at the same time.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from itertools import chain, groupby
from pathlib import Path

from benchmarks.equality import declared
from benchmarks.equality.calls import Call, Known, planned
from benchmarks.equality.differences import Difference, Side, compared

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("worker.py")
SECONDS = 1800  # for one group


def environment(folder: Path) -> dict[str, str]:
    """The same on both sides, and nothing of the user's."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("EVALMARK", "PYTHON", "XDG"))}
    return kept | {
        "COLUMNS": "100", "HF_HUB_OFFLINE": "1", "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1",
        "SOURCE_DATE_EPOCH": "1760000000", "TERM": "dumb", "TZ": "UTC",
    }  # fmt: skip


def furnish(folder: Path, data: list[Path]) -> None:
    """Copy the inputs into the folder of a side."""
    (folder / "home").mkdir(parents=True)
    shutil.copytree(ROOT / "fixtures", folder / "fixtures")
    shutil.copytree(ROOT / "scoring/demo_model", folder / "demo_model")
    for number, path in enumerate(data, 1):
        shutil.copytree(path, folder / f"data{number}")


def ask(python: str, folder: Path, *words: str) -> str:
    command = [python, "-P", *(words if words[0] == "-c" else ("-m", "evalmark", *words))]
    return subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=folder, env=environment(folder)
    ).stdout


def run(python: str, folder: Path, calls: list[Call], is_old: bool) -> list[str]:
    """Run all calls by one installation, a process for each group; what went wrong with groups."""
    wrong = []
    for group, members in groupby(calls, key=lambda c: c.group):
        plan = folder / "home" / "plan.json"
        words = declared.old_words if is_old else list
        listed = [asdict(c) | {"out": c.out, "arguments": words(c.arguments)} for c in members]
        plan.write_text(json.dumps(listed))
        command = [python, "-P", str(WORKER), str(plan)]
        try:
            done = subprocess.run(
                command, cwd=folder, env=environment(folder), check=False, timeout=SECONDS,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
            if done.returncode:
                wrong.append(f"{group}: {python} ended with exit code {done.returncode}")
        except subprocess.TimeoutExpired:
            wrong.append(f"{group}: {python} was stopped after {SECONDS} s")
    return wrong


def show(calls: list[Call], found: list[Difference], limit: int) -> None:
    """A list of differences, and a table of calls and differences by group."""
    by_out = {call.out: call for call in calls}
    shown: Counter[str] = Counter()
    differing = Counter(by_out[out].group for out in {d.call for d in found})
    for difference in found:
        call = by_out[difference.call]
        shown[call.group] += 1
        if shown[call.group] <= limit:
            print(f"{call.group}: {call.shown}: {difference.product}")
            print("".join(f"    {line}\n" for line in difference.diff))
    print("| group | calls | calls that differ | products that differ |\n|---|---|---|---|")
    for group, count in Counter(call.group for call in calls).items():
        print(f"| {group} | {count} | {differing[group]} | {shown[group]} |")
    print(f"| all | {len(calls)} | {differing.total()} | {shown.total()} |")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pythons", nargs=2, metavar="PYTHON", help="the old one, the new one")
    parser.add_argument("--data", type=Path, nargs="*", default=[], help="further folders")
    parser.add_argument("--only", nargs="*", default=[], help="groups that begin so")
    parser.add_argument("--sample", type=int, default=1, help="only every Nth file, format, code")
    parser.add_argument("--first", type=int, help="only the first N calls of each group")
    parser.add_argument("--limit", type=int, default=20, help="differences shown of a group")
    parser.add_argument("--keep", type=Path, help="a new folder for the products")
    options = parser.parse_args(arguments)
    pythons = [str(Path(shutil.which(word) or word).absolute()) for word in options.pythons]
    shared = os.environ.get("EVALMARK_SHARED")
    data = [Path(shared) / "data", *options.data] if shared else options.data
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        base = (options.keep or Path(temporary)).resolve()
        folders = base / "1", base / "2"  # names of one length: lines break at the same places
        for folder in folders:
            furnish(folder, data)
        known = Known.of(
            folders[1], lambda *words: ask(pythons[1], folders[1], *words), options.sample
        )
        calls = planned(known, options.only, options.first)
        for title, python, folder in zip(("old", "new"), pythons, folders, strict=True):
            print(
                title,
                ask(python, folder, "-c", "import evalmark; print(evalmark.__file__)"),
                end="",
            )
        old, new = (
            Side(folder, ask(python, folder, "--version").split()[-1])
            for python, folder in zip(pythons, folders, strict=True)
        )
        with ThreadPoolExecutor(2) as pool:
            ended = pool.map(run, pythons, folders, [calls, calls], [True, False])
            wrong = list(chain.from_iterable(ended))
        found = [
            d
            for call in calls
            for d in compared(old, new, call.out)
            if declared.is_compared(call.shown, d.product)
        ]
        show(calls, found, options.limit)
        print(declared.table())
    print("".join(f"{line}\n" for line in wrong), end="")
    print(f"{len(found)} differences, {time.monotonic() - began:.0f} s")
    return int(bool(found or wrong))


if __name__ == "__main__":
    sys.exit(main())
