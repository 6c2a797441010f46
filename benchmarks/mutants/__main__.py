"""Mutants of the product: ``python -m benchmarks.mutants [--count N] [--jobs N] [--seed COMMIT]``.

Changes the behaviour of one line at random, runs tests on a copy of the commit, and prints the
share of changes that were noticed, and each that was not. First the test files that import the
module, then those of its room, then all others but ``tests/house``; until one fails. A failure
counts if the test passes without the change. ``equivalent.txt`` lists changes that cannot be
noticed, with the reason: path | before | after | reason.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

from benchmarks.mutants.changes import Change, chosen

ROOT = Path(__file__).resolve().parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
ROOMS = (
    "library", "schemas", "validator", "converters", "scoring", "conversations", "leaderboard",
    "pages", "workbench", "cli",
)  # fmt: skip
STAGES = ("near", "room", "all")
NOTICED, SURVIVED, STOPPED = "noticed", "survived", "stopped"
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+\.py(?:::.*?)?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """What became of a change: how it ended, and the stage and test that noticed it."""

    change: Change
    end: str
    stage: str = ""
    test: str = ""


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()


class Copy:
    """A clone of the commit, in which modules are changed and tests run."""

    def __init__(self, folder: Path, commit: str, options: argparse.Namespace) -> None:
        self.folder, self.options = folder, options
        git(ROOT, "clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(folder))
        git(folder, "checkout", "--quiet", "--detach", commit)
        # Compiled once: a changed module is compiled each time, the others are not.
        compiling = [sys.executable, "-m", "compileall", "-q", "."]
        subprocess.run(compiling, cwd=folder, check=False, stdout=subprocess.DEVNULL)
        self.environment = os.environ | {
            "PYTHONPATH": str(folder / "typings"), "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1",
        }  # fmt: skip
        self.environment.pop("EVALMARK_SHARED", None)
        self.flaky: set[str] = set()

    def tried(self, change: Change) -> Outcome:
        """Make a change, run tests until one notices it, and take it back."""
        module = self.folder / change.path
        original, times = module.read_bytes(), module.stat()
        for stage, files in self.stages(change.path):
            module.write_bytes(change.applied(original))
            try:
                failed = self.tests(files)
            finally:
                module.write_bytes(original)
                os.utime(module, ns=(times.st_atime_ns, times.st_mtime_ns))
            while failed and failed != STOPPED and self.tests([failed]):
                self.flaky.add(failed)  # fails without the change too
                module.write_bytes(change.applied(original))
                failed = self.tests(files)
                module.write_bytes(original)
                os.utime(module, ns=(times.st_atime_ns, times.st_mtime_ns))
            if failed:
                end = STOPPED if failed == STOPPED else NOTICED
                return Outcome(change, end, stage, failed)
        return Outcome(change, SURVIVED)

    def stages(self, path: str) -> Iterator[tuple[str, list[str]]]:
        """Test files in the order in which they are run."""
        tests = self.folder / "tests"
        every = sorted(p.relative_to(self.folder).as_posix() for p in tests.rglob("test_*.py"))
        name = ".".join(("evalmark", *Path(path.removeprefix("library/")).with_suffix("").parts))
        name = name.removesuffix(".__init__")
        near = [p for p in every if name in imported(self.folder / p)]
        room = [p for p in every if p.startswith(f"tests/{path.partition('/')[0]}/")]
        rest = [p for p in every if p not in room and not p.startswith("tests/house/")]
        done: set[str] = set()
        for stage, files in zip(STAGES, (near, room, rest), strict=True):
            left = [p for p in files if p not in done]
            done |= set(left)
            if left:
                yield stage, left
            if stage == self.options.tests and done:
                return

    def tests(self, files: list[str]) -> str:
        """The first test that fails; ``STOPPED`` beyond the time limit."""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider"]
        command += ["-m", self.options.marks] if self.options.marks else []
        command += [word for name in sorted(self.flaky) for word in ("--deselect", name)]
        process = subprocess.Popen(
            [*command, *files], cwd=self.folder, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        try:
            out, _ = process.communicate(timeout=self.options.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return STOPPED
        if process.returncode in (0, 5):  # 5: no tests
            return ""
        named = FAILED.search(out)
        # Pytest itself may fail: a change of what conftest imports.
        return named[1] if named else files[0]


def imported(path: Path) -> set[str]:
    """Modules that a test file imports, and names from them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def equivalents() -> dict[str, str]:
    """Key of a change that no test can notice -> why."""
    found = {}
    for line in EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []:
        if line and not line.startswith("#"):
            key, _, reason = line.rpartition(" | ")
            found[key] = reason
    return found


