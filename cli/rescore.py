"""``evalmark rescore``."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.typed import option
from evalmark.conversations.rescoring import Rescored, rescore, rescored_data
from evalmark.conversations.running.run_folder import agents_of
from evalmark.schemas.errors import UsageError
from evalmark.validator.edge.lines import CLEAN, complain_about, put_json, say, tell
from evalmark.validator.edge.tables import plain_table, print_table
from evalmark.validator.edge.writing import json_bytes, sweep, write_atomically

EPILOG = """Examples:
  evalmark rescore "Benchmark 3/results/LLMChatSession - gpt-4o - 128000"
  evalmark rescore runs/mine --rules ltm-3 --out rescored.json

Exit code: 0 done, whether or not scores differ; 2 a result could not be scored.
"""


def command(
    runs: Annotated[list[Path], option("rescore_runs")],
    rules: Annotated[str | None, option("rescore_rules")] = None,
    approximations: Annotated[bool, option("approximate")] = False,
    out: Annotated[Path | None, option("rescore_out")] = None,
    output_format: Annotated[str, option("table_format")] = "table",
) -> None:
    """Score the results of conversations again, and show which scores differ.

    Nothing is overwritten. Automatic scores are compared, not those that somebody edited. Replies
    of a judge are taken from the log of the run.
    """
    if out is not None and out.exists():
        raise UsageError(f"{out} exists; name another file with --out")
    found: list[Rescored] = []
    codes = [CLEAN]

    def failed(path: Path, error: Exception) -> None:
        codes.append(complain_about(path, error))

    for run in runs:
        try:
            for agent in agents_of(run):
                scored = rescore(agent, rules=rules, approximations=approximations, failed=failed)
                found += scored
                if output_format == "json":
                    continue
                if len(runs) > 1 or agent != run:
                    tell(agent.name)
                print_rescored(scored)
        except Exception as error:  # the other runs are scored
            failed(run, error)
    if output_format == "json":
        put_json(rescored_data(found))
    if out is not None:
        sweep(out)  # temporary files of an interrupted run
        write_atomically(out, json_bytes(rescored_data(found)))
        say(f"wrote {out}")
    raise typer.Exit(max(codes))


def print_rescored(found: Sequence[Rescored]) -> None:
    """A line for each dataset, and one for each test whose score differs."""
    numbers = ("tests", "decided", "same", "final", "again", "by hand")
    table = plain_table(("dataset",), numbers)
    for name in sorted({entry.dataset for entry in found}):
        own = [entry for entry in found if entry.dataset == name]
        decided = [entry for entry in own if entry.again is not None]
        again = [entry.again for entry in decided if entry.again is not None]
        table.add_row(
            name,
            str(len(own)),
            str(len(decided)),
            str(sum(not entry.differs for entry in decided)),
            f"{statistics.fmean(entry.final for entry in own):.3f}",
            f"{statistics.fmean(again):.3f}" if len(again) == len(own) else "",
            str(sum(entry.by_hand for entry in own) or ""),
        )
    print_table(table)
    for entry in found:
        if entry.differs:
            tell(
                f"{entry.test}: {entry.automatic:.3g} before, {entry.again:.3g} by {entry.rules} "
                f"({entry.way}): {'; '.join(entry.reasons)}"
            )
