"""``evalmark babylm``."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Annotated

import typer
from evalmark.cli.command import Command, new_app
from evalmark.cli.options import TableFormatOption, file_option, one_of, refuse_dash
from evalmark.validator.io.terminal import CLEAN, FOUND, put_json, say, tell

app = new_app()


def _backends() -> tuple[str, ...]:
    from evalmark.converters.babylm.layout import BACKENDS

    return BACKENDS


EPILOG = """
\b
Examples:
  evalmark babylm results/gpt2 evaluation_data/blimp_filtered
  evalmark babylm results/ evaluation_data/blimp_filtered --from runs/gpt2

Exit code: 0 no mistakes, 1 mistakes or refused, 2 something failed.
"""


@app.command(cls=Command, epilog=EPILOG)
def babylm(
    results: Annotated[
        Path,
        typer.Argument(metavar="RESULTS", callback=refuse_dash, help="Folder of prediction files."),
    ],
    data: Annotated[
        list[str], typer.Argument(metavar="DATA...", help="Minimal pairs that they are about.")
    ],
    run: Annotated[
        Path | None,
        file_option("--from", metavar="RUN", help="Write the choices of this run first."),
    ] = None,
    model: Annotated[
        str | None,
        file_option("--model", metavar="NAME", help="Name of the model; default: that of the run."),
    ] = None,
    revision: Annotated[
        str, file_option("--revision", metavar="NAME", help="Name of the checkpoint.")
    ] = "main",
    backend: Annotated[
        str,
        file_option(
            "--backend",
            metavar="KIND",
            **one_of("babylm backend", _backends),
            help="Kind of the model. One of: causal, mlm, mntp, enc_dec_mask, enc_dec_prefix.",
        ),
    ] = "causal",
    output_format: TableFormatOption = "table",
) -> None:
    """Check the prediction files of the BabyLM Challenge, or write them from a run.

    The data are files of minimal pairs, or folders of them, named as the Challenge names them. Each
    prediction must have the id of its row and be one of its texts.

    With --from, the choices of a run of `score` are written first. BabyLM cannot say that there was
    a tie: a wrong text is written for it.
    """
    from evalmark.converters.babylm.check_predictions import check_results
    from evalmark.converters.babylm.layout import read_data
    from evalmark.converters.babylm.of_run import read_pairs_run
    from evalmark.converters.babylm.write_predictions import write_predictions

    folders = read_data(data)
    if run is not None:
        found = read_pairs_run(run)
        name = PurePath(model or found.model).stem
        place = results / name / revision / "zero_shot" / backend
        for written in write_predictions(place, folders, found.choices):
            (say if output_format == "json" else tell)(str(written.path))
            if written.ties:
                say(f"note: {_counted(written.ties, 'tie')}: a wrong text is written")
            if written.impossible:
                pairs = _counted(written.impossible, "row")
                say(f"note: {pairs} of identical texts, which BabyLM counts as right")
    checked = check_results(results, folders)
    if output_format == "json":
        put_json(
            {
                "files": checked.files,
                "skipped": [str(path) for path in checked.skipped],
                "mistakes": [
                    {"path": str(path), "pointer": pointer, "message": message}
                    for path, pointer, message in checked.mistakes
                ],
            }
        )
    else:
        for path, pointer, message in checked.mistakes:
            tell(f"{path}{'#' if pointer else ''}{pointer}: {message}")
    for path in checked.skipped:
        say(f"{path}: skipped: its data are not among those named")
    files, mistakes = _counted(checked.files, "prediction file"), len(checked.mistakes)
    say(f"Checked {files}: {_counted(mistakes, 'mistake')}.")
    raise typer.Exit(FOUND if checked.mistakes else CLEAN)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
