"""From a path to a run to compare, whichever program wrote it."""

from __future__ import annotations

from pathlib import Path

from evalmark.converters.importers.importer import Importer
from evalmark.converters.importers.registry import (
    import_results,
    importer_of,
    importer_of_folder,
    importer_of_path,
)
from evalmark.converters.step import NOTHING
from evalmark.converters.syntax import parsed_value
from evalmark.schemas.errors import ConversionError, Rejected, ScoringError
from evalmark.scoring.comparison.compared_run import ComparedRun
from evalmark.scoring.comparison.of_pairs import run_of_pairs
from evalmark.scoring.comparison.of_samples import run_of_imports, run_of_record
from evalmark.scoring.comparison.of_scores import is_scores, run_of_scores
from evalmark.scoring.run_files import is_of_pairs
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.formats.known import identify
from evalmark.validator.reading.strict_json import decode

_SCORES = "scores.json"
#: What can be compared, for messages.
_EXPECTED = "a record with its samples, the results of an importer, or the folder of a run"


def read_run(path: Path) -> ComparedRun:
    """A run: a folder, its ``scores.json``, a record, or the results of another program.

    Raises:
        ScoringError: It is none of these, or it has no samples.
        OSError: It cannot be read.
    """
    try:
        return _folder(path) if path.is_dir() else _file(path)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, ScoringError):
            raise
        if isinstance(error, ConversionError):
            raise ScoringError(f"{path} cannot be compared: {error}") from error
        what = "a scores.json of evalmark" if path.name == _SCORES else "a run"
        raise ScoringError(f"{path} is not {what}: {error!r}") from error


def _folder(path: Path) -> ComparedRun:
    if (path / _SCORES).exists():
        return read_run(path / _SCORES)
    agents = sorted(p for p in (path / "results").glob("*") if p.is_dir())
    if len(agents) > 1:
        names = ", ".join(str(agent) for agent in agents)
        raise ScoringError(f"{path} has the results of several agents; name one: {names}")
    folder = agents[0] if agents else path
    if found := importer_of_folder(folder):
        return _imported(found, folder, None)
    records = sorted(path.rglob("*.json"))
    if folder.parent.name == "results":  # a run over a memory set, which has no tests
        records = sorted((folder.parents[1] / "records" / folder.name).glob("*.json"))
    if len(records) == 1:
        return _file(records[0])
    raise ScoringError(
        f"{path} is not the folder of a run: there is no scores.json, no agent with results, and "
        f"{'no' if not records else 'more than one'} record"
    )


def _file(path: Path) -> ComparedRun:
    if found := importer_of_path(path):
        return _imported(found, path, None)
    if path.suffix == ".jsonl":
        raise ScoringError(
            f"{path} is not a run: samples are read with their record or their results_*.json; "
            "name that file"
        )
    try:
        data = parsed_value(decode(read_whole(path)), path.name)
    except Rejected as error:
        raise ScoringError(f"{path} is not UTF-8 text") from error
    if is_of_pairs(data):
        return run_of_pairs(path, data)
    if is_scores(data):
        return run_of_scores(path, data)
    if found := importer_of(data, str(path)):
        return _imported(found, path, data)
    if isinstance(data, dict) and identify(data).is_record:
        return run_of_record(path, data)
    if path.name == _SCORES:
        raise ScoringError(f"{path} is not a scores.json of evalmark")
    raise ScoringError(f"{path} is not a run: expected {_EXPECTED}")


def _imported(importer: Importer, path: Path, data: object) -> ComparedRun:
    runs = list(import_results(importer, path, data, NOTHING))
    models = {run.model.id for run in runs}
    if len(models) != 1:
        raise ScoringError(
            f"{path} has the results of {len(models)} models: convert it to records with "
            "`evalmark convert`, and compare two of these"
        )
    if all(next(iter(run.samples), None) is None for run in runs):
        read = f"read as {importer.what}"
        raise ScoringError(f"{path} has no samples, so items cannot be matched ({read})")
    return run_of_imports(path, runs)
