"""Many models and many sets of minimal pairs in one call, killed again and again.

    python -m benchmarks.killed_models [--models 20] [--sets 10] [--pairs 100] [--kills 5]

The models have the shape and the tokenizer of the demo model and random weights; the sets are
sentences of its vocabulary in BLiMP's form. They are scored by one process, by two at a time, and
by two at a time with SIGKILL to the command and then to its workers, after which the same command
is given again until it ends. All three must have written the same files.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from evalmark.scoring.surprisals.pack_store import PARTIAL

from benchmarks.many_models import make_models

#: Words of the sets: subjects and verbs in the singular and in the plural.
NOUNS = (("pilot", "pilots"), ("author", "authors"), ("farmer", "farmers"), ("guard", "guards"))
VERBS = (
    ("laughs", "laugh"),
    ("smiles", "smile"),
    ("swims", "swim"),
    ("is", "are"),
    ("was", "were"),
)
MORE = (
    "near the car",
    "behind the house",
    "that likes the guards",
    "who the man knows",
    "",
    "today",
)


def make_sets(folder: Path, count: int, pairs: int) -> None:
    """Files of minimal pairs of agreement, each with other words between subject and verb."""
    folder.mkdir()
    for number in range(count):
        uid, draw, lines = f"agreement_{number:02}", random.Random(number), []
        for index in range(pairs):
            plural, noun, verb = draw.randrange(2), draw.choice(NOUNS), draw.choice(VERBS)
            more = " ".join(draw.choice(MORE) for _ in range(number % 3 + 1)).split()
            subject = " ".join(["The", noun[plural], *more])
            sentences = [f"{subject} {verb[n]} here {index} ." for n in (plural, 1 - plural)]
            lines.append(
                {"sentence_good": sentences[0], "sentence_bad": sentences[1], "UID": uid,
                 "pairID": str(index)}
            )  # fmt: skip
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (folder / f"{uid}.jsonl").write_text(text, encoding="utf-8")


def tree(folder: Path) -> dict[Path, bytes]:
    """The content of the files below a folder."""
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def finished(folder: Path) -> int:
    """The number of finished runs."""
    return len(list(folder.glob("*/scores.json")))


def killed_once(command: list[str], out: Path, more: int, *, workers: bool) -> bool:
    """Kill a command, or its workers, when some more runs are finished; True if it had ended."""
    goal = finished(out) + more
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        if finished(out) >= goal and list(out.glob(f"*/{PARTIAL}")):
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            for target in map(int, children) if workers else [process.pid]:
                os.kill(target, signal.SIGKILL)
            break
        time.sleep(0.02)
    process.wait()
    return process.returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--sets", type=int, default=10)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--kills", type=int, default=5)
    options = parser.parse_args()
    os.environ |= {"SOURCE_DATE_EPOCH": "1760000000", "OMP_NUM_THREADS": "1"}
    with TemporaryDirectory() as temporary:
        here = Path(temporary)
        models = make_models(here / "models", options.models)
        make_sets(here / "sets", options.sets, options.pairs)
        named = [part for model in models for part in ("--model", str(model))]

        def command(out: str, jobs: int) -> list[str]:
            return [
                sys.executable, "-m", "evalmark.cli.main", "score", str(here / "sets"), *named,
                "--device", "cpu", "--quiet", "--jobs", str(jobs), "--out", str(here / out),
            ]  # fmt: skip

        print(f"{len(models)} models, {options.sets} sets of {options.pairs} pairs")
        for out, jobs in (("one", 1), ("two", 2)):
            began = time.monotonic()
            done = subprocess.run(command(out, jobs), stderr=subprocess.DEVNULL, check=False)
            took = time.monotonic() - began
            print(f"--jobs {jobs}: {took:.0f} s, exit code {done.returncode}", flush=True)
        began, calls, more = time.monotonic(), 0, max(1, options.models // (options.kills + 2))
        ended = False
        while calls < options.kills and not ended:
            # A command whose workers are killed replaces them and ends by itself: once, at last.
            last = calls == options.kills - 1
            ended = killed_once(command("killed", 2), here / "killed", more, workers=last)
            calls += 1
            what = "workers" if last else "command"
            print(
                f"SIGKILL to the {what}: {finished(here / 'killed')} runs are finished", flush=True
            )
        if not ended:
            code = subprocess.run(
                command("killed", 2), stderr=subprocess.DEVNULL, check=False
            ).returncode
            print(f"resumed: exit code {code}")
        print(f"killed {calls} times: {time.monotonic() - began:.0f} s in all")
        one = tree(here / "one")
        for out in ("two", "killed"):
            files = tree(here / out)
            equal = sum(files.get(path) == content for path, content in one.items())
            print(f"{out}: {equal} of {len(one)} files are equal, {len(files) - equal} others")


if __name__ == "__main__":
    main()
