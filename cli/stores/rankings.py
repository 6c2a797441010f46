"""``evalmark store top`` and ``evalmark store show``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from evalmark.cli.stores.answering import answer, the_store
from evalmark.cli.typed import option
from evalmark.leaderboard.questions.ranking import show as show_model
from evalmark.leaderboard.questions.ranking import top as top_models

TOP_EPILOG = """
Examples:
  evalmark store top gsm8k
  evalmark store top gsm8k --all --format csv

Exit code: 0 done, 2 something failed.
"""
SHOW_EPILOG = """
Examples:
  evalmark store show meta/llama-65b
  evalmark store show "LLaMA 65B" --format json

Exit code: 0 done, 2 something failed.
"""


def top(
    benchmark: Annotated[str, option("benchmark")],
    every_result: Annotated[bool, option("every_result")] = False,
    store: Annotated[Path | None, option("question_store")] = None,
    output_format: Annotated[str | None, option("question_format")] = None,
    output: Annotated[Path | None, option("question_output")] = None,
    limit: Annotated[int | None, option("question_limit")] = None,
) -> None:
    """Rank the models of one benchmark.

    A benchmark is a data set with its subset, split, metric, direction and scale: scores that
    differ in one of these are never ranked together. If a name can mean several benchmarks, they
    are listed. Every model has its best result; `results` and `worst` say if there are others.
    """
    known = the_store(store)
    answer(
        "top",
        lambda _: top_models(known, benchmark, every_result=every_result),
        output_format,
        output,
        limit,
    )


def show(
    model: Annotated[str, option("model")],
    store: Annotated[Path | None, option("question_store")] = None,
    output_format: Annotated[str | None, option("question_format")] = None,
    output: Annotated[Path | None, option("question_output")] = None,
    limit: Annotated[int | None, option("question_limit")] = None,
) -> None:
    """Show all results of one model, by benchmark."""
    known = the_store(store)
    answer("show", lambda _: show_model(known, model), output_format, output, limit)
