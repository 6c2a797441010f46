"""Steps that commands of stores share: open a store, ask a question, write the answer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import redirect_stderr, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from evalmark.cli.settings import settings
from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.name_lookup import completable_names
from evalmark.leaderboard.questions.query import notes_of
from evalmark.pages.question_output import ANSWERS, LAYOUTS, AnswerLayout, as_table
from evalmark.schemas.errors import AmbiguousNameError, UsageError
from evalmark.validator.config import load_config
from evalmark.validator.io.terminal import complain, put, say
from evalmark.validator.io.writing import sweep, write_atomically

if TYPE_CHECKING:
    from pyarrow import Table

#: Rows that a terminal shows if nobody says how many.
SHOWN_ROWS = 50
#: End of a file's name -> the output format, if none is named.
_FORMATS = {".csv": "csv", ".json": "json", ".md": "markdown", ".parquet": "parquet"}
_TABLE = "table"


def opened(folder: Path) -> Store:
    """A store with the aliases of the settings."""
    return Store(folder, further_aliases())


def further_aliases() -> tuple[Path, ...]:
    """The files of aliases besides those of the stores."""
    aliases = settings().aliases
    return () if aliases is None else (Path(aliases),)


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


def answer_from(
    folder: Path | None,
    question: str,
    ask: Callable[[Store, int | None], Table],
    output_format: str | None,
    output: Path | None,
    limit: int | None,
) -> None:
    """Ask one store, which the settings name if ``folder`` is None; see ``answer``."""
    answer(question, partial(ask, the_store(folder)), output_format, output, limit)


def answer(
    question: str,
    ask: Callable[[int | None], Table],
    output_format: str | None,
    output: Path | None,
    limit: int | None,
) -> None:
    """Ask, and write what comes, as ``output_format`` or the name of the file says.

    Args:
        question: Its name.
        ask: Gives the table for a number of rows, which may be ignored.
        output_format: ``table`` or a key of ``ANSWERS``; None if it is not named.
        output: A file to write.
        limit: The most rows.
    """
    output_format = _format(output_format, output)
    most = limit or (SHOWN_ROWS if output_format == _TABLE else None)
    try:
        table = ask(most)
    except AmbiguousNameError as error:
        raise typer.Exit(_say_candidates(error)) from None
    shown, layout = table.slice(0, most), LAYOUTS.get(question, AnswerLayout())
    if output_format == _TABLE:
        if shown.num_rows:
            as_table(shown, layout)
        else:
            say("note: no rows")
    else:
        _write(ANSWERS[output_format](shown, layout), output)
    if output_format != "json":  # which has them itself
        for note in notes_of(table):
            say(f"note: {note}")
    if limit is None and table.num_rows > shown.num_rows:
        say(f"note: {shown.num_rows} of {table.num_rows:,} rows: --limit N shows more")


def _format(named: str | None, output: Path | None) -> str:
    if output is None:
        if named == "parquet":
            raise UsageError("--format parquet needs -o FILE")
        return named or _TABLE
    chosen_format = named or _FORMATS.get(output.suffix.lower())
    if chosen_format is None or chosen_format == _TABLE:
        names = ", ".join(ANSWERS)
        raise UsageError(f"-o {output}: name a format with --format: {names}")
    return chosen_format


def _write(content: bytes, output: Path | None) -> None:
    if output is None:
        put(content.decode())
        return
    sweep(output)  # temporary files of an interrupted command
    write_atomically(output, content)
    say(f"wrote {output}")


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
