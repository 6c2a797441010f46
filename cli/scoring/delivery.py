"""``evalmark score``, whatever is scored: the models of a call, and their scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple

import typer
from evalmark.cli.scoring.coarse_dtype import COARSE, Outcomes, cost_of
from evalmark.cli.unused_files import UnusedFiles, hint_of
from evalmark.converters.records.run import UNSTATED, Producer, Run
from evalmark.converters.records.writer import layout_of
from evalmark.schemas.errors import EvalmarkError, ScoringError, UndefinedValue, UsageError
from evalmark.scoring.comparison.gates import Measured, below, require_known
from evalmark.scoring.contest_run import AnyTask
from evalmark.scoring.jobs import ModelJob, RayShare, folders, run_models
from evalmark.scoring.models.checkpoints import notes_on, with_checkpoints
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.reports.comparison.model_scores import ModelScores, measured, scores_of
from evalmark.scoring.reports.score_table import NAMED, print_models, print_plan
from evalmark.scoring.runs.pair_views import PAIR_FILES
from evalmark.scoring.runs.run_files import (
    AnyScores,
    ResultFiles,
    own_folder,
    record_in,
    run_of,
    write_run,
)
from evalmark.scoring.runs.run_sources import run_at
from evalmark.scoring.runs.suite_views import SUITE_DIGEST
from evalmark.scoring.score_settings import Computing
from evalmark.validator.batch.workers import cluster
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.formats.suites.suite import METRICS
from evalmark.validator.io.terminal import FOUND, complain, counting, put, say, tell
from evalmark.validator.settings.config import Config

#: Suggestions for files that a folder lacks.
FIXED = (
    "{} holds what was scored; after fixing the rest, repeat the command with --overwrite to score "
    "all of them again, or score the rest into another folder"
)
#: Argument of the library -> what the user can do about it here.
HINTS = {
    "allow_pickle": "--allow-pickle loads it",
    "model_id": "--model-id says it",
    "metric": f"choose with --metric: {', '.join(METRICS)}",
    "dtype": "--dtype float32",
    "kind": "`--kind masked` scores masked models",
    "overwrite": "--overwrite writes to it",
    "revision": "leave out --revision",
    "regions": "--regions all computes every region, --predictions supplies predictions",
    "trust_remote_code": "--trust-remote-code runs it",
    "undefined": "`--bos bos-or-eos` begins with EOS where there is no BOS, "
    "`--undefined false` counts such predictions as false, `--first-token zero` such "
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
        return complain(error)
    code = complain(f"{prefix}{error}{hint_of(error, HINTS)}")
    return FOUND if isinstance(error, UndefinedValue) else code


def checkpoints_of(models: Sequence[str], revision: str | None) -> list[str]:
    """The models of a call, with their checkpoints; a note says where there are some.

    Raises:
        ScoringError: A model has no such checkpoint.
    """
    if revision is not None and not models:
        raise ScoringError("--revision needs --model")
    for note in notes_on(models, revision):
        say(f"note: {note}")
    return with_checkpoints(models, revision)


@dataclass(frozen=True, slots=True)
class ScoreCall:
    """The arguments of a call, whatever is scored.

    Attributes:
        config: The settings.
        models: The models.
        loading: Further arguments of ``load_model``.
        computing: How the work is done.
        limit: How many items to take from each file; None for all.
        dry_run: Whether nothing is computed.
        ray: Whether a Ray cluster computes.
        out: The folder to write, if any.
        overwrite: Whether it may have content.
        locks: What releases folders at the end.
        version: Version of the record.
        quiet: Print no table.
        output_format: ``table``, ``details`` for each prediction or UID in the table of several
            models, or ``json`` for nothing but ``runs`` at the end.
        also: The tables of a run that are exported, and ``parquet``.
        floors: Name -> the least score, below which the exit code is 1.
        processes: How many models are scored at a time on this machine.
    """

    config: Config
    models: Sequence[str]
    loading: Mapping[str, Any]
    computing: Computing
    limit: int | None
    dry_run: bool
    ray: bool
    out: Path | None
    overwrite: bool
    locks: ExitStack
    version: str
    quiet: bool
    output_format: str
    also: Sequence[str]
    floors: dict[str, float]
    processes: int

    @property
    def is_for_people(self) -> bool:
        """True if people read the output, rather than programs."""
        return self.output_format != "json"

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
class ScoreView(Generic[AnyScores]):
    """The part of the command that differs between suites and minimal pairs.

    Attributes:
        files: The content of the files of a run.
        is_empty: True for scores of nothing.
        notes: Notes on the scores of a model.
        print_scores: Prints the table of a single model.
        names: What the scores of files are called, as far as the files say it.
        outcomes: The outcome of each contest.
    """

    files: ResultFiles[AnyScores]
    is_empty: Callable[[AnyScores], bool]
    notes: Callable[[AnyScores], Iterable[str]]
    print_scores: Callable[[AnyScores], None]
    names: Callable[[Sequence[Any]], Iterable[str]]
    outcomes: Outcomes[AnyScores]


class FileCount(NamedTuple):
    """The size of the files that can be scored.

    Attributes:
        files: How many there are.
        file: What one is called; in JSON, the field of their number.
        contests: How many items or rows they have.
        contest: The field of that in JSON.
        of: What the items are, in words.
    """

    files: int
    file: str
    contests: int
    contest: str
    of: str = ""

    def __str__(self) -> str:
        names = self.file if self.files == 1 else f"{self.file}s"
        return f"{self.files} {names} with {self.contests} {self.contest}{self.of} can be scored"

    def data(self) -> dict[str, int]:
        """The numbers as JSON."""
        return {f"{self.file}s": self.files, self.contest: self.contests}


@dataclass(frozen=True, slots=True)
class Delivery(Generic[AnyScores]):
    """The scores of each model of a call: printed, written and listed.

    Attributes:
        view: How such scores are printed and written.
        call: The call; for several models there is one table, and each note is said once.
        started: When the run began, as a Unix timestamp, if the scores do not say so.
        unused: What could not be scored.
        tabled: Model -> its scores, for the table of several.
        measured: Model -> its scores that can have a floor.
        notes: Note -> the models that it is about, for several.
        folders: The folders that were written.
        runs: The scores of each model as JSON, with the files that were written.
    """

    view: ScoreView[AnyScores]
    call: ScoreCall
    started: int
    unused: UnusedFiles
    tabled: dict[str, ModelScores] = field(default_factory=dict)
    measured: dict[str, list[Measured]] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)
    runs: list[dict[str, Any]] = field(default_factory=list)

    @property
    def prints(self) -> bool:
        """True if tables are printed."""
        return self.call.is_for_people and not self.call.quiet

    def keep(self, run: Run, model: str) -> None:
        """Keep what is needed at the end, without the samples of a run."""
        if self.call.floors:
            self.measured[model] = measured(run)
        if self.prints and len(self.call.models) > 1:
            self.tabled[model] = scores_of(replace(run, samples=()))

    def add(self, scores: AnyScores, folder: Path | None, model: str = "") -> None:
        """Show the scores of a model and write its files, if it has any."""
        for unused in scores.unused:
            self.unused.add(*unused, model)
        if self.view.is_empty(scores):
            return
        call, content = self.call, self.view.files
        several = len(call.models) > 1
        for note in self.view.notes(scores):
            if several:
                self.notes.setdefault(note, []).append(scores.model.id)
            else:
                say(f"note: {note}")
        if self.prints and not several:
            self.view.print_scores(scores)
        source = Producer(call.config.organization, call.config.relationship)
        run = run_of(scores, content, source, call.config.collection, self.started)
        files: Sequence[Path] = ()
        if folder is not None:
            complete = not scores.unused
            output = write_run(
                run, folder, version=call.version, also=call.also, is_complete=complete
            )
            run, files = output.run, output.files
            self.folders.append(folder)
            if several:
                say(f"wrote {folder} (record {call.version}, {len(files)} files)")
            else:
                say(f"wrote {output.record} (record {call.version})")
                for file in files[1:]:
                    say(f"wrote {file}")
            if len(self.folders) == 1:
                call.say_who_publishes()
        self.keep(run, model)
        if not call.is_for_people:
            record = layout_of(call.version).record_of(run)
            self.runs.append({"record": record, "written": list(map(str, files))})

    def finish(self) -> int:
        """Write the JSON, if there is to be one, and name what was not scored; the exit code."""
        for note, models in self.notes.items():
            of = "" if len(models) == len(self.call.models) else f"{listed(models, NAMED)}: "
            say(f"note: {of}{note}")
        tabled = [self.tabled[model] for model in self.call.models if model in self.tabled]
        if self.prints and tabled:
            detailed = self.call.output_format == "details"
            print_models(tabled, self.view.files.chance, detailed=detailed)
        if not self.call.is_for_people:
            put({"runs": self.runs, "not_scored": self.unused.data()})
        code = self.unused.say()
        if self.unused.files and self.folders:
            say(f"note: {FIXED.format(', '.join(map(str, self.folders)))}")
        for model, scores in self.measured.items():
            of = f"{model}: " if len(self.measured) > 1 else ""
            for reason in below(scores, self.call.floors):
                say(f"{of}{reason}")
                code = max(code, FOUND)
        return code


def score_files(
    call: ScoreCall,
    task: AnyTask[AnyScores],
    view: ScoreView[AnyScores],
    count: FileCount,
    unused: UnusedFiles,
    *,
    first: Callable[[], AnyTask[AnyScores]],
    recorded: Callable[[], AnyScores] | None = None,
) -> int:
    """Score the files of a call; the exit code.

    Args:
        call: The call.
        task: The work of each model.
        view: How scores are shown and written.
        count: The size of the files.
        unused: What could not be loaded.
        first: The work on the first items, in which a coarse dtype is compared with float32.
        recorded: Scores with numbers that the files have, if the call names no model.
    """
    if call.floors and call.dry_run:
        raise UsageError("--at-least and --dry-run exclude each other: nothing is scored")
    if task.suites:
        require_known(call.floors, view.names(task.suites))
        call.own_folder()
    if call.dry_run:
        _show_plans(call.models, task, count, unused, as_json=not call.is_for_people)
        return unused.say()
    delivery = Delivery(view, call, task.started, unused)
    code = 0
    if task.suites and call.models:
        code = _score_with_models(call, task, delivery, first)
    elif task.suites and recorded is not None:
        delivery.add(recorded(), call.out)
    return max(code, delivery.finish())


def _show_plans(
    models: Sequence[str],
    task: AnyTask[Any],
    count: FileCount,
    unused: UnusedFiles,
    *,
    as_json: bool,
) -> None:
    """Print what would be scored, and what each model would compute."""
    if count.files and not as_json:
        tell(str(count))
    plans: list[dict[str, Any]] = []
    for name in models if count.files else ():
        plan = task.plan(load_model(name, **task.loading))
        for file in plan.unused:
            unused.add(*file, name)
        if not as_json and len({file.name for file in plan.unused}) < count.files:
            tell(name)
            print_plan(plan)
        plans.append({"model": name, "packs": asdict(plan.packs) if plan.packs else None})
    if as_json:
        put({**count.data(), "plans": plans, "not_scored": unused.data()})


def _score_with_models(
    call: ScoreCall,
    task: AnyTask[AnyScores],
    delivery: Delivery[AnyScores],
    first: Callable[[], AnyTask[AnyScores]],
) -> int:
    """Score with each model and deliver its scores; the exit code.

    With several models, those with a finished run are only in the table, and a failure does not
    stop the others.
    """
    several, code, ray = len(call.models) > 1, 0, call.config.ray
    jobs = _unfinished(call, task, delivery) if several else call.jobs
    with cluster(ray.address) if call.ray else nullcontext() as module:
        share = RayShare(module, ray.cpus_per_model, ray.gpus_per_model) if module else None
        counted = partial(counting, "scoring", resumes=any(job.folder for job in jobs), patience=0)
        done = run_models(jobs, task, cluster=share, processes=call.processes, counting=counted)
        for job, result in done:
            if isinstance(result, EvalmarkError | OSError):
                code = max(code, _shown(result, f"{job.model}: " if several else ""))
                continue
            delivery.add(result, job.folder, job.model if several else "")
            dtype = result.model.details.get("dtype", "")
            if dtype in COARSE and share is None:
                cost = cost_of(dtype, job.model, first(), delivery.view.outcomes)
                say(f"note: {f'{job.model}: ' if several else ''}{cost}")
    return code


def _unfinished(
    call: ScoreCall, task: AnyTask[Any], delivery: Delivery[AnyScores]
) -> list[ModelJob]:
    """The jobs without a finished run, whose folders are locked for this call."""
    jobs = []
    for job in call.jobs:
        record = None if job.folder is None or call.overwrite else record_in(job.folder)
        if job.folder is not None and record is not None:
            say(f"{job.folder} is finished; --overwrite scores it again")
            run = run_at(record)
            digests = _digests(run)
            for path in (file.path for file in task.suites if file.digest not in digests):
                error = ScoringError(
                    f"{job.folder} has no scores of its present version", argument="overwrite"
                )
                delivery.unused.add(path, error, job.model)
            delivery.keep(run, job.model)
            continue
        if job.folder is not None:
            call.locks.enter_context(own_folder(job.folder, overwrite=call.overwrite))
        jobs.append(job)
    return jobs


def _digests(run: Run) -> set[str]:
    """What identifies the files that a run has the scores of."""
    files = json.loads(run.producer.details.get(PAIR_FILES, "[]"))
    suites = (result.details.get(SUITE_DIGEST, "") for result in run.results)
    return {*suites, *(file["digest"] for file in files)}
