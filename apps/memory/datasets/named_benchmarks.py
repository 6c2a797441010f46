"""Published benchmarks by their names: the files, memory span and mode that make a run one of them.

The files are those of a folder that somebody has downloaded; nothing is downloaded here. A run that
differs is run all the same, and is not called by the name of the benchmark.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import UsageError
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.io.opening import read_whole

#: Folders in which the files may be, from the folder that is named.
_PLACES = ("", "definitions", "data")
#: Files that a message names; more are counted.
_NAMED = 4


@dataclass(frozen=True, slots=True)
class NamedBenchmark:
    """A benchmark that a run names, and the folder of its files."""

    name: str  # its name, with what evalmark cannot run of it
    source: str  # where its files come from
    digests: Mapping[str, str]  # its files -> their SHA-256
    folder: Path  # the folder of the files
    missing: tuple[str, ...]  # the files that are not there
    #: The files that are not as they were published, and definitions that were not.
    changed: tuple[str, ...]
    memory_span: int  # in tokens
    mode: str  # how its tests are run

    def lines(self) -> Iterator[str]:
        """The files and their digest, memory span, mode, and missing files."""
        digest = hashlib.sha256("".join(self.digests.values()).encode()).hexdigest()
        how = f"memory span {self.memory_span}, {self.mode}"
        yield f"{self.name}: {len(self.digests)} files (SHA-256 {digest}), {how}"
        if self.missing:
            files = f"{len(self.missing)} of {len(self.digests)} files"
            names = listed(self.missing, _NAMED)
            yield f"missing in {self.folder}: {files} ({names}), from {self.source}"

    @property
    def differs(self) -> list[str]:
        """The reasons why a run of these files is not called by the name."""
        return [
            *(["files are missing"] if self.missing else []),
            *([f"not as published: {listed(self.changed, _NAMED)}"] if self.changed else []),
        ]


@cache
def _benchmarks() -> dict[str, dict[str, Any]]:
    data: dict[str, dict[str, Any]] = json.loads(
        read_whole(Path(__file__).with_name("benchmarks.json"))
    )
    return data


def benchmark_names() -> tuple[str, ...]:
    """The names of the benchmarks."""
    return tuple(_benchmarks())


def named_benchmark(targets: Sequence[str]) -> NamedBenchmark | None:
    """The benchmark that targets name: its name, and then the folder of its files.

    Raises UsageError if there is no folder, or it has no file that could be run.
    """
    name, *folders = targets
    if name not in _benchmarks():
        return None
    about = _benchmarks()[name]
    digests, source = about["files"], about["from"]
    if len(folders) != 1 or not Path(folders[0]).is_dir():
        raise UsageError(
            f"{name} needs the folder of its files, {listed(digests, _NAMED)}: download them from "
            f"{source}, and write `evalmark memory {name} FOLDER`"
        )
    places = [Path(folders[0], place) for place in _PLACES]
    folder = max(places, key=lambda place: sum((place / file).is_file() for file in digests))
    missing = tuple(file for file in digests if not (folder / file).is_file())
    there = {file for file in digests if file not in missing}
    there |= {path.relative_to(folder).as_posix() for path in folder.rglob("*.def.json")}
    changed = tuple(
        file
        for file in sorted(there)
        if hashlib.sha256(read_whole(folder / file)).hexdigest() != digests.get(file)
    )
    without = "".join(f" without {part}" for part in about.get("without", ()))
    if len(missing) == len(digests):
        raise UsageError(
            f"{folders[0]} has no file of {name}: {listed(missing, _NAMED)}; from {source}"
        )
    return NamedBenchmark(
        name + without, source, digests, folder, missing, changed, about["memory_span"],
        about["mode"],
    )  # fmt: skip
