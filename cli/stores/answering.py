"""Steps that commands of stores share: open a store, ask a question, write the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, suppress
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from evalmark.cli.checking import settings
from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.name_lookup import completable_names
from evalmark.leaderboard.questions.query import notes_of
from evalmark.leaderboard.questions.question_output import ANSWERS, LAYOUTS, AnswerLayout, as_table
from evalmark.schemas.errors import AmbiguousNameError, UsageError
from evalmark.validator.io.terminal import complain, put, say
from evalmark.validator.settings.config import load_config

if TYPE_CHECKING:
    from pyarrow import Table

#: Rows that a terminal shows if nobody says how many.
SHOWN_ROWS = 50
_TABLE = "table"


def opened(folder: Path) -> Store:
    """A store with the aliases of the settings."""
    aliases = settings().aliases
    return Store(folder, () if aliases is None else (Path(aliases),))


def the_store(named: Path | None) -> Store:
    """The store that a user means.

    Raises:
        UsageError: None is named, nor does the configuration name one.
        ConfigError: The configuration cannot be used.
    """
    if named is None:
        config = load_config()
        if config.store is None:
            refused = {setting.setting: setting.line for setting in config.refused}
            missing = "no store is named: give its folder first, or set EVALMARK_STORE"
            raise UsageError(refused.get("store.path", missing))
        named = Path(config.store)
    return opened(named)


def names_in(folder: Path | None, entity: str) -> list[str]:
    """The models or benchmarks of a store that a shell can complete; none if it cannot be read.

    Args:
        folder: The store; that of the settings if None.
        entity: ``model`` or ``benchmark``.
    """
    # A prompt has no place for messages: the command that is being typed will show them.
    with suppress(Exception), redirect_stderr(StringIO()):
        return completable_names(the_store(folder).connect(), entity)
    return []


def answer(
    question: str,
    words: Sequence[str],
    expected: Sequence[str],
    ask: Callable[..., Table],
    output_format: str,
    limit: int | None = None,
) -> None:
    """Ask a store about some words, and print the answer.

    Args:
        question: Its name.
        words: Those that are expected, after the folder of the store, which may be left out.
        expected: What they are called.
        ask: Called with the store and these words; gives the rows, with notes.
        output_format: ``table`` or a key of ``ANSWERS``.
        limit: The most rows; if None, ``SHOWN_ROWS`` in a table, and all in other formats.

    Raises:
        UsageError: There are fewer or more words, or no store.
        ConfigError: The configuration cannot be used.
    """
    more = len(words) - len(expected)
    if more not in (0, 1):
        raise UsageError(f"expected {' '.join(('STORE', *expected))}, found {len(words)} arguments")
    store = the_store(Path(words[0]) if more else None)
    try:
        table = ask(store, *words[more:])
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
    """All that a name can mean, a line each."""
    code = complain(
        f"{error.what} {error.given!r} can mean any of {len(error.candidates)}; write one of these:"
    )
    for candidate in error.candidates[:SHOWN_ROWS]:
        say(f"  {candidate}")
    if (more := len(error.candidates) - SHOWN_ROWS) > 0:
        say(f"  and {more} more")
    return code
