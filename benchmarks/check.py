"""How fast files are checked: ours beside its peers, in one run.

Corpora are made by replicating the shapes of real files in some folders: each copy has ids of its
own, so that no two files are the same record. What is measured is user plus system CPU of whole
processes, the median of several rounds in which the contestants take turns; wall time and peak
memory stand beside it. All Python is byte-compiled first. ``evalmark`` runs all its default rules;
the peers know the schema only, and print no positions.

Peers: check-jsonschema (``--check-jsonschema PATH``) and ajv-cli (``--ajv PATH``), each from an
environment of its own; what is not given is left out.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import evalmark.schemas
import evalmark.validator
from evalmark.converters import form_of
from evalmark.validator import check_data


class Took(NamedTuple):
    cpu: float
    wall: float
    memory: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="real files")
    parser.add_argument("--check-jsonschema", type=Path)
    parser.add_argument("--ajv", type=Path)
    parser.add_argument("--records", type=int, default=5600)
    parser.add_argument("--invalid", type=int, default=5000)
    parser.add_argument("--suites", type=int, default=34)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    for module in (evalmark.schemas, evalmark.validator):
        compileall.compile_dir(Path(str(module.__file__)).parents[1], quiet=2, maxlevels=4)
    with tempfile.TemporaryDirectory() as home:
        corpora = make(Path(home), options)
        for name, (folder, schema) in corpora.items():
            files = sorted(folder.glob("*.json"))
            size = sum(path.stat().st_size for path in files) / 1e6
            print(f"\n{name}: {len(files)} files, {size:.1f} MB")
            report(measured(contestants(files, folder, schema, options), options.rounds))
    return 0


def contestants(
    files: list[Path], folder: Path, schema: Path, options: argparse.Namespace
) -> dict[str, list[str]]:
    bin_ = Path(sys.executable).parent
    names = [str(path) for path in files]
    found = {"evalmark check": [str(bin_ / "evalmark"), "check", "-q", str(folder)]}
    if len(files) == 1:
        found = {
            "python": [sys.executable, "-c", "pass"],
            "evalmark-hook": [str(bin_ / "evalmark-hook"), *names],
            **found,
        }
    if options.check_jsonschema:
        peer = [str(options.check_jsonschema), "-q", "--schemafile", str(schema), *names]
        found["check-jsonschema"] = peer
    if options.ajv:
        given = ["-d", names[0]] if len(files) == 1 else ["-d", f"{folder}/*.json"]
        found["ajv-cli"] = [
            str(options.ajv), "validate", "-s", str(schema), "--strict=false",
            "--validate-formats=false", "--all-errors", *given,
        ]  # fmt: skip
    return found


def measured(commands: dict[str, list[str]], rounds: int) -> dict[str, list[Took]]:
    """Round by round, each contestant once; one round before to warm the disk."""
    found: dict[str, list[Took]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            took = once(command)
            if turn:
                found[name].append(took)
    return found


def once(command: list[str]) -> Took:
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    return Took(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def report(found: dict[str, list[Took]]) -> None:
    ours = statistics.median(t.cpu for t in found["evalmark check"])
    for name, rounds in found.items():
        cpu = statistics.median(t.cpu for t in rounds)
        wall = statistics.median(t.wall for t in rounds)
        memory = max(t.memory for t in rounds)
        against = (
            f"evalmark check takes {ours / cpu:6.3f} of it" if name != "evalmark check" else ""
        )
        line = f"{name:18} {cpu * 1000:9.0f} ms CPU {wall * 1000:9.0f} ms wall {memory:6.0f} MB"
        print(f"{line}  {against}")


def make(home: Path, options: argparse.Namespace) -> dict[str, tuple[Path, Path]]:
    """Corpora by name: their folder, and the schema that peers are given."""
    records, suites = [], []
    for path in sorted(p for folder in options.folders for p in folder.rglob("*.json")):
        try:
            data: Any = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            continue
        form = form_of(data)
        if form == "record-0.2.0":
            data.pop("detailed_evaluation_results", None)
            records += [data] if clean(data, "record") else []
        elif form == "suite" and clean(data, "suite"):
            suites.append(data)
    print(f"{len(records)} shapes of records, {len(suites)} of suites")
    made = {}
    for kind in ("record-0.2.0", "suite"):
        schema = home / f"{kind}.schema.json"
        schema.write_text(json.dumps(evalmark.schemas.bundle(kind)))
        made[kind] = schema
    record, suite = made["record-0.2.0"], made["suite"]
    return {
        "one valid record": (written(home / "one", copies(records, 1)), record),
        "suites": (written(home / "suites", copies(suites, options.suites)), suite),
        "valid records": (written(home / "valid", copies(records, options.records)), record),
        "invalid records": (
            written(home / "invalid", map(spoilt, copies(records, options.invalid))), record,
        ),
    }  # fmt: skip


def clean(data: Any, kind: str) -> bool:
    return not check_data(data, kind=kind).findings


def copies(shapes: list[Any], count: int) -> Iterator[Any]:
    for number in range(count):
        data = json.loads(json.dumps(shapes[number % len(shapes)]))
        if "evaluation_id" in data:
            data["evaluation_id"] = f"{number}-{data['evaluation_id']}"
        else:
            data["meta"]["name"] = f"{data['meta']['name']}_{number}"
        yield data


def spoilt(data: Any) -> Any:
    """Three mistakes: a missing key, a wrong type, a value that is none of the allowed ones."""
    data["source_metadata"].pop("source_organization_name", None)
    data["model_info"]["name"] = 7
    data["source_metadata"]["evaluator_relationship"] = "a friend"
    return data


def written(folder: Path, documents: Any) -> Path:
    folder.mkdir()
    for number, data in enumerate(documents):
        (folder / f"{number:06}.json").write_text(json.dumps(data, indent=2), encoding="utf-8")
    return folder


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
