"""``evalmark rescore``."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.conversation_output import print_rescored
from evalmark.cli.lines import complain, complain_of, say, tell
from evalmark.conversations.rescoring import Rescored, rescore, rescored_data
from evalmark.conversations.evaluation.scorers import EVALUATOR, GENERATIONS
from evalmark.conversations.running.run_folder import agents_of
from evalmark.schemas.errors import ScoringError
from evalmark.validator.edge.writing import write_atomically

EPILOG = """Examples:

evalmark rescore "Benchmark 3/results/LLMChatSession - gpt-4o - 128000"

evalmark rescore runs/mine --rules ltm-3 --out rescored.json

Exit code: 0 done (differences are shown, and no error), 2 could not run.
"""

Rules = StrEnum("Rules", {name: name for name in (EVALUATOR, *GENERATIONS)})  # type: ignore[misc]


def command(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, or of an agent in one.")
    ],
    rules: Annotated[
        Rules | None,
        typer.Option(help="Score by these rules (default: what the run was scored with)."),
    ] = None,
    approximations: Annotated[
        bool,
        typer.Option("--approximate", help="Let rules alone decide where a judge would."),
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Write all scores to this JSON file.")] = None,
) -> None:
    """Score the results of conversations again, and show what differs.

    Nothing is overwritten. Final scores (a person may have changed them) and automatic ones are
    kept apart; what a judge said is taken from the log of the run.
    """
    try:
        if out is not None and out.exists():
            raise ScoringError(f"{out} is there already; name another file")
        found: list[Rescored] = []
        for run in runs:
            for agent in agents_of(run):
                scored = rescore(agent, rules=rules and str(rules), approximations=approximations)
                if len(runs) > 1 or agent != run:
                    tell(f"{agent.name}")
                print_rescored(scored)
                found += scored
        if out is not None:
            text = json.dumps(rescored_data(found), indent=2, ensure_ascii=False) + "\n"
            write_atomically(out, text.encode("utf-8"))
            say(f"wrote {out}")
    except ScoringError as error:
        raise typer.Exit(complain(str(error))) from None
    except OSError as error:
        raise typer.Exit(complain_of(error)) from None
