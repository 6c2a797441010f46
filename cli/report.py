"""``evalmark report``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from evalmark.scoring import ScoringError
from evalmark.scoring.pages import ITEMS, plot, read_run, run_page
from evalmark.validator import write_atomically

from ._checking import complain
from ._progress import counting

EPILOG = """Examples:

evalmark report results/

evalmark report results/gpt2 results/gpt2-medium --out compared.html

evalmark report results/ --plot curves.png

Exit code: 0 done, 2 could not run.
"""

#: What ``--plot`` writes, by the suffix of its file.
PICTURES = (".png", ".svg", ".pdf")


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: Annotated[
        Path | None, typer.Option(help="The page (default: report.html in the first folder).")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--plot", help="Write a .png, .svg or .pdf picture instead.")
    ] = None,
    items: Annotated[
        int, typer.Option(min=0, help="Items of each suite that the page shows.")
    ] = ITEMS,
) -> None:
    """Draw what runs found: a page of one file, or a picture.

    The page shows accuracies against chance, the region curves of each condition with the mean
    over items and its 95 % interval, and items one can open. It needs no network and no script.
    """
    try:
        views = [read_run(run) for run in runs]
        if picture is not None:
            if picture.suffix not in PICTURES:
                raise ScoringError(f"--plot writes {', '.join(PICTURES)}, not {picture.name}")
            path, raw = picture, plot(views, picture.suffix[1:])
        else:
            first = runs[0].parent if runs[0].name == "scores.json" else runs[0]
            path = out or first / "report.html"
            with counting("drawing", "suites") as progress:
                raw = run_page(views, items=items, progress=progress).encode("utf-8")
        write_atomically(path, raw)
    except ScoringError as error:
        raise typer.Exit(complain(str(error))) from None
    except OSError as error:
        raise typer.Exit(complain(f"{error.filename or ''}: {error.strerror or error}")) from None
    sys.stderr.write(f"wrote {path}\n")
