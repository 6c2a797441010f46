"""``evalmark score``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from evalmark.cli.checking import UnusedFiles, hint_of
from evalmark.cli.typed import option
from evalmark.converters.records.run import UNSTATED, Producer
from evalmark.converters.records.writer import RECORD_VERSION
from evalmark.pages.score_table import (
    print_notes,
    print_plan,
    print_scores,
    print_without_predictions,
)
from evalmark.schemas.errors import EvalmarkError, ScoringError, UndefinedValue
from evalmark.schemas.extras import require
from evalmark.scoring.jobs import ModelJob, RayShare, ScoringTask, folders, score_models
from evalmark.scoring.models.loading import load_model
from evalmark.scoring.output import (
    is_finished,
    lacking,
    own_folder,
    run_time,
    scores_data,
    write_output,
)
from evalmark.scoring.planning import plan_run
from evalmark.scoring.recorded.scores import evaluated_among, score_recorded
from evalmark.scoring.scores import Scores
from evalmark.scoring.settings import Computing, Settings, pack_size
from evalmark.scoring.suites import LoadedSuite, load_suites
from evalmark.scoring.table import write_table
from evalmark.validator.batch.ray_cluster import cluster
from evalmark.validator.config import RayConfig, load_config
from evalmark.validator.edge.lines import (
    FOUND,
    complain,
    complain_of,
    put_json,
    say,
    tell,
)
from evalmark.validator.edge.progress import counting

EPILOG = """
Examples:
  evalmark score suites/*.json --model gpt2 --out results/
  evalmark score suites/ --surprisals surprisals/ --model-id lab/model
Configuration: [tool.evalmark.score], .record and .ray (docs/scoring.md).
Exit code: 0 done, 1 a value is undefined, 2 a suite or something else failed.
"""

#: What to do about the suites that a folder lacks.
FIXED = (
    "{} holds what was scored; after fixing the rest, repeat the command with --overwrite to score "
    "all suites again, or score the rest into another folder"
)
#: Argument of the library -> what the user can do about it here.
HINTS = {
    "model_id": "--model-id says it",
    "kind": "`--kind masked` scores masked models",
    "overwrite": "--overwrite writes to it",
    "regions": "--regions all computes every region, --predictions supplies predictions",
    "trust_remote_code": "--trust-remote-code runs it",
    "undefined": "`--undefined false` counts such predictions as false, `--first-token zero` such "
    "tokens as 0 bits",
}


def command(
    paths: Annotated[list[str], option("score_paths")],
    model: Annotated[list[str] | None, option("score_model")] = None,
    surprisals: Annotated[list[Path] | None, option("surprisals")] = None,
    recorded: Annotated[bool, option("recorded")] = False,
    revision: Annotated[str | None, option("revision")] = None,
    kind: Annotated[str, option("model_kind")] = "auto",
    dtype: Annotated[str, option("dtype")] = "float32",
    device: Annotated[str, option("device")] = "auto",
    allow_pickle: Annotated[bool, option("allow_pickle")] = False,
    trust_remote_code: Annotated[bool, option("trust_remote_code")] = False,
    bos: Annotated[str, option("bos")] = "auto",
    first_token: Annotated[str, option("first_token")] = "undefined",
    boundary: Annotated[str, option("boundary")] = "none",
    regions: Annotated[str, option("score_regions")] = "all",
    join: Annotated[str | None, option("score_join")] = None,
    undefined: Annotated[str, option("undefined")] = "refuse",
    metric: Annotated[str | None, option("score_metric")] = None,
    predictions: Annotated[Path | None, option("score_predictions")] = None,
    limit: Annotated[int | None, option("limit")] = None,
    dry_run: Annotated[bool, option("dry_run")] = False,
    pack_tokens: Annotated[str | None, option("pack_tokens")] = None,
    engine: Annotated[str, option("score_engine")] = "local",
    out: Annotated[Path | None, option("score_out")] = None,
    overwrite: Annotated[bool, option("overwrite")] = False,
    table: Annotated[Path | None, option("table")] = None,
    spreadsheet: Annotated[bool, option("score_spreadsheet")] = False,
    model_id: Annotated[str | None, option("model_id")] = None,
    record_version: Annotated[str, option("record_version")] = RECORD_VERSION,
    output_format: Annotated[str, option("table_format")] = "table",
    quiet: Annotated[bool, option("quiet")] = False,
) -> None:
    """Score suites with a language model, print accuracies, and write a record."""
    models = model or []
    with errors_shown(), ExitStack() as locks:
        config = load_config()
        settings = Settings(bos, first_token, join or config.join, undefined, boundary, regions)
        _require_one_source(models, surprisals or None, recorded=recorded, dry_run=dry_run)
        if len(models) > 1 and (model_id or revision or table):
            raise ScoringError("--model-id, --revision and --table take one model")
        if table is not None and table.suffix == ".parquet":
            require("pyarrow")  # before hours of scoring
        jobs = [ModelJob(*job) for job in zip(models, folders(models, out), strict=True)]
        unused = UnusedFiles("scored", HINTS)
        suites = load_suites(
            paths, join=settings.join, metric=metric, limit=limit, predictions=predictions,
            failed=unused.add,
        )  # fmt: skip
        suites = _evaluated(suites, paths) if recorded else suites
        if suites and out is not None and len(jobs) < 2 and not dry_run:
            locks.enter_context(own_folder(out, overwrite=overwrite))
        loading: dict[str, Any] = {
            "model_id": model_id, "revision": revision, "dtype": dtype, "device": device,
            "bos": bos, "kind": kind, "allow_pickle": allow_pickle,
            "trust_remote_code": trust_remote_code,
        }  # fmt: skip
        started = run_time()
        computing = Computing(**{**config.score, **pack_size(pack_tokens)})
        task = ScoringTask(suites, settings, loading, computing, started)
        if dry_run:
            _show_plans(models, task, unused, as_json=output_format == "json")
            raise typer.Exit(unused.say())
        source = Producer(config.organization, config.relationship)
        if out is not None and not source.is_stated and any(suite.trees for suite in suites):
            say(f"note: {UNSTATED}")
        deliver = Delivery(
            source, config.collection, record_version, started, table, quiet, output_format,
            spreadsheet, unused,
        )  # fmt: skip
        code = 0
        if suites and jobs:
            code = _score_models(
                jobs, task, deliver, engine, config.ray, locks, overwrite=overwrite
            )
        elif suites:
            scores = score_recorded(
                suites, settings, surprisals=surprisals or None, model_id=model_id, keep_going=True
            )
            deliver.scores(scores, out)
        raise typer.Exit(max(code, deliver.finish()))


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


def _require_one_source(
    models: list[str], surprisals: list[Path] | None, *, recorded: bool, dry_run: bool
) -> None:
    given = bool(models) + (surprisals is not None) + recorded
    if given > 1:
        raise ScoringError("give only one of --model, --surprisals or --recorded")
    if not given and not dry_run:
        raise ScoringError("nothing to score with: give --model, --surprisals or --recorded")


def _evaluated(suites: Sequence[LoadedSuite], paths: Sequence[str]) -> list[LoadedSuite]:
    """Suites without the ones in folders that were never evaluated, which are named."""
    found, skipped = evaluated_among(suites, paths)
    if skipped:
        count = f"{len(skipped)} suite{'s'[: len(skipped) - 1]}"
        names = f"{', '.join(skipped[:3])}{' …' if len(skipped) > 3 else ''}"
        say(f"note: skipped {count} without recorded values: {names}")
    return found


def _score_models(
    jobs: list[ModelJob],
    task: ScoringTask,
    deliver: Delivery,
    engine: str,
    ray: RayConfig,
    locks: ExitStack,
    *,
    overwrite: bool,
) -> int:
    """Score with each model and deliver its scores; the exit code.

    With several models, those with a finished run are skipped, and a failure does not stop the
    others.
    """
    several, code = len(jobs) > 1, 0
    for job in jobs if several else ():
        if job.folder is not None and is_finished(job.folder) and not overwrite:
            say(f"{job.folder} is finished; --overwrite scores it again")
            for suite in lacking(job.folder, task.suites):
                error = ScoringError(
                    f"{job.folder} has no scores of its present version", argument="overwrite"
                )
                deliver.unused.add(suite.path, error, job.model)
            jobs = [other for other in jobs if other is not job]
        elif job.folder is not None:
            locks.enter_context(own_folder(job.folder, overwrite=overwrite))
    address = os.environ.get("RAY_ADDRESS") or ray.address
    with cluster(address) if engine == "ray" else nullcontext() as module:
        share = RayShare(module, ray.cpus_per_model, ray.gpus_per_model) if module else None
        counted = partial(counting, "scoring", resumes=any(job.folder for job in jobs), patience=0)
        for job, result in score_models(jobs, task, cluster=share, counting=counted):
            if not isinstance(result, Scores):
                code = max(code, _shown(result, f"{job.model}: " if several else ""))
                continue
            if several and deliver.prints:
                tell(result.model.id)
            deliver.scores(result, job.folder, job.model if several else "")
    return code


@dataclass(frozen=True, slots=True)
class Delivery:
    """What happens to the scores of each model.

    Attributes:
        source: Who publishes the record.
        collection: First part of the record's ``evaluation_id``; the suites if None.
        version: Version of the record.
        started: When the run began, as a Unix timestamp, if the scores do not say so.
        table: A file for all regions, if wanted.
        quiet: Print no table.
        output_format: ``table``, or ``json`` for nothing but ``runs`` at the end.
        spreadsheet: Whether no cell of the table may be a formula.
        unused: What could not be scored.
        folders: The folders that were written.
        runs: The scores of each model as JSON, with the files that were written.
    """

    source: Producer
    collection: str | None
    version: str
    started: int
    table: Path | None
    quiet: bool
    output_format: str
    spreadsheet: bool
    unused: UnusedFiles
    folders: list[Path] = field(default_factory=list)
    runs: list[dict[str, Any]] = field(default_factory=list)

    @property
    def prints(self) -> bool:
        """Whether tables are printed."""
        return self.output_format != "json" and not self.quiet

    def scores(self, scores: Scores, folder: Path | None, model: str = "") -> None:
        """Show the scores of a model and write its files, if it has any."""
        for unused in scores.unused:
            self.unused.add(*unused, model)
        if not scores.suites:
            return
        print_notes(scores)
        if self.prints and any(scored.result.predictions for scored in scores.suites):
            print_scores(scores)
        print_without_predictions(scores)
        files: list[Path] = []
        if self.table is not None:
            write_table(scores, self.table, spreadsheet=self.spreadsheet)
            files.append(self.table)
        if folder is not None:
            self.folders.append(folder)
            output = write_output(
                scores,
                folder,
                source=self.source,
                collection=self.collection,
                started=scores.started or self.started,
                version=self.version,
            )
            found = (output.scores, output.regions, output.record, output.samples)
            files += [file for file in found if file is not None]
        for file in files:
            say(f"wrote {file}")
        data = {**scores_data(scores), "written": list(map(str, files))}
        del data["version"]  # that of scores.json; the whole has one
        self.runs.append(data)

    def finish(self) -> int:
        """Write the JSON, if that is wanted, and name what was not scored; the exit code."""
        if self.output_format == "json":
            put_json({"runs": self.runs, "not_scored": self.unused.data()})
        code = self.unused.say()
        if self.unused.found and self.folders:
            say(f"note: {FIXED.format(', '.join(map(str, self.folders)))}")
        return code


def _show_plans(
    models: list[str], task: ScoringTask, unused: UnusedFiles, *, as_json: bool
) -> None:
    """Print what would be scored, and what each model would compute."""
    # A suite with several metrics is one suite here.
    files = {suite.path: len(suite.suite.items) for suite in task.suites}
    count = "1 suite" if len(files) == 1 else f"{len(files)} suites"
    items = sum(files.values())
    if files and not as_json:
        tell(f"{count} with {items} items can be scored")
    plans = []
    for name in models if files else ():
        loaded = load_model(name, **task.loading)
        plan = plan_run(task.suites, loaded, task.settings, task.computing)
        for sentence in plan.too_long:
            unused.add(sentence.path, sentence.error, name)
        if not as_json and {sentence.path for sentence in plan.too_long} != set(files):
            tell(name)
            print_plan(plan)
        plans.append({"model": name, "packs": asdict(plan.packs) if plan.packs else None})
    if as_json:
        put_json(
            {
                "suites": len(files),
                "items": items,
                "plans": plans,
                "not_scored": unused.data(),
            }
        )
