"""What the rules of LTM files share: where in a run a file lies, and the definition of a result."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

#: Datasets whose tests are evaluated by a callback, and those that react to answers.
CALLBACK_DATASETS = frozenset({"Prospective Memory"})
DYNAMIC_DATASETS = frozenset({"Restaurant"})


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
        try:
            data = json.loads(self.definition_path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return data if isinstance(data, dict) else None

    @property
    def percentages(self) -> list[tuple[int, float]]:
        """Index and value of the waits for a percentage above 0."""
        return [
            (index, wait["percentage_finished"])
            for index, wait in enumerate(self.data.get("waits", ()))
            if wait.get("percentage_finished")
        ]
