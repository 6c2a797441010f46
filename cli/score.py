"""``evalmark score``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from evalmark.cli.checking import FOUND
from evalmark.cli.lines import complain, complain_of, tell
from evalmark.cli.record_source import record_source
from evalmark.cli.score_output import Delivery, print_plan
from evalmark.cli.scoring_jobs import Engine, Job, folders
from evalmark.converters.formats import format_of
from evalmark.converters.records.writer import RECORD_VERSION, WRITTEN_VERSIONS
from evalmark.schemas.errors import ClusterError, ConfigError, ScoringError, UndefinedValue
from evalmark.scoring.models.loading import DEMO, KINDS, load_model
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel
from evalmark.scoring.output import prepare_folder, run_time
from evalmark.scoring.recorded import score_evaluated
from evalmark.scoring.run import score_recorded
from evalmark.scoring.settings import Settings
from evalmark.scoring.suites import LoadedSuite, load_suite
from evalmark.scoring.surprisals.packs import PACK_TOKENS, packs, plan
from evalmark.scoring.surprisals.prefixes import BATCH_TOKENS, PrefixTree
from evalmark.scoring.surprisals.tokens import tokenize
from evalmark.validator.batch.walking import expand
from evalmark.validator.config import load_config
from evalmark.validator.kinds import could_be_ours
from evalmark.validator.reading.reading import read
from evalmark.validator.views.sentences import JOINS

EPILOG = """Examples:

