"""The importers: results of other programs, read as runs.

An importer is a function that takes the path of a file or folder, its parsed data, and what the
caller supplies. It yields a ``Run`` for each model that the results are about: one for a log of one
model, several for a leaderboard. ``write_record`` makes a record of each run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from evalmark.converters.hub.read_entries import is_results_folder, read_entries
from evalmark.converters.importers.helm import is_helm_run, read_helm
from evalmark.converters.importers.inspect_log import (
    is_inspect_log,
    is_large_log,
    read_inspect,
    read_inspect_archive,
)
from evalmark.converters.importers.lighteval import is_lighteval, read_lighteval
from evalmark.converters.importers.lm_eval.results import read_lm_eval
from evalmark.converters.importers.ltm import is_ltm_run, read_ltm_run
from evalmark.converters.importers.model_index import read_model_index
from evalmark.converters.importers.mteb import is_mteb, read_mteb
from evalmark.converters.importers.scores_table import read_scores
from evalmark.converters.records.run import Run, Sample, SampleStream
from evalmark.converters.step import NAMES, Supplied
from evalmark.schemas.errors import ConversionError, UnknownNameError
from evalmark.validator.formats.known import detect

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Importer:
    """How the results of one program are read.

    Attributes:
        what: What is read, in words.
        read: Path, parsed data (None for a folder) and what is supplied -> the runs. It raises
            ``ConversionError`` for results that cannot be read whole.
        recognizes: Whether parsed data is of this program; None if it is not JSON or YAML.
        kind: The kind of its files, if they are checked too.
        recognizes_folder: Whether a folder holds its results; None if they are files.
        recognizes_large: Whether a file is so large that it is not to be parsed; None if none is.
        suffix: What the names of its files end in, if they are neither JSON nor YAML; "" else.
    """

    what: str
    read: Callable[[Path, Any, Supplied], Iterator[Run]]
    recognizes: Callable[[dict[str, Any]], bool] | None = None
    recognizes_folder: Callable[[Path], bool] | None = None
    recognizes_large: Callable[[Path], bool] | None = None
    suffix: str = ""
    kind: str = ""


#: Format of results -> its importer.
IMPORTERS: dict[str, Importer] = {
    "lm-eval": Importer(
        "results of the LM evaluation harness: results_*.json, with samples_*.jsonl in its folder",
        read_lm_eval,
        lambda data: {"results", "configs"} <= data.keys() and isinstance(data["results"], dict),
    ),
    "inspect": Importer(
        "a log of Inspect, written as JSON",
        read_inspect,
        is_inspect_log,
        recognizes_large=is_large_log,
    ),
    "inspect-eval": Importer(
        "a log of Inspect, written as .eval", read_inspect_archive, suffix=".eval"
    ),
    "helm": Importer(
        "a run of HELM: its folder, with run_spec.json, scenario.json and stats.json",
        read_helm,
        recognizes_folder=is_helm_run,
    ),
    "lighteval": Importer(
        "results of lighteval: results_*.json, with its details in Parquet files",
        read_lighteval,
        is_lighteval,
    ),
    "mteb": Importer(
        "results of MTEB: the folder of a model's revision, with model_meta.json and its tasks",
        read_mteb,
        recognizes_folder=is_mteb,
    ),
    "model-index": Importer(
        "a model card, README.md: the model-index in its front matter",
        read_model_index,
        suffix=".md",
    ),
    "eval-results": Importer(
        "community evals of the Hugging Face Hub: .eval_results/*.yaml of a model, or the folder",
        read_entries,
        recognizes_folder=is_results_folder,
        kind="eval-results",
    ),
    "scores": Importer(
        "a table of scores (CSV, TSV, Parquet), with --mapping", read_scores, suffix=".parquet"
    ),
    "ltm-run": Importer(
        "an LTM run: the folder of an agent, with the definitions of its run",
        read_ltm_run,
        recognizes_folder=is_ltm_run,
    ),
}


def results_format(data: Any) -> str | None:
    """The format of parsed results: a key of ``IMPORTERS``, or None."""
    for name, importer in IMPORTERS.items():
        if isinstance(data, dict) and importer.recognizes and importer.recognizes(data):
            return name
    kind = detect(data)
    return next((name for name, one in IMPORTERS.items() if kind and one.kind == kind), None)


def folder_format(folder: Path) -> str | None:
    """The format of a folder of results: a key of ``IMPORTERS``, or None."""
    for name, importer in IMPORTERS.items():
        if importer.recognizes_folder and importer.recognizes_folder(folder):
            return name
    return None


def path_format(path: Path) -> str | None:
    """The format of results that are not parsed as a whole: of a folder, or of some files."""
    if path.is_dir():
        return folder_format(path)
    for name, importer in IMPORTERS.items():
        if importer.suffix and path.name.lower().endswith(importer.suffix):
            return name
        if importer.recognizes_large and importer.recognizes_large(path):
            return name
    return None


def import_results(name: str, path: Path, data: Any, supplied: Supplied) -> Iterator[Run]:
    """The runs of results whose format and data are known.

    Raises:
        UnknownNameError: ``supplied.names`` is not one of ``NAMES``.
    """
    if supplied.names not in NAMES:
        raise UnknownNameError("names", supplied.names, NAMES)
    for run in _as_expected(name, IMPORTERS[name].read(path, data, supplied)):
        if not isinstance(run.samples, SampleStream):
            yield run
        else:  # it reads more of the file, later
            yield replace(run, samples=SampleStream(partial(_samples, name, run.samples)))


def _samples(name: str, stream: SampleStream) -> Iterator[Sample]:
    return _as_expected(name, iter(stream))


def _as_expected(name: str, values: Iterator[_T]) -> Iterator[_T]:
    """The values of a reader; what it trips over is a file that is not as its program writes it."""
    try:
        yield from values
    except ConversionError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        raise ConversionError(
            f"the file does not match the layout of {name} results: {error!r}"
        ) from error
