"""Try every command in an environment of each extra alone, and print what came of it.

The wheel is built once. Each extra is installed into a fresh virtual environment; there, every
command shows its help and does one job. A command passes if it does the job, or if it exits with
code 2 and one line that says what to install. Anything else fails, and so does this script.

    python -m scripts.environments [base] [fast] [report] [parquet] [scoring] [ray]
        [table] [serve]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = (
    "base", "fast", "report", "parquet", "xlsx", "scoring", "device-map", "ray", "table",
    "serve", "lsp",
)  # fmt: skip
SUITE = "suites/garden_path.json"

SETTINGS = '[record]\norganization = "us"\nrelationship = "other"\n'

#: A job -> its command line. ``{model}`` is the folder of the demo model, ``{n}`` a new name.
JOBS = {
    "check": "check suites good/suite.json",
    "check --jobs ray": "check --jobs ray suites",
    "convert": "convert old.json -o {n}.json",
    "convert (xlsx)": f"convert {SUITE} --to wide-table -o {{n}}.xlsx",
    "score": f"score {SUITE} --model {{model}} --device cpu --out {{n}}",
    "score --also parquet": f"score {SUITE} --model {{model}} --also parquet --out {{n}}",
    "compare": "compare run run",
    "memory run": "memory run colours --agent agent.json --out {n}",
    "memory rescore": "memory rescore talk",
    "memory judge": "memory judge people.csv --judge judge.json",
    "report": "report run --out {n}.html",
    "report (talk)": "report talk --out {n}.html",
    "table": "table good/record.json good/with_samples.json -o {n}.parquet",
    "table (csv)": "table good/record.json -o {n}.csv --samples {n}_samples.csv",
    "publish": "publish good/record.json -o {n}",
    "serve": "serve suites --no-browser",
    "lsp": "lsp",  # its input ends at once, and so does it
    "explain": "explain SG204",
    "rules": "rules",
    "schema": "schema suite",
    "init": "init {n}",
}
#: What shows its help: the commands, of groups each of theirs.
GROUPS = ("memory",)
COMMANDS = sorted(
    {" ".join(line.split()[: 2 if line.startswith(GROUPS) else 1]) for line in JOBS.values()}
)
INSTALL = "pip install"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("extras", nargs="*", default=EXTRAS, metavar="EXTRA", help="Default: all.")
    extras = parser.parse_args().extras
    unknown = sorted(set(extras) - set(EXTRAS))
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(EXTRAS)}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder, "dist"))
        work = Path(folder, "work")
        make_material(work)
        for extra in extras:
            failed |= try_extra(extra, wheel, Path(folder, f"venv-{extra}"), work)
    return int(failed)


def build_wheel(folder: Path) -> Path:
    """From the sdist, so that nothing that an earlier build left behind is in it."""
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    return wheel


def make_material(folder: Path) -> None:
    """Files to work on. The two runs are made by this environment, which can score."""
    shutil.copytree(ROOT / "fixtures/suites", folder / "suites")
    shutil.copytree(ROOT / "fixtures/good", folder / "good")
    shutil.copy(ROOT / "fixtures/legacy/triples.old.json", folder / "old.json")
    (folder / "agent.json").write_text(json.dumps({"default": "I do not know."}))
    verdict = dict.fromkeys(("contains", "contradicts", "beside_the_point"), "no")
    (folder / "people.csv").write_text("answer,expected,verdict\nRed,red,yes\n")
    (folder / "judge.json").write_text(json.dumps({"default": json.dumps(verdict)}))
    (folder / "evalmark.toml").write_text(SETTINGS)
    evalmark = str(Path(sys.executable).with_name("evalmark"))
    for job, name in (("score", "run"), ("memory run", "talk")):
        words = JOBS[job].format(model=ROOT / "fixtures/demo_model", n=name).split()
        subprocess.run([evalmark, *words], check=True, cwd=folder, capture_output=True)


def try_extra(extra: str, wheel: Path, home: Path, work: Path) -> bool:
    """Print the outcome of each job; true if one neither worked nor said what to install."""
    print(f"{extra}:", flush=True)
    evalmark = str(install(extra, wheel, home) / "evalmark")
    outcomes = {}
    for name in COMMANDS:
        outcome = attempt([evalmark, *name.split(), "--help"], work)
        if outcome != "ok":
            outcomes[f"{name} --help"] = outcome
    for number, (job, line) in enumerate(JOBS.items()):
        words = line.format(model=ROOT / "fixtures/demo_model", n=f"{extra}-{number}").split()
        outcomes[job] = attempt([evalmark, *words], work)
    for job, outcome in outcomes.items():
        print(f"  {job:20} {outcome}", flush=True)
    return any(
        outcome != "ok" and (job not in JOBS or INSTALL not in outcome)
        for job, outcome in outcomes.items()
    )


def install(extra: str, wheel: Path, home: Path) -> Path:
    """Make the environment; return the folder of its programs."""
    venv.create(home, with_pip=True)
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(programs / "python"), "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    target = f"{wheel}[{extra}]" if extra != "base" else str(wheel)
    subprocess.run(
        [*pip, "--constraint", str(ROOT / "scripts/constraints.txt"), target], check=True
    )
    return programs


def attempt(command: list[str], folder: Path) -> str:
    """``ok``, the one line of a refusal, or the end of stderr with the exit code."""
    # No endpoint is asked, and no model is looked for elsewhere.
    environ = {**os.environ, "HF_HUB_OFFLINE": "1", "COLUMNS": "80"}
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        if command[1] == "serve" and "--help" not in command:
            assert process.stdout
            process.stdout.readline()  # its address, once it answers
            process.send_signal(signal.SIGINT)  # what Ctrl-C is; nothing if it has ended
        _, errors = process.communicate()
    if process.returncode == 0:
        return "ok"
    lines = errors.strip().splitlines()
    if process.returncode == 2 and len(lines) == 1:
        return lines[0]
    return f"FAILED ({process.returncode}): {' / '.join(lines[-3:])}"


if __name__ == "__main__":
    sys.exit(main())