def shown(outcomes: list[Outcome]) -> None:
    """A table by room and kind of change, and every change that was not noticed."""
    reasons = equivalents()
    counted = [o for o in outcomes if o.end == NOTICED or o.change.key not in reasons]
    print("\n| | changes | noticed | |\n|---|---|---|---|")
    for title, name in (("room", "room"), ("kind", "operator")):
        total = Counter(getattr(o.change, name) for o in counted)
        seen = Counter(getattr(o.change, name) for o in counted if o.end == NOTICED)
        for value in sorted(total):
            share = seen[value] / total[value]
            print(f"| {title} {value} | {total[value]} | {seen[value]} | {share:.0%} |")
    seen_all = sum(o.end == NOTICED for o in counted)
    print(f"| **all** | {len(counted)} | {seen_all} | {seen_all / max(1, len(counted)):.0%} |")
    stages = Counter(o.stage for o in counted if o.end == NOTICED)
    print("\nnoticed by:", ", ".join(f"{s} {stages[s]}" for s in STAGES))
    for o in outcomes:
        if o.end != NOTICED:
            reason = reasons.get(o.change.key)
            end = f"equivalent: {reason}" if reason else o.end
            print(f"\n{o.change.path}:{o.change.line}: {o.change.operator}: {end}")
            print(f"    - {o.change.before}\n    + {o.change.after}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2, help="copies that are used at a time")
    parser.add_argument("--seed", default="HEAD", help="commit: what is changed, and how")
    parser.add_argument("--tests", choices=STAGES, default="all", help="the last tests to run")
    parser.add_argument("--marks", default="", help="as pytest's -m: 'not slow and not browser'")
    parser.add_argument("--seconds", type=float, default=1800, help="for the tests of a stage")
    parser.add_argument("--log", type=Path, help="file of outcomes; those in it are not repeated")
    options = parser.parse_args()
    commit = git(ROOT, "rev-parse", f"{options.seed}^{{commit}}")
    names = git(ROOT, "ls-tree", "-r", "--name-only", commit, *ROOMS).splitlines()
    modules = {
        name: git_bytes(commit, name)
        for name in names
        if name.endswith(".py") and not name.startswith("schemas/compiled/")
    }
    picked = chosen(modules, options.count, commit)
    outcomes = logged(options.log, commit)
    left = [c for c in picked if c not in {o.change for o in outcomes}]
    print(f"{len(picked)} changes of {commit[:12]}, {len(left)} to try", flush=True)
    writing = threading.Lock()
    with tempfile.TemporaryDirectory() as temporary:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(min(options.jobs, len(left))):
            copies.put(Copy(Path(temporary) / str(number), commit, options))

        def attempt(change: Change) -> None:
            copy = copies.get()
            try:
                outcome = copy.tried(change)
            finally:
                copies.put(copy)
            with writing:
                outcomes.append(outcome)
                done = f"{len(outcomes)}/{len(picked)} {outcome.end} {outcome.stage}"
                print(f"{done} {change.path}:{change.line} {change.operator}", flush=True)
                if options.log:
                    with options.log.open("a") as file:
                        file.write(json.dumps(asdict(outcome) | {"commit": commit}) + "\n")

        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(attempt, left))
    shown(sorted((o for o in outcomes if o.change in set(picked)), key=lambda o: o.change.key))
    return 0


def git_bytes(commit: str, name: str) -> bytes:
    command = ["git", "show", f"{commit}:{name}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout


def logged(log: Path | None, commit: str) -> list[Outcome]:
    """Outcomes of an earlier run on the same commit."""
    found = []
    for line in log.read_text().splitlines() if log and log.exists() else []:
        entry = json.loads(line)
        if entry.pop("commit") == commit:
            found.append(Outcome(**entry | {"change": Change(**entry["change"])}))
    return found


if __name__ == "__main__":
    sys.exit(main())
