"""``evalmark store diff`` and ``evalmark store compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from evalmark.cli.stores.answering import answer, the_store
from evalmark.cli.stores.opening import further_aliases
from evalmark.cli.typed import option
from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.comparison import compare_models
from evalmark.leaderboard.questions.differences import diff as diff_stores
from evalmark.schemas.errors import UsageError

DIFF_EPILOG = """
Examples:
  evalmark store diff before/ after/
  evalmark store diff --rev main HEAD data/ --format markdown

Exit code: 0 done, whether or not there are differences; 2 something failed.
"""
COMPARE_EPILOG = """
Examples:
  evalmark store compare openai/gpt-4o meta/llama-3-70b
  evalmark store compare gpt-4o llama-3-70b --format json

Exit code: 0 done, 2 something failed.
"""


def diff(
    stores: Annotated[list[Path], option("diff_stores")],
    revisions: Annotated[tuple[str, str] | None, option("diff_revisions")] = None,
    output_format: Annotated[str | None, option("question_format")] = None,
    output: Annotated[Path | None, option("question_output")] = None,
    limit: Annotated[int | None, option("question_limit")] = None,
) -> None:
    """Show which results two stores, or two commits of git, differ in.

    Results of the same model and benchmark are paired: by the id of their record, else by their
    settings and source, else by the order of their scores. A result without a partner was added or
    removed. Moving a file, or a new time in a record, changes nothing.
    """
    if revisions is not None:
        from evalmark.leaderboard.questions.revisions import diff_revisions

        before, after = revisions
        aliases = further_aliases()
        answer(
            "diff",
            lambda _: diff_revisions(before, after, stores, aliases=aliases),
            output_format,
            output,
            limit,
        )
        return
    if len(stores) != 2:
        raise UsageError(f"expected two stores, found {len(stores)}; for commits give --rev")
    aliases = further_aliases()
    first, second = (Store(folder, aliases) for folder in stores)
    answer("diff", lambda _: diff_stores(first, second), output_format, output, limit)


def compare(
    first: Annotated[str, option("first_model")],
    second: Annotated[str, option("second_model")],
    store: Annotated[Path | None, option("question_store")] = None,
    output_format: Annotated[str | None, option("question_format")] = None,
    output: Annotated[Path | None, option("question_output")] = None,
    limit: Annotated[int | None, option("question_limit")] = None,
) -> None:
    """Compare two models on the benchmarks that both have.

    The comparison is paired where the store has samples of both (`store add --samples`), as in
    `evalmark compare`: it says how many samples only one of them has right, and a p value corrected
    by Holm for the number of benchmarks. Elsewhere the two scores are given without a test: two
    means without their samples do not say whether the models differ.
    """
    known = the_store(store)
    answer("compare", lambda _: compare_models(known, first, second), output_format, output, limit)