evalmark score suites/*.json --model gpt2 --out results/

evalmark score suite.json --model ./my-model --model-id my-lab/my-model

evalmark score suite.json --surprisals surprisals.tsv

evalmark score suites/ --model gpt2 --plan

evalmark score suites/ --model gpt2 --model gpt2-medium --engine ray --out results/

Exit code: 0 done, 1 a value is undefined, 2 could not run.
"""

Join = StrEnum("Join", {name: name for name in JOINS})  # type: ignore[misc]
FirstToken = StrEnum("FirstToken", {name: name for name in ("undefined", "zero")})  # type: ignore[misc]
Undefined = StrEnum("Undefined", {name: name for name in ("refuse", "false")})  # type: ignore[misc]
DType = StrEnum(  # type: ignore[misc]
    "DType", {name: name for name in ("auto", "float32", "float64", "bfloat16", "float16")}
)
Device = StrEnum("Device", {name: name for name in ("auto", "cpu", "cuda", "mps")})  # type: ignore[misc]
Kind = StrEnum("Kind", {name: name for name in ("auto", *KINDS)})  # type: ignore[misc]
Boundary = StrEnum("Boundary", {name: name for name in ("none", "corrected")})  # type: ignore[misc]
EngineName = StrEnum("EngineName", {name: name for name in ("local", "ray")})  # type: ignore[misc]
Way = StrEnum("Way", {name: name for name in ("auto", "padded")})  # type: ignore[misc]
RecordVersion = StrEnum(  # type: ignore[misc]
    "RecordVersion", {name: name for name in WRITTEN_VERSIONS}
)
Relationship = StrEnum(  # type: ignore[misc]
    "Relationship",
    {name: name for name in ("first_party", "third_party", "collaborative", "other")},
)


def command(
    paths: Annotated[
        list[str], typer.Argument(metavar="SUITES|FOLDERS", help="Suites, of any dialect.")
    ],
    model: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Folder, name on the Hugging Face hub, or `{DEMO}` (bundled); may be repeated."
        ),
    ] = None,
    surprisals: Annotated[
        Path | None, typer.Option(help="Take surprisals from this TSV instead of a model.")
    ] = None,
    recorded: Annotated[
        bool,
        typer.Option("--recorded", help="Take the metric_value that an evaluated suite carries."),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for record, samples and scores.json; of several models, for one of each."
        ),
    ] = None,
    table: Annotated[
        Path | None, typer.Option(help="Write every region as a row of this CSV or .parquet file.")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Write to --out even if it has content.")
    ] = False,
    model_id: Annotated[
        str | None, typer.Option(help="What the record calls the model: organization/model.")
    ] = None,
    revision: Annotated[
        str | None, typer.Option(help="Branch, tag or commit of a hub model.")
    ] = None,
    dtype: Annotated[DType, typer.Option(help="Number format of the weights.")] = DType("float32"),
    device: Annotated[Device, typer.Option(help="Where to run.")] = Device("auto"),
    kind: Annotated[
        Kind, typer.Option(help="How the model reads (default: as its configuration says).")
    ] = Kind("auto"),
    allow_pickle: Annotated[
        bool,
        typer.Option("--allow-pickle", help="Weights that are no safetensors: they can run code."),
    ] = False,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Run the code that comes with the model.")
    ] = False,
    path: Annotated[
        Way, typer.Option(help="Packs of prefixes where the model can read them, or padded rows.")
    ] = Way("auto"),
    pack_tokens: Annotated[
        int, typer.Option(min=1, help="Tokens of one pack of prefixes.")
    ] = PACK_TOKENS,
    batch_tokens: Annotated[
        int, typer.Option(min=1, help="Tokens of one padded batch, padding included.")
    ] = BATCH_TOKENS,
    bos: Annotated[
        str, typer.Option(metavar="auto|none|TOKEN", help="What is put before a sentence.")
    ] = "auto",
    first_token: Annotated[
        FirstToken, typer.Option(help="The first token's surprisal without BOS.")
    ] = FirstToken("undefined"),
    boundary: Annotated[
        Boundary, typer.Option(help="Token sums, or the probability of whole words.")
    ] = Boundary("none"),
    join: Annotated[
        Join | None, typer.Option(help="How regions become sentences (default: core).")
    ] = None,
    undefined: Annotated[
        Undefined, typer.Option(help="What an undefined value does to a prediction.")
    ] = Undefined("refuse"),
    metric: Annotated[
        str | None, typer.Option(help="The metric to use where a legacy suite names several.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first items of each suite, to try it out.")
    ] = None,
    show_plan: Annotated[
        bool, typer.Option("--plan", help="Print what would be computed, and stop.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and check the suites, and stop.")
    ] = False,
    record_version: Annotated[
        RecordVersion, typer.Option(help="Version of the record.")
    ] = RecordVersion(RECORD_VERSION),
    collection: Annotated[
        str, typer.Option(help="First part of the record's evaluation_id.")
    ] = "evalmark",
    organization: Annotated[str | None, typer.Option(help="Who stands behind the record.")] = None,
    relationship: Annotated[
        Relationship | None, typer.Option(help="Their relationship to the maker of the model.")
    ] = None,
    engine: Annotated[
        EngineName, typer.Option(help="Where models run: on this machine, or on a Ray cluster.")
    ] = EngineName("local"),
    ray_address: Annotated[
        str | None,
        typer.Option(
            envvar="RAY_ADDRESS", help="The cluster (default: one of this machine, for this call)."
        ),
    ] = None,
    cpus_per_model: Annotated[
        float, typer.Option(min=0.1, help="Processors that Ray keeps for a model.")
    ] = 1,
    gpus_per_model: Annotated[
        float, typer.Option(min=0, help="GPUs that Ray keeps for a model; 0.5: two share one.")
    ] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No table.")] = False,
) -> None:
    """Score suites with a language model and write a record.

    Surprisals are in bits. A table of accuracies against chance goes to stdout; --out also writes
    the record, one sample row for each item and result, and scores.json.
    """
    started = run_time()
    try:
        config = load_config()
        settings = Settings(
            bos=bos,
            first_token=str(first_token),
            join=str(join) if join else config.join,
            undefined=str(undefined),
            boundary=str(boundary),
        )
        models = model or []
        sources = bool(models) + (surprisals is not None) + recorded
        if sources != 1 and not (dry_run and sources == 0):
            raise ScoringError("say where numbers come from: --model, --surprisals or --recorded")
        if len(models) > 1 and (model_id or revision or show_plan or table):
            raise ScoringError("--model-id, --revision, --plan and --table go with one model")
        places = folders(models, out)
        if out is not None and len(models) < 2 and not (dry_run or show_plan):
            prepare_folder(out, overwrite=overwrite)
        suites = _suites(paths, settings.join, metric, limit)
        if dry_run:
            items = sum(len(suite.suite.items) for suite in suites)
            tell(f"{len(suites)} suites, {items} items: they can be scored")
            return
        deliver = Delivery(
            quiet,
            table,
            record_source(organization, relationship and str(relationship), config)
            if out
            else None,
            collection,
            started,
            str(record_version),
        )
        if recorded or surprisals is not None:
            if len(suites) != 1:
                raise ScoringError("--surprisals and --recorded go with one suite")
            if settings.boundary != "none":
                raise ScoringError(
                    "--boundary corrected goes with --model: values that were recorded do not say "
                    "how likely a word's end was"
                )
            if surprisals is not None:
                deliver.scores(score_recorded(suites[0], surprisals, settings), out)
            else:
                deliver.scores(score_evaluated(suites[0].path, settings, metric=metric), out)
            return
        loading: dict[str, Any] = {
            "model_id": model_id,
            "revision": revision,
            "dtype": str(dtype),
            "device": str(device),
            "bos": bos,
            "kind": str(kind),
            "allow_pickle": allow_pickle,
            "trust_remote_code": trust_remote_code,
        }
        if show_plan:
            _plan(load_model(models[0], **loading), suites, pack_tokens)
            return
        how = {
            "batch_tokens": batch_tokens,
            "pack_tokens": pack_tokens,
            "path": str(path),
            "started": started,
        }
        jobs = [
            Job(name, folder, settings, loading, how)
            for name, folder in zip(models, places, strict=True)
        ]
        where = Engine(str(engine), ray_address, cpus_per_model, gpus_per_model)
        code = deliver.jobs(jobs, suites, where, overwrite=overwrite)
        if code:
            raise typer.Exit(code)
    except UndefinedValue as error:
        complain(str(error))
        raise typer.Exit(FOUND) from None
    except (ScoringError, ConfigError, ClusterError) as error:
        raise typer.Exit(complain(str(error))) from None
    except OSError as error:
        raise typer.Exit(complain_of(error)) from None


def _plan(
    model: LanguageModel | MaskedLanguageModel, suites: list[LoadedSuite], pack_tokens: int
) -> None:
    """Print what would be computed."""
    if model.kind == "masked":
        raise ScoringError("--plan shows packs; a masked model is asked token by token")
    rows = [model.bos + tokens.ids for tokens in tokenize(suites, model).values()]
    tree = PrefixTree(rows)
    print_plan(plan(tree, rows, list(packs(tree, pack_tokens))))


def _suites(
    paths: list[str], join: str, metric: str | None, limit: int | None
) -> list[LoadedSuite]:
    suites = []
    for path, named in expand(paths):
        if not named and not _is_suite(path):
            continue
        suites.append(load_suite(path, join=join, metric=metric, limit=limit))
    if not suites:
        raise ScoringError("no suites to score")
    return suites


def _is_suite(path: str) -> bool:
    try:
        raw = Path(path).read_bytes()
    except OSError:
        return False
    if not could_be_ours(raw):
        return False
    form = format_of(read(raw, path).data)
    return form is not None and form.startswith("suite")
