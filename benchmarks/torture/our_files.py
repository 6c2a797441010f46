"""Files of our kinds with every part of the wrong type, and records that name any file."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.torture.hostile import (
    CURRENT_RECORD,
    DEFINITION,
    HARNESS,
    INSPECT,
    ODD,
    RECORD,
    RESULT,
    RUNSTATS,
    SAMPLES,
    SUITE,
    WITH_SAMPLES,
    Hostile,
    changed,
    good,
    hostile,
)

_LINK = "/detailed_evaluation_results"
_BESIDE = {"with_samples_samples.jsonl": SAMPLES}
_PATHS = (
    "/etc/passwd", "../../../../etc/passwd", "/proc/self/environ", "/dev/zero", "/dev/stdin",
    ".", "..", "", " ", "./", "a/../../x", "link_0.json", "x" * 10_000, "a/" * 2000 + "b",
    "a\0b", "\ud800", "a\nb", "\x1b[31m", "fifo.jsonl", "device.jsonl", "C:\\x", "//host/x",
    "file:///etc/passwd", "http://127.0.0.1:1/x", "~", "$HOME", ".git/config", "-", "a%00b",
)  # fmt: skip


def records() -> Iterator[Hostile]:
    """Records whose link to samples leads elsewhere, or is none."""
    for index, name in enumerate(_PATHS):
        data = changed(WITH_SAMPLES, f"{_LINK}/file_path", name)
        codes = "F008" if name == "\ud800" else ""
        yield hostile(f"link_{index}.json", data, codes, beside=_BESIDE)
    for index, value in enumerate(
        (*ODD, "evil", "shake_128", "md5", "SHA256", "sha256\0", "x" * 9999)
    ):
        data = changed(WITH_SAMPLES, f"{_LINK}/hash_algorithm", value)
        yield hostile(f"algorithm_{index}.json", data, beside=_BESIDE)
    for key in WITH_SAMPLES["detailed_evaluation_results"]:
        for index, value in enumerate(ODD):
            data = changed(WITH_SAMPLES, f"{_LINK}/{key}", value)
            yield hostile(f"link_{key}_{index}.json", data, beside=_BESIDE)
    for index, value in enumerate(ODD):
        yield hostile(f"link_as_{index}.json", changed(WITH_SAMPLES, _LINK, value), beside=_BESIDE)
    yield Hostile("pipe.json", _beside_a_pipe)
    yield hostile(
        "binary_samples.json", WITH_SAMPLES, beside={"with_samples_samples.jsonl": os.urandom(5000)}
    )


def _beside_a_pipe(path: Path) -> None:
    data = changed(WITH_SAMPLES, f"{_LINK}/file_path", "samples.jsonl")
    path.write_text(json.dumps(data))
    if hasattr(os, "mkfifo"):
        (path.parent / "samples.jsonl").unlink(missing_ok=True)
        os.mkfifo(path.parent / "samples.jsonl")


def damaged() -> Iterator[Hostile]:
    """Each part of each kind of file, replaced by values of every type in turn."""
    found = {
        "suite": SUITE, "legacy": good("legacy/triples.old.json"), "record": RECORD,
        "record3": CURRENT_RECORD, "definition": DEFINITION, "result": RESULT, "stats": RUNSTATS,
        "brackets": good("legacy/brackets.old.json"),
        "evaluated": good("legacy/evaluated.old.json"),
        "strings": good("legacy/string_predictions.old.json"),
        "definition1": good("versions/ltm-definition-1.json"),
        "generation": good("good/ltm/generation.json"),
        "inspect": INSPECT, "harness": HARNESS,
    }  # fmt: skip
    for name, data in found.items():
        for number, pointer in enumerate(_pointers(data)):
            value = ODD[(number + len(name)) % len(ODD)]
            yield hostile(f"{name}_{number}.json", changed(data, pointer, value))
        for number, key in enumerate(data):
            rest = copy.deepcopy(data)
            del rest[key]
            yield hostile(f"{name}_without_{number}.json", rest)
    for index, value in enumerate(ODD):
        for name, data in found.items():
            every = dict.fromkeys(data, value)
            yield hostile(f"{name}_all_{index}.json", every)


def _pointers(data: Any, at: str = "", level: int = 0) -> Iterator[str]:
    """Every part of data, of lists the first element."""
    if level > 7:
        return
    if isinstance(data, dict):
        parts = [(key, value) for key, value in data.items() if "/" not in key]
    elif isinstance(data, list) and data:
        parts = [("0", data[0])]
    else:
        return
    for key, value in parts:
        yield f"{at}/{key}"
        yield from _pointers(value, f"{at}/{key}", level + 1)
