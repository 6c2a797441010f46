"""``evalmark report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.lines import complain, complain_of, say
from evalmark.cli.progress import counting
from evalmark.pages.conversation_folder import is_conversation, read_conversations
from evalmark.pages.conversation_page import conversation_page
from evalmark.pages.plots import plot, plot_means
from evalmark.pages.run_folder import read_run
from evalmark.pages.run_page import ITEMS, run_page
from evalmark.schemas.errors import ScoringError
from evalmark.validator.edge.writing import write_atomically

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
    over items and its 95 % interval, and items one can open; of conversations the scores of
    datasets, and what was said in each test. It needs no network and no script.
    """
    try:
        if picture is not None and picture.suffix not in PICTURES:
            raise ScoringError(f"--plot writes {', '.join(PICTURES)}, not {picture.name}")
        talks = [is_conversation(run) for run in runs]
        if any(talks) and not all(talks):
            raise ScoringError("runs of suites and of conversations do not go on one page")
        first = runs[0].parent if runs[0].name == "scores.json" else runs[0]
        path = picture or out or first / "report.html"
        raw = _talks(runs, picture) if all(talks) else _suites(runs, picture, items)
        write_atomically(path, raw)
    except ScoringError as error:
        raise typer.Exit(complain(str(error))) from None
    except OSError as error:
        raise typer.Exit(complain_of(error)) from None
    say(f"wrote {path}")


def _suites(runs: list[Path], picture: Path | None, items: int) -> bytes:
    views = [read_run(run) for run in runs]
    if picture is not None:
        return plot(views, picture.suffix[1:])
    with counting("drawing", "suites") as progress:
        return run_page(views, items=items, progress=progress).encode("utf-8")


def _talks(runs: list[Path], picture: Path | None) -> bytes:
    views = [view for run in runs for view in read_conversations(run)]
    if picture is not None:
        return plot_means(views, picture.suffix[1:])
    return conversation_page(views).encode("utf-8")
