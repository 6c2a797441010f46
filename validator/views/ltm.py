"""What the rules of LTM files share: where in a run a file lies, and the definition of a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from evalmark.validator.reading.reading import read

#: Datasets whose tests are evaluated by a callback, and those that react to answers.
CALLBACK_DATASETS = frozenset({"Prospective Memory"})
DYNAMIC_DATASETS = frozenset({"Restaurant"})

#: The key of a dataset in configurations → its name in paths.
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

#: Dataset → argument → how many messages a script has beyond the number it gives.
ADDED_LINES: dict[str, dict[str, int]] = {
    "colours": {"colour_changes": 1},
    "shopping": {"item_changes": 1},
    "locations_directions": {"known_locations": 1},
    "name_list": {"name_changes": 1},
    "jokes": {"jokes_told": 0},
    "trigger_response": {"trigger_activations": 1},
}


@dataclass(frozen=True)
class LtmFacts:
    """An LTM file that its schema accepts, as the rules see it.

    The files have neither name nor dataset in them; both are in the path:
    ``<run>/definitions/<dataset>/<id>.def.json`` and
    ``<run>/results/<agent>/<dataset>/<id>_<repetition>.json``.

    Attributes:
        data: The parsed file.
        path: Where it lies.
    """

    data: Mapping[str, Any]
    path: str

    @cached_property
    def parts(self) -> list[str]:
        """The folders of the path and the file's name, at most the last five."""
        return list(Path(self.path).absolute().parts[-5:])

    @property
    def dataset(self) -> str | None:
        """The dataset, where the path says it."""
        parts = self.parts
        in_run = "definitions" in parts[-3:-2] or "results" in parts[-4:-3]
        return parts[-2] if in_run else None

    @cached_property
    def definition_path(self) -> Path | None:
        """Where the definition of a result should lie; None outside a run."""
        parts = self.parts
        if "results" not in parts[-4:-3]:
            return None
        run = Path(self.path).absolute().parents[3]
        example = Path(parts[-1]).stem.rpartition("_")[0]
        return run / "definitions" / parts[-2] / f"{example}.def.json"

    @cached_property
    def definition(self) -> Mapping[str, Any] | None:
        """The definition of a result; None if it is not there or cannot be read."""
        if self.definition_path is None:
            return None
        return self.load(self.definition_path) or None

    @cached_property
    def run_folder(self) -> Path | None:
        """The folder of the run that the file is part of; None outside a run."""
        here = Path(self.path).absolute()
        for folder in here.parents[:4]:
            if folder.name in ("definitions", "results"):
                return folder.parent
        return None

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """The configuration of the run; empty if there is none, or none that can be read."""
        if self.run_folder is None:
            return {}
        folder = self.run_folder / "definitions"
        names = ("config.yml", "config.yaml", "config.json")
        path = next((folder / name for name in names if (folder / name).is_file()), None)
        if path is None:
            return {}
        status = path.stat()
        return _loaded(path, status.st_mtime_ns, status.st_size)

    def load(self, path: Path) -> Mapping[str, Any]:
        """Another file of the run; empty if it is not there or cannot be read."""
        try:
            reading = read(path.read_bytes(), str(path))
        except OSError:
            return {}
        return reading.data if reading.readable and isinstance(reading.data, dict) else {}

    @property
    def statements(self) -> list[str]:
        """The messages of a definition that are no questions, up to the first question."""
        flags = self.data["is_question"]
        first = flags.index(True) if True in flags else len(flags)
        return list(self.data["script"][:first])

    @property
    def percentages(self) -> list[tuple[int, float]]:
        """Index and value of the waits for a percentage above 0."""
        return [
            (index, wait["percentage_finished"])
            for index, wait in enumerate(self.data.get("waits", ()))
            if wait.get("percentage_finished")
        ]


@cache
def _loaded(path: Path, _changed: int, _size: int) -> Mapping[str, Any]:
    """A configuration; thousands of results share one, and YAML is slow to read."""
    return LtmFacts({}, "").load(path)


def span_of(config: Mapping[str, Any], dataset: str | None) -> int | None:
    """The memory span of a dataset in tokens, where a configuration says it."""
    datasets = config.get("datasets")
    if not isinstance(datasets, dict):
        return None
    span = datasets["args"].get("memory_span") if isinstance(datasets.get("args"), dict) else None
    entries = datasets.get("datasets")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and DATASET_NAMES.get(str(entry.get("name"))) == dataset:
            args = entry.get("args")
            span = args.get("memory_span", span) if isinstance(args, dict) else span
    return span if isinstance(span, int) else None
