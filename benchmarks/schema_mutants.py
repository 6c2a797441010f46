"""Generated code and jsonschema: ``python -m benchmarks.schema_mutants [--count N] [FOLDER …]``.

Takes the documents of the fixtures (and of further folders), changes each at random, and asks the
generated accept function and ``jsonschema.Draft7Validator`` for their verdicts under every schema
of its kind. They must be equal; the first that differ are printed.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalmark.schemas.backend import accepts
from evalmark.schemas.files import FILES, bundle
from evalmark.validator.formats.builtin import detect
from evalmark.validator.reading.reading import read
from jsonschema import Draft7Validator

ROOT = Path(__file__).resolve().parent.parent
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 1.0, 0.5, 10**30, "", "x", "levels", "Infinity", [], [1], {},
    {"a": 1},
)  # fmt: skip


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every value of some data: what holds it, and its key or index there."""
    if isinstance(node, dict | list):
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            yield node, key
            yield from places(node[key])


def documents(folders: list[Path]) -> list[Any]:
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*.*")):
            if path.suffix not in (".json", ".jsonl", ".yaml", ".yml"):
                continue
            rows = path.read_bytes().splitlines() if path.suffix == ".jsonl" else None
            readings = [read(raw, path.name) for raw in rows or [path.read_bytes()]]
            found += [r.data for r in readings if r.readable and detect(r.data)]
    return found


def mutate(data: Any, r: random.Random) -> None:
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--count", type=int, default=20_000)
    options = parser.parse_args()
    judges = {name: Draft7Validator(bundle(name)) for name in FILES}
    found = documents([ROOT / "fixtures", *options.folders])
    r = random.Random(0)
    verdicts = {True: 0, False: 0}
    different = 0
    for _ in range(options.count):
        data = copy.deepcopy(r.choice(found))
        kind = detect(data)
        assert kind
        mutate(data, r)
        name = r.choice([name for name in FILES if name == kind or name.startswith(f"{kind}-0")])
        verdict = judges[name].is_valid(data)
        verdicts[verdict] += 1
        if accepts(name, data) is not verdict:
            different += 1
            if different <= 3:
                print(f"{name}: jsonschema says {verdict}: {json.dumps(data)[:300]}")
    print(f"{options.count} mutants of {len(found)} documents under {len(FILES)} schemas")
    print(f"valid {verdicts[True]}, invalid {verdicts[False]}, different verdicts {different}")
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
