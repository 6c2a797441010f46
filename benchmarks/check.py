"""How fast files are checked: ours, its last edition and its peers, in one run, in turns.

Corpora are made by replicating the shapes of real files in some folders: each copy has ids of its
own, so that no two files are the same record. What is measured is user plus system CPU of whole
processes, the median of several rounds in which the contestants take turns; wall time and peak
memory are printed too. All Python is byte-compiled first. ``evalmark`` runs all its default rules,
except where it says "schema" (``--schema-only``). The peers know only the schema, and print no
positions.

``--against PYTHON`` is an environment in which another edition is installed. Install this one in an
environment of its own as well, and run the script there: an editable install starts slowly. With
``--only "one valid record"`` only the measures with these words in their names are taken.

Peers: check-jsonschema (``--check-jsonschema PATH``) and ajv-cli (``--ajv PATH``), each from an
environment of its own; what is not given is left out. The limit is what reading and a SIMD parser
that makes no Python objects take (``--simdjson PYTHON`` of an environment that has pysimdjson).
"""

from __future__ import annotations

import argparse
import compileall
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import evalmark
from evalmark.converters.formats import conversion_format_of
from evalmark.schemas.files import bundle
from evalmark.validator.check import check_data

from benchmarks._measure import measured, print_table

LIMIT = """
import sys
import simdjson
parser = simdjson.Parser()
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        document = parser.parse(file.read())
    del document
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="real files")
    parser.add_argument("--against", type=Path, help="Python of another edition")
    parser.add_argument("--only", default="")
    parser.add_argument("--check-jsonschema", type=Path)
    parser.add_argument("--ajv", type=Path)
    parser.add_argument("--simdjson", type=Path)
    parser.add_argument("--records", type=int, default=5600)
    parser.add_argument("--invalid", type=int, default=5000)
    parser.add_argument("--suites", type=int, default=34)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    for folder in {str(Path(path).parent) for path in evalmark.__path__}:
        compileall.compile_dir(folder, quiet=2, maxlevels=4)
    with tempfile.TemporaryDirectory() as home:
        corpora = make(Path(home), options)
        for name, (folder, schema) in corpora.items():
            if options.only not in name:
                continue
            files = sorted(folder.glob("*.json"))
            size = sum(path.stat().st_size for path in files) / 1e6
            print(f"\n{name}: {len(files)} files, {size:.1f} MB")
            rounds = options.rounds * 5 if len(files) == 1 else options.rounds
            found = measured(contestants(files, folder, schema, options), rounds)
            for ours in (name for name in found if name.startswith("evalmark")):
                others = {name: t for name, t in found.items() if not name.startswith("evalmark")}
                last = {name: t for name, t in others.items() if name == f"last {ours}"}
                peers = {name: t for name, t in others.items() if not name.startswith("last ")}
                print_table({ours: found[ours], **last, **peers}, ours)
    return 0


def contestants(
    files: list[Path], folder: Path, schema: Path, options: argparse.Namespace
) -> dict[str, list[str]]:
    names = [str(path) for path in files]
    check = ["check", "-q", str(folder)]
    if len(files) == 1:
        calls = {"check": check, "hook": names}
    else:
        alone = [*check, "--jobs", "1"]
        calls = {"check": check, "one process": alone, "schema": [*alone, "--schema-only"]}
    found = {}
    for name, words in calls.items():
        program = "evalmark-hook" if name == "hook" else "evalmark"
        found[f"evalmark {name}"] = [str(Path(sys.executable).parent / program), *words]
        if options.against:
            found[f"last evalmark {name}"] = [str(options.against.parent / program), *words]
    if len(files) == 1:
        found["python"] = [sys.executable, "-c", "pass"]
    if options.check_jsonschema:
        peer = [str(options.check_jsonschema), "-q", "--schemafile", str(schema), *names]
        found["check-jsonschema"] = peer
    if options.ajv:
        given = ["-d", names[0]] if len(files) == 1 else ["-d", f"{folder}/*.json"]
        found["ajv-cli"] = [
            str(options.ajv), "validate", "-s", str(schema), "--strict=false",
            "--validate-formats=false", "--all-errors", *given,
        ]  # fmt: skip
    if options.simdjson:
        found["limit: read, SIMD parse"] = [str(options.simdjson), "-c", LIMIT, *names]
    return found


def shapes(folders: list[Path]) -> tuple[list[Any], list[Any]]:
    """The records of version 0.2.0 and the suites in some folders, those without a finding."""
    records, suites = [], []
    for path in sorted(p for folder in folders for p in folder.rglob("*.json")):
        try:
            data: Any = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            continue
        form = conversion_format_of(data)
        if form == "record-0.2.0":
            data.pop("detailed_evaluation_results", None)
            records += [data] if clean(data, "record") else []
        elif form == "suite" and clean(data, "suite"):
            suites.append(data)
    return records, suites


def make(home: Path, options: argparse.Namespace) -> dict[str, tuple[Path, Path]]:
    """Corpora by name: their folder, and the schema that peers are given."""
    records, suites = shapes(options.folders)
    print(f"{len(records)} shapes of records, {len(suites)} of suites")
    made = {}
    for kind in ("record-0.2.0", "suite"):
        schema = home / f"{kind}.schema.json"
        schema.write_text(json.dumps(bundle(kind)))
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
    sys.exit(main())
