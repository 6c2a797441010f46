"""The place of a file in an LTM run, and the files of the run that rules compare it with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from evalmark.validator.reading.reading import read_file

#: The key of a dataset in configurations -> its name in paths.
DATASET_NAMES: dict[str, str] = {
    "names": "Names",
    "colours": "Colours",
    "shopping": "Shopping",
    "locations": "Locations",
    "locations_directions": "Locations Directions",
    "sallyanne": "SallyAnne",
    "name_list": "NameList",
    "jokes": "Jokes",
    "kv": "KV",
    "chapterbreak": "ChapterBreak",
    "delayed_recall": "Delayed Recall",
    "instruction_recall": "Instruction Recall",
    "how_to_think": "How to Think",
    "prospective_memory": "Prospective Memory",
    "conflicting_personal_info": "Conflicting Personal Information",
    "trigger_response": "Trigger Response",
    "restaurant": "Restaurant",
    "spy_meeting": "Spy Meeting",
}

#: Names of the configuration, in the definitions of a run.
CONFIGS = ("config.yml", "config.yaml", "config.json")


@dataclass(frozen=True)
class RunPlace:
    """The place of a file in a run.

    The files contain neither name nor dataset; both are in the path:
    ``<run>/definitions/<dataset>/<id>.def.json`` and
    ``<run>/results/<agent>/<dataset>/<id>_<repetition>.json``.
    """

    path: str

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        return Path(self.path).absolute().parts[-5:]

    @property
    def dataset(self) -> str | None:
        """The dataset, where the path names it."""
        in_run = self.is_definition or "results" in self._parts[-4:-3]
        return self._parts[-2] if in_run else None

    @property
    def is_definition(self) -> bool:
        """True if the file is in the folder of definitions."""
        return "definitions" in self._parts[-3:-2]

    @cached_property
    def folder(self) -> Path | None:
        """The folder of the run that the file is part of; None outside a run."""
        above = Path(self.path).absolute().parents[:4]
        named = (folder for folder in above if folder.name in ("definitions", "results"))
        return next((folder.parent for folder in named), None)

    @cached_property
    def definition_path(self) -> Path | None:
        """The expected path of the definition of a result; None outside a run."""
        example, _, repetition = Path(self.path).stem.rpartition("_")
        in_results = "results" in self._parts[-4:-3] and not self.is_definition
        if not in_results or not repetition.isdecimal():
            return None
        run = Path(self.path).absolute().parents[3]
        return run / "definitions" / self._parts[-2] / f"{example}.def.json"

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """The configuration of the run; empty if there is none that can be read."""
        return config_of(self.folder) if self.folder else {}

    @property
    def memory_span(self) -> int | None:
        """The memory span of the dataset in tokens, where the configuration has it."""
        datasets = self.config.get("datasets")
        if not isinstance(datasets, dict):
            return None
        shared = datasets.get("args")
        span = shared.get("memory_span") if isinstance(shared, dict) else None
        entries = datasets.get("datasets")
        for entry in entries if isinstance(entries, list) else ():
            if (
                isinstance(entry, dict)
                and DATASET_NAMES.get(str(entry.get("name"))) == self.dataset
            ):
                args = entry.get("args")
                span = args.get("memory_span", span) if isinstance(args, dict) else span
        return span if isinstance(span, int) else None


def kind_at(path: str) -> str | None:
    """The kind of a file in a folder of a dataset of the benchmark, whatever it holds."""
    place = RunPlace(path)
    if not path.endswith(".json") or place.dataset not in DATASET_NAMES.values():
        return None
    if place.definition_path is not None:
        return "ltm-result"
    return "ltm-definition" if place.is_definition else None


def config_of(run: Path) -> Mapping[str, Any]:
    """The configuration of a run; empty if there is none that can be read."""
    for name in CONFIGS:
        path = run / "definitions" / name
        if path.is_file():
            status = path.stat()
            return _loaded(path, status.st_mtime_ns, status.st_size)
    return {}


def load_of_run(path: Path) -> dict[str, Any]:
    """Another file of the run; empty if it does not exist or cannot be read."""
    try:
        reading = read_file(path)
    except OSError:
        return {}
    return reading.data if reading.readable and isinstance(reading.data, dict) else {}


@cache
def _loaded(path: Path, _changed: int, _size: int) -> Mapping[str, Any]:
    """A configuration; thousands of results share one, and YAML is slow to read."""
    return load_of_run(path)
