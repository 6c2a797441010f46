"""Any question, in SQL."""

from __future__ import annotations

from typing import Any

from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.asking import ask, asking, is_of_duckdb, sentence
from evalmark.schemas.errors import UsageError

#: Statements that read; ``SHOW``, ``DESCRIBE`` and ``SUMMARIZE`` are ``SELECT`` to DuckDB.
_READING = "SELECT"
#: Errors of DuckDB that the file has caused, not the query.
_OF_FILES = ("IOException", "SerializationException", "InternalException", "Error")


def sql(store: Store, query: str, *, limit: int | None = None) -> Any:
    """The answer of a query over the view ``results``, as a ``pyarrow.Table``.

    Only one statement that reads is run, and it can open no file but the store's.

    Columns of one name get numbers.

    Args:
        store: The store.
        query: The statement.
        limit: The most rows.

    Raises:
        UsageError: It is not such a statement, DuckDB refuses it, or the store cannot be read.
    """
    with asking(store) as connection:
        try:
            statements = connection.extract_statements(query)
            if len(statements) != 1:
                raise UsageError(f"expected one statement of SQL, found {len(statements)}")
            kind = statements[0].type.name
            if kind != _READING:
                raise UsageError(
                    f"{kind} is not a question: only SELECT, DESCRIBE and SUMMARIZE are"
                )
            return _told_apart(ask(connection, query, limit=limit))
        except Exception as error:
            if not is_of_duckdb(error) or type(error).__name__ in _OF_FILES:
                raise
            raise UsageError(sentence(error)) from error


def _told_apart(table: Any) -> Any:
    """The table with each name of a column once: ``score``, ``score_1``."""
    names: dict[str, None] = {}
    for name in table.column_names:
        own, number = name, 0
        while own in names or (number and own in table.column_names):
            number += 1
            own = f"{name}_{number}"
        names[own] = None
    return table.rename_columns([*names])
