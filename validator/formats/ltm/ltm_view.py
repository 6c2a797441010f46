"""LTM definitions, results and configurations as rules see them: the same for every generation."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evalmark.schemas.backend import accepts
from evalmark.validator.formats.ltm.ltm_run import DATASET_NAMES, RunPlace, load_of_run
from evalmark.validator.formats.shared.field_layout import Fields, Layout, layout

#: Datasets whose tests are evaluated by a callback, and those that react to answers.
CALLBACK_DATASETS = frozenset({"Prospective Memory"})
DYNAMIC_DATASETS = frozenset({"Restaurant"})

#: Dataset -> argument -> how many messages a script has beyond the number it gives.
ADDED_LINES: dict[str, dict[str, int]] = {
    "colours": {"colour_changes": 1},
    "shopping": {"item_changes": 1},
    "locations_directions": {"known_locations": 1},
    "name_list": {"name_changes": 1},
    "jokes": {"jokes_told": 0},
    "trigger_response": {"trigger_activations": 1},
}

DEFINITION: Layout = layout(
    script="script",
    flags="is_question",
    expected="expected_responses",
    is_temporal="is_temporal",
    uses_callback="uses_callback",
    waits="waits",
    spacings="token_spacings",  # of the first generation, as the next one
    jumps="time_jumps",
)
RESULT: Layout = layout(
    log="task_log",
    answers="actual_responses",
    expected="expected_responses",
    needles="needles",
    tokens="tokens",
    score="score",
    max_score="max_score",
    auto_score="auto_score",
    auto_reasoning="auto_reasoning",
    auto_answers="auto_actual_responses",
    misspelt_reasoning="auto reasoning",
)
CONFIG: Layout = layout(
    run_name="config/run_name",
    datasets="datasets/datasets",
    examples="datasets/args/dataset_examples",
)
ENTRY: Layout = layout(name="name", args="args", examples="args/dataset_examples")
WAIT: Layout = layout(percentage="percentage_finished")


@dataclass
class LtmView(Fields):
    """A file of a run."""

    place: RunPlace


class DefinitionView(LtmView):
    """A definition."""

    @property
    def script(self) -> list[str]:
        """Its messages; none if the test makes them while it runs."""
        return self.entries("script")

    @property
    def flags(self) -> list[bool]:
        """For each message, whether it is a question."""
        return self.entries("flags")

    @property
    def expected(self) -> list[Any]:
        """The expected responses."""
        return self.entries("expected")

    @property
    def is_temporal(self) -> bool:
        """True if its question is made at run time."""
        return bool(self.get("is_temporal"))

    @property
    def has_flags(self) -> bool:
        """True if there is a flag for each message, and for the question made at run time."""
        return len(self.flags) == len(self.script) + self.is_temporal

    @property
    def statements(self) -> list[str]:
        """The messages that are not questions, up to the first question."""
        first = self.flags.index(True) if True in self.flags else len(self.flags)
        return self.script[:first]

    @property
    def percentages(self) -> Iterator[tuple[str, float]]:
        """Pointer and value of the waits for a percentage above 0."""
        for wait in self.each("waits", WAIT):
            if value := wait.get("percentage"):
                yield wait.at("percentage"), value


class ResultView(LtmView):
    """A result."""

    @property
    def log(self) -> list[str]:
        """The lines that were exchanged."""
        return self.entries("log")

    @property
    def answers(self) -> list[str]:
        """The answers to the questions."""
        return self.entries("answers")

    @cached_property
    def repeated_speaker(self) -> int | None:
        """The first line of the log that has the speaker of the line before; None if none has."""
        speakers = [line.partition(" ")[0] == "Agent" for line in self.log]
        pairs = enumerate(itertools.pairwise(speakers), 1)
        return next((index for index, (speaker, before) in pairs if speaker is before), None)

    @cached_property
    def definition(self) -> DefinitionView | None:
        """Its definition; None if there is none, or none that is valid."""
        path = self.place.definition_path
        data = load_of_run(path) if path else {}
        if not accepts("ltm-definition", data):
            return None
        return DefinitionView(data, "", DEFINITION, RunPlace(str(path)))


@dataclass(slots=True)
class DatasetEntry(Fields):
    """A dataset of a configuration."""

    folder: Path | None  # of its definitions; None outside a run

    @property
    def name(self) -> str:
        """Its key."""
        return str(self.get("name"))

    @property
    def definitions(self) -> list[Path]:
        """The files of its definitions."""
        return sorted(self.folder.glob("*.def.json")) if self.folder else []

    def argument(self, name: str) -> int | None:
        """An argument; None if it is not given."""
        args = self.get("args")
        return args.get(name) if isinstance(args, dict) else None


class ConfigView(LtmView):
    """A configuration."""

    @cached_property
    def datasets(self) -> tuple[DatasetEntry, ...]:
        """Its datasets, in order."""
        return tuple(
            DatasetEntry(entry.data, entry.pointer, entry.layout, self._folder(entry.get("name")))
            for entry in self.each("datasets", ENTRY)
        )

    def _folder(self, name: str) -> Path | None:
        run = self.place.folder
        folder = run / "definitions" / DATASET_NAMES[name] if run else None
        return folder if folder and folder.is_dir() else None
