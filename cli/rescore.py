"""``evalmark rescore``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.command import Command, new_app
from evalmark.cli.options import TableFormatOption, file_option, one_of, refuse_dash, scoring_option
from evalmark.schemas.errors import UsageError

app = new_app()


def _rules() -> tuple[str, ...]:
    from evalmark.conversations.evaluation.replies import RULES

    return RULES


EPILOG = """
\b
Examples:
  evalmark rescore "Benchmark 3/results/LLMChatSession - gpt-4o - 128000"
  evalmark rescore runs/* --rules ltm-3 --rules evalmark-1
  evalmark rescore runs/mine --rules ltm-3 --out rescored.json
  evalmark rescore answers.jsonl --set longmemeval_s.json

Exit code: 0 done, whether or not scores differ; 1 answers to a set are missing,
duplicate or of no question; 2 a result could not be scored.
"""


@app.command(cls=Command, epilog=EPILOG)
def rescore(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...", help="Folders of runs, or of one agent; with --set, answers."
        ),
    ],
    rules: Annotated[
        list[str] | None,
        scoring_option(
            "--rules",
            metavar="RULES",
            **one_of("rescore rules", _rules),
            help="Rules to score by, repeatable; default: those the run was scored with. "
            "One of: evalmark-1, ltm-1, ltm-2, ltm-3.",
        ),
    ] = None,
    approximations: Annotated[
        bool, scoring_option("--approximate", help="Let rules alone decide where a judge would.")
    ] = False,
    sets: Annotated[
        list[Path] | None,
        scoring_option(
            "--set", metavar="SET", help="Score answers to this memory set; repeatable."
        ),
    ] = None,
    exclude: Annotated[
        Path | None,
        scoring_option(
            "--exclude", metavar="FILE", help="Disputed questions: scores with and without them."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        file_option(
            "--out",
            metavar="FILE",
            callback=refuse_dash,
            help="Write all scores to this JSON file.",
        ),
    ] = None,
    output_format: TableFormatOption = "table",
) -> None:
    """Score the results of conversations again, and show which scores differ and why.

    Nothing is overwritten. Automatic scores are compared, not those that somebody edited. Replies
    of a judge are taken from the log of the run; with --set, labels from the answers.
    """
    if out is not None and out.exists():
        raise UsageError(f"{out} exists; name another file with --out")
    if sets and (rules or approximations):
        raise UsageError("--rules and --approximate are for runs, not for answers to a set")
    if exclude is not None and not sets:
        raise UsageError("--exclude is for answers to a set: name it with --set")
    from evalmark.cli.conversing.rescore_targets import SetOptions, rescore_targets

    names = list(dict.fromkeys(rules or ()))
    of_sets = SetOptions(sets or [], exclude)
    raise typer.Exit(rescore_targets(runs, of_sets, names, approximations, out, output_format))
