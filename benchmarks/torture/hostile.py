"""What a hostile file is."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.torture.calls import FIXTURES


@dataclass(frozen=True, slots=True)
class Hostile:
    """A file that is made to break a program.

    Attributes:
        name: Its name, with the ending that says how it is read.
        content: Its bytes, or what makes it at a path.
        codes: `check` finds one of these in it; nothing is expected if empty.
        beside: Files next to it, by name.
        is_large: Whether it takes seconds, and is left out of short runs.
    """

    name: str
    content: bytes | Callable[[Path], object]
    codes: frozenset[str] = frozenset()
    beside: Mapping[str, bytes] = field(default_factory=dict)
    is_large: bool = False

    def put(self, folder: Path) -> Path:
        """Make it in a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / self.name
        for name, content in self.beside.items():
            (folder / name).write_bytes(content)
        if isinstance(self.content, bytes):
            path.write_bytes(self.content)
        else:
            self.content(path)
        return path


def hostile(name: str, content: Any, codes: str = "", **rest: Any) -> Hostile:
    """A hostile file; data is written as JSON, codes are separated by spaces."""
    if isinstance(content, dict | list):
        content = json.dumps(content).encode()
    elif isinstance(content, str):
        content = content.encode("utf-8", "surrogatepass")
    return Hostile(name, content, frozenset(codes.split()), **rest)


def good(name: str) -> Any:
    """The data of a good fixture, to be changed."""
    return json.loads((FIXTURES / name).read_bytes())


def changed(data: Any, pointer: str, value: Any) -> Any:
    """A copy of data with another value at a pointer."""
    data = copy.deepcopy(data)
    *way, last = pointer.strip("/").split("/")
    holder = data
    for part in way:
        holder = holder[int(part)] if isinstance(holder, list) else holder[part]
    holder[int(last) if isinstance(holder, list) else last] = value
    return data


_SIGNS = (b"[", b"{", b'"', b",", b"NaN", b"1e999", b"\\")


def damaged_bytes(raw: bytes, r: random.Random) -> bytes:
    """Bytes with one to three random changes."""
    for _ in range(r.choice((1, 1, 2, 3))):
        at = r.randrange(len(raw) + 1)
        match r.randrange(5):
            case 0:
                raw = raw[:at] + raw[at + r.randrange(1, 9) :]
            case 1:
                raw = raw[:at] + r.randbytes(r.randrange(1, 4)) + raw[at:]
            case 2:
                raw = raw[:at]
            case 3:
                raw = raw[:at] + r.choice(_SIGNS) + raw[at:]
            case _:
                raw = raw[:at] + raw[at // 2 : at] + raw[at:]
    return raw


SUITE = good("good/suite.json")
RECORD = good("good/record.json")
CURRENT_RECORD = good("versions/record-0.3.0.json")
WITH_SAMPLES = good("good/with_samples.json")
SAMPLES = (FIXTURES / "good/with_samples_samples.jsonl").read_bytes()
DEFINITION = good("good/ltm/definitions/Colours/0.def.json")
RESULT = good("good/ltm/results/Example agent/Colours/0_0.json")
RUNSTATS = good("good/ltm/runstats.json")
INSPECT = good("results/inspect/log.json")
HARNESS = good("results/lm_eval/results_2026-01-02T03-04-05.678901.json")

#: Values of every type, and those that code forgets.
ODD: tuple[Any, ...] = (
    None, True, 0, -1, 0.5, 1.0, 10**30, "", "x", "levels", "Infinity", "\x1b[31m\n::error::x",
    "\u202e", [], [1], [None], [[]], {}, {"a": None}, [{}],
)  # fmt: skip
