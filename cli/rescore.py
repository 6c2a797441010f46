"""``evalmark rescore``."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from evalmark.cli.typed import option
from evalmark.conversations.rescoring import Rescored, rescore, rescored_data
from evalmark.conversations.running.run_folder import agents_of
from evalmark.schemas.errors import UsageError
from evalmark.validator.edge.lines import say, tell
from evalmark.validator.edge.tables import plain_table, write_table
from evalmark.validator.edge.writing import write_atomically

EPILOG = """Examples:
  evalmark rescore "Benchmark 3/results/LLMChatSession - gpt-4o - 128000"
  evalmark rescore runs/mine --rules ltm-3 --out rescored.json

Exit code: 0 done, whether or not scores differ; 2 could not run.
"""


def command(
    runs: Annotated[list[Path], option("rescore_runs")],
    rules: Annotated[str | None, option("rescore_rules")] = None,
    approximations: Annotated[bool, option("approximate")] = False,
    out: Annotated[Path | None, option("rescore_out")] = None,
) -> None:
    """Score the results of conversations again, and show which scores differ.

    Nothing is overwritten. Automatic scores are compared, not those that somebody edited. Replies
    of a judge are taken from the log of the run.
    """
    if out is not None and out.exists():
        raise UsageError(f"{out} exists; name another file with --out")
    found: list[Rescored] = []
    for run in runs:
        for agent in agents_of(run):
            scored = rescore(agent, rules=rules, approximations=approximations)
            if len(runs) > 1 or agent != run:
                tell(agent.name)
            print_rescored(scored)
            found += scored
    if out is not None:
        text = json.dumps(rescored_data(found), indent=2, ensure_ascii=False) + "\n"
        write_atomically(out, text.encode("utf-8"))
        say(f"wrote {out}")


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
    write_table(table)
    for entry in found:
        if entry.differs:
            tell(
                f"{entry.test}: {entry.automatic:.3g} before, {entry.again:.3g} by {entry.rules} "
                f"({entry.way}): {'; '.join(entry.reasons)}"
            )
