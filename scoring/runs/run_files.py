"""The folder of a run: its record, its samples, and tables as exports of them.

``run.json`` lists the files with their digests: a folder that has it holds a finished run. Runs
over suites and over minimal pairs are written in one way; ``ResultFiles`` is what differs.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version as installed
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from evalmark.converters.records.run import Model, Producer, Result, Run, Sample
from evalmark.converters.records.writer import RECORD_NAMES, RECORD_VERSION, write_record
from evalmark.schemas.errors import ScoringError, UsageError
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.runs.run_origin import named_after
from evalmark.scoring.runs.run_tables import TABLES, write_tables
from evalmark.scoring.surprisals.rounding import Rounding
from evalmark.scoring.surprisals.surprisal_computation import PARTIAL, Computed
from evalmark.validator.findings.unusable import Unused
from evalmark.validator.io.paths import is_below
from evalmark.validator.io.writing import (
    LOCK,
    json_bytes,
    listed_files,
    lock_folder,
    manifest,
    manifest_in,
    remove_empty,
    remove_listed,
    remove_superseded,
    write_atomically,
)

#: The list of the files of a run, and its version.
MANIFEST, MANIFEST_VERSION = "run.json", 1
#: How surprisals were computed -> the words of a record.
WAYS = {
    "packed": "packs of prefixes",
    "cached": "prefixes in the model's cache",
    "padded": "padded batches",
    "masked": "pseudo-log-likelihood of a masked model, within words from left to right",
    "masked alone": "pseudo-log-likelihood of a masked model, each token masked alone",
}
#: The names of the files that the manifest of a run lists.
_NAMES = re.compile(
    "|".join([RECORD_NAMES] + [re.escape(Path(name).stem) + r"\.(csv|parquet)" for name in TABLES])
)


@dataclass(frozen=True, slots=True)
class Output:
    """The files of a run, and the run as they hold it."""

    record: Path
    samples: Path
    tables: tuple[Path, ...]
    run: Run

    @property
    def files(self) -> tuple[Path, ...]:
        """All files."""
        return (self.record, self.samples, *self.tables)


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
    """The content of a record: the part that differs between suites and pairs."""

    #: The names of what is scored; the id of a record has the first.
    names: Callable[[AnyScores], Sequence[str]]
    results: Callable[[AnyScores], Iterable[Result]]  # the results of the record
    samples: Callable[[AnyScores], Sequence[Sample]]  # its samples
    chance: str  # the assumption about a model behind chance
    #: What is known of the run as a whole; strings.
    about: Callable[[AnyScores], Mapping[str, str]] = lambda _: {}


def run_of(
    scores: AnyScores,
    content: ResultFiles[AnyScores],
    source: Producer,
    collection: str | None = None,
    started: int | None = None,
) -> Run:
    """A run as record writers and readers of runs take it.

    ``content`` is what such scores are in a record. ``collection`` is the first part of the
    record's ``evaluation_id``, which says what was evaluated: the names of the suites if None.
    ``started``, a Unix timestamp, counts if the scores do not say when the run began: now if None.
    """
    info = scores.model
    return Run(
        collection=collection or named_after(content.names(scores)),
        time=scores.started or (run_time() if started is None else started),
        model=Model(info.id, info.name, info.engine, info.details),
        producer=replace(source, details={**source.details, **content.about(scores)}),
        results=tuple(content.results(scores)),
        samples=content.samples(scores),
        settings={
            "evalmark": installed("evalmark"),
            **{key: info.details[key] for key in ("torch", "transformers") if key in info.details},
            **scores.choices,
            "rounding_margin": scores.rounding.text,
            **_computation(scores.computed),
        },
    )


def _computation(computed: Computed | None) -> dict[str, str]:
    if computed is None:
        return {}
    wording = WAYS[computed.way]
    return {"computation": f"{wording}: {computed.reason}" if computed.reason else wording}


def write_run(
    run: Run,
    folder: Path,
    *,
    version: str = RECORD_VERSION,
    also: Collection[str] = (),
    is_complete: bool = True,
    weights: str = "",
) -> Output:
    """Write the record and the samples of a run, in an order that an interruption cannot harm.

    The files that the manifest of an earlier run lists are deleted after the new ones are written;
    no other file is. ``also`` has the tables to export (``regions``, ``effects``, ``tokens``;
    ``pairs`` of pairs), and ``parquet`` for these as Parquet as well, or for all of them. With
    ``is_complete`` nothing that is computed waits for the rest. ``weights`` is the mark of those of
    a model that has no other name than its folder (``weights_of``).

    Raises:
        InvalidDocument: The record would not pass our own check.
        NotInstalledError: ``parquet``, and pyarrow is not installed.
        OSError: The folder cannot be written.
    """
    path = folder / MANIFEST
    earlier = listed_files(path)
    written = write_record(run, folder, version=version)
    tables = write_tables(run, folder, also)
    names = manifest(folder, [written.record, written.samples, *tables])
    about = {"version": MANIFEST_VERSION, "evalmark": installed("evalmark"), "files": names}
    write_atomically(path, json_bytes({**about, **({"weights": weights} if weights else {})}))
    # Only now: an interrupted run leaves the earlier one intact.
    remove_listed(folder, earlier, keep=names, names=_NAMES)
    if is_complete:
        remove_superseded(folder / PARTIAL)
    return Output(written.record, written.samples, tuple(tables), replace(run, path=written.record))


def write_results(
    scores: AnyScores,
    content: ResultFiles[AnyScores],
    folder: Path,
    *,
    source: Producer,
    collection: str | None = None,
    started: int | None = None,
    version: str = RECORD_VERSION,
    also: Collection[str] = (),
) -> Output:
    """Write the scores of a run; the arguments are those of ``run_of`` and ``write_run``."""
    run = run_of(scores, content, source, collection, started)
    return write_run(run, folder, version=version, also=also, is_complete=not scores.unused)


def record_in(folder: Path) -> Path | None:
    """The record of the finished run that a folder holds; None if it holds none."""
    names = [name for name in listed_files(folder / MANIFEST) if name.endswith(".json")]
    record = folder / names[0] if len(names) == 1 and _NAMES.fullmatch(names[0]) else None
    if record is None or not record.is_file():
        return None
    inside = is_below(os.path.realpath(record), os.path.realpath(folder))
    return record if inside else None  # a link leads out


def weights_of(folder: Path) -> str:
    """The mark of the weights that a finished run is of; empty if it does not say."""
    return str(manifest_in(folder / MANIFEST).get("weights", ""))


def prepare_folder(folder: Path, *, overwrite: bool = False) -> None:
    """Create the folder of a run.

    Raises:
        ScoringError: It is a file, or it is not empty and may not be overwritten.
        OSError: It cannot be created.
    """
    if folder.exists() and not folder.is_dir():
        raise ScoringError(f"{folder} is a file")
    ours = (PARTIAL, LOCK)
    others = [p for p in folder.iterdir() if p.name not in ours] if folder.is_dir() else []
    if others and not overwrite:
        raise ScoringError(f"{folder} is not empty", argument="overwrite")
    folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def own_folder(folder: Path, *, overwrite: bool = False) -> Iterator[None]:
    """``prepare_folder``, and no other run writes to it; a new folder that stays empty goes.

    A FolderInUse if another run writes to it.
    """
    is_new = not folder.exists()
    prepare_folder(folder, overwrite=overwrite)
    try:
        with lock_folder(folder):
            yield
    finally:
        if is_new:
            remove_empty([folder])


def run_time() -> int:
    """The time when a run begins: now, or SOURCE_DATE_EPOCH for reproducible output."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch and not epoch.isdecimal():
        raise UsageError(f"SOURCE_DATE_EPOCH is {epoch!r}: expected a number of seconds")
    return int(epoch) if epoch else int(time.time())


def portable(path: str) -> str:
    """A path as others can use it: relative to the current folder, or the name alone."""
    whole = Path(path).absolute()
    below = whole.is_relative_to(Path.cwd())
    return whole.relative_to(Path.cwd()).as_posix() if below else whole.name
