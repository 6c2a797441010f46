"""The options of ``score``, each declared once for the command line and Python.

Those that numbers depend on are fields of ``score_settings.Settings`` too. The page asks for a
model, a suite and its joining rule only: ``ScoringRequest`` of the workbench has these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evalmark.schemas.versions import written
from evalmark.scoring.score_settings import (
    BOUNDARIES,
    DEVICE_MAPS,
    DEVICES,
    DTYPES,
    FIRST_TOKENS,
    MASKED_METHODS,
    MODEL_KINDS,
    NAMED,
    REGIONS,
    UNDEFINED,
)
from evalmark.validator.formats.pairs.pair_sets import METHODS
from evalmark.validator.formats.suites.suite import JOINS
from evalmark.validator.options.declaration import (
    Argument,
    choice_of,
    model_option,
    output_option,
    refuse_dash,
    scoring_option,
)
from evalmark.validator.settings.check_options import pairs_option

#: The value of ``--surprisals`` that is not a file: the numbers that suites have.
RECORDED = Path("recorded")
#: The values of ``--also``.
PARQUET, TOKENS, REGIONS_TABLE, TEXTS = "parquet", "tokens", "regions", "pairs"
EXPORTS = (REGIONS_TABLE, TEXTS, "effects", TOKENS, PARQUET)
#: Names that share a model among devices; accelerate's `auto` means one device here.
SHARED = DEVICE_MAPS[1:]


ModelIdOption = Annotated[
    str | None,
    output_option(
        "--model-id",
        metavar="ID",
        help="organization/model, for the record.",
        details="For recorded numbers, the default is `meta.model` of the suites, or the name of "
        "the only file; suites that state different models are refused.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """The options of every call of ``score``; ``evalmark score`` has a few more."""

    paths: Annotated[
        Sequence[str],
        Argument(metavar="SUITES|PAIRS|FOLDERS", help="Suites, or minimal pairs; or `demo`."),
    ]
    model: Annotated[
        Sequence[str],
        model_option(
            "--model", metavar="MODEL", help="Folder, Hugging Face name or `demo`; repeatable."
        ),
    ] = ()
    surprisals: Annotated[
        Sequence[Path],
        model_option(
            "--surprisals",
            metavar="PATH|recorded",
            help="Score surprisals from TSV files; `recorded`: from the suites.",
            details="`recorded` takes the `metric_value` of evaluated suites; a file of this name "
            "is `./recorded`.",
        ),
    ] = ()
    revision: Annotated[
        str | None,
        model_option(
            "--revision",
            metavar="NAME,...",
            help="Revisions on the hub, or checkpoints in a folder; `*` matches any.",
            details="Names with commas between them: of checkpoints in a folder, or of branches, "
            "tags and commits on the hub, where wildcards need a connection. `--model "
            "lab/model@step1000` names one revision.",
        ),
    ] = None
    kind: Annotated[
        str,
        model_option(
            "--kind",
            metavar="KIND",
            **choice_of("model kind", ("auto", *MODEL_KINDS)),
            show_default=False,
            help="auto (default), causal, masked or mntp.",
            details="`mntp` is for masked models that were trained to predict a masked token at "
            "the token before it (masked next-token prediction, as GPT-BERT); a configuration does "
            "not show this. A model loaded as causal is refused if what follows changes what it "
            "predicts.",
        ),
    ] = "auto"
    dtype: Annotated[
        str,
        model_option(
            "--dtype",
            metavar="DTYPE",
            **choice_of("dtype", ("auto", *DTYPES)),
            show_default=False,
            help="float32 (default), float64, bfloat16, float16, auto.",
            details="`auto` is the dtype of the model's configuration. Logits have at least "
            "float32 in any case. In bfloat16, errors are [thousands of times as "
            "large](definitions.md#rounding) as in float32.",
        ),
    ] = "float32"
    device: Annotated[
        str,
        model_option(
            "--device",
            metavar="DEVICE",
            **choice_of("device", ("auto", *DEVICES, *SHARED)),
            show_default=False,
            help="auto (default), cpu, cuda, mps; several: balanced, sequential.",
            details="The last two share a model among devices, as accelerate does (extra "
            "`device-map`; tried on one CPU only). A model that does not fit into their memory is "
            "refused, not moved to the disk.",
        ),
    ] = "auto"
    allow_pickle: Annotated[
        bool,
        model_option(
            "--allow-pickle",
            help="Allow pickled weights (they can execute code).",
            details="They are read with `torch.load(weights_only=True)`, never as code that comes "
            "with a folder.",
        ),
    ] = False
    trust_remote_code: Annotated[
        bool, model_option("--trust-remote-code", help="Run the code that comes with the model.")
    ] = False
    like: Annotated[
        str | None,
        scoring_option(
            "--like",
            metavar="NAME",
            **choice_of("named settings", NAMED),
            help="For pairs, like babylm, lm-eval or minicons.",
            details="What each decides: [settings of other "
            "programs](definitions.md#settings-of-other-programs). Options given as well override "
            "it; a note and the record say so (`like: babylm, except bos none`).",
        ),
    ] = None
    bos: Annotated[
        str | None,
        scoring_option(
            "--bos",
            metavar="TOKEN",
            help="auto (default), none, tokenizer, bos-or-eos or TOKEN.",
            details="`auto`: BOS, if the tokenizer has one; `tokenizer`: what the tokenizer itself "
            "puts before a text; `bos-or-eos`: EOS if there is no BOS. TOKEN is any of the "
            "vocabulary, also one that is the unknown token as well, as in GPT-2 and Pythia.",
        ),
    ] = None
    first_token: Annotated[
        str | None,
        scoring_option(
            "--first-token",
            metavar="VALUE",
            **choice_of("first token", FIRST_TOKENS),
            help="Without BOS: undefined (default), zero, excluded.",
            details="`zero`: 0 bits, and counted in the number of tokens of a mean; `excluded`: "
            "left out of sums and means (of minimal pairs only).",
        ),
    ] = None
    leading_space: Annotated[
        str | None,
        scoring_option(
            "--leading-space",
            metavar="WHEN",
            **choice_of("leading space", ("yes", "no")),
            help="For pairs, put a space first: yes, or no (default).",
        ),
    ] = None
    boundary: Annotated[
        str,
        scoring_option(
            "--boundary",
            metavar="TERM",
            **choice_of("boundary", BOUNDARIES),
            show_default=False,
            help="none (default), or corrected: whole-word surprisals.",
            details="See [word boundaries](definitions.md#word-boundaries). For metric `sum` and "
            "causal models.",
        ),
    ] = "none"
    regions: Annotated[
        str,
        scoring_option(
            "--regions",
            metavar="WHICH",
            **choice_of("score regions", REGIONS),
            show_default=False,
            help="all (default), or predicted: those of predictions.",
            details="`predicted` computes the regions that predictions refer to, and all regions "
            "of a condition for a `*`. It needs a model and suites with predictions. Outcomes "
            "differ only by rounding; tables, samples and pages have the computed regions only, "
            "and `conditions_not_computed` lists conditions without predictions. A run with other "
            "regions is not resumed but starts over.",
        ),
    ] = "all"
    join: Annotated[
        str | None,
        scoring_option(
            "--join",
            metavar="RULE",
            **choice_of("score join", JOINS),
            help="How to join regions: core, hf, brainscore, none.",
            details="`core` drops regions without text, strips leading spaces and joins with one "
            "space; `hf` then removes the space before `.` and `,`; `brainscore` strips nothing "
            "and removes the space before `. , ! ? ; :`; `none` puts nothing between regions.",
        ),
    ] = None
    undefined: Annotated[
        str,
        scoring_option(
            "--undefined",
            metavar="OUTCOME",
            **choice_of("undefined", UNDEFINED),
            show_default=False,
            help="Undefined values: refuse (default), or false.",
            details="`refuse`: the suite is not scored (exit code 1); `false`: the prediction "
            "counts as false. An item is never dropped.",
        ),
    ] = "refuse"
    metric: Annotated[
        str | None,
        scoring_option(
            "--metric",
            metavar="NAME",
            help="The metric of a suite that names none, or several.",
            details="Only suites of bare formulas have a default (`sum`). `metric_from` of the "
            "record is `format` or `caller`.",
        ),
    ] = None
    predictions: Annotated[
        Path | None,
        scoring_option(
            "--predictions",
            metavar="PATH",
            help="For suites without predictions: formulas or suites.",
            details="A file of formulas (one per line, or a JSON list) applies to all suites "
            "without predictions. A suite gives its predictions to the only such suite, or to that "
            "of the same name; so does a folder of suites, or of formulas in NAME.txt. The record "
            "names the source (`predictions_from`).",
        ),
    ] = None
    method: Annotated[
        str | None,
        scoring_option(
            "--method",
            metavar="METHOD",
            **choice_of("pair method", METHODS),
            help="For pairs: sum, mean, per-char, one-prefix, two-prefix, conditional, "
            "one-context.",
            details="Each set has [its own](definitions.md#sets-of-minimal-pairs) by default. What "
            "each compares: [scores of minimal pairs](definitions.md#scores-of-minimal-pairs).",
        ),
    ] = None
    masked_method: Annotated[
        str | None,
        scoring_option(
            "--masked-method",
            metavar="HOW",
            **choice_of("masked method", MASKED_METHODS),
            help="Masked models: within-word (default), or original.",
        ),
    ] = None
    pairs: Annotated[Sequence[str], pairs_option(rich_help_panel="Scoring")] = ()
    limit: Annotated[
        int | None,
        scoring_option(
            "--limit",
            metavar="N",
            min=1,
            help="Only the first N items of each file.",
            details='To try a set-up: record, table and report say "5 of 48 items", and `check` '
            "warns (EE212).",
        ),
    ] = None
    out: Annotated[
        Path | None,
        output_option(
            "--out",
            "-o",
            metavar="FOLDER",
            callback=refuse_dash,
            help="Write record and samples here.",
        ),
    ] = None
    overwrite: Annotated[
        bool, output_option("--overwrite", help="Write to --out even if it is not empty.")
    ] = False
    also: Annotated[
        Sequence[str],
        output_option(
            "--also",
            metavar="TABLE",
            **choice_of("table", EXPORTS),
            help="Export regions, pairs, effects or tokens; parquet: as Parquet too; repeatable.",
            details="Tables are exports of the samples: `regions` and `tokens` of suites, `pairs` "
            "and `tokens` of minimal pairs, `effects` of both. `parquet` alone exports all of "
            "them. Samples of minimal pairs have their tokens with `tokens` only (1 KB more a "
            "pair).",
        ),
    ] = ()
    model_id: ModelIdOption = None
    record_version: Annotated[
        str | None,
        output_option(
            "--record-version",
            metavar="VERSION",
            **choice_of("record version", written("record")),
            help="Version of the record: 0.2.0 (default), 0.3.0.",
            details="Without it, the setting `version` under `[record]` decides, then `profile`: "
            "`eee` means the version that Every Eval Ever's validator reads.",
        ),
    ] = None


#: Options of suites, and of minimal pairs, alone, besides settings that are of one of them.
OF_SUITES = ("surprisals", "metric", "predictions")
OF_PAIRS = ("pairs",)
