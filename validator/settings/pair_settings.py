"""The tables of minimal pairs of a repository, from its settings."""

from __future__ import annotations

import os
import posixpath

from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.validator.options.pair_columns import STATED, PairTables, columns_of
from evalmark.validator.settings.user_config import Table


def pair_tables(table: Table) -> PairTables:
    """The columns of tables of minimal pairs: names alone; ConfigError if they cannot be used."""
    entries = []
    for entry in table.tables("pairs", ("files", "preset", *STATED)):
        stated = {key: value for key, value in entry.data.items() if key in STATED}
        try:
            columns = columns_of(stated, entry.text("preset") or "")
        except (UsageError, UnknownNameError) as error:
            raise table.wrong(f"`pairs`: {error}") from None
        # As places are written: no `./` at the beginning, no slash at the end.
        plain = posixpath.normpath(entry.glob("files"))
        entries.append(("*" if plain == "." else plain, columns))
    return PairTables(os.path.dirname(os.path.abspath(table.path)), tuple(entries))
