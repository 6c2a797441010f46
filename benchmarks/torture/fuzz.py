"""Random documents: no exception, and one verdict of all engines.

A document is a fixture with random changes to its data or its bytes. Every one is checked with the
pure and the native engine, which must report the same; the verdict on its schema must be that of
``jsonschema``. Some are written to folders with companions, and checked and converted as files.
"""

from __future__ import annotations

import copy
import json
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalmark.converters.convert_files import convert_files
from evalmark.schemas.backend import Backend, accepts, native_is_installed
from evalmark.schemas.files import FILES, bundle
from evalmark.validator.check import check_one
from evalmark.validator.checker import check_files
from evalmark.validator.formats.builtin import detect
from evalmark.validator.reading.reading import read
from evalmark.validator.settings.check_options import CheckOptions, context_of
from jsonschema import Draft7Validator

from benchmarks.torture.calls import FIXTURES
from benchmarks.torture.hostile import ODD, SAMPLES, WITH_SAMPLES, damaged_bytes

_ASKED = {
    engine: context_of(CheckOptions(backend=engine))._replace(is_file=False)
    for engine in Backend
    if native_is_installed() or engine == "pure"
}


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every value of some data: what holds it, and its key or index there."""
    if isinstance(node, dict | list):
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            yield node, key
            yield from places(node[key])


def documents(folder: Path) -> list[Any]:
    """The documents and rows in a folder that are of a known kind."""
    found = []
    for path in sorted(folder.rglob("*.*")):
        if path.suffix in (".json", ".jsonl", ".yaml", ".yml"):
            rows = path.read_bytes().splitlines() if path.suffix == ".jsonl" else None
            readings = [read(raw, path.name) for raw in rows or [path.read_bytes()]]
            found += [r.data for r in readings if r.readable and detect(r.data)]
    return found


def mutate(data: Any, r: random.Random) -> None:
    """One to three values removed, added or replaced."""
    for _ in range(r.choice((1, 1, 2, 3))):
        found = list(places(data))
        if not found:
            return
        holder, key = r.choice(found)
        if r.random() < 0.3:
            del holder[key]
        elif r.random() < 0.2 and isinstance(holder, dict):
            holder[r.choice(("extra", "score_type", "level_names", "messages"))] = r.choice(ODD)
        else:
            holder[key] = copy.deepcopy(r.choice(ODD))


@dataclass(slots=True)
class Fuzzed:
    """What random documents did."""

    documents: int = 0
    files: int = 0
    verdicts: Counter[bool] = field(default_factory=Counter)
    exceptions: list[str] = field(default_factory=list)
    different: list[str] = field(default_factory=list)

    def add(self, other: Fuzzed) -> None:
        self.documents += other.documents
        self.files += other.files
        self.verdicts += other.verdicts
        self.exceptions += other.exceptions
        self.different += other.different


def fuzzed(until: float, seed: int) -> Fuzzed:
    """Check random documents until time is over; at least a thousand."""
    r, found = random.Random(seed), Fuzzed()
    known = documents(FIXTURES)
    judges = {name: Draft7Validator(bundle(name)) for name in FILES}
    while found.documents < 1000 or time.monotonic() < until:
        for _ in range(500):
            _one(r, known, judges, found)
        with tempfile.TemporaryDirectory(prefix="torture-") as home:
            _folder(r, known, Path(home), found)
    return found


def _one(
    r: random.Random, known: list[Any], judges: dict[str, Draft7Validator], found: Fuzzed
) -> None:
    data = copy.deepcopy(r.choice(known))
    kind = detect(data)
    mutate(data, r)
    raw = json.dumps(data, ensure_ascii=r.random() < 0.5).encode("utf-8", "surrogatepass")
    if r.random() < 0.3:
        raw = damaged_bytes(raw, r)
    found.documents += 1
    try:
        reports = [check_one("x.json", wanted, raw) for wanted in _ASKED.values()]
        _compare(reports, raw, found)
        # As parsed: what the text says is not always what was changed.
        names = [n for n in FILES if n == kind or n.startswith(f"{kind}-0")]
        if not names:
            return  # a format of an application has its own schema
        name = r.choice(names)
        parsed = json.loads(json.dumps(data))
        verdict = judges[name].is_valid(parsed)
        found.verdicts[verdict] += 1
        for engine in _ASKED:
            if accepts(name, parsed, engine) is not verdict:
                found.different.append(f"{name} by {engine}: {raw[:300]!r}")
    except Exception as error:
        found.exceptions.append(f"{error!r}: {raw[:300]!r}")


def _compare(reports: list[Any], raw: bytes, found: Fuzzed) -> None:
    """The engines find the same, and no rule has failed."""
    for report in reports:
        if report.findings != reports[0].findings or report.kind != reports[0].kind:
            found.different.append(f"findings: {raw[:300]!r}")
        found.exceptions += [
            f"{f.message}: {raw[:300]!r}" for f in report.findings if f.code == "F099"
        ]


def _folder(r: random.Random, known: list[Any], home: Path, found: Fuzzed) -> None:
    """Random files in a folder, records with samples among them: checked, converted, checked."""
    folder = home / "in"
    folder.mkdir()
    for number in range(12):
        data = copy.deepcopy(r.choice(known))
        mutate(data, r)
        ending = r.choice((".json", ".json", ".jsonl", ".yaml"))
        (folder / f"{number}{ending}").write_text(json.dumps(data), encoding="utf-8")
    for number in range(4):
        record = copy.deepcopy(WITH_SAMPLES)
        link = record["detailed_evaluation_results"]
        link["file_path"] = f"with{number}_samples.jsonl"
        if r.random() < 0.3:
            link[r.choice(list(link))] = copy.deepcopy(r.choice(ODD))
        mutate(record, r)
        (folder / f"with{number}.json").write_text(json.dumps(record))
        rows = damaged_bytes(SAMPLES, r) if r.random() < 0.7 else SAMPLES
        (folder / f"with{number}_samples.jsonl").write_bytes(rows)
    found.files += 20
    try:
        checked = check_files([folder], jobs=1, select=["ALL"])
        found.exceptions += [f.message for f in checked.findings if f.code == "F099"]
        for outcome in convert_files([folder], output=home / "out"):
            if "internal error" in str(outcome.failed):
                text = Path(outcome.path).read_text(errors="replace")
                found.exceptions.append(f"{outcome.failed}: {text[:300]}")
        check_files([home / "out"], jobs=1)
    except Exception as error:
        kept = Path(tempfile.mkdtemp(prefix="torture-kept-"))
        shutil.copytree(folder, kept / "in")
        found.exceptions.append(f"{error!r} in the files of {kept}")
