"""``evalmark score``."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from evalmark.cli.checking import UnusedFiles
from evalmark.cli.scoring.delivery import (
    HINTS,
    Delivering,
    Delivery,
    ScoreCall,
    errors_shown,
    require_none,
    score_with_models,
)
from evalmark.cli.scoring.pairs import score_pair_files
from evalmark.cli.settings import settings as settings_of_folder
from evalmark.cli.typed import option
from evalmark.converters.records.record_version import chosen_version
from evalmark.pages.score_table import (
    print_notes,
    print_plan,
    print_scores,
    print_without_predictions,
)
from evalmark.schemas.errors import ScoringError
from evalmark.schemas.extras import require
from evalmark.scoring.jobs import ScoringTask
from evalmark.scoring.models.loading import load_model
from evalmark.scoring.output import lacking, run_time, scores_data, write_output
from evalmark.scoring.pairs.loading import pair_paths
from evalmark.scoring.pairs.results import PairSettings
from evalmark.scoring.planning import plan_run
from evalmark.scoring.recorded.scores import evaluated_among, score_recorded
from evalmark.scoring.scores import Scores
from evalmark.scoring.settings import Computing, Settings, pack_size
from evalmark.scoring.suites import LoadedSuite, load_suites
from evalmark.scoring.table import write_table
from evalmark.validator.edge.lines import put_json, say, tell

EPILOG = """
Example: evalmark score suites/*.json --model gpt2 --out results/
Exit code: 0 done, 1 a value is undefined, 2 a suite or something else failed.
"""


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
    method: Annotated[str | None, option("pair_method")] = None,
    exclude_impossible: Annotated[bool, option("exclude_impossible")] = False,
    limit: Annotated[int | None, option("limit")] = None,
    dry_run: Annotated[bool, option("dry_run")] = False,
    pack_tokens: Annotated[str | None, option("pack_tokens")] = None,
    engine: Annotated[str, option("score_engine")] = "local",
    out: Annotated[Path | None, option("score_out")] = None,
    overwrite: Annotated[bool, option("overwrite")] = False,
    table: Annotated[Path | None, option("table")] = None,
    spreadsheet: Annotated[bool, option("score_spreadsheet")] = False,
    model_id: Annotated[str | None, option("model_id")] = None,
    record_version: Annotated[str | None, option("record_version")] = None,
    output_format: Annotated[str, option("table_format")] = "table",
    quiet: Annotated[bool, option("quiet")] = False,
) -> None:
    """Score suites or minimal pairs with a language model, and write a record.

    Settings: [tool.evalmark.score], .record and .ray (docs/scoring.md).
    """
    models = model or []
    with errors_shown(), ExitStack() as locks:
        config = settings_of_folder(*(["ray.address"] if engine == "ray" else []))
        settings = Settings(bos, first_token, join or config.join, undefined, boundary, regions)
        _require_one_source(models, surprisals or None, recorded=recorded, dry_run=dry_run)
        if len(models) > 1 and (model_id or revision or table):
            raise ScoringError("--model-id, --revision and --table take one model")
        if table is not None and table.suffix == ".parquet":
            require("pyarrow")  # before hours of scoring
        loading: dict[str, Any] = {
            "model_id": model_id, "revision": revision, "dtype": dtype, "device": device,
            "bos": bos, "kind": kind, "allow_pickle": allow_pickle,
            "trust_remote_code": trust_remote_code,
        }  # fmt: skip
        computing = Computing(**{**config.score, **pack_size(pack_tokens)})
        version = chosen_version(record_version, config)
        call = ScoreCall(
            config, models, loading, computing, limit, dry_run, engine, out, overwrite, locks,
            Delivering(version, table, quiet, output_format, spreadsheet),
        )  # fmt: skip
        if pairs := pair_paths(paths):
            for_suites = {
                "--surprisals": surprisals, "--recorded": recorded, "--join": join,
                "--metric": metric, "--predictions": predictions,
                "--boundary": boundary != "none", "--regions": regions != "all",
            }  # fmt: skip
            require_none("minimal pairs", for_suites)
            chosen = PairSettings(settings, method, exclude_impossible)
            raise typer.Exit(score_pair_files(pairs, chosen, call))
        for_pairs = {"--method": method, "--exclude-impossible": exclude_impossible}
        require_none("suites", for_pairs)
        unused = UnusedFiles("scored", HINTS)
        suites = load_suites(
            paths, join=settings.join, metric=metric, limit=limit, predictions=predictions,
            failed=unused.add,
        )  # fmt: skip
        suites = _evaluated(suites, paths) if recorded else suites
        numbers = RecordedNumbers(surprisals or None, model_id)
        raise typer.Exit(_score_suites(suites, settings, call, unused, numbers))


class RecordedNumbers(NamedTuple):
    """Where numbers are from, if not from a model: files, or the suites themselves."""

    surprisals: list[Path] | None
    model_id: str | None


def _score_suites(
    suites: list[LoadedSuite],
    settings: Settings,
    call: ScoreCall,
    unused: UnusedFiles,
    numbers: RecordedNumbers,
) -> int:
    """Score suites; the exit code."""
    if suites:
        call.own_folder()
    task = ScoringTask(suites, settings, call.loading, call.computing, run_time())
    if call.dry_run:
        _show_plans(call.models, task, unused, as_json=not call.delivering.is_for_people)
        return unused.say()
    if any(suite.trees for suite in suites):
        call.say_who_publishes()
    deliver = SuiteDelivery(call.delivering, call.config, task.started, unused, suites=suites)
    code = 0
    if suites and call.models:
        code = score_with_models(call, task, deliver)
    elif suites:
        scores = score_recorded(
            suites, settings, surprisals=numbers.surprisals, model_id=numbers.model_id,
            keep_going=True,
        )  # fmt: skip
        deliver.scores(scores, call.out)
    return max(code, deliver.finish())


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


@dataclass(frozen=True, slots=True)
class SuiteDelivery(Delivery):
    """What happens to the scores of suites.

    Attributes:
        suites: The suites of the call.
    """

    suites: Sequence[LoadedSuite] = ()

    def lacking(self, folder: Path) -> list[str]:
        """The suites that a finished run in a folder has not scored as they are now."""
        return [suite.path for suite in lacking(folder, self.suites)]

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
        how, has_record = self.how, False
        if how.table is not None:
            write_table(scores, how.table, spreadsheet=how.spreadsheet)
            files.append(how.table)
        if folder is not None:
            output = write_output(
                scores,
                folder,
                source=self.source,
                collection=self.config.collection,
                started=scores.started or self.started,
                version=how.version,
            )
            found = (output.scores, output.regions, output.record, output.samples)
            files += [file for file in found if file is not None]
            has_record = output.record is not None
        self.wrote(scores_data(scores), files, folder, has_record=has_record)


def _show_plans(
    models: Sequence[str], task: ScoringTask, unused: UnusedFiles, *, as_json: bool
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
