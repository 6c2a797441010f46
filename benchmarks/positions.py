"""What finding the place of a mistake costs, beside one ``json.loads`` of the file.

For each file: the pointer of the value nearest to a tenth, half and nine tenths of the text is
looked up (a new ``Source`` each time, line and column included), then nine values at once. CPU
time, the best of some rounds, as multiples of ``json.loads``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from evalmark.validator.reading.source import Source


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=50)
    options = parser.parse_args()
    for path in options.files:
        text = path.read_text(encoding="utf-8")
        loads = best(lambda text=text: json.loads(text), options.rounds)
        leaves = list(pointers(json.loads(text), ""))
        wanted = {f"{share:.0%}": [at(text, leaves, share)] for share in (0.1, 0.5, 0.9)}
        wanted["nine"] = [at(text, leaves, share / 10) for share in range(1, 10)]
        shown = []
        for name, asked in wanted.items():
            took = best(lambda text=text, asked=asked: locate(text, asked), options.rounds)
            shown.append(f"{name} {took / loads:.2f}")
        print(f"{path.name}: {len(text)} characters, {loads * 1e6:.0f} µs; {', '.join(shown)}")
    return 0


def locate(text: str, asked: list[str]) -> None:
    source = Source("x.json", text)
    for pointer in asked:
        assert source.value_span(pointer)


def at(text: str, leaves: list[str], share: float) -> str:
    """The leaf that begins nearest to some share of the text: leaves come in its order."""
    source = Source("x.json", text)
    low, high = 0, len(leaves) - 1
    while low < high:
        middle = (low + high) // 2
        place = source.place(leaves[middle])
        assert place
        low, high = (middle + 1, high) if place.start < share * len(text) else (low, middle)
    return leaves[low]


def pointers(data: Any, above: str) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from pointers(value, f"{above}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from pointers(value, f"{above}/{index}")
    else:
        yield above


def best(work: Callable[[], object], rounds: int) -> float:
    found = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found)


if __name__ == "__main__":
    sys.exit(main())
