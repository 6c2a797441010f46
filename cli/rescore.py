"""``evalmark rescore``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.conversation_output import print_rescored
from evalmark.cli.lines import complain, complain_of, say, tell
from evalmark.cli.typed import option
from evalmark.conversations.rescoring import Rescored, rescore, rescored_data
from evalmark.conversations.running.run_folder import agents_of
from evalmark.schemas.errors import EvalmarkError, UsageError
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
    try:
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
    except EvalmarkError as error:
        raise typer.Exit(complain(str(error))) from None
    except OSError as error:
        raise typer.Exit(complain_of(error)) from None
