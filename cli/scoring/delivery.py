"""What scoring suites and scoring minimal pairs share: the models of a call, and their scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import typer
from evalmark.cli.checking import UnusedFiles, hint_of
from evalmark.converters.records.record_version import version_line
from evalmark.converters.records.run import UNSTATED, Producer
from evalmark.schemas.errors import EvalmarkError, ScoringError, UndefinedValue
from evalmark.scoring.contest_run import ContestTask
from evalmark.scoring.jobs import ModelJob, RayShare, folders, run_models
from evalmark.scoring.output import is_finished, own_folder
from evalmark.scoring.score_settings import Computing
from evalmark.validator.batch.workers import cluster
from evalmark.validator.config import Config
from evalmark.validator.edge.terminal import (
    FOUND,
    complain,
    complain_of,
    counting,
    put_json,
    say,
    tell,
)
from evalmark.validator.formats.suites.suite import METRICS

#: What to do about the files that a folder lacks.
FIXED = (
    "{} holds what was scored; after fixing the rest, repeat the command with --overwrite to score "
    "all of them again, or score the rest into another folder"
)
#: Argument of the library -> what the user can do about it here.
HINTS = {
    "allow_pickle": "--allow-pickle loads it",
    "model_id": "--model-id says it",
    "metric": f"choose with --metric: {', '.join(METRICS)}",
    "kind": "`--kind masked` scores masked models",
    "overwrite": "--overwrite writes to it",
    "revision": "leave out --revision",
    "regions": "--regions all computes every region, --predictions supplies predictions",
    "trust_remote_code": "--trust-remote-code runs it",
    "undefined": "`--undefined false` counts such predictions as false, `--first-token zero` such "
    "tokens as 0 bits",
}


@contextmanager
def errors_shown() -> Iterator[None]:
    """Show an error of the library in one line, and exit."""
    try:
        yield
    except (EvalmarkError, OSError) as error:
        raise typer.Exit(_shown(error)) from None


def _shown(error: Exception, prefix: str = "") -> int:
    """Print an error of the library with what the user can do; the exit code."""
    if isinstance(error, OSError):
        return complain_of(error)
    code = complain(f"{prefix}{error}{hint_of(error, HINTS)}")
    return FOUND if isinstance(error, UndefinedValue) else code


def require_none(what: str, options: Mapping[str, Any]) -> None:
    """Refuse options that do not apply to what is scored."""
    given = [name for name, value in options.items() if value]
    if given:
        raise ScoringError(f"{given[0]} does not apply to {what}")


@dataclass(frozen=True, slots=True)
class Delivering:
    """How scores are shown and written.

    Attributes:
        version: Version of the record.
        table: A file for all numbers, if wanted.
        quiet: Print no table.
        output_format: ``table``, or ``json`` for nothing but ``runs`` at the end.
        spreadsheet: Whether no cell of the table may be a formula.
    """

    version: str
    table: Path | None
    quiet: bool
    output_format: str
    spreadsheet: bool

    @property
    def is_for_people(self) -> bool:
        """Whether what is printed is for people."""
        return self.output_format != "json"


@dataclass(frozen=True, slots=True)
class ScoreCall:
    """What a call asks for, whatever is scored.

    Attributes:
        config: The settings.
        models: The models.
        loading: Further arguments of ``load_model``.
        computing: How the work is done.
        limit: How many items to take from each file; None for all.
        dry_run: Whether nothing is computed.
        engine: ``local`` or ``ray``.
        out: The folder to write, if any.
        overwrite: Whether it may have content.
        locks: What releases folders at the end.
        delivering: How scores are shown and written.
    """

    config: Config
    models: Sequence[str]
    loading: Mapping[str, Any]
    computing: Computing
    limit: int | None
    dry_run: bool
    engine: str
    out: Path | None
    overwrite: bool
    locks: ExitStack
    delivering: Delivering

    @property
    def jobs(self) -> list[ModelJob]:
        """Each model with its folder."""
        return [
            ModelJob(*job) for job in zip(self.models, folders(self.models, self.out), strict=True)
        ]

    def own_folder(self) -> None:
        """Take the folder of the only model, or of recorded numbers."""
        if self.out is not None and len(self.models) < 2 and not self.dry_run:
            self.locks.enter_context(own_folder(self.out, overwrite=self.overwrite))

    def say_who_publishes(self) -> None:
        """Say that nobody knows who publishes the record, if so."""
        source = Producer(self.config.organization, self.config.relationship)
        if self.out is not None and not source.is_stated:
            say(f"note: {UNSTATED}")


@dataclass(frozen=True, slots=True)
class Delivery:
    """What happens to the scores of each model.

    Attributes:
        how: How they are shown and written.
        config: The settings: who publishes the record, and the first part of its id.
        started: When the run began, as a Unix timestamp, if the scores do not say so.
        unused: What could not be scored.
        folders: The folders that were written.
        recorded: Those of them that have a record.
        runs: The scores of each model as JSON, with the files that were written.
    """

    how: Delivering
    config: Config
    started: int
    unused: UnusedFiles
    folders: list[Path] = field(default_factory=list)
    recorded: list[Path] = field(default_factory=list)
    runs: list[dict[str, Any]] = field(default_factory=list)

    @property
    def source(self) -> Producer:
        """Who publishes the record."""
        return Producer(self.config.organization, self.config.relationship)

    @property
    def prints(self) -> bool:
        """Whether tables are printed."""
        return self.how.is_for_people and not self.how.quiet

    def lacking(self, folder: Path) -> list[str]:
        """The files that a finished run in a folder has not scored as they are now."""
        raise NotImplementedError

    def scores(self, scores: Any, folder: Path | None, model: str = "") -> None:
        """Show the scores of a model and write its files, if it has any."""
        raise NotImplementedError

    def wrote(
        self,
        data: Mapping[str, Any],
        files: Sequence[Path],
        folder: Path | None,
        *,
        has_record: bool = True,
    ) -> None:
        """Note the scores of a model, and say which files were written."""
        if folder is not None:
            self.folders.append(folder)
            self.recorded.extend([folder] if has_record else [])
        for file in files:
            say(f"wrote {file}")
        # The version is that of scores.json; the whole has one.
        without = {key: value for key, value in data.items() if key != "version"}
        self.runs.append({**without, "written": list(map(str, files))})

    def finish(self) -> int:
        """Write the JSON, if that is wanted, and name what was not scored; the exit code.

        The last line names the version of the records.
        """
        if not self.how.is_for_people:
            put_json({"runs": self.runs, "not_scored": self.unused.data()})
        code = self.unused.say()
        if self.unused.found and self.folders:
            say(f"note: {FIXED.format(', '.join(map(str, self.folders)))}")
        if self.recorded:
            say(version_line(self.how.version))
        return code


def score_with_models(call: ScoreCall, task: ContestTask[Any, Any, Any], deliver: Delivery) -> int:
    """Score with each model and deliver its scores; the exit code.

    With several models, those with a finished run are skipped, and a failure does not stop the
    others.
    """
    jobs = call.jobs
    several, code, ray = len(jobs) > 1, 0, call.config.ray
    for job in jobs if several else ():
        if job.folder is not None and is_finished(job.folder) and not call.overwrite:
            say(f"{job.folder} is finished; --overwrite scores it again")
            for path in deliver.lacking(job.folder):
                error = ScoringError(
                    f"{job.folder} has no scores of its present version", argument="overwrite"
                )
                deliver.unused.add(path, error, job.model)
            jobs = [other for other in jobs if other is not job]
        elif job.folder is not None:
            call.locks.enter_context(own_folder(job.folder, overwrite=call.overwrite))
    with cluster(ray.address) if call.engine == "ray" else nullcontext() as module:
        share = RayShare(module, ray.cpus_per_model, ray.gpus_per_model) if module else None
        counted = partial(counting, "scoring", resumes=any(job.folder for job in jobs), patience=0)
        for job, result in run_models(jobs, task, cluster=share, counting=counted):
            if isinstance(result, EvalmarkError | OSError):
                code = max(code, _shown(result, f"{job.model}: " if several else ""))
                continue
            if several and deliver.prints:
                tell(result.model.id)
            deliver.scores(result, job.folder, job.model if several else "")
    return code
