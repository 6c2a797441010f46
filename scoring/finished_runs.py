"""Several finished runs, read back: each frame has the rows of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.finished_run import FinishedRun, read_run


@dataclass(frozen=True)
class FinishedRuns:
    """The results of several runs, such as those of training steps, in their order.

    Each frame has the columns of the frame of a single run (``FinishedRun``), after these:

    - ``run``: the place of the run in the series, from 1
    - ``folder``: its folder, as it was named
    - ``revision``: the revision of its model, or an empty text

    Attributes:
        runs: The runs.
    """

    runs: tuple[FinishedRun, ...]

    def __repr__(self) -> str:
        return f"FinishedRuns({len(self.runs)} runs, frames of {self.runs[0].frame})"

    @cached_property
    def predictions(self) -> Any:
        """A row for each run and prediction: its accuracy with its 95 % interval and chance."""
        return self._joined("predictions")

    @cached_property
    def uids(self) -> Any:
        """Of minimal pairs, a row for each run and UID: its score with its 95 % interval."""
        return self._joined("uids")

    @cached_property
    def items(self) -> Any:
        """A row for each run, item and prediction: whether it holds."""
        return self._joined("items")

    @cached_property
    def effects(self) -> Any:
        """A row for each run, comparison and item: its margin in bits."""
        return self._joined("effects")

    @cached_property
    def pairs(self) -> Any:
        """Of minimal pairs, a row for each run and text: its surprisal in bits."""
        return self._joined("pairs")

    def _joined(self, name: str) -> Any:
        """The frames of all runs below each other."""
        parts = []
        for place, run in enumerate(self.runs, 1):
            frame = getattr(run, name)
            columns: dict[str, int | str] = {
                "run": place,
                "folder": str(run.folder),
                "revision": str(run.data["model"].get("revision", "")),
            }
            parts.append(_with_columns(run.frame, frame, columns))
        module: Any = import_module(self.runs[0].frame)
        if self.runs[0].frame == "pyarrow":
            return module.concat_tables(parts)
        if self.runs[0].frame == "polars":
            return module.concat(parts)
        return module.concat(parts, ignore_index=True)


def _with_columns(name: str, frame: Any, columns: dict[str, int | str]) -> Any:
    """A frame with columns of one value each before its own."""
    if name == "pandas":
        for place, (column, value) in enumerate(columns.items()):
            frame = frame.copy() if place == 0 else frame
            frame.insert(place, column, value)
        return frame
    module: Any = import_module(name)
    if name == "polars":
        return frame.select(*(module.lit(value).alias(key) for key, value in columns.items()), "*")
    for place, (column, value) in enumerate(columns.items()):
        kind = module.int64() if isinstance(value, int) else module.string()
        frame = frame.add_column(place, column, module.array([value] * frame.num_rows, type=kind))
    return frame


def read_runs(folders: Sequence[str | Path], *, frame: str | None = None) -> FinishedRuns:
    """Read the folders of several runs, in the order of a series.

    Args:
        folders: The folders, such as those of training steps.
        frame: As in ``read_run``.

    Raises:
        ScoringError: There is no folder, one is not that of a run, or ``frame`` is not installed.
        UnknownNameError: As in ``read_run``.
        NotInstalledError: As in ``read_run``.
        OSError: A file cannot be read.
    """
    if not folders:
        raise ScoringError("no run to read: name at least one folder")
    return FinishedRuns(tuple(read_run(folder, frame=frame) for folder in folders))
