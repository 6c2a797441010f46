"""The files of a run: written so that nothing is lost, read though they may be damaged.

Runs over suites and over minimal pairs have the same files; ``ResultFiles`` is what differs.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from evalmark.converters.records.run import Model, Producer, Result, Run, Sample
from evalmark.converters.records.writer import RECORD_NAMES, RECORD_VERSION, write_record
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.checkpoints import series_data
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.runs.run_tables import (
    REGIONS,
    TABLES,
    RunTable,
    table_rows,
    write_table_files,
)
from evalmark.scoring.surprisals.compute import Computed
from evalmark.scoring.surprisals.pack_store import PARTIAL
from evalmark.scoring.surprisals.rounding import Rounding
from evalmark.validator.findings.report import Unused
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import (
    json_bytes,
    listed_files,
    manifest,
    remove_listed,
    remove_superseded,
    write_atomically,
)

SCORES_VERSION = 1
#: The key of a result's details that says which part was scored, if a limit left something out, and
#: that of ``scores.json`` that says how much it left out.
SCORED, LEFT_OUT = "scored", "left_out"
#: Suites that the id of a record names.
NAMED = 3
#: How surprisals were computed -> the words of a record.
WAYS = {
    "packed": "packs of prefixes",
    "cached": "prefixes in the model's cache",
    "padded": "padded batches",
    "masked": "pseudo-log-likelihood of a masked model, within words from left to right",
    "masked alone": "pseudo-log-likelihood of a masked model, each token masked alone",
}

SCORES = "scores.json"
#: The names of the files that the manifest of a run lists.
_NAMES = re.compile(
    "|".join([RECORD_NAMES] + [re.escape(Path(name).stem) + r"\.(csv|parquet)" for name in TABLES])
)


def scored_part(done: int, left_out: int, items: str = "") -> str:
    """The part that was scored, such as ``5 of 48 items``; empty if nothing was left out."""
    return f"{done} of {done + left_out} {items}".rstrip() if left_out else ""


@contextmanager
def reading_folder(folder: Path) -> Iterator[None]:
    """Turn whatever reading the files of a run raises into an error that names its folder.

    Raises:
        ScoringError: A file is missing, or it is not that of a run.
        OSError: A file cannot be read.
    """
    try:
        yield
    except ScoringError:
        raise
    except FileNotFoundError as error:
        name = Path(str(error.filename)).name
        raise ScoringError(f"{folder} has no {name}: it is not the folder of a run") from error
    except NotADirectoryError as error:
        raise ScoringError(f"{folder} is a file, not the folder of a run") from error
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
        csv.Error,
    ) as error:
        raise ScoringError(f"{folder} is not the folder of a run: {error!r}") from error


def scores_of(folder: Path) -> Any:
    """The data of ``scores.json`` of a run of suites.

    Raises:
        ScoringError: The run is one over minimal pairs.
    """
    data = any_scores_of(folder)
    if is_of_pairs(data):
        raise ScoringError(
            f"{folder} is a run over minimal pairs, and not of suites: its texts with their "
            "surprisals are in pairs.csv"
        )
    return data


def any_scores_of(folder: Path) -> Any:
    """The data of ``scores.json``, whatever was scored."""
    return json.loads(read_whole(folder / SCORES))


def is_of_pairs(data: Any) -> bool:
    """True if parsed data is the ``scores.json`` of a run over minimal pairs."""
    return isinstance(data, dict) and "pair_files" in data


def region_rows(folder: Path) -> Iterator[Mapping[str, str]]:
    """The rows of ``regions.csv``."""
    return table_rows(folder / REGIONS)


@dataclass(frozen=True, slots=True)
class Output:
    """The files of a run."""

    scores: Path
    regions: Path
    record: Path | None  # None if no suite has predictions: there is nothing to record
    samples: Path | None
    tables: tuple[Path, ...] = ()  # further tables: of effects, and of tokens if they are known


class RunScores(Protocol):
    """The scores of a run, whatever was scored."""

    @property
    def model(self) -> ModelInfo:
        """The model, or where recorded values come from."""

    @property
    def choices(self) -> Mapping[str, str]:
        """The settings by name, as a record lists them."""

    @property
    def computed(self) -> Computed | None:
        """The computation of the surprisals; None for recorded values."""

    @property
    def started(self) -> int:
        """The time when the run began, as a Unix timestamp; 0 if unknown."""

    @property
    def rounding(self) -> Rounding:
        """By how much values can be off."""

    @property
    def unused(self) -> tuple[Unused, ...]:
        """The files that could not be scored, and why."""


AnyScores = TypeVar("AnyScores", bound=RunScores, contravariant=True)


@dataclass(frozen=True, slots=True)
class ResultFiles(Generic[AnyScores]):
    """The content of the files of a run: the part that differs between suites and pairs.

    Attributes:
        tables: The tables, that of all numbers first.
        names: The names of what is scored; the id of a record has the first.
        results: The results of the record.
        samples: Its samples.
        data: ``scores.json``, beside what all runs have.
        chance: The assumption about a model behind chance.
    """

    tables: Callable[[AnyScores], Sequence[RunTable]]
    names: Callable[[AnyScores], Sequence[str]]
    results: Callable[[AnyScores], Iterable[Result]]
    samples: Callable[[AnyScores], Sequence[Sample]]
    data: Callable[[AnyScores], Mapping[str, Any]]
    chance: str


def write_results(
    scores: AnyScores,
    files: ResultFiles[AnyScores],
    folder: Path,
    *,
    source: Producer,
    collection: str | None = None,
    started: int,
    version: str = RECORD_VERSION,
    parquet: bool = False,
) -> Output:
    """Write scores, record and samples of a run in an order that an interruption cannot harm.

    The arguments are those of ``write_output``.

    Raises:
        InvalidDocument: The record would not pass our own check.
        NotInstalledError: ``parquet``, and pyarrow is not installed.
        OSError: The folder cannot be written.
    """
    run = record_run(scores, files, source, collection, started)
    path = folder / SCORES
    earlier = listed_files(path)
    record = write_record(run, folder, version=version) if run.results else None
    tables = [
        file
        for table in files.tables(scores)
        for file in write_table_files(folder, table, parquet=parquet)
    ]
    names = manifest(folder, [*([record.record, record.samples] if record else []), *tables])
    write_atomically(path, json_bytes({**scores_data(scores, files), "files": names}))
    # Only now: an interrupted run leaves the earlier one intact.
    remove_listed(folder, earlier, keep=names, names=_NAMES)
    if not scores.unused:  # nothing that is computed waits for the rest
        remove_superseded(folder / PARTIAL)
    written, samples = (record.record, record.samples) if record else (None, None)
    return Output(path, tables[0], written, samples, tuple(tables[1:]))


def scores_data(scores: AnyScores, files: ResultFiles[AnyScores]) -> dict[str, Any]:
    """``scores.json``; its format is API: fields are added, never renamed or removed."""
    info = scores.model
    series = series_data(info.id, info.details)
    return {
        "version": SCORES_VERSION,
        "model": {
            "id": info.id,
            "name": info.name,
            "engine": {"name": info.engine[0], "version": info.engine[1]},
            **info.details,
        },
        **({"series": series} if series else {}),
        "settings": scores.choices,
        "computation": computation(scores).get("computation", "recorded values"),
        # Bits, to be multiplied by the square root of the number of tokens that are compared.
        "rounding_margin": scores.rounding.token,
        "chance_assumption": files.chance,
        **files.data(scores),
    }


def computation(scores: RunScores) -> dict[str, str]:
    """The computation of the surprisals, as a record has it."""
    computed = scores.computed
    if computed is None:
        return {}
    way = WAYS[computed.way]
    return {"computation": f"{way}: {computed.reason}" if computed.reason else way}


def record_run(
    scores: AnyScores,
    files: ResultFiles[AnyScores],
    source: Producer,
    collection: str | None,
    started: int,
) -> Run:
    """A run as the record writer takes it."""
    info = scores.model
    return Run(
        collection=collection or named_after(files.names(scores)),
        time=started,
        model=Model(info.id, info.name, info.engine, info.details),
        producer=source,
        results=tuple(files.results(scores)),
        samples=files.samples(scores),
        settings={
            "evalmark": installed("evalmark"),
            **{key: info.details[key] for key in ("torch", "transformers") if key in info.details},
            **scores.choices,
            "rounding_margin": scores.rounding.text,
            **computation(scores),
        },
    )


def named_after(suites: Sequence[str]) -> str:
    """The name of the evaluation of some suites in a record."""
    first, *others = suites
    return "+".join(suites) if len(suites) <= NAMED else f"{first}+{len(others)}"
