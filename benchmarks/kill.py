"""Kill ``evalmark convert --in-place`` at random moments: is every file old or new?

Writes suites of an old dialect into a folder, starts a conversion and kills it (SIGKILL) at a
random moment, again and again; after each kill every file must be the old one or the new one, and
after the last run no other file may be left.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    r = random.Random(options.seed)
    old = (ROOT / "fixtures/legacy/brackets.old.json").read_bytes()
    new = (ROOT / "fixtures/legacy/brackets.new.json").read_bytes()
    torn = in_work = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / f"{number:04}.json" for number in range(options.files)]
        command = [sys.executable, "-m", "evalmark.cli.main", "convert", "--in-place", name]
        for path in paths:
            path.write_bytes(old)
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        whole = time.perf_counter() - started
        for _ in range(options.kills):
            for path in paths:
                path.write_bytes(old)
            quiet = subprocess.DEVNULL
            process = subprocess.Popen(command, stdout=quiet, stderr=quiet)
            time.sleep(r.uniform(0, whole))
            process.send_signal(signal.SIGKILL)
            process.wait()
            found = [path.read_bytes() for path in paths]
            torn += sum(content not in (old, new) for content in found)
            in_work += old in found and new in found
        left = len(list(folder.iterdir())) - len(paths)
        subprocess.run(command, check=True, capture_output=True)
        strays = len(list(folder.iterdir())) - len(paths)
        done = sum(path.read_bytes() == new for path in paths)
    print(f"{options.kills} kills over {options.files} files; a whole run takes {whole:.1f} s")
    print(f"{in_work} of them in the middle of the work; {left} stray files before the last run")
    print(f"torn files: {torn}; stray files after the next run: {strays}; converted: {done}")
    return 1 if torn or strays or done < options.files else 0


if __name__ == "__main__":
    sys.exit(main())
