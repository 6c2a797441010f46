"""``evalmark score``."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer
from evalmark.cli.command import Command, Details, new_app
from evalmark.cli.options import (
    AtLeastOption,
    ModelIdOption,
    QuietOption,
    RecordVersionOption,
    ScorePairsOption,
    model_option,
    one_of,
    output_option,
    read_jobs,
    refuse_dash,
    scoring_option,
    shared,
)
from evalmark.cli.settings import settings as settings_of_folder
from evalmark.schemas.errors import ScoringError, require
from evalmark.scoring.named_settings import (
    NAMED,
    Chosen,
    SettingsChoice,
    choice_of,
    settings_of,
)
from evalmark.scoring.score_settings import (
    BOUNDARIES,
    DEVICE_MAPS,
    DEVICES,
    DTYPES,
    FIRST_TOKENS,
    MASKED_METHODS,
    MODEL_KINDS,
    REGIONS,
    UNDEFINED,
    Computing,
)
from evalmark.validator.formats.pairs.pair_sets import METHODS
from evalmark.validator.formats.suites.suite import JOINS
from evalmark.validator.io.terminal import say
from evalmark.validator.options.pair_columns import stated_tables

app = new_app()

EPILOG = """
\b
Example: evalmark score suites/*.json --model gpt2 --out results/
Exit code: 0 done, 1 undefined value or below --at-least, 2 something failed.
Settings: [tool.evalmark.score], .record and .ray in pyproject.toml.
"""


#: The value of ``--surprisals`` that is not a file: the numbers that suites have.
RECORDED = Path("recorded")
#: The values of ``--also``, and the format of a table with each prediction or UID.
PARQUET, TOKENS, DETAILS = "parquet", "tokens", "details"
TEXTS = "pairs"
EXPORTS = ("regions", TEXTS, "effects", TOKENS, PARQUET)
#: Names that share a model among devices; accelerate's `auto` means one device here.
SHARED = DEVICE_MAPS[1:]

PathsArgument = Annotated[
    list[str],
    typer.Argument(metavar="SUITES|PAIRS|FOLDERS", help="Suites, or minimal pairs; or `demo`."),
]
ModelOption = Annotated[
    list[str] | None,
    model_option(
        "--model", metavar="MODEL", help="Folder, Hugging Face name or `demo`; repeatable."
    ),
]
SurprisalsOption = Annotated[
    list[Path] | None,
    model_option(
        "--surprisals",
        metavar="PATH|recorded",
        help="Score surprisals from TSV files; `recorded`: from the suites.",
    ),
    Details(
        "`recorded` takes the `metric_value` of evaluated suites; a file of this name is "
        "`./recorded`."
    ),
]
RevisionOption = Annotated[
    str | None,
    model_option(
        "--revision",
        metavar="NAME,...",
        help="Revisions on the hub, or checkpoints in a folder; `*` matches any.",
    ),
    Details(
        "Names with commas between them: of checkpoints in a folder, or of branches, tags and "
        "commits on the hub, where wildcards need a connection. `--model lab/model@step1000` "
        "names one revision."
    ),
]
KindOption = Annotated[
    str,
    model_option(
        "--kind",
        metavar="KIND",
        **one_of("model kind", ("auto", *MODEL_KINDS)),
        show_default=False,
        help="auto (default), causal, masked or mntp.",
    ),
    Details(
        "`mntp` is for masked models that were trained to predict a masked token at the token "
        "before it (masked next-token prediction, as GPT-BERT); a configuration does not show "
        "this. A model loaded as causal is refused if what follows changes what it predicts."
    ),
]
DtypeOption = Annotated[
    str,
    model_option(
        "--dtype",
        metavar="DTYPE",
        **one_of("dtype", ("auto", *DTYPES)),
        show_default=False,
        help="float32 (default), float64, bfloat16, float16, auto.",
    ),
    Details(
        "`auto` is the dtype of the model's configuration. Logits have at least float32 in any "
        "case. In bfloat16, errors are [thousands of times as large](definitions.md#rounding) as "
        "in float32."
    ),
]
ScoreDeviceOption = Annotated[
    str,
    model_option(
        "--device",
        metavar="DEVICE",
        **one_of("device", ("auto", *DEVICES, *SHARED)),
        show_default=False,
        help="auto (default), cpu, cuda, mps; several: balanced, sequential.",
    ),
    Details(
        "The last two share a model among devices, as accelerate does (extra `device-map`; tried "
        "on one CPU only). A model that does not fit into their memory is refused, not moved to "
        "the disk."
    ),
]
AllowPickleOption = Annotated[
    bool,
    model_option("--allow-pickle", help="Allow pickled weights (they can execute code)."),
    Details(
        "They are read with `torch.load(weights_only=True)`, never as code that comes with a "
        "folder."
    ),
]
TrustRemoteCodeOption = Annotated[
    bool, model_option("--trust-remote-code", help="Run the code that comes with the model.")
]
LikeOption = Annotated[
    str | None,
    scoring_option(
        "--like",
        metavar="NAME",
        **one_of("named settings", NAMED),
        help="For pairs, like babylm, lm-eval or minicons.",
    ),
    Details(
        "What each decides: [settings of other "
        "programs](definitions.md#settings-of-other-programs). Options given as well override it; "
        "a note and the record say so (`like: babylm, except bos none`)."
    ),
]
BosOption = Annotated[
    str | None,
    scoring_option(
        "--bos",
        metavar="TOKEN",
        help="auto (default), none, tokenizer, bos-or-eos or TOKEN.",
    ),
    Details(
        "`auto`: BOS, if the tokenizer has one; `tokenizer`: what the tokenizer itself puts "
        "before a text; `bos-or-eos`: EOS if there is no BOS. TOKEN is any of the vocabulary, "
        "also one that is the unknown token as well, as in GPT-2 and Pythia."
    ),
]
FirstTokenOption = Annotated[
    str | None,
    scoring_option(
        "--first-token",
        metavar="VALUE",
        **one_of("first token", FIRST_TOKENS),
        help="Without BOS: undefined (default), zero, excluded.",
    ),
    Details(
        "`zero`: 0 bits, and counted in the number of tokens of a mean; `excluded`: left out of "
        "sums and means (of minimal pairs only)."
    ),
]
LeadingSpaceOption = Annotated[
    str | None,
    scoring_option(
        "--leading-space",
        metavar="WHEN",
        **one_of("leading space", ("yes", "no")),
        help="For pairs, put a space first: yes, or no (default).",
    ),
]
MaskedMethodOption = Annotated[
    str | None,
    scoring_option(
        "--masked-method",
        metavar="HOW",
        **one_of("masked method", MASKED_METHODS),
        help="Masked models: within-word (default), or original.",
    ),
]
BoundaryOption = Annotated[
    str,
    scoring_option(
        "--boundary",
        metavar="TERM",
        **one_of("boundary", BOUNDARIES),
        show_default=False,
        help="none (default), or corrected: whole-word surprisals.",
    ),
    Details(
        "See [word boundaries](definitions.md#word-boundaries). For metric `sum` and causal models."
    ),
]
RegionsOption = Annotated[
    str,
    scoring_option(
        "--regions",
        metavar="WHICH",
        **one_of("score regions", REGIONS),
        show_default=False,
        help="all (default), or predicted: those of predictions.",
    ),
    Details(
        "`predicted` computes the regions that predictions refer to, and all regions of a "
        "condition for a `*`. It needs a model and suites with predictions. Outcomes differ only "
        "by rounding; tables, samples and pages have the computed regions only, and "
        "`conditions_not_computed` lists conditions without predictions. A run with other regions "
        "is not resumed but starts over."
    ),
]
JoinOption = Annotated[
    str | None,
    scoring_option(
        "--join",
        metavar="RULE",
        **one_of("score join", JOINS),
        help="How to join regions: core, hf, brainscore, none.",
    ),
    Details(
        "`core` drops regions without text, strips leading spaces and joins with one space; `hf` "
        "then removes the space before `.` and `,`; `brainscore` strips nothing and removes the "
        "space before `. , ! ? ; :`; `none` puts nothing between regions."
    ),
]
UndefinedOption = Annotated[
    str,
    scoring_option(
        "--undefined",
        metavar="OUTCOME",
        **one_of("undefined", UNDEFINED),
        show_default=False,
        help="Undefined values: refuse (default), or false.",
    ),
    Details(
        "`refuse`: the suite is not scored (exit code 1); `false`: the prediction counts as "
        "false. An item is never dropped."
    ),
]
MetricOption = Annotated[
    str | None,
    scoring_option(
        "--metric", metavar="NAME", help="The metric of a suite that names none, or several."
    ),
    Details(
        "Only suites of bare formulas have a default (`sum`). `metric_from` of the record is "
        "`format` or `caller`."
    ),
]
PredictionsOption = Annotated[
    Path | None,
    scoring_option(
        "--predictions", metavar="PATH", help="For suites without predictions: formulas or suites."
    ),
    Details(
        "A file of formulas (one per line, or a JSON list) applies to all suites without "
        "predictions. A suite gives its predictions to the only such suite, or to that of the "
        "same name; so does a folder of suites, or of formulas in NAME.txt. The record names the "
        "source (`predictions_from`)."
    ),
]
MethodOption = Annotated[
    str | None,
    scoring_option(
        "--method",
        metavar="METHOD",
        **one_of("pair method", METHODS),
        help="For pairs: sum, mean, per-char, one-prefix, two-prefix, conditional, one-context.",
    ),
    Details(
        "Each set has [its own](definitions.md#sets-of-minimal-pairs) by default. What each "
        "compares: [scores of minimal pairs](definitions.md#scores-of-minimal-pairs)."
    ),
]
LimitOption = Annotated[
    int | None,
    scoring_option("--limit", metavar="N", min=1, help="Only the first N items of each file."),
    Details(
        'To try a set-up: record, table and report say "5 of 48 items", and `check` warns (EE212).'
    ),
]
DryRunOption = Annotated[
    bool, scoring_option("--dry-run", help="Only check files; with --model, print a plan too.")
]
ScoreJobsOption = Annotated[
    str | None,
    scoring_option(
        "--jobs",
        "-j",
        metavar="N|ray",
        parser=read_jobs,
        show_default=False,
        help="Models scored at a time (default 1); `ray`: on a Ray cluster.",
    ),
    Details(
        "Each in a process with its share of the processors (`OMP_NUM_THREADS` sets another). The "
        "files are those of one model after the other, apart from last bits. A process that dies "
        "is replaced, and its model is tried once more, alone."
    ),
]
OutOption = Annotated[
    Path | None,
    output_option(
        "--out",
        "-o",
        metavar="FOLDER",
        callback=refuse_dash,
        help="Write record and samples here.",
    ),
]
OverwriteOption = Annotated[
    bool, output_option("--overwrite", help="Write to --out even if it is not empty.")
]
AlsoOption = Annotated[
    list[str] | None,
    output_option(
        "--also",
        metavar="TABLE",
        **one_of("table", EXPORTS),
        help="Export regions, pairs, effects or tokens; parquet: as Parquet too; repeatable.",
    ),
    Details(
        "Tables are exports of the samples: `regions` and `tokens` of suites, `pairs` and `tokens` "
        "of minimal pairs, `effects` of both. `parquet` alone exports all of them. Samples of "
        "minimal pairs have their tokens with `tokens` only (1 KB more a pair)."
    ),
]
ScoreFormatOption = Annotated[
    str,
    output_option(
        "--format",
        metavar="FORMAT",
        **one_of("table format", ("table", DETAILS, "json")),
        show_default=False,
        help="table (default), details (of several models, each prediction or UID), json.",
    ),
]


@app.command(cls=Command, epilog=EPILOG)
def score(
    paths: PathsArgument,
    model: ModelOption = None,
    surprisals: SurprisalsOption = None,
    revision: RevisionOption = None,
    kind: KindOption = "auto",
    dtype: DtypeOption = "float32",
    device: ScoreDeviceOption = "auto",
    allow_pickle: AllowPickleOption = False,
    trust_remote_code: TrustRemoteCodeOption = False,
    like: LikeOption = None,
    bos: BosOption = None,
    first_token: FirstTokenOption = None,
    leading_space: LeadingSpaceOption = None,
    masked_method: MaskedMethodOption = None,
    boundary: BoundaryOption = "none",
    regions: RegionsOption = "all",
    join: JoinOption = None,
    undefined: UndefinedOption = "refuse",
    metric: MetricOption = None,
    predictions: PredictionsOption = None,
    method: MethodOption = None,
    columns: ScorePairsOption = None,
    limit: LimitOption = None,
    dry_run: DryRunOption = False,
    jobs: ScoreJobsOption = None,
    out: OutOption = None,
    overwrite: OverwriteOption = False,
    also: AlsoOption = None,
    model_id: ModelIdOption = None,
    record_version: RecordVersionOption = None,
    output_format: ScoreFormatOption = "table",
    at_least: AtLeastOption = None,
    quiet: QuietOption = False,
) -> None:
    """Score suites or minimal pairs with a language model, and write a record."""
    from evalmark.cli.scoring.contests import SuiteSources, score_paths
    from evalmark.cli.scoring.delivery import ScoreCall, checkpoints_of, errors_shown
    from evalmark.scoring.comparison.gates import read_floors

    with errors_shown(), ExitStack() as locks:
        count, ray = shared(jobs)
        floors = read_floors(at_least or ())
        config = settings_of_folder(*(["ray.address"] if ray else []))
        choice = _choice(like, leading_space, bos, first_token, method, masked_method)
        settings = settings_of(choice, join or config.join, undefined, boundary, regions)
        recorded = surprisals == [RECORDED]
        _require_one_source(model, surprisals or [], dry_run=dry_run)
        if len(model or []) > 1 and model_id:
            raise ScoringError("--model-id takes one model")
        models = checkpoints_of(model or [], revision)
        _require_usable(out, also or [])
        trusted = {"allow_pickle": allow_pickle, "trust_remote_code": trust_remote_code}
        loading = _loading(model_id, dtype, device, settings.bos, kind) | trusted
        call = ScoreCall(
            config, models, loading, Computing(**config.score), limit, dry_run, ray, out, overwrite,
            locks, config.version_of_records(record_version), quiet, output_format,
            also or [], floors, count or 1,
        )  # fmt: skip
        tables = stated_tables(columns) if columns else config.pairs
        suites_only = _flags(
            surprisals=surprisals, join=join, metric=metric,
            predictions=predictions, boundary=boundary != "none", regions=regions != "all",
        ) | {"--also regions": "regions" in (also or [])}  # fmt: skip
        tokens = TOKENS in (also or [])
        excludes = choice.chosen.first_token == FIRST_TOKENS[-1]
        pairs_only = _flags(
            like=like, method=method, pairs=columns, leading_space=leading_space,
        )  # fmt: skip
        pairs_only |= {"--first-token excluded": excludes, "--also pairs": TEXTS in (also or [])}
        files = None if recorded else surprisals or None
        sources = SuiteSources(recorded, files, metric, predictions, model_id)
        only = {"minimal pairs": suites_only, "suites": pairs_only}
        code = score_paths(paths, tables, settings, choice, sources, call, only, tokens=tokens)
        raise typer.Exit(code)


def _flags(**options: object) -> dict[str, object]:
    return {f"--{name.replace('_', '-')}": value for name, value in options.items()}


def _require_usable(out: Path | None, also: list[str]) -> None:
    for table in also if out is None else ():
        raise ScoringError(f"--also {table} writes tables into a folder: give --out as well")
    if PARQUET in also:
        require("pyarrow")  # before hours of scoring


def _loading(model_id: str | None, dtype: str, device: str, bos: str, kind: str) -> dict[str, Any]:
    """How models are loaded, as ``load_model`` takes it."""
    device_map = device if device in SHARED else None
    return {
        "model_id": model_id, "dtype": dtype, "device": "auto" if device_map else device,
        "device_map": device_map, "bos": bos, "kind": kind,
    }  # fmt: skip


def _choice(
    like: str | None, space: str | None, bos: str | None, first_token: str | None,
    method: str | None, masked_method: str | None,
) -> SettingsChoice:  # fmt: skip
    """The settings that a name decides; those that are given in spite of it are said."""
    spaced = None if space is None else space == "yes"
    choice = choice_of(like, Chosen(bos, first_token, spaced, method, masked_method))
    if choice.overridden:
        say(f"note: settings of {choice.like}")
    return choice


def _require_one_source(models: list[str] | None, surprisals: list[Path], *, dry_run: bool) -> None:
    if models and surprisals:
        raise ScoringError("give only one of --model and --surprisals")
    if RECORDED in surprisals[1:] or (surprisals[1:] and surprisals[0] == RECORDED):
        raise ScoringError("give only one of --surprisals recorded and files of surprisals")
    if not models and not surprisals and not dry_run:
        raise ScoringError("nothing to score with: give --model or --surprisals")
