"""``evalmark score``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
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
from evalmark.scoring.chance.level import ASSUMPTION
from evalmark.scoring.jobs import ModelJob, RayShare, ScoringTask, folders, score_models
from evalmark.scoring.models.loading import load_model
from evalmark.scoring.output import is_finished, own_folder, run_time, scores_data, write_output
from evalmark.scoring.recorded import score_from_surprisals, score_from_values
from evalmark.scoring.run import plan_run
from evalmark.scoring.scores import Scores, groups
from evalmark.scoring.settings import Computing, Settings
from evalmark.scoring.suites import LoadedSuite, load_suites
from evalmark.scoring.surprisals.packs import PackPlan
from evalmark.scoring.table import unique_names, write_table
from evalmark.validator.batch.ray_cluster import cluster
from evalmark.validator.config import RayConfig, load_config
from evalmark.validator.edge.lines import complain, complain_of, put_json, say, tell
from evalmark.validator.edge.progress import counting
from evalmark.validator.edge.tables import plain_table
from evalmark.validator.edge.tables import write_table as print_rows

EPILOG = """
Examples:
  evalmark score suites/*.json --model gpt2 --out results/
  evalmark score suite.json --surprisals surprisals.tsv
Exit code: 0 done, 1 a value is undefined, 2 something failed.
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
    spreadsheet: Annotated[bool, option("score_spreadsheet")] = False,
    model_id: Annotated[str | None, option("model_id")] = None,
    record_version: Annotated[str, option("record_version")] = RECORD_VERSION,
    output_format: Annotated[str, option("table_format")] = "table",
    quiet: Annotated[bool, option("quiet")] = False,
) -> None:
    """Score suites with a language model, print accuracies, and write a record.

    Configuration: [tool.evalmark.score], .record and .ray (docs/scoring.md).
    """
    models = model or []
    with errors_shown(), ExitStack() as locks:
        config = load_config()
        settings = Settings(bos, first_token, join or config.join, undefined, boundary)
        _require_one_source(models, surprisals, recorded=recorded, dry_run=dry_run)
        if len(models) > 1 and (model_id or revision or table):
            raise ScoringError("--model-id, --revision and --table take one model")
        if table is not None and table.suffix == ".parquet":
            require("pyarrow")  # before hours of scoring
        jobs = [ModelJob(*job) for job in zip(models, folders(models, out), strict=True)]
        if out is not None and len(jobs) < 2 and not dry_run:
            locks.enter_context(own_folder(out, overwrite=overwrite))
        suites = load_suites(paths, join=settings.join, metric=metric, limit=limit)
        loading: dict[str, Any] = {
            "model_id": model_id, "revision": revision, "dtype": dtype, "device": device,
            "bos": bos, "kind": kind, "allow_pickle": allow_pickle,
            "trust_remote_code": trust_remote_code,
        }  # fmt: skip
        started, computing = run_time(), Computing(**config.score)
        task = ScoringTask(suites, settings, loading, computing, started)
        if dry_run:
            _show_plans(models, task, as_json=output_format == "json")
            return
        source = Producer(config.organization, config.relationship)
        if out is not None and not source.is_stated and any(suite.trees for suite in suites):
            say(f"note: {UNSTATED}")
        deliver = Delivery(
            source, config.collection, record_version, started, table, quiet, output_format,
            spreadsheet,
        )  # fmt: skip
        code = 0
        if jobs:
            code = _score_models(
                jobs, task, deliver, engine, config.ray, locks, overwrite=overwrite
            )
        elif surprisals is not None:
            _require_one_file(suites)
            found = [score_from_surprisals(suite, surprisals, settings) for suite in suites]
            scored = tuple(suite for scores in found for suite in scores.suites)
            deliver.scores(replace(found[0], suites=scored), out)
        else:
            _require_one_file(suites)
            deliver.scores(score_from_values(suites[0].path, settings, metric=metric), out)
        if output_format == "json":
            put_json({"runs": deliver.runs})
        raise typer.Exit(code)


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


def _require_one_file(suites: Sequence[LoadedSuite]) -> None:
    metrics = {suite.suite.metric for suite in suites}
    if len({suite.path for suite in suites}) != 1 or len(metrics) != len(suites):
        raise ScoringError("--surprisals and --recorded take one suite")


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
            deliver.scores(result, job.folder)
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
        runs: The scores of each model as JSON, with the files that were written.
    """

    source: Producer
    collection: str | None
    version: str
    started: int
    table: Path | None
    quiet: bool
    output_format: str
    spreadsheet: bool = False
    runs: list[dict[str, Any]] = field(default_factory=list)

    @property
    def prints(self) -> bool:
        """Whether tables are printed."""
        return self.output_format != "json" and not self.quiet

    def scores(self, scores: Scores, folder: Path | None) -> None:
        """Show the scores of a model and write its files."""
        if scores.computed and scores.computed.reason:
            say(f"note: padded batches are used: {scores.computed.reason}")
        if self.prints and any(scored.result.predictions for scored in scores.suites):
            print_table(scores)
        print_without_predictions(scores)
        files: list[Path] = []
        if self.table is not None:
            write_table(scores, self.table, spreadsheet=self.spreadsheet)
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
            found = (output.scores, output.regions, output.record, output.samples)
            files += [file for file in found if file is not None]
        for file in files:
            say(f"wrote {file}")
        data = {**scores_data(scores), "written": list(map(str, files))}
        del data["version"]  # that of scores.json; the whole has one
        self.runs.append(data)


def _show_plans(models: list[str], task: ScoringTask, *, as_json: bool) -> None:
    """Print what would be scored, and what each model would compute."""
    # A suite with several metrics is one suite here.
    files = {suite.path: len(suite.suite.items) for suite in task.suites}
    count = "1 suite" if len(files) == 1 else f"{len(files)} suites"
    items = sum(files.values())
    if not as_json:
        tell(f"{count} with {items} items can be scored")
    plans = []
    for name in models:
        plan = plan_run(task.suites, load_model(name, **task.loading), task.computing.pack_tokens)
        if not as_json:
            tell(name)
            print_plan(plan)
        plans.append({"model": name, "packs": asdict(plan) if plan else None})
    if as_json:
        put_json({"suites": len(files), "items": items, "plans": plans})


def print_without_predictions(scores: Scores) -> None:
    """Say which suites have surprisals and no accuracy."""
    without = [scored.source for scored in scores.suites if not scored.result.predictions]
    names = list({source.path: source.suite.name for source in without}.values())
    if names:
        have = "has" if len(names) == 1 else "have"
        say(f"note: {', '.join(names)} {have} no predictions: surprisals, but no result or record")


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
    for name, scored in zip(unique_names(scores), scores.suites, strict=True):
        items = len(scored.source.suite.items)
        columns = [(str(i), p.correct) for i, p in enumerate(scored.result.predictions, 1)]
        if len(columns) > 1:
            columns.append(("all", sum(scored.result.conjunction)))
        first = name
        for (label, correct), chance in zip(columns, scored.chances, strict=False):
            lower, upper = wilson_interval(correct / items, items)
            table.add_row(
                first,
                label,
                str(items),
                str(correct),
                f"{correct / items:.3f}",
                f"{lower:.2f} to {upper:.2f}",
                chance.shown,
            )
            first = ""
    averages = [group for group in groups(scores) if len(group.suites) > 1]
    if averages:
        table.add_section()
    for group in averages:
        label = f"average of {len(group.suites)} suites"
        label += f" tagged {group.tag}" if group.tag else ""
        label += f", {group.metric}" if group.metric else ""
        mean = f"{group.accuracy:.3f}"
        table.add_row(label, "all", "", "", mean, "", group.chance.shown)
    print_rows(table)
    tell(f"Chance: {ASSUMPTION}; in parentheses the exact number, or its standard error.")
    results = zip(unique_names(scores), scores.suites, strict=True)
    ties = {name: scored.result.ties for name, scored in results if scored.result.ties}
    if ties:
        tell("")
        tell("Decided by rounding (margin below 1e-4 bits), by item number:")
    for name, tied in ties.items():
        tell(f"  {name}: {', '.join(map(str, tied))}")
