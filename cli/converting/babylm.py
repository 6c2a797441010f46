"""``evalmark babylm``."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Annotated

import typer
from evalmark.cli.typed import option
from evalmark.converters.babylm.checking import check_results
from evalmark.converters.babylm.layout import read_data
from evalmark.converters.babylm.of_run import read_pairs_run
from evalmark.converters.babylm.writing import write_predictions
from evalmark.validator.edge.lines import CLEAN, FOUND, put_json, say, tell

EPILOG = """
Examples:
  evalmark babylm results/gpt2 evaluation_data/blimp_filtered
  evalmark babylm results/ evaluation_data/blimp_filtered --from runs/gpt2

Exit code: 0 no mistakes, 1 mistakes or refused, 2 something failed.
"""


def command(
    results: Annotated[Path, option("babylm_results")],
    data: Annotated[list[str], option("babylm_data")],
    run: Annotated[Path | None, option("babylm_run")] = None,
    model: Annotated[str | None, option("babylm_model")] = None,
    revision: Annotated[str, option("babylm_revision")] = "main",
    backend: Annotated[str, option("babylm_backend")] = "causal",
    output_format: Annotated[str, option("table_format")] = "table",
) -> None:
    """Check the prediction files of the BabyLM Challenge, or write them from a run.

    The data are files of minimal pairs, or folders of them, named as the Challenge names them. Each
    prediction must have the id of its row and be one of its texts.

    With --from, the choices of a run of `score` are written first. BabyLM cannot say that there was
    a tie: a wrong text is written for it.
    """
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
