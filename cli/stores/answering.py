"""Questions to a store: a table of them, and the answer as it is printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer
from evalmark.cli.stores.named_store import opened, the_store
from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.conflicts import conflicts
from evalmark.leaderboard.questions.model_comparison import compare_models
from evalmark.leaderboard.questions.query import named_queries, notes_of, sql
from evalmark.leaderboard.questions.question_output import ANSWERS, LAYOUTS, AnswerLayout, as_table
from evalmark.leaderboard.questions.ranking import show, top
from evalmark.schemas.errors import AmbiguousNameError, UsageError
from evalmark.validator.io.terminal import complain, put, say

if TYPE_CHECKING:
    from pyarrow import Table

#: Rows that a terminal shows if nobody says how many.
SHOWN_ROWS = 50
_TABLE = "table"


class StoreQuestion(NamedTuple):
    """A question to a store.

    Attributes:
        words: What it asks about, as the user gives it after the folder of the store.
        ask: Called with the store, these words and the options; gives the rows, with notes.
    """

    words: tuple[str, ...]
    ask: Callable[..., Table]


def _sql(store: Store, query: str, before: Path | None) -> Table:
    return sql(store, query, before=None if before is None else opened(before))


def _named(store: Store, name: str, before: Path | None) -> Table:
    return _sql(store, named_queries()[name], before)


#: Name -> question.
QUESTIONS = {
    "top": StoreQuestion(("BENCHMARK",), top),
    "show": StoreQuestion(("MODEL",), show),
    "compare": StoreQuestion(("FIRST", "SECOND"), compare_models),
    "conflicts": StoreQuestion((), conflicts),
    "sql": StoreQuestion(("QUERY",), _sql),
    "named": StoreQuestion((), _named),
}


def answer(
    question: str,
    words: Sequence[str],
    output_format: str,
    limit: int | None = None,
    **options: Any,
) -> None:
    """Ask a store about some words, and print the answer.

    Args:
        question: A key of ``QUESTIONS``.
        words: Those that it asks about, after the folder of the store, which may be left out.
        output_format: ``table`` or a key of ``ANSWERS``.
        limit: The most rows; if None, ``SHOWN_ROWS`` in a table, and all in other formats.
        options: Further arguments of the question.

    Raises:
        UsageError: There are fewer or more words, or no store.
        ConfigError: The configuration cannot be used.
    """
    expected, ask = QUESTIONS[question]
    more = len(words) - len(expected)
    if more not in (0, 1):
        raise UsageError(f"expected {' '.join(('STORE', *expected))}, found {len(words)} arguments")
    store = the_store(Path(words[0]) if more else None)
    try:
        table = ask(store, *words[more:], **options)
    except AmbiguousNameError as error:
        raise typer.Exit(_say_candidates(error)) from None
    most = limit or (SHOWN_ROWS if output_format == _TABLE else None)
    shown, layout = table.slice(0, most), LAYOUTS.get(question, AnswerLayout())
    if output_format != _TABLE:
        put(ANSWERS[output_format](shown, layout).decode())
    elif shown.num_rows:
        as_table(shown, layout)
    else:
        say("note: no rows")
    if output_format != "json":  # which has them itself
        for note in notes_of(table):
            say(f"note: {note}")
    if limit is None and table.num_rows > shown.num_rows:
        say(f"note: {shown.num_rows} of {table.num_rows:,} rows: --format csv has all")


def _say_candidates(error: AmbiguousNameError) -> int:
    """Print all meanings of a name, a line each."""
    code = complain(
        f"{error.what} {error.given!r} can mean any of {len(error.candidates)}; write one of these:"
    )
    for candidate in error.candidates[:SHOWN_ROWS]:
        say(f"  {candidate}")
    if (more := len(error.candidates) - SHOWN_ROWS) > 0:
        say(f"  and {more} more")
    return code
