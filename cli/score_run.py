"""The work of ``evalmark score``: its files and models, and what is made of the scores of each."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Generic, NamedTuple

from evalmark.cli.score_command import DETAILS, ScoreCommandOptions
from evalmark.cli.settings import settings_for
from evalmark.cli.unused_files import UnusedFiles, hint_of
from evalmark.converters.records.run import UNSTATED, Run
from evalmark.converters.records.writer import layout_of
from evalmark.schemas.errors import (
    EvalmarkError,
    OptionsError,
    ScoringError,
    UndefinedValue,
    UsageError,
    brief,
)
from evalmark.scoring.comparison.gates import Measured, below, read_floors, require_known_floors
from evalmark.scoring.contest_run import ContestTask
from evalmark.scoring.model_jobs import ModelJob, RayShare, folders, run_models
from evalmark.scoring.models.checkpoints import notes_on, with_checkpoints
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.pairs.load_pairs import LoadedPairs
from evalmark.scoring.reports.comparison.model_scores import ModelScores, measured, scores_of
from evalmark.scoring.reports.score_table import (
    NAMED,
    pair_notes,
    print_models,
    print_plan,
    print_run,
    suite_notes,
)
from evalmark.scoring.runs.pair_views import PAIR_FILES
from evalmark.scoring.runs.run_files import AnyScores, own_folder, record_in, weights_of
from evalmark.scoring.runs.run_sources import run_at
from evalmark.scoring.runs.suite_views import SUITE_DIGEST
from evalmark.scoring.score_call import ScoreCall
from evalmark.scoring.score_settings import OUR_OWN
from evalmark.scoring.suites.recorded_scores import evaluated_among
from evalmark.scoring.suites.suite_loading import LoadedSuite
from evalmark.validator.batch.workers import cluster
from evalmark.validator.findings.phrasing import counted, first_of, listed
from evalmark.validator.formats.suites.suite import METRICS
from evalmark.validator.io.terminal import (
    FOUND,
    counting,
    print_line,
    print_note,
    report_error,
    write_stdout,
)
from evalmark.validator.settings.check_options import shared

#: The dtypes in which rounding decides outcomes.
COARSE = ("bfloat16", "float16")
#: How many items are scored again in both dtypes.
ITEMS = 100
_ROUNDS = 2
#: Seconds below which a time says nothing.
_LEAST = 0.2

#: Scores -> the outcome of each contest, by what tells it from the others.
Outcomes = Callable[[AnyScores], Mapping[Hashable, object]]
#: The advice on files that could not be scored.
FIXED = (
    "{} holds what was scored; after fixing the rest, repeat the command with --overwrite to score "
    "all of them again, or score the rest into another folder"
)
#: Argument of the library -> what the user can do about it here.
HINTS = {
    "allow_pickle": "--allow-pickle loads it",
    "model_id": "--model-id states it",
    "metric": f"choose with --metric: {', '.join(METRICS)}",
    "dtype": "--dtype float32",
    "kind": "`--kind masked` scores masked models",
    "overwrite": "--overwrite replaces its run",
    "revision": "leave out --revision",
    "regions": "--regions all computes every region, --predictions supplies predictions",
    "trust_remote_code": "--trust-remote-code runs it",
    "undefined": "`--bos bos-or-eos` begins with EOS where there is no BOS, "
    "`--undefined false` counts such predictions as false, `--first-token zero` such "
    "tokens as 0 bits",
}


def run_score(options: ScoreCommandOptions) -> int:
    """Score files of minimal pairs, if there are any, else suites; the exit code."""
    try:
        with ExitStack() as locks:
            return _score(ScoreRun.of(options, locks))
    except (EvalmarkError, OSError) as error:
        return show_error(error)


def _score(run: ScoreRun) -> int:
    """Score the files of a run with each of its models, or with recorded numbers; the exit code."""
    options, unused = run.options, UnusedFiles("scored", HINTS)
    files = run.call.load(unused.add)
    view: ScoreView[Any] = PAIR_VIEW if run.call.pairs else SUITE_VIEW
    if run.call.pairs:
        count = _size_of_pairs(files)
    else:
        files, count = _suites(run, files)
    if files:
        require_known_floors(run.floors, view.names(files))
        if options.out is not None and not (run.is_several or options.dry_run):
            run.own_folder(options.out)
    task = run.call.task(files)
    if options.dry_run:
        _show_plans(run, task, count, unused)
        return unused.say()
    reporter = ScoreReporter(view, run, task.started, unused)
    code = 0
    if files and run.models:
        code = _score_with_models(task, reporter, math.ceil(ITEMS / count.files))
    elif files:
        reporter.add(run.call.recorded(files), ModelJob("", options.out))
    return max(code, reporter.finish())


def _ignore_failure(path: str, error: Exception) -> None:
    """A file that cannot be scored: the run has named it."""


def _suites(
    run: ScoreRun, suites: Sequence[LoadedSuite]
) -> tuple[Sequence[LoadedSuite], FileCount]:
    if run.call.is_recorded:
        suites, skipped = evaluated_among(suites, run.call.options.paths)
        if skipped:
            count, names = counted(len(skipped), "suite"), first_of(skipped, 3)
            print_note(f"note: skipped {count} without recorded values: {names}")
    metric = run.options.metric
    if own := [s.suite.name for s in suites if metric not in (None, s.suite.metric)]:
        print_note(
            f"note: --metric is not used for suites that name one metric: {listed(own, NAMED)}"
        )
    own = [*dict.fromkeys(s.suite.name for s in suites if s.trees and not s.predictions_from)]
    if run.options.predictions is not None and own:
        print_note(
            f"note: --predictions is not used for suites with predictions: {listed(own, NAMED)}"
        )
    # A suite with several metrics is one suite here.
    items = {suite.path: len(suite.suite.items) for suite in suites}
    return suites, FileCount(len(items), "suite", sum(items.values()), "items")


def _size_of_pairs(files: Sequence[LoadedPairs]) -> FileCount:
    for file in files:
        if file.alone:
            print_note(
                f"note: {file.path}: rows without a partner, which are not scored: {file.alone}"
            )
    rows = sum(file.rows for file in files)
    return FileCount(len(files), "file", rows, "rows", " of minimal pairs")


def show_error(error: Exception, prefix: str = "") -> int:
    """Print an error of the library with what the user can do; the exit code."""
    if isinstance(error, OSError):
        return report_error(error)
    text = str(error)
    if isinstance(error, OptionsError):
        text = error.words.format(*(f"--{name.replace('_', '-')}" for name in error.options))
    code = report_error(f"{prefix}{text}{hint_of(error, HINTS)}")
    return FOUND if isinstance(error, UndefinedValue) else code


@dataclass(frozen=True, slots=True)
class ScoreRun:
    """What the command knows beside the call: its models, their folders, and floors."""

    options: ScoreCommandOptions
    call: ScoreCall
    models: Sequence[str]  # with their checkpoints
    floors: dict[str, float]  # name -> the least score, below which the exit code is 1
    locks: ExitStack  # releases folders at the end

    @classmethod
    def of(cls, options: ScoreCommandOptions, locks: ExitStack) -> ScoreRun:
        """The run of some options, in the current folder; EvalmarkError if they are unusable."""
        floors = read_floors(options.at_least)
        if floors and options.dry_run:
            raise UsageError("--at-least and --dry-run exclude each other: nothing is scored")
        call = ScoreCall.of(options, settings_for(options.jobs), is_plan=options.dry_run)
        like = call.settings.like
        if like != (options.like or OUR_OWN):
            print_note(f"note: settings of {like}")
        for note in notes_on(options.model, options.revision):
            print_note(f"note: {note}")
        models = with_checkpoints(options.model, options.revision)
        return cls(options, call, models, floors, locks)

    @property
    def is_several(self) -> bool:
        """True if there are several models: they share one table, and notes that they have."""
        return len(self.models) > 1

    @property
    def jobs(self) -> list[ModelJob]:
        """Each model with its folder."""
        places = folders(self.models, self.options.out)
        return [ModelJob(*job) for job in zip(self.models, places, strict=True)]

    def own_folder(self, folder: Path) -> None:
        """Take a folder until the end of the call."""
        self.locks.enter_context(own_folder(folder, overwrite=self.options.overwrite))


@dataclass(frozen=True, slots=True)
class ScoreView(Generic[AnyScores]):
    """The part of the command that differs between suites and minimal pairs."""

    notes: Callable[[AnyScores], Iterable[str]]
    names: Callable[[Sequence[Any]], Iterable[str]]  # of scores, as far as the files say it
    outcomes: Outcomes[AnyScores]


class FileCount(NamedTuple):
    """The size of the files that can be scored."""

    files: int
    file: str  # what one is called; in JSON, the field of their number
    contests: int
    contest: str  # the field of their number in JSON
    of: str = ""  # what they are, in words

    def __str__(self) -> str:
        names = self.file if self.files == 1 else f"{self.file}s"
        return f"{self.files} {names} with {self.contests} {self.contest}{self.of} can be scored"

    def data(self) -> dict[str, int]:
        """The numbers as JSON."""
        return {f"{self.file}s": self.files, self.contest: self.contests}


@dataclass(frozen=True, slots=True)
class ScoreReporter(Generic[AnyScores]):
    """The scores of each model of a call: printed, written and listed."""

    view: ScoreView[AnyScores]
    run: ScoreRun
    started: int  # a Unix timestamp, for scores that have none
    unused: UnusedFiles  # what could not be scored
    tabled: dict[str, ModelScores] = field(default_factory=dict)  # of several models
    measured: dict[str, list[Measured]] = field(default_factory=dict)  # what can have a floor
    notes: dict[str, list[str]] = field(default_factory=dict)  # note -> its models, of several
    folders: list[Path] = field(default_factory=list)  # that were written
    runs: list[dict[str, Any]] = field(default_factory=list)  # as JSON, with the written files

    @property
    def prints(self) -> bool:
        """True if tables are printed."""
        return self.run.options.is_for_people and not self.run.options.quiet

    def keep(self, run: Run, model: str) -> None:
        """Keep what is needed at the end, without the samples of a run."""
        if self.run.floors:
            self.measured[model] = measured(run)
        if self.prints and self.run.is_several:
            self.tabled[model] = scores_of(replace(run, samples=()))

    def add(self, scores: AnyScores, job: ModelJob) -> None:
        """Show the scores of a model and write its files, if it has any."""
        folder, model = job.folder, job.model if self.run.is_several else ""
        for unused in scores.unused:
            self.unused.add(*unused, model)
        call = self.run.call
        if not call.content.names(scores):
            return
        for note in self.view.notes(scores):
            if self.run.is_several:
                self.notes.setdefault(note, []).append(scores.model.id)
            else:
                print_note(f"note: {note}")
        run = call.run_of(scores, call.content, self.started)
        files: Sequence[Path] = ()
        if folder is not None:  # before the table: whatever that meets, the files are there
            is_complete = not scores.unused
            output = call.write(run, folder, is_complete=is_complete, weights=job.weights)
            run, files = output.run, output.files
        if self.prints and not self.run.is_several:
            print_run(run)
        if folder is not None:
            self._name_files(files, folder)
        self.keep(run, model)
        if not self.run.options.is_for_people:
            record = layout_of(call.version).record_of(run)
            self.runs.append({"record": record, "written": list(map(str, files))})

    def _name_files(self, files: Sequence[Path], folder: Path) -> None:
        call = self.run.call
        self.folders.append(folder)
        if self.run.is_several:
            print_note(f"wrote {folder} (record {call.version}, {len(files)} files)")
        else:
            record, *others = files
            print_note(f"wrote {record} (record {call.version})")
            for file in others:
                print_note(f"wrote {file}")
        if len(self.folders) == 1 and not call.producer.is_stated:
            print_note(f"note: {UNSTATED}")

    def finish(self) -> int:
        """Write the JSON, if there is to be one, and name what was not scored; the exit code."""
        models = self.run.models
        for note, its_models in self.notes.items():
            prefix = "" if len(its_models) == len(models) else f"{listed(its_models, NAMED)}: "
            print_note(f"note: {prefix}{note}")
        tabled = [self.tabled[model] for model in models if model in self.tabled]
        if self.prints and tabled:
            detailed = self.run.options.output_format == DETAILS
            print_models(tabled, self.run.call.content.chance, detailed=detailed)
        if not self.run.options.is_for_people:
            write_stdout({"runs": self.runs, "not_scored": self.unused.data()})
        code = self.unused.say()
        if self.unused.files and self.folders:
            print_note(f"note: {FIXED.format(', '.join(map(str, self.folders)))}")
        for model, scores in self.measured.items():
            prefix = f"{model}: " if len(self.measured) > 1 else ""
            for reason in below(scores, self.run.floors):
                print_note(f"{prefix}{reason}")
                code = max(code, FOUND)
        return code


def _show_plans(
    run: ScoreRun, task: ContestTask[Any], count: FileCount, unused: UnusedFiles
) -> None:
    if count.files and run.options.is_for_people:
        print_line(str(count))
    plans: list[dict[str, Any]] = []
    for name in run.models if count.files else ():
        plan = task.plan(load_model(name, **task.loading))
        for file in plan.unused:
            unused.add(*file, name)
        if run.options.is_for_people and len({file.name for file in plan.unused}) < count.files:
            print_line(name)
            print_plan(plan)
        plans.append({"model": name, "packs": asdict(plan.packs) if plan.packs else None})
    if not run.options.is_for_people:
        write_stdout({**count.data(), "plans": plans, "not_scored": unused.data()})


def _score_with_models(
    task: ContestTask[AnyScores],
    reporter: ScoreReporter[AnyScores],
    compared: int,
) -> int:
    """Score with each model and deliver its scores; the exit code.

    With several models, those with a finished run are only in the table, and a failure does not
    stop the others. A coarse dtype is ``compared`` with float32 in so many items of each file.
    """
    run, code = reporter.run, 0
    several, ray = run.is_several, run.call.config.ray
    processes, is_on_ray = shared(run.options.jobs)
    jobs = _unfinished(task, reporter) if several else run.jobs
    with cluster(ray.address) if is_on_ray else nullcontext() as module:
        share = RayShare(module, ray.cpus_per_model, ray.gpus_per_model) if module else None
        counted = partial(counting, "scoring", resumes=any(job.folder for job in jobs), patience=0)
        done = run_models(jobs, task, cluster=share, processes=processes or 1, counting=counted)
        for job, result in done:
            if isinstance(result, EvalmarkError | OSError):
                code = max(code, show_error(result, f"{job.model}: " if several else ""))
                continue
            reporter.add(result, job)
            dtype = result.model.details.get("dtype", "")
            if dtype in COARSE and share is None:
                first = replace(task, files=run.call.load(_ignore_failure, limit=compared))
                cost = cost_of(dtype, job.model, first, reporter.view.outcomes)
                print_note(f"note: {f'{job.model}: ' if several else ''}{cost}")
    return code


def _unfinished(task: ContestTask[Any], reporter: ScoreReporter[AnyScores]) -> list[ModelJob]:
    """The jobs without a finished run, whose folders are locked for this call.

    A ScoringError if a finished run has other settings or another model of this name: it would be
    in one table with the others.
    """
    jobs, run = [], reporter.run
    finished_runs = {job: finished for job in run.jobs if (finished := _finished(job, run))}
    for job, finished in finished_runs.items():
        if others := ", ".join(run.call.other_settings(finished, task.files)):
            raise ScoringError(f"{job.folder} was scored with {others}", argument="overwrite")
        stated = weights_of(job.folder) if job.folder else ""
        if stated and job.weights not in ("", stated):  # the folder of a model may be gone
            raise ScoringError(
                f"{job.folder} was scored with other weights than {job.model} has",
                argument="overwrite",
            )
    for job in run.jobs:
        if finished := finished_runs.get(job):
            print_note(f"{job.folder} is finished; --overwrite scores it again")
            digests = _digests(finished)
            for path in (file.path for file in task.files if file.digest not in digests):
                error = ScoringError(
                    f"{job.folder} has no scores for the current content of this file",
                    argument="overwrite",
                )
                reporter.unused.add(path, error, job.model)
            reporter.keep(finished, job.model)
            continue
        if job.folder is not None:
            run.own_folder(job.folder)
        jobs.append(job)
    return jobs


def _finished(job: ModelJob, run: ScoreRun) -> Run | None:
    record = None if job.folder is None or run.options.overwrite else record_in(job.folder)
    return None if record is None else run_at(record)


def _digests(run: Run) -> set[str]:
    files = json.loads(run.producer.details.get(PAIR_FILES, "[]"))
    suites = (result.details.get(SUITE_DIGEST, "") for result in run.results)
    return {*suites, *(file["digest"] for file in files)}


def cost_of(
    dtype: str, model: str, task: ContestTask[AnyScores], outcomes: Outcomes[AnyScores]
) -> str:
    """The cost of a dtype in a sentence: the first items are scored in it and in float32.

    The models are loaded one after the other, and the shorter of two rounds by the wall clock
    counts. An error, of memory for example, is named: the run is valid without this.
    """
    found: list[Mapping[Hashable, object]] = []
    seconds: list[float] = []
    loading: dict[str, Any] = {**task.loading}
    try:
        for precision in (dtype, "float32"):
            loaded, rounds = load_model(model, **(loading | {"dtype": precision})), list[float]()
            for _ in range(_ROUNDS):
                began = perf_counter()
                scores = task.score(loaded, None, None)
                rounds.append(perf_counter() - began)
            found.append(outcomes(scores))
            seconds.append(min(rounds))
            del loaded, scores  # memory may not hold two models
    except Exception as error:
        return f"{dtype} cannot be compared with float32 here: {brief(error)}"
    coarse, fine = found
    differing = sum(coarse.get(key) != value for key, value in fine.items())
    ratio = seconds[0] / seconds[1]
    time = f", in {ratio:.2f} of the time" if seconds[1] >= _LEAST else ""
    return (
        f"{dtype} compared with float32 on at most {ITEMS} items: "
        f"{differing} of {len(fine)} outcomes differ{time}"
    )


SUITE_VIEW = ScoreView(
    suite_notes,
    lambda suites: (suite.suite.name for suite in suites),
    lambda scores: {
        (suite.source.digest, prediction, item): holds
        for suite in scores.suites
        for prediction, result in enumerate(suite.result.predictions)
        for item, holds in enumerate(result.outcomes)
    },
)
PAIR_VIEW = ScoreView(
    pair_notes,
    lambda files: (
        name
        for file in files
        for c in file.contests
        for name in (file.set, c.uid, *c.labels.values())
    ),
    lambda scores: {
        (uid.label, contest): outcome.outcome
        for uid in scores.uids
        for contest, outcome in zip(uid.ids, uid.contests, strict=True)
    },
)
