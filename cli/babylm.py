"""``evalmark babylm``."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any

import typer
from evalmark.cli.command import Command, Details, new_app
from evalmark.cli.options import (
    DeviceOption,
    TableFormatOption,
    file_option,
    model_option,
    one_of,
    output_option,
    refuse_dash,
)
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.terminal import CLEAN, FOUND, put_json, say, tell

if TYPE_CHECKING:
    from evalmark.converters.babylm.check_predictions import CheckedResults
    from evalmark.converters.babylm.write_predictions import WrittenPredictions

app = new_app()


def _backends() -> tuple[str, ...]:
    from evalmark.converters.babylm.layout import BACKENDS

    return BACKENDS


EPILOG = """
\b
Examples:
  evalmark babylm results/gpt2 evaluation_data/blimp_filtered
  evalmark babylm results/ evaluation_data/blimp_filtered --from runs/gpt2
  evalmark babylm lab/gpt2 --data evaluation_data --revisions 'chck_*'

Exit code: 0 no mistakes, 1 mistakes or refused, 2 something failed.
"""


SubjectArgument = Annotated[
    Path,
    typer.Argument(
        metavar="RESULTS|MODEL",
        callback=refuse_dash,
        help="Folder of prediction files; with --data, a model.",
    ),
]
DataArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="DATA...", help="Minimal pairs that they are about."),
]
TrackDataOption = Annotated[
    Path | None,
    model_option(
        "--data", metavar="FOLDER", help="Do the tasks of the strict track in this folder."
    ),
    Details(
        "The Challenge's folder: `main` takes `full_eval`, checkpoints take `fast_eval`. Tasks: "
        "BLiMP, its supplement, EWoK, entity tracking, wug tests and COMPS (`main` only), whose "
        "choices are written; reading (`reading/reading_data.csv`), the surprisal of each word "
        "and of the one before it in nats; age of acquisition (`aoa/cdi_childes.json`), the "
        "surprisal of each word in its contexts under each checkpoint `chck_NM` in nats, in one "
        "file under `main`. Words are tokenized as in the pipeline: in reading by themselves, "
        "in age of acquisition with the space before them. A task is `written`, `finished` (by "
        "an earlier call), `missing` (no data, or it needs checkpoints), `failed` (the line "
        "says why), or `left out` (fine-tuning); exit code 1 if one is missing or failed. Runs "
        "with records are in `MODEL/REVISION/evalmark/`."
    ),
]
RevisionsOption = Annotated[
    str | None,
    model_option("--revisions", metavar="NAMES", help="Checkpoints besides main: 'chck_*'."),
    Details(
        "Separated by commas, or a wildcard that matches branches on the hub or folders in a "
        "folder."
    ),
]
TrustRemoteCodeOption = Annotated[
    bool, model_option("--trust-remote-code", help="Run the code that comes with the model.")
]
ResultsOption = Annotated[
    Path,
    output_option(
        "--out", metavar="FOLDER", callback=refuse_dash, help="With --data: folder of results."
    ),
    Details(
        "Files are `MODEL/REVISION/zero_shot/BACKEND/TASK/DATASET/predictions.json`, the layout "
        "of the pipeline of 2025; DATASET is the name of the folder of the data."
    ),
]
OverwriteOption = Annotated[
    bool,
    output_option("--overwrite", help="With --data: do finished tasks again."),
    Details(
        "A finished run of another model, with other settings or over other data is refused. "
        "Changed weights in the same folder are not noticed: use this option."
    ),
]
RunOption = Annotated[
    Path | None,
    file_option("--from", metavar="RUN", help="Write the choices of this run first."),
    Details(
        "BabyLM has no tie: a wrong text is written for it, never the right one, unless the run "
        "is one with `--like babylm`. In a row of identical texts there is no other text: "
        "BabyLM counts it as right, and a note counts such rows. For COMPS, `pred` is the whole "
        "sentence, for entity tracking the option; files of wug tests also have `prob`. A run "
        "by another method than BabyLM's is refused; one with other settings gets a note."
    ),
]
NameOption = Annotated[
    str | None,
    file_option("--model", metavar="NAME", help="Name of the model; default: that of the run."),
]
RevisionOption = Annotated[
    str, file_option("--revision", metavar="NAME", help="Name of the checkpoint.")
]
BackendOption = Annotated[
    str | None,
    file_option(
        "--backend",
        metavar="KIND",
        **one_of("babylm backend", _backends),
        help="Kind of the model. One of: causal, mlm, mntp, enc_dec_mask, enc_dec_prefix. "
        "Default: what its configuration or its run says.",
    ),
    Details(
        "`mntp`: masked models that predict a token at the one before it. Of masked models one "
        "token at a time is masked, as in the pipeline; in reading, a word is predicted at the "
        "first of three masks. The predictions of encoder-decoders (`enc_dec_*`), which the "
        "pipeline's `eval_zero_shot.sh` writes, are only checked."
    ),
]


@app.command(cls=Command, epilog=EPILOG)
def babylm(
    subject: SubjectArgument,
    data: DataArgument = None,
    evaluation_data: TrackDataOption = None,
    revisions: RevisionsOption = None,
    device: DeviceOption = "auto",
    trust_remote_code: TrustRemoteCodeOption = False,
    out: ResultsOption = Path("results"),
    overwrite: OverwriteOption = False,
    run: RunOption = None,
    model: NameOption = None,
    revision: RevisionOption = "main",
    backend: BackendOption = None,
    output_format: TableFormatOption = "table",
) -> None:
    """Check the prediction files of the BabyLM Challenge, or write them from a run.

    The data are files of minimal pairs, or folders of them, named as the Challenge names them. Each
    prediction must have the id of its row and be one of its texts.

    With --from, the choices of a run of `score` are written first. BabyLM cannot say that there was
    a tie: a wrong text is written for it.

    With --data, a model does every task of the strict track that needs no training: a line for
    each, and finished ones are skipped. Checkpoints of a folder are folders in it.
    """
    if evaluation_data is not None:
        if data or run or model:
            raise UsageError("with --data, give a model and no DATA, --from or --model")
        from evalmark.cli.scoring.strict_track import submit

        loading = {"device": device, "trust_remote_code": trust_remote_code}
        name = subject.as_posix()
        raise typer.Exit(
            submit(
                name, evaluation_data, out, revisions, loading,
                backend=backend or "", overwrite=overwrite, as_json=output_format == "json",
            )
        )  # fmt: skip
    if not data:
        raise UsageError("name the DATA that the predictions are about, or --data with a model")
    raise typer.Exit(
        _check(subject, data, run, model, (revision, backend), output_format == "json")
    )


def _check(
    results: Path,
    data: list[str],
    run: Path | None,
    model: str | None,
    place: tuple[str, str | None],
    as_json: bool,
) -> int:
    """Check prediction files, or write those of a run first; the exit code."""
    from evalmark.converters.babylm.check_predictions import check_results
    from evalmark.converters.babylm.layout import read_data
    from evalmark.converters.babylm.of_run import read_pairs_run
    from evalmark.converters.babylm.write_predictions import write_predictions

    folders = read_data(data)
    if run is not None:
        pairs_run = read_pairs_run(run)
        if pairs_run.other_settings:
            stated = ", ".join(pairs_run.other_settings)
            say(
                f"note: {run} was made with {stated}, and not with `--like babylm`; BabyLM's "
                "pipeline makes other choices"
            )
        revision, backend = place
        name = PurePath(model or pairs_run.model).stem
        below = results / name / revision / "zero_shot" / (backend or pairs_run.backend)
        for written in write_predictions(below, folders, pairs_run.choices):
            (say if as_json else tell)(str(written.path))
            _say_ties(written)
    checked = check_results(results, folders)
    if as_json:
        put_json(_as_json(checked))
    else:
        for path, pointer, message in checked.mistakes:
            tell(f"{path}{'#' if pointer else ''}{pointer}: {message}")
    for path in checked.skipped:
        say(f"{path}: skipped: its data are not among those named")
    files, mistakes = _counted(checked.files, "prediction file"), len(checked.mistakes)
    say(f"Checked {files}: {_counted(mistakes, 'mistake')}.")
    return FOUND if checked.mistakes else CLEAN


def _say_ties(written: WrittenPredictions) -> None:
    """Say how many rows of a file the Challenge reads otherwise than the run."""
    if written.ties:
        say(f"note: {_counted(written.ties, 'tie')}: a wrong text is written")
    if written.impossible:
        pairs = _counted(written.impossible, "row")
        say(f"note: {pairs} of identical texts, which BabyLM counts as right")


def _as_json(checked: CheckedResults) -> dict[str, Any]:
    return {
        "files": checked.files,
        "skipped": [str(path) for path in checked.skipped],
        "mistakes": [
            {"path": str(path), "pointer": pointer, "message": message}
            for path, pointer, message in checked.mistakes
        ],
    }


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
