"""A suite of 10,000 items: in bounded memory, killed half-way, and the bytes of an unbroken run.

Makes a suite from the demo grammar's words, scores it with the bundled model in processes of their
own, once to the end and once with a SIGKILL when half the packs are there, then resumes; compares
all files that are left. Prints the peak memory of the unbroken run (children's, by the kernel).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from evalmark.scoring.surprisals.pack_store import PARTIAL

NOUNS = ("pilot", "guard", "author", "farmer", "doctor", "clerk")
VERBS = ("laughs", "sings", "smiles", "waits")


def suite(items: int) -> dict[str, object]:
    r = random.Random(0)

    def condition(name: str, noun: str, other: str, verb: str) -> dict[str, object]:
        contents = (f"The {noun}", f"near the {other}", verb, ".")
        regions = [{"region_number": n, "content": c} for n, c in enumerate(contents, 1)]
        return {"condition_name": name, "regions": regions}

    made = []
    for number in range(1, items + 1):
        noun, other = r.choice(NOUNS), " near the ".join(r.choices(NOUNS, k=r.randrange(1, 5)))
        verb = r.choice(VERBS)
        match = condition("match", noun, other, verb)
        mismatch = condition("mismatch", f"{noun}s", other, verb)
        made.append({"item_number": number, "conditions": [match, mismatch]})
    return {
        "meta": {"name": "long", "metric": "sum"},
        "region_meta": {"1": "subject", "2": "attractor", "3": "verb", "4": "end"},
        "predictions": [{"type": "formula", "formula": "(3;%mismatch%) > (3;%match%)"}],
        "items": made,
    }


def tree(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=10_000)
    options = parser.parse_args()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1760000000"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "long.json"
        path.write_text(json.dumps(suite(options.items)), encoding="utf-8")

        def command(out: str) -> list[str]:
            return [
                sys.executable, "-m", "evalmark.cli.main", "score", str(path), "--model", "demo",
                "--device", "cpu", "--out", str(folder / out), "-q",
            ]  # fmt: skip

        started = time.perf_counter()
        subprocess.run(command("whole"), check=True, env=environment, capture_output=True)
        took = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        process = subprocess.Popen(command("cut"), env=environment, stderr=subprocess.DEVNULL)
        partial = folder / "cut" / PARTIAL
        found = 0
        while process.poll() is None and found < 12:
            time.sleep(0.02)
            found = partial.read_bytes().count(b"\n") if partial.exists() else 0
        process.send_signal(signal.SIGKILL)
        process.wait()
        print(f"killed with {found - 1} packs finished (signal {-process.returncode})")
        subprocess.run(command("cut"), check=True, env=environment, capture_output=True)
        same = tree(folder / "whole") == tree(folder / "cut")
        size = sum(len(content) for content in tree(folder / "whole").values()) / 1e6
    print(f"{options.items} items: {took:.1f} s, peak memory {peak:.0f} MB, {size:.0f} MB written")
    print("the same bytes" if same else "OTHER BYTES")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
