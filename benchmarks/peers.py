"""Each ratio that README.md and docs/ claim, measured in one run: ``python -m benchmarks.peers``.

Data are bundled or generated. For each claim, its words and what was measured here; ratios are
those of processor time, which other programs change least.

Other programs are installed into ``--cache`` when they are first needed: lm-eval and minicons with
pip, in an environment that shares torch with this one, and ajv-cli with npm. What cannot be
installed, or is not to be (``--no-install``), is named as missing, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.schemas.files import bundle

from benchmarks._measure import measured
from benchmarks.check import copies, written

ROOT = Path(__file__).resolve().parent.parent
AJV = "ajv-cli@5.0.0"
PYTHON = ("lm-eval==0.4.13", "minicons==0.3.39")
#: Bytes of a record: as large as real ones of a leaderboard.
LARGE = 25_000


class MissingError(Exception):
    """A program that is not there; the message says why."""


class Peers(NamedTuple):
    """Where other programs are, or are installed."""

    cache: Path
    may_install: bool

    def ajv(self) -> Path:
        """The command of ajv-cli."""
        place = self.cache / "npm"
        path = place / "node_modules/.bin/ajv"
        if not path.exists():
            self._install(AJV, ["npm", "install", "--silent", "--prefix", str(place), AJV])
        return path

    def python(self) -> Path:
        """A Python with lm-eval and minicons, and with the packages of this one."""
        place = self.cache / "python"
        path = place / "bin/python"
        is_whole = place / "installed"
        if not is_whole.exists() and self.may_install:
            venv.create(place, with_pip=True, symlinks=True, clear=True)
            (shared,) = place.glob("lib/python*/site-packages")
            ours = sysconfig.get_path("purelib")
            (shared / "shared.pth").write_text(f"import site; site.addsitedir({ours!r})\n")
        if not is_whole.exists():
            names = " and ".join(PYTHON)
            self._install(names, [str(path), "-m", "pip", "install", "--quiet", *PYTHON])
            is_whole.touch()
        return path

    def _install(self, names: str, command: list[str]) -> None:
        if not self.may_install or not shutil.which(command[0]):
            raise MissingError(f"{names}: not in {self.cache}, and not installed")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise MissingError(f"{names}: {(done.stderr.strip().splitlines() or ['?'])[-1]}")


def record_of(size: int) -> dict[str, Any]:
    """A bundled record with so many results that its text has about ``size`` bytes."""
    data = json.loads((ROOT / "fixtures/good/record.json").read_text(encoding="utf-8"))
    (result,) = data["evaluation_results"]
    one = len(json.dumps(result, indent=2))
    data["evaluation_results"] = [
        {
            **result,
            "evaluation_name": f"task {number}",
            "source_data": {**result["source_data"], "dataset_name": f"data {number}"},
        }
        for number in range(max(1, size // one))
    ]
    return data


def pairs_of(folder: Path, count: int) -> list[str]:
    """Files in BLiMP's columns: agreement in number across other words."""
    draw = random.Random(0)
    people = ("author", "senator", "pilot", "farmer", "teacher", "doctor", "singer", "guard")
    verbs = (("laughs", "laugh"), ("sleeps", "sleep"), ("waits", "wait"), ("smiles", "smile"))
    forms = ("The {} near the {}s {}.", "The {} that the {} saw {}.", "{} and the {} {}.")
    usual = json.loads((ROOT / "fixtures/good/pairs/agreement.jsonl").open().readline())
    paths = []
    for number, form in enumerate(forms):
        rows = []
        for item in range(count):
            words = draw.choice(people), draw.choice(people)
            verb, other = draw.choice(verbs)
            good, bad = (form.format(*words, each) for each in (verb, other))
            name = f"agreement_{number}"
            rows.append({**usual, "sentence_good": good, "sentence_bad": bad, "UID": name,
                         "pairID": str(item)})  # fmt: skip
        path = folder / f"agreement_{number}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        paths.append(str(path))
    return paths


def bulk(peers: Peers, home: Path) -> Iterator[str]:
    """Valid records in one call of each program."""
    schema = home / "schema.json"
    schema.write_text(json.dumps(bundle("record-0.2.0")))
    folder = written(home / "valid", copies([record_of(LARGE)], 2000))
    check = [str(Path(sys.executable).parent / "evalmark"), "check", "-q", str(folder)]
    ours = {"evalmark": check, "evalmark, one process": [*check, "--jobs", "1"]}
    ajv = [
        str(peers.ajv()), "validate", "-s", str(schema), "--strict=false",
        "--validate-formats=false", "--all-errors", "-d", f"{folder}/*.json",
    ]  # fmt: skip
    took = measured({**ours, "ajv": ajv}, rounds=3)
    for name in ours:
        times = took[name].cpu, took["ajv"].cpu
        yield (
            f"ajv-cli is {times[0] / times[1]:.2f} times as fast as {name}: "
            f"{times[1]:.2f} s and {times[0]:.2f} s for 2,000 records"
        )


def numbers(peers: Peers, home: Path) -> Iterator[str]:
    """Sums of bits of a random GPT-2 and a random BERT, by each program."""
    files = pairs_of(home, 30)
    yield from module("pairs", "--numbers", *files, python=str(peers.python()))[2:]


def module(name: str, *arguments: str, python: str = sys.executable) -> list[str]:
    """The lines that another benchmark prints."""
    done = subprocess.run(
        [python, "-m", f"benchmarks.{name}", *arguments], cwd=ROOT, check=False,
        capture_output=True, text=True, env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        said = done.stderr.strip().splitlines() or lines or ["it prints nothing"]
        raise MissingError(f"benchmarks.{name} failed: {said[-1]}")
    return lines


class Claim(NamedTuple):
    """Words of a page, and what measures them."""

    page: str
    words: str  # one line, whatever the lines of the page
    measure: Callable[[Peers, Path], Iterator[str]]


CLAIMS = (
    Claim("docs/not-claimed.md", "about 1.5 times as fast", bulk),
    Claim("docs/scoring.md", "which equal those of a plain loop and of minicons", numbers),
)


def processor_time() -> float:
    """Seconds of this process and of those that it has waited for."""
    times = os.times()
    return sum(times[:4])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [claim.measure.__name__ for claim in CLAIMS]
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "evalmark-peers"
    parser.add_argument("--cache", type=Path, default=cache)
    parser.add_argument("--no-install", action="store_true")
    parser.add_argument("--only", choices=names, nargs="+", default=names)
    options = parser.parse_args()
    peers = Peers(options.cache.absolute(), not options.no_install)
    print(f"other programs: {peers.cache}")
    missing = 0
    for claim in CLAIMS:
        if claim.measure.__name__ not in options.only:
            continue
        print(f'\n{claim.page}: "{claim.words}"', flush=True)
        started = processor_time()
        with tempfile.TemporaryDirectory() as home:
            try:
                for line in claim.measure(peers, Path(home)):
                    print(f"  {line}", flush=True)
            except MissingError as error:
                missing += 1
                print(f"  missing: {error}")
        print(f"  ({claim.measure.__name__}, {processor_time() - started:.0f} s of processors)")
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main())
