"""One finding for one mistake: ``python -m benchmarks.one_finding [--count N] [FOLDER …]``.

Takes every valid file of the fixtures (and of further folders), makes one mistake in it, many
times over, and counts the findings that the file did not have before. Prints the share of mistakes
that give exactly one, and what the others are. Mistakes that nothing can notice are not counted.
"""

from __future__ import annotations

import argparse
import collections
import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalmark.validator.check import check_data

ROOT = Path(__file__).resolve().parent.parent
OTHER_TYPE: tuple[Any, ...] = (None, True, 7, 2.5, "x", [], {})


def documents(folders: list[Path]) -> Iterator[tuple[Path, Any]]:
    for folder in folders:
        for path in sorted(folder.rglob("*.json")):
            data = json.loads(path.read_text(encoding="utf-8"))
            report = check_data(data)
            if report.kind and report.ok:
                yield path, data


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(node, dict | list):
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            yield node, key
            yield from places(node[key])


def mistake(data: Any, r: random.Random) -> str:
    """Make one mistake in the data; its name."""
    holder, key = r.choice(list(places(data)))
    kinds = ["another type", "another value"]
    if isinstance(holder, dict):
        kinds += ["missing", "misspelt key"]
    kind = r.choice(kinds)
    if kind == "missing":
        del holder[key]
    elif kind == "misspelt key":
        members = [(f"{k}x" if k == key else k, v) for k, v in holder.items()]
        holder.clear()
        holder.update(members)
    elif kind == "another type":
        old = holder[key]
        holder[key] = r.choice([v for v in OTHER_TYPE if type(v) is not type(old)])
    else:
        old = holder[key]
        if isinstance(old, str):
            holder[key] = f"{old}x"
        elif isinstance(old, int | float) and not isinstance(old, bool):
            holder[key] = old + 1000
        else:
            holder[key] = copy.deepcopy(r.choice([v for v in OTHER_TYPE if v is not old]))
    return f"{kind} of {key if isinstance(key, str) else 'an element'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--count", type=int, default=3000)
    options = parser.parse_args()
    own = [ROOT / "fixtures" / name for name in ("good", "versions")]
    found = list(documents([*own, *options.folders]))
    r = random.Random(0)
    counts: collections.Counter[int] = collections.Counter()
    rest: collections.Counter[str] = collections.Counter()
    for _ in range(options.count):
        _, data = r.choice(found)
        before = len(check_data(data).findings)
        changed = copy.deepcopy(data)
        name = mistake(changed, r)
        kind = check_data(data).kind
        report = check_data(changed, kind=kind)
        more = len({(f.code, f.fold) for f in report.findings}) - before
        if more > 0:
            counts[min(more, 5)] += 1
        if more > 1:
            codes = "+".join(sorted({f.code for f in report.findings}))
            rest[f"{kind}: {name}: {codes}"] += 1
    noticed = sum(counts.values())
    print(f"{options.count} mistakes in {len(found)} files, {noticed} noticed")
    print(f"exactly one finding: {counts[1] / noticed:.1%}")
    for line, number in rest.most_common(15):
        print(f"  {number:4}  {line}")


if __name__ == "__main__":
    main()
