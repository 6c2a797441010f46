"""``evalmark store conflicts``, ``duplicates`` and ``bounds``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from evalmark.cli.stores.answering import answer, the_store
from evalmark.cli.typed import option
from evalmark.leaderboard.questions import bounds as bounds_question
from evalmark.leaderboard.questions import conflicts as conflicts_question
from evalmark.leaderboard.questions import duplicates as duplicates_question

_EPILOG = """
Examples:
  evalmark store {0}
  evalmark store {0} --format csv -o {0}.csv

Exit code: 0 done, whether or not there are any; 2 something failed.
"""
CONFLICTS_EPILOG = _EPILOG.format("conflicts")
DUPLICATES_EPILOG = _EPILOG.format("duplicates")
BOUNDS_EPILOG = _EPILOG.format("bounds")


def conflicts(
    store: Annotated[Path | None, option("question_store")] = None,
    output_format: Annotated[str | None, option("question_format")] = None,
    output: Annotated[Path | None, option("question_output")] = None,
    limit: Annotated[int | None, option("question_limit")] = None,
) -> None:
    """Find different numbers for the same model and benchmark.

    The settings that differ are shown for each number. Numbers under the same settings contradict
    each other; sources, dates, ranks and costs are no settings. Numbers agree if one is the other
    rounded, but never more coarsely than 0.5 % of the scale. Contradictions are first, and of these
    the largest difference.
    """
    known = the_store(store)
    answer(
        "conflicts",
        lambda most: conflicts_question.conflicts(known, limit=most),
        output_format,
        output,
        limit,
    )


def duplicates(
    store: Annotated[Path | None, option("question_store")] = None,
    output_format: Annotated[str | None, option("question_format")] = None,
    output: Annotated[Path | None, option("question_output")] = None,
    limit: Annotated[int | None, option("question_limit")] = None,
) -> None:
    """Find what the store has several times.

    Files with the same bytes; different files whose records have the same id; and results, of one
    record or of several, with the same model, benchmark, score and settings.
    """
    known = the_store(store)
    answer(
        "duplicates", lambda _: duplicates_question.duplicates(known), output_format, output, limit
    )


def bounds(
    store: Annotated[Path | None, option("question_store")] = None,
    output_format: Annotated[str | None, option("question_format")] = None,
    output: Annotated[Path | None, option("question_output")] = None,
    limit: Annotated[int | None, option("question_limit")] = None,
) -> None:
    """Find scores that are outside of their bounds, infinite or not a number."""
    known = the_store(store)
    answer("bounds", lambda _: bounds_question.bounds(known), output_format, output, limit)
