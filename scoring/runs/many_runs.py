"""Tables of many finished runs as one frame of pandas."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.runs.finished_run import FinishedRun, read_run
from evalmark.scoring.runs.run_files import SCORES
from evalmark.scoring.score_settings import require_known

#: Tables of runs over suites and of those over minimal pairs; the first is the default.
SUITE_TABLES = ("predictions", "items", "regions", "tokens", "effects", "effect_sizes")
PAIR_TABLES = ("uids", "pairs", "tokens", "effects", "effect_sizes")
#: The columns that tell runs apart, which come first.
RUN_COLUMNS = ("run", "model", "revision")
#: The column of the steps of checkpoints.
STEP = "step"


def read_runs(
    folders: str | Path | Iterable[str | Path], table: str | None = None
) -> Any:  # a frame of pandas, which may not be installed
    """One frame of pandas with a table of many runs, each once and one after the other.

    Its first columns are ``run`` (the folder), ``model`` and ``revision`` (empty if unknown), and
    for checkpoints ``step``, the number in their names, by which learning curves are drawn; the
    others are those of the table. Columns of text are categories, in the order of the runs.

    Args:
        folders: Folders of runs, or folders with runs somewhere below.
        table: The table, as ``read_run`` names it: ``predictions`` (default), ``items``,
            ``regions``, ``tokens``, ``effects`` or ``effect_sizes``; of minimal pairs ``uids``
            (default), ``pairs``, ``tokens``, ``effects`` or ``effect_sizes``.

    Raises:
        ScoringError: pandas is not installed, a folder has no run, or suites and minimal pairs are
            mixed.
        UnknownNameError: The runs have no such table.
        OSError: A file cannot be read.
    """
    paths = [folders] if isinstance(folders, str | Path) else list(folders)
    places = dict.fromkeys(path for top in paths for path in run_folders(Path(top)))
    runs = [read_run(path, frame="pandas") for path in places]
    if not runs:
        raise ScoringError("no folders of runs")
    first = runs[0]
    other = next((run for run in runs if run.is_of_pairs != first.is_of_pairs), None)
    if other is not None:
        raise ScoringError(
            f"{first.folder} and {other.folder} are runs over suites and over minimal pairs: read "
            "them one after the other"
        )
    tables = PAIR_TABLES if first.is_of_pairs else SUITE_TABLES
    chosen = table or tables[0]
    require_known("table", chosen, tables)
    has_steps = any(run.data.get("series") for run in runs)
    return _together([_labelled(run, chosen, has_steps=has_steps) for run in runs])


def run_folders(top: Path) -> list[Path]:
    """A folder if it is that of a run, else the folders of runs below it.

    Raises:
        ScoringError: There is none.
    """
    folders = folders_below(top, lambda folder: (folder / SCORES).is_file())
    if not folders:
        raise ScoringError(f"{top} has no {SCORES}: it is not the folder of a run")
    return folders


def folders_below(top: Path, is_run: Callable[[Path], bool]) -> list[Path]:
    """The folders of runs at or below a folder, but not below another run.

    They are sorted, numbers by size: ``step-200`` before ``step-1000``. Hidden folders and links
    are not followed.

    Args:
        top: The folder.
        is_run: Whether a folder is that of a run.
    """
    runs: list[Path] = []
    for here, folders, _ in os.walk(top):
        folders.sort(key=by_number)
        if is_run(Path(here)):
            runs.append(Path(here))
            folders.clear()
        folders[:] = [name for name in folders if not name.startswith(".")]
    return runs


def by_number(name: str) -> list[tuple[bool, int, str]]:
    """A key that sorts ``step-200`` before ``step-1000``."""
    parts = re.split(r"(\d+)", name, flags=re.ASCII)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def _labelled(run: FinishedRun, table: str, *, has_steps: bool) -> Any:
    """A table of a run, with the columns that tell runs apart; texts are categories."""
    frame = getattr(run, table)
    model = run.data["model"]
    names = str(run.folder), str(model["id"]), str(model.get("revision") or "")
    rest = frame.drop(columns="model", errors="ignore")
    for place, (column, name) in enumerate(zip(RUN_COLUMNS, names, strict=True)):
        rest.insert(place, column, name)
    if has_steps:
        pandas: Any = import_module("pandas")
        step = (run.data.get("series") or {}).get("step")
        rest.insert(len(RUN_COLUMNS), STEP, pandas.Series(step, index=rest.index, dtype="Int64"))
    texts = [column for column in rest if rest[column].dtype.kind not in "ifb"]
    return rest.astype(dict.fromkeys(texts, "category"))


def _together(frames: list[Any]) -> Any:
    """The rows of all frames; a column has the categories of all of them."""
    pandas: Any = import_module("pandas")
    for column in frames[0].select_dtypes("category"):
        parts = [frame[column] for frame in frames]
        categories = pandas.api.types.union_categoricals(parts).categories
        for frame, part in zip(frames, parts, strict=True):
            frame[column] = part.cat.set_categories(categories)
    return pandas.concat(frames, ignore_index=True)
