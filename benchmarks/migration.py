"""Migrate thousands of records in two calls: ``--needs``, and its output as ``--defaults``.

The corpus is made in a temporary folder, laid out as a datastore: copies of the records in the
folders that are given, or of the project's fixtures, each as a record of another model. Some of
them get what migrations meet: open bounds, steps of plans that are objects, details that are null
or text, samples beside the record, samples inside it. Everything that is converted is checked.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import shlex
import shutil
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from evalmark.schemas.backend import accepts
from evalmark.schemas.versions import current
from evalmark.validator.check import check_file
from evalmark.validator.formats.builtin import detect
from evalmark.validator.io.opening import read_whole

from benchmarks._measure import once

Record = dict[str, Any]
FIXTURES = Path(__file__).parent.parent / "fixtures"
EVALMARK = [sys.executable, "-m", "evalmark.cli.main", "convert"]
COLLECTIONS, MODELS = 40, 900
#: Share of the records that have samples in a file beside them.
WITH_SAMPLES = 0.02


def without_bounds(record: Record) -> None:
    for result in record["evaluation_results"]:
        result["metric_config"] |= {"score_type": "continuous"}
        result["metric_config"].pop("max_score", None)


def step_objects(record: Record) -> None:
    plan = {"name": "plan", "steps": [{"solver": "generate", "params": {"n": 1}}]}
    for result in record["evaluation_results"]:
        config = result.setdefault("generation_config", {})
        config["generation_args"] = {**(config.get("generation_args") or {}), "eval_plan": plan}


def null_details(record: Record) -> None:
    record["model_info"]["additional_details"] = None


def text_details(record: Record) -> None:
    record["model_info"]["additional_details"] = "quantized by hand"


def inline_samples(record: Record) -> None:
    sample = {"sample_id": "1", "input": "q", "ground_truth": "a", "response": "b"}
    record["detailed_evaluation_results_per_samples"] = [sample]


#: Change, share of the records, and versions whose records it is made in.
CHANGES: tuple[tuple[Callable[[Record], None], float, tuple[str, ...]], ...] = (
    (without_bounds, 0.04, ("0.0.1", "0.1.0", "0.2.0", "0.2.1", "0.2.2")),
    (step_objects, 0.01, ("0.2.0",)),
    (null_details, 0.01, ("0.0.1", "0.1.0", "0.2.0")),
    (text_details, 0.01, ("0.2.0",)),
    (inline_samples, 0.005, ("0.1.0",)),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*", help="real records; default: fixtures")
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=Path, help="write the corpus to this folder, and stop")
    options = parser.parse_args()
    sources = list(records(options.folders or [FIXTURES / "versions"]))
    if options.only:
        print(dict(corpus(sources, options.files, options.only, random.Random(options.seed))))
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        made = corpus(sources, options.files, home / "old", random.Random(options.seed))
        print(f"{options.files} records made from {len(sources)}: {dict(made)}")
        return migrate(home)


def records(folders: list[Path]) -> Iterator[Record]:
    """The records in folders, without what says where their samples are."""
    for path in sorted(path for folder in folders for path in folder.rglob("*.json")):
        data = json.loads(read_whole(path))
        if isinstance(data, dict) and detect(data) == "record":
            data.pop("detailed_evaluation_results", None)
            yield data


def corpus(sources: list[Record], files: int, folder: Path, r: random.Random) -> Counter[str]:
    """Write that many records in the layout of a datastore; what was made, and how often."""
    made: Counter[str] = Counter()
    for number in range(files):
        record = copy.deepcopy(sources[number % len(sources)])
        collection = f"collection-{r.randrange(COLLECTIONS)}"
        model = r.randrange(MODELS)
        identity = f"lab-{model % 70}/model-{model}"
        stem = str(uuid.UUID(int=r.getrandbits(128), version=4))
        home = folder / "data" / collection / identity
        home.mkdir(parents=True, exist_ok=True)
        version = record["schema_version"]
        if r.random() < WITH_SAMPLES:
            record, version = samples_beside(home, stem)
            made["samples beside"] += 1
        record["evaluation_id"] = f"{collection}/{identity}/{number}"
        record["model_info"] = {**record["model_info"], "id": identity}
        for change, share, versions in CHANGES:
            if version in versions and r.random() < share:
                change(record)
                made[change.__name__.replace("_", " ")] += 1
        made[version] += 1
        text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
        (home / f"{stem}.json").write_text(text, encoding="utf-8")
        rows = home / f"{stem}_samples.jsonl"
        if rows.exists():
            lines = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
            for line in lines:
                line |= {"evaluation_id": record["evaluation_id"], "model_id": identity}
            rows.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return made


def samples_beside(home: Path, stem: str) -> tuple[Record, str]:
    """A record with its samples in the folder of the record."""
    record = json.loads((FIXTURES / "good/with_samples.json").read_text(encoding="utf-8"))
    rows = FIXTURES / "good/with_samples_samples.jsonl"
    shutil.copy(rows, home / f"{stem}_samples.jsonl")
    link = record["detailed_evaluation_results"]
    link["file_path"] = f"{stem}_samples.jsonl"
    link.pop("checksum", None)
    return record, record["schema_version"]


def migrate(home: Path) -> int:
    """Both calls, measured, and the check of what they wrote."""
    old, new, facts, report = (home / name for name in ("old", "new", "facts.yaml", "report.json"))
    needs = " ".join(map(shlex.quote, [*EVALMARK, "--needs", str(old)]))
    said = home / "said"
    for what, command in (
        ("--needs", f"{needs} > {shlex.quote(str(facts))} 2> {shlex.quote(str(said))}"),
        (
            "--defaults",
            " ".join(map(shlex.quote, [*EVALMARK, str(old), "-o", str(new)]))
            + f" --to record@{current('record').name} --defaults {shlex.quote(str(facts))}"
            + f" --report {shlex.quote(str(report))} 2> {shlex.quote(str(said))}",
        ),
    ):
        took = once(["sh", "-c", command])
        lines = said.read_text(encoding="utf-8").splitlines()
        print(f"{what}: {took.wall:.1f} s, {took.memory:.0f} MB, exit {took.code}")
        print(f"  {len(lines)} lines on stderr; the last: {lines[-1] if lines else ''}")
    print(f"  {len(facts.read_text(encoding='utf-8').splitlines())} lines to fill in")
    entries = json.loads(report.read_text(encoding="utf-8"))["files"]
    refused = Counter(entry["refused"] for entry in entries if "refused" in entry)
    for reason, count in refused.items():
        print(f"  refused {count}: {reason}")
    return judged(new)


def judged(folder: Path) -> int:
    """Check every record that was written; 1 if one is not valid at the current version."""
    wrong: Counter[str] = Counter()
    count = 0
    for path in sorted(folder.rglob("*.json")):
        count += 1
        data = json.loads(path.read_text(encoding="utf-8"))
        if not accepts(current("record").schema, data):
            wrong[f"{path}: not valid"] += 1
        for finding in check_file(path).findings:
            if finding.code.startswith(("EE1", "EE3", "F")) and finding.severity == "error":
                wrong[f"{finding.code} {finding.message}"] += 1
    print(f"checked: {count} records, {sum(wrong.values())} not valid")
    for reason, times in wrong.most_common(10):
        print(f"  {times}: {reason}")
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
