"""The importers, and which of them results are for.

Each recognizes the results of a program, and names what reads them, which is imported when results
are read. Applications and other packages add theirs by their ``Plugin``; these are asked only if
none of evalmark recognizes a file, or for a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from evalmark.converters.formats import CONVERTIBLE
from evalmark.converters.step import Supplied
from evalmark.schemas.errors import ConversionError, ExtensionError
from evalmark.validator.io.extensions import Added, Plugin, added, own_plugins
from evalmark.validator.io.opening import open_regular
from evalmark.validator.reading.program_results import is_inspect, is_lighteval, is_lm_eval

if TYPE_CHECKING:
    from evalmark.converters.importers.imported import ImportSource
    from evalmark.converters.records.run import Run, Sample
    from evalmark.converters.sources.placed_values import Pieces


#: The runs of results: one for each model they are about, mostly a single one.
Reader = Callable[["ImportSource"], Iterator["Run"]]


@dataclass(frozen=True, slots=True)
class Importer:
    """The importer of the results of one program.

    Attributes:
        name: The name of their format.
        what: What is read, in words.
        reader: Imports what reads results, and returns it. A reader raises ``ConversionError`` for
            results that cannot be read whole.
        recognizes: Whether parsed data is of this program; None if it is not JSON or YAML.
        recognizes_folder: Whether a folder holds its results; None if they are files.
        recognizes_large: Whether a large JSON file is better not parsed as a whole, by what it
            begins with; None if none is.
        suffix: What the names of its files end in, if they are neither JSON nor YAML; "" else.
    """

    name: str
    what: str
    reader: Callable[[], Reader]
    recognizes: Callable[[Any], bool] | None = None
    recognizes_folder: Callable[[Path], bool] | None = None
    recognizes_large: Callable[[bytes], bool] | None = None
    suffix: str = ""


T = TypeVar("T")

#: Bytes from which a file may be better read piece by piece.
LARGE = 1 << 24
_INSPECT_BEGINS = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:')


def _lm_eval() -> Reader:
    from evalmark.converters.importers.lm_eval import read_lm_eval

    return read_lm_eval


def _inspect() -> Reader:
    from evalmark.converters.importers.inspect_log import read_inspect

    return read_inspect


def _inspect_eval() -> Reader:
    from evalmark.converters.importers.inspect_log import read_inspect_archive

    return read_inspect_archive


def _helm() -> Reader:
    from evalmark.converters.importers.helm import read_helm

    return read_helm


def _lighteval() -> Reader:
    from evalmark.converters.importers.lighteval import read_lighteval

    return read_lighteval


def _scores() -> Reader:
    from evalmark.converters.importers.scores_table import read_scores

    return read_scores


def _is_helm_run(folder: Path) -> bool:
    """True if a folder is that of a run of HELM, whole or not."""
    others = ("stats.json", "scenario_state.json", "per_instance_stats.json")
    return (folder / "run_spec.json").is_file() and any(
        map(Path.is_file, map(folder.joinpath, others))
    )


#: The importers of evalmark. The first one that recognizes results reads them.
IMPORTERS: tuple[Importer, ...] = (
    Importer(
        "lm-eval",
        "results of the LM evaluation harness: results_*.json, with samples_*.jsonl in its folder",
        _lm_eval,
        is_lm_eval,
    ),
    Importer(
        "inspect",
        "a log of Inspect, written as JSON",
        _inspect,
        is_inspect,
        recognizes_large=lambda start: _INSPECT_BEGINS.match(start) is not None,
    ),
    Importer(
        "inspect-eval",
        "a log of Inspect, written as .eval",
        _inspect_eval,
        suffix=".eval",
    ),
    Importer(
        "helm",
        "a run of HELM: its folder, with run_spec.json, scenario.json and stats.json",
        _helm,
        recognizes_folder=_is_helm_run,
    ),
    Importer(
        "lighteval",
        "results of lighteval: results_*.json, with its details in Parquet files",
        _lighteval,
        is_lighteval,
    ),
    Importer(
        "scores",
        "a table of scores (CSV, TSV, Parquet), with --mapping",
        _scores,
        suffix=".parquet",
    ),
    *(
        each
        for plugin in own_plugins()
        for each in plugin.importers()
        if isinstance(each, Importer)
    ),
)
#: Endings of tables of scores, which are read with a mapping.
SCORES = (".csv", ".tsv", ".parquet")
_BY_NAME: Mapping[str, Importer] = {one.name: one for one in IMPORTERS}
#: Endings of files that are parsed before importers are asked.
_PARSED = (".json", ".jsonl", ".yaml", ".yml", ".csv", ".tsv", ".txt")


def importer_named(name: str | None) -> Importer | None:
    """An importer of evalmark; None if none has this name."""
    return _BY_NAME.get(name or "")


def added_importers(file: str = "") -> Added[Importer]:
    """The importers of other packages; not of packages in a folder that holds the file."""
    return added(_importers_of, _is_importer, taken={*_BY_NAME, *CONVERTIBLE}, file=file)


def _importers_of(plugin: Plugin) -> Iterator[tuple[str, object]]:
    yield from ((getattr(entry, "name", "an importer"), entry) for entry in plugin.importers())


def _is_importer(value: object) -> TypeGuard[Importer]:
    return isinstance(value, Importer)


def importer_of(data: object, file: str = "") -> Importer | None:
    """The importer of parsed data."""
    return _first_importer(lambda importer: importer.recognizes, data, file)


def importer_of_folder(folder: Path) -> Importer | None:
    """The importer of a folder of results."""
    return _first_importer(lambda importer: importer.recognizes_folder, folder, str(folder))


def _first_importer(
    recognizer: Callable[[Importer], Callable[[T], bool] | None], results: T, file: str
) -> Importer | None:
    for importer in IMPORTERS:
        if (recognizes := recognizer(importer)) and recognizes(results):
            return importer
    for importer in added_importers(file).usable.values():
        if (recognizes := recognizer(importer)) and _ask_importer(importer, recognizes, results):
            return importer
    return None


def is_samples_of_lm_eval(path: Path) -> bool:
    """True for a file of samples of the LM evaluation harness that has its results next to it."""
    stem, dot, ending = path.name.rpartition(".")
    date = stem.rpartition("_")[2]
    is_one = stem.startswith("samples_") and (dot, ending) == (".", "jsonl")
    return is_one and path.with_name(f"results_{date}.json").is_file()


def importer_of_path(path: Path) -> Importer | None:
    """The importer of results that are not parsed as a whole: of a folder, or of some files."""
    if path.is_dir():
        return importer_of_folder(path)
    name = path.name.lower()
    start = _start_of_large(path)
    for importer in _candidates(path, is_parsed=not path.suffix or name.endswith(_PARSED)):
        if importer.suffix and name.endswith(importer.suffix):
            return importer
        if start and importer.recognizes_large and importer.recognizes_large(start):
            return importer
    return None


def _start_of_large(path: Path) -> bytes:
    if path.suffix != ".json" or path.stat().st_size < LARGE:
        return b""
    with open_regular(path) as file:
        return file.read(256)


def _candidates(path: Path, *, is_parsed: bool) -> Iterator[Importer]:
    yield from IMPORTERS
    if not is_parsed:  # else it may still be of ours
        yield from added_importers(str(path)).usable.values()


def import_results(
    importer: Importer,
    path: Path,
    data: object,
    supplied: Supplied,
    pieces: Pieces | None = None,
) -> Iterator[Run]:
    """The runs of results, as their importer reads them; ``pieces`` gets what it has read.

    Raises:
        ConversionError: They cannot be read whole.
    """
    from evalmark.converters.importers.imported import ImportSource
    from evalmark.converters.records.run import SampleStream
    from evalmark.converters.sources.placed_values import Account

    source = ImportSource(path, data, supplied, Account(pieces))
    if importer in IMPORTERS:
        yield from importer.reader()(source)
        return
    for run in _guard_reader(importer, lambda: importer.reader()(source)):
        yield replace(run, samples=SampleStream(partial(_samples, importer, run)))


def _samples(importer: Importer, run: Run) -> Iterator[Sample]:
    return _guard_reader(importer, lambda: iter(run.samples))


def _guard_reader(importer: Importer, read: Callable[[], Iterator[T]]) -> Iterator[T]:
    """Runs the code of another package; where it fails, the file is refused."""
    try:
        yield from read()
    except (ConversionError, OSError):
        raise
    except Exception as error:
        raise ConversionError(str(_importer_error(importer, error))) from error


def _ask_importer(importer: Importer, recognizes: Callable[[T], bool], results: T) -> bool:
    """True if another package recognizes the results; raises ExtensionError if its code fails."""
    try:
        return recognizes(results)
    except Exception as error:
        raise _importer_error(importer, error) from error


def _importer_error(importer: Importer, error: Exception) -> ExtensionError:
    origin = added_importers().origins.get(importer.name)
    return origin.fault(error, "failed") if origin else ExtensionError(f"{importer.name} failed")
