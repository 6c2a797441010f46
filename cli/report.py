"""``evalmark report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from evalmark.cli.typed import option
from evalmark.pages.conversation_folder import is_conversation, read_conversations
from evalmark.pages.html import ITEMS, conversation_page, run_page
from evalmark.pages.plots import plot, plot_scores
from evalmark.pages.run_folder import read_run
from evalmark.schemas.errors import ScoringError, UsageError
from evalmark.validator.edge.lines import say
from evalmark.validator.edge.progress import counting
from evalmark.validator.edge.writing import write_atomically

EPILOG = """
Examples:
  evalmark report results/
  evalmark report results/gpt2 results/gpt2-medium --out compared.html
  evalmark report results/ --plot curves.png

Exit code: 0 done, 2 could not run.
"""

#: Suffixes of pictures.
PICTURES = (".png", ".svg", ".pdf")


def command(
    runs: Annotated[list[Path], option("report_runs")],
    out: Annotated[Path | None, option("report_out")] = None,
    picture: Annotated[Path | None, option("plot")] = None,
    items: Annotated[int, option("report_items")] = ITEMS,
) -> None:
    """Write a report of runs: one HTML page, or a picture.

    The page of suites shows accuracy and chance, the mean surprisal of each region by condition
    with its 95 % interval, and the items. The page of conversations shows the scores of datasets
    and the conversation of each test. A page is one file without scripts and loads nothing.
    """
    if picture is not None and out is not None:
        raise UsageError("--plot writes a picture instead of the page of --out: use one of them")
    if picture is not None and picture.suffix not in PICTURES:
        raise ScoringError(f"--plot writes {', '.join(PICTURES)} files, not {picture.name}")
    conversations = {is_conversation(run) for run in runs}
    if len(conversations) > 1:
        raise ScoringError("runs of suites and runs of conversations need separate pages")
    first = runs[0].parent if runs[0].name == "scores.json" else runs[0]
    path = picture or out or first / "report.html"
    if conversations == {True}:
        raw = _conversations(runs, picture)
    else:
        raw = _suites(runs, picture, items)
    write_atomically(path, raw)
    say(f"wrote {path}")


def _suites(runs: list[Path], picture: Path | None, items: int) -> bytes:
    views = [read_run(run) for run in runs]
    if picture is not None:
        return plot(views, picture.suffix[1:])
    with counting("drawing", "suites") as progress:
        return run_page(views, items=items, progress=progress).encode("utf-8")


def _conversations(runs: list[Path], picture: Path | None) -> bytes:
    views = [view for run in runs for view in read_conversations(run)]
    if picture is not None:
        return plot_scores(views, picture.suffix[1:])
    return conversation_page(views).encode("utf-8")
