"""Mutants of the product: ``python -m benchmarks.mutants [--count N] [--jobs N] [--seed COMMIT]``.

Changes the behaviour of one line at random, runs tests on a checkout of the commit, and prints the
share of changes that were noticed, and each that was not. The tests of ``make test`` run once
without a change, to record which tests run which lines (``line_map``). Then, for each change, run
the tests that run its lines, those of its room first, the quickest first; then the other tests of
its room and of ``cli`` that may have to do with its module: those that run other lines of it, are
in a file with one that runs it, or start processes. The first failure ends it, and so do tests
that take ten times as long as before. Recordings and outcomes stay in the cache folder, so that an
interrupted run can be repeated. ``equivalent.txt`` lists changes that cannot be noticed, with the
reason: path | before | after | reason.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue

from benchmarks.mutants.changes import Change, chosen
from benchmarks.mutants.line_map import LineMap, Test

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "evalmark-mutants"
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
ROOMS = (
    "library", "schemas", "stats", "validator", "converters", "scoring", "cli", "apps",
)  # fmt: skip
STAGES = ("lines", "module")
NOTICED, SURVIVED = "noticed", "survived"
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+\.py(?:::.*?)?)(?: - .*)?$", re.MULTILINE)
TIME_LIMIT = "time limit"


@dataclass(frozen=True)
class Outcome:
    """The end of a change: the stage and test that noticed it, and the time that took."""

    change: Change
    end: str
    stage: str = ""
    test: str = ""
    seconds: float = 0


def git(folder: Path, *words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, check=True).stdout


class Checkout:
    """A clone of the commit, in which modules are changed and tests run."""

    def __init__(self, folder: Path, commit: str, options: argparse.Namespace) -> None:
        self.folder, self.options = folder, options
        if not folder.exists():
            git(ROOT, "clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(folder))
        git(folder, "checkout", "--quiet", "--force", "--detach", commit)
        rooms = folder / ".rooms"
        linking = [sys.executable, "scripts/link_rooms.py", str(rooms)]
        subprocess.run(linking, cwd=folder, check=True)
        fixtures = rooms / "evalmark/fixtures"  # the demo model is looked for beside the package
        if not fixtures.exists():
            fixtures.symlink_to(folder / "fixtures")
        making = [sys.executable, "-m", "scripts.generate"]  # the validators of schemas
        environment = os.environ | {"PYTHONPATH": str(rooms)}
        subprocess.run(making, cwd=folder, check=True, env=environment, stdout=subprocess.DEVNULL)
        # Compiled once: a changed module is compiled each time, the others are not.
        compiling = [sys.executable, "-m", "compileall", "-q", "."]
        subprocess.run(compiling, cwd=folder, check=False, stdout=subprocess.DEVNULL)
        plugin = Path(__file__).parent
        self.environment = os.environ | {
            "PYTHONPATH": f"{rooms}{os.pathsep}{plugin}", "PYTHONHASHSEED": "0",
            "OMP_NUM_THREADS": "1",
        }  # fmt: skip
        self.environment.pop("EVALMARK_SHARED", None)
        self.flaky: set[str] = set()

    def record(self, recordings: Path) -> LineMap:
        """Run each folder of tests once, unless that is done."""
        self.environment |= {"MUTANTS_MAP": str(recordings), "MUTANTS_ROOMS": " ".join(ROOMS)}
        folders = self.options.tests
        for tests in sorted((self.folder / "tests").glob("[a-z]*/")):
            if folders and tests.name not in folders:
                continue
            done = recordings / f"{tests.name}.done"
            if not done.exists():
                print(f"recording tests/{tests.name}", flush=True)
                house = ["--ignore", "tests/house/test_house.py"]  # it judges the text of modules
                self.pytest(["-p", "line_map", *house, f"tests/{tests.name}"], None)
                done.touch()
        return LineMap(recordings, self.folder)

    def outcome(self, change: Change, lines: LineMap) -> Outcome:
        """Make a change, run tests until one notices it, and take it back."""
        begin = time.monotonic()
        for stage, tests in stages(change, lines, self.options.seconds):
            names = [test.name for test in tests if test.name not in self.flaky]
            limit = 60 + 10 * sum(test.seconds for test in tests)
            while failed := self.failure(change, names, limit):
                # A quick test that runs the lines fails because of them.
                sure = failed not in names or (stage == "lines" and lines.tests[failed].seconds < 1)
                if sure or not self.pytest([failed], limit):
                    elapsed = time.monotonic() - begin
                    return Outcome(change, NOTICED, stage, failed, elapsed)
                self.flaky.add(failed)
                names.remove(failed)
        return Outcome(change, SURVIVED, seconds=time.monotonic() - begin)

    def failure(self, change: Change, names: list[str], limit: float) -> str:
        module = self.folder / change.path
        original, times = module.read_bytes(), module.stat()
        module.write_bytes(change.applied(original))
        try:
            return self.pytest(["-x", *names], limit) if names else ""
        finally:
            module.write_bytes(original)
            os.utime(module, ns=(times.st_atime_ns, times.st_mtime_ns))

    def pytest(self, arguments: list[str], limit: float | None) -> str:
        """The first test that fails."""
        command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider"]
        process = subprocess.Popen(
            [*command, "-m", self.options.marks, *arguments], cwd=self.folder, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True, env=self.environment,
        )  # fmt: skip
        try:
            out, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return TIME_LIMIT
        if process.returncode in (0, 5):  # 5: no tests
            return ""
        match = FAILED.search(out)
        # Pytest itself may fail: a change of what conftest imports.
        return match[1] if match else arguments[-1]


def stages(change: Change, lines: LineMap, seconds: float) -> Iterator[tuple[str, list[Test]]]:
    """Tests in the order in which they are run, the quickest first, in runs of so many seconds."""
    last = change.line + change.before.count("\n")
    direct = lines.of_lines(change.path, range(change.line, last + 1))
    module = lines.of_module(change.path)
    near = (f"tests/{change.room}/", "tests/cli/")
    direct.sort(key=lambda test: not test.name.startswith(near[0]))
    files = {test.file for test in direct}
    others = [
        test
        for test in sorted(lines.tests.values(), key=lambda test: test.seconds)
        if test not in set(direct)
        and test.name.startswith(near)
        and (test.processes or test in set(module) or test.file in files)
    ]
    for stage, tests in zip(STAGES, (direct, others), strict=True):
        totals = list(accumulate(test.seconds for test in tests))
        first, last = bisect(totals, 5), bisect(totals, seconds)
        yield stage, tests[:first]
        yield stage, tests[first:last]


def equivalents() -> dict[str, str]:
    """Key of a change that no test can notice -> reason."""
    reasons = {}
    for line in EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []:
        if line and not line.startswith("#"):
            key, _, reason = line.rpartition(" | ")
            reasons[key] = reason
    return reasons


def show(outcomes: list[Outcome]) -> None:
    """A table by room and kind of change, and every change that was not noticed."""
    reasons = equivalents()
    counted = [o for o in outcomes if o.end == NOTICED or o.change.key not in reasons]
    print("\n| | changes | noticed | |\n|---|---|---|---|")
    for title, name in (("room", "room"), ("kind", "operator")):
        total = Counter(getattr(o.change, name) for o in counted)
        noticed = Counter(getattr(o.change, name) for o in counted if o.end == NOTICED)
        for value in sorted(total):
            share = noticed[value] / total[value]
            print(f"| {title} {value} | {total[value]} | {noticed[value]} | {share:.0%} |")
    count = sum(o.end == NOTICED for o in counted)
    print(f"| **all** | {len(counted)} | {count} | {count / max(1, len(counted)):.0%} |")
    by_stage = Counter(o.stage for o in counted if o.end == NOTICED)
    print("\nnoticed by:", ", ".join(f"{s} {by_stage[s]}" for s in STAGES))
    print(f"seconds for a change: {sum(o.seconds for o in outcomes) / max(1, len(outcomes)):.1f}")
    for o in outcomes:
        if o.end != NOTICED:
            reason = reasons.get(o.change.key)
            end = f"equivalent: {reason}" if reason else o.end
            print(f"\n{o.change.path}:{o.change.line}: {o.change.operator}: {end}")
            print(f"    - {o.change.before}\n    + {o.change.after}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2, help="checkouts that are used at a time")
    parser.add_argument("--seed", default="HEAD", help="commit: what is changed, and how")
    parser.add_argument(
        "--marks", default="not slow and not browser and not wheel", help="tests, as pytest's -m"
    )
    parser.add_argument(
        "--seconds", type=float, default=120, help="of tests for a change, in each stage"
    )
    parser.add_argument("--rooms", nargs="+", help="only the changes of these rooms")
    parser.add_argument("--tests", nargs="+", help="folders of tests to record (all)")
    options = parser.parse_args()
    commit = git(ROOT, "rev-parse", f"{options.seed}^{{commit}}").decode().strip()
    changes = [
        change
        for change in chosen(product(commit), options.count, commit)
        if not options.rooms or change.room in options.rooms
    ]
    folder = CACHE / f"{commit[:12]} {options.marks}".strip().replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    checkouts: SimpleQueue[Checkout] = SimpleQueue()
    first = Checkout(folder / "0", commit, options)
    lines = first.record(folder)
    checkouts.put(first)
    for number in range(1, options.jobs):
        checkouts.put(Checkout(folder / str(number), commit, options))
    log, writing = folder / "outcomes.jsonl", threading.Lock()
    outcomes = logged(log)
    left = [change for change in changes if change not in {o.change for o in outcomes}]
    print(f"{len(changes)} changes of {commit[:12]}, {len(left)} to try", flush=True)

    def attempt(change: Change) -> None:
        checkout = checkouts.get()
        try:
            outcome = checkout.outcome(change, lines)
        finally:
            checkouts.put(checkout)
        with writing, log.open("a") as file:
            outcomes.append(outcome)
            done = f"{len(outcomes)}/{len(changes)} {outcome.end} {outcome.seconds:.0f} s"
            print(f"{done} {change.path}:{change.line} {change.operator}", flush=True)
            file.write(json.dumps(asdict(outcome)) + "\n")

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(attempt, left))
    show(sorted((o for o in outcomes if o.change in set(changes)), key=lambda o: o.change.key))
    return 0


def product(commit: str) -> dict[str, bytes]:
    """The modules that are changed, by path."""
    paths = git(ROOT, "ls-tree", "-r", "--name-only", commit, *ROOMS).decode().splitlines()
    return {path: git(ROOT, "show", f"{commit}:{path}") for path in paths if path.endswith(".py")}


def logged(log: Path) -> list[Outcome]:
    """Outcomes of an earlier run on the same commit."""
    entries = map(json.loads, log.read_text().splitlines() if log.exists() else [])
    return [Outcome(**entry | {"change": Change(**entry["change"])}) for entry in entries]


if __name__ == "__main__":
    sys.exit(main())
