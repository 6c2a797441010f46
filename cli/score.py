"""``evalmark score``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from evalmark.cli.typed import option
from evalmark.converters.records.run import UNSTATED, Producer
from evalmark.converters.records.statistics import wilson_interval
from evalmark.converters.records.writer import RECORD_VERSION
from evalmark.schemas.errors import EvalmarkError, ScoringError, UndefinedValue
from evalmark.schemas.extras import require
from evalmark.scoring.jobs import ModelJob, RayShare, ScoringTask, folders, score_models
from evalmark.scoring.models.loading import load_model
from evalmark.scoring.output import is_finished, prepare_folder, run_time, write_output
from evalmark.scoring.recorded import score_from_surprisals, score_from_values
from evalmark.scoring.run import plan_run
from evalmark.scoring.scores import Scores, groups
from evalmark.scoring.settings import Computing, Settings
from evalmark.scoring.suites import load_suites
from evalmark.scoring.surprisals.packs import PackPlan
from evalmark.scoring.table import write_table
from evalmark.validator.batch.ray_cluster import cluster
from evalmark.validator.config import RayConfig, load_config
from evalmark.validator.edge.lines import complain, complain_of, say, tell
from evalmark.validator.edge.progress import counting
from evalmark.validator.edge.tables import plain_table
from evalmark.validator.edge.tables import write_table as print_rows

EPILOG = """
Examples:
  evalmark score suites/*.json --model gpt2 --out results/
  evalmark score suite.json --surprisals surprisals.tsv
Exit code: 0 done, 1 a value is undefined, 2 could not run.
"""

UNDEFINED = 1
#: Argument of the library -> what the user can do about it here.
HINTS = {
    "kind": "`--kind masked` scores masked models",
    "overwrite": "--overwrite writes to it",
    "trust_remote_code": "--trust-remote-code runs it",
    "undefined": "`--undefined false` counts such predictions as false, `--first-token zero` such "
    "tokens as 0 bits",
}


def command(
    paths: Annotated[list[str], option("score_paths")],
    model: Annotated[list[str] | None, option("score_model")] = None,
    surprisals: Annotated[Path | None, option("surprisals")] = None,
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
    join: Annotated[str | None, option("score_join")] = None,
    undefined: Annotated[str, option("undefined")] = "refuse",
    metric: Annotated[str | None, option("score_metric")] = None,
    limit: Annotated[int | None, option("limit")] = None,
    dry_run: Annotated[bool, option("dry_run")] = False,
    engine: Annotated[str, option("score_engine")] = "local",
    out: Annotated[Path | None, option("score_out")] = None,
    overwrite: Annotated[bool, option("overwrite")] = False,
    table: Annotated[Path | None, option("table")] = None,
    model_id: Annotated[str | None, option("model_id")] = None,
    record_version: Annotated[str, option("record_version")] = RECORD_VERSION,
    quiet: Annotated[bool, option("quiet")] = False,
) -> None:
    """Score suites with a language model, print accuracies, and write a record.

    Configuration: [tool.evalmark.score], .record and .ray (docs/scoring.md).
    """
    models = model or []
    with errors_shown():
        config = load_config()
        settings = Settings(bos, first_token, join or config.join, undefined, boundary)
        _require_one_source(models, surprisals, recorded=recorded, dry_run=dry_run)
        if len(models) > 1 and (model_id or revision or table):
            raise ScoringError("--model-id, --revision and --table take one model")
        if table is not None and table.suffix == ".parquet":
            require("pyarrow")  # before hours of scoring
        jobs = [ModelJob(*job) for job in zip(models, folders(models, out), strict=True)]
        if out is not None and len(jobs) < 2 and not dry_run:
            prepare_folder(out, overwrite=overwrite)
        suites = load_suites(paths, join=settings.join, metric=metric, limit=limit)
        loading: dict[str, Any] = {
            "model_id": model_id, "revision": revision, "dtype": dtype, "device": device,
            "bos": bos, "kind": kind, "allow_pickle": allow_pickle,
            "trust_remote_code": trust_remote_code,
        }  # fmt: skip
        started, computing = run_time(), Computing(**config.score)
        task = ScoringTask(suites, settings, loading, computing, started)
        if dry_run:
            items = sum(len(suite.suite.items) for suite in suites)
            count = "1 suite" if len(suites) == 1 else f"{len(suites)} suites"
            tell(f"{count} with {items} items can be scored")
            for name in models:
                tell(name)
                print_plan(plan_run(suites, load_model(name, **loading), computing.pack_tokens))
            return
        source = Producer(config.organization, config.relationship)
        if out is not None and not source.is_stated:
            say(f"note: {UNSTATED}")
        deliver = Delivery(source, config.collection, record_version, started, table, quiet)
        if jobs:
            code = _score_models(jobs, task, deliver, engine, config.ray, overwrite=overwrite)
            raise typer.Exit(code)
        if len(suites) != 1:
            raise ScoringError("--surprisals and --recorded take one suite")
        if surprisals is not None:
            deliver.scores(score_from_surprisals(suites[0], surprisals, settings), out)
        else:
            deliver.scores(score_from_values(suites[0].path, settings, metric=metric), out)


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
    hint = HINTS.get(getattr(error, "argument", ""))
    code = complain(f"{prefix}{error}; {hint}" if hint else f"{prefix}{error}")
    return UNDEFINED if isinstance(error, UndefinedValue) else code


def _require_one_source(
    models: list[str], surprisals: Path | None, *, recorded: bool, dry_run: bool
) -> None:
    given = bool(models) + (surprisals is not None) + recorded
    if given > 1:
        raise ScoringError("give only one of --model, --surprisals or --recorded")
    if not given and not dry_run:
        raise ScoringError("nothing to score with: give --model, --surprisals or --recorded")


def _score_models(
    jobs: list[ModelJob],
    task: ScoringTask,
    deliver: Delivery,
    engine: str,
    ray: RayConfig,
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
            jobs = [other for other in jobs if other is not job]
        elif job.folder is not None:
            prepare_folder(job.folder, overwrite=overwrite)
    address = os.environ.get("RAY_ADDRESS") or ray.address
    with cluster(address) if engine == "ray" else nullcontext() as module:
        share = RayShare(module, ray.cpus_per_model, ray.gpus_per_model) if module else None
        counted = partial(counting, "scoring")
        for job, result in score_models(jobs, task, cluster=share, counting=counted):
            if not isinstance(result, Scores):
                code = max(code, _shown(result, f"{job.model}: " if several else ""))
                continue
            if several and not deliver.quiet:
                tell(result.model.id)
            deliver.scores(result, job.folder)
    return code


@dataclass(frozen=True, slots=True)
class Delivery:
    """What happens to the scores of each model.

    Attributes:
        source: Who publishes the record.
        collection: First part of the record's ``evaluation_id``.
        version: Version of the record.
        started: When the run began, as a Unix timestamp, if the scores do not say so.
        table: A file for all regions, if wanted.
        quiet: Print no table.
    """

    source: Producer
    collection: str
    version: str
    started: int
    table: Path | None
    quiet: bool

    def scores(self, scores: Scores, folder: Path | None) -> None:
        """Show the scores of a model and write its files."""
        if scores.computed and scores.computed.reason:
            say(f"note: padded batches are used: {scores.computed.reason}")
        if not self.quiet:
            print_table(scores)
        files: list[Path] = []
        if self.table is not None:
            write_table(scores, self.table)
            files.append(self.table)
        if folder is not None:
            output = write_output(
                scores,
                folder,
                source=self.source,
                collection=self.collection,
                started=scores.started or self.started,
                version=self.version,
            )
            files += (output.scores, output.regions, output.record, output.samples)
        for file in files:
            say(f"wrote {file}")


def print_plan(plan: PackPlan | None) -> None:
    """Print what a run would compute."""
    if plan is None:
        tell("a masked model reads one row for each token")
        return
    rows = (
        ("distinct sentences", f"{plan.sentences}"),
        ("their tokens", f"{plan.tokens}"),
        ("distinct prefixes", f"{plan.prefixes}"),
        ("packs", f"{plan.packs}, the largest of {plan.largest} tokens"),
        ("tokens to read", f"{plan.read}, {plan.saving:.2f} times fewer"),
    )
    for name, value in rows:
        tell(f"{name:20} {value}")


def print_table(scores: Scores) -> None:
    """Print accuracies against chance, and what rounding decided."""
    numbers = ("items", "correct", "accuracy", "95 % interval", "chance")
    table = plain_table(("suite", "prediction"), numbers)
    for scored in scores.suites:
        name = scored.source.suite.name
        items = len(scored.source.suite.items)
        columns = [(str(i), p.correct) for i, p in enumerate(scored.result.predictions, 1)]
        if len(columns) > 1:
            columns.append(("all", sum(scored.result.conjunction)))
        for (label, correct), chance in zip(columns, scored.chances, strict=False):
            lower, upper = wilson_interval(correct / items, items)
            table.add_row(
                name,
                label,
                str(items),
                str(correct),
                f"{correct / items:.3f}",
                f"{lower:.2f} to {upper:.2f}",
                f"{chance:.3f}",
            )
            name = ""
    averages = [group for group in groups(scores) if len(group.suites) > 1]
    if averages:
        table.add_section()
    for group in averages:
        label = f"average of {len(group.suites)} suites"
        if group.tag:
            label += f" tagged {group.tag}"
        mean = f"{group.accuracy:.3f}"
        table.add_row(label, "all", "", "", mean, "", f"{group.chance:.3f}")
    print_rows(table)
    ties = [scored for scored in scores.suites if scored.result.ties]
    if ties:
        tell("")
        tell("Decided by rounding (margin below 1e-4 bits), by item number:")
    for scored in ties:
        tell(f"  {scored.source.suite.name}: {', '.join(map(str, scored.result.ties))}")
