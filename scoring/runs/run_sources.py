"""Read the run at a path, whichever program wrote it.

A run is the folder of ``score`` or ``memory``, a record with its samples, or the results of a
program that has an importer.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from evalmark.converters.importers.registry import (
    Importer,
    import_results,
    importer_of,
    importer_of_folder,
    importer_of_path,
)
from evalmark.converters.records.record_run import run_of_record
from evalmark.converters.records.run import Run, Sample, SampleStream
from evalmark.converters.supplied import NOTHING
from evalmark.converters.syntax import parsed_value
from evalmark.schemas.errors import ConversionError, InvalidDocument, ParseRejected, ScoringError
from evalmark.scoring.runs.run_files import MANIFEST, record_in
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.formats.builtin import identify
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.strict_json import decode

#: The file that earlier editions wrote in place of a manifest.
_OLD = "scores.json"
#: The kinds of runs, for messages.
_EXPECTED = "a record with its samples, the results of an importer, or the folder of a run"


def run_at(path: Path) -> Run:
    """The run at a path; raises ScoringError if it is not a run."""
    try:
        return _folder_run(path) if path.is_dir() else _file_run(path)
    except ConversionError as error:
        raise ScoringError(f"{path} is not a run: {error}") from error
    except (InvalidDocument, ParseRejected) as error:
        raise ScoringError(f"{path} is not a run: {error!r}") from error


def runs_below(path: Path) -> list[Path]:
    """The runs below a folder; the path itself if it is a run, or if there are none."""
    path.stat()
    if not path.is_dir() or _is_run(path):
        return [path]
    return folders_below(path, _is_run) or [path]


def _is_run(folder: Path) -> bool:
    ours = (folder / MANIFEST, folder / _OLD)
    return any(map(Path.is_file, ours)) or importer_of_folder(folder) is not None


def _folder_run(path: Path) -> Run:
    agents = sorted(p for p in (path / "results").glob("*") if p.is_dir())
    if len(agents) > 1 and (path / "definitions").is_dir():
        names = ", ".join(str(agent) for agent in agents)
        raise ScoringError(f"{path} has the results of several agents; name one: {names}")
    for folder in (path, *agents):
        if importer := importer_of_folder(folder):
            return _imported_run(importer, folder, None)
    if record := record_in(path):
        return _file_run(record)
    if (path / _OLD).is_file():
        raise ScoringError(
            f"{path} was written by an earlier edition, whose runs are not read: score it again"
        )
    records = sorted(path.rglob("*.json"))
    if len(records) == 1:
        return _file_run(records[0])
    raise ScoringError(
        f"{path} is not the folder of a run: there is no {MANIFEST} with a record, no agent with "
        f"results, and {'no' if not records else 'more than one'} JSON file"
    )


def _file_run(path: Path) -> Run:
    if importer := importer_of_path(path):
        return _imported_run(importer, path, None)
    if path.suffix == ".jsonl":
        raise ScoringError(
            f"{path} is not a run: samples are read with their record or their results_*.json; "
            "name that file"
        )
    try:
        data = parsed_value(decode(read_whole(path)), path.name)
    except ParseRejected as error:
        raise ScoringError(f"{path} is not UTF-8 text") from error
    if importer := importer_of(data, str(path)):
        return _imported_run(importer, path, data)
    if isinstance(data, dict) and identify(data).is_record:
        return run_of_record(path, data)
    if path.name in (MANIFEST, _OLD):
        raise ScoringError(f"{path} is a file of a run: name its folder")
    raise ScoringError(f"{path} is not a run: expected {_EXPECTED}")


def _imported_run(importer: Importer, path: Path, data: object) -> Run:
    """The results of another program: one run of one model, of all of its tasks."""
    runs = list(import_results(importer, path, data, NOTHING))
    models = {run.model.id for run in runs}
    if len(models) != 1:
        raise ScoringError(
            f"{path} has the results of {len(models)} models: convert it to records with "
            "`evalmark convert`, and name one of these"
        )
    run = runs[0] if len(runs) == 1 else together(runs)
    none = next(iter(run.samples), None) is None
    lacks = f"they have no samples (read as {importer.what})" if none else ""
    return replace(run, path=path, lacks=lacks)


def together(runs: Sequence[Run]) -> Run:
    """Runs of one model as one: each result keeps the settings of its run."""
    return replace(
        runs[0],
        collection=listed(list(dict.fromkeys(run.collection for run in runs)), 3),
        results=tuple(
            replace(result, settings=run.settings_of(result))
            for run in runs
            for result in run.results
        ),
        samples=SampleStream(partial(_samples, runs)),
        settings={},
        left_out=sum((run.left_out for run in runs), runs[0].left_out.__class__()),
        unusable=dict(chain.from_iterable(run.unusable.items() for run in runs)),
    )


def _samples(runs: Sequence[Run]) -> Iterator[Sample]:
    return chain.from_iterable(run.samples for run in runs)


def folders_below(top: Path, is_run: Callable[[Path], bool]) -> list[Path]:
    """The folders of runs at or below a folder, but not below another run.

    They are sorted, numbers by size: ``step-200`` before ``step-1000``. Hidden folders and links
    are not followed.
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
