"""Queries of a store: a locked connection, a query, a table with notes; and any question in SQL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalmark.leaderboard.benchmark_names import benchmark_names
from evalmark.leaderboard.columns import arrow_schema
from evalmark.leaderboard.identity import Connection
from evalmark.leaderboard.open_store import Store
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.opening import open_regular, read_whole

if TYPE_CHECKING:
    from pyarrow import Table

#: Key of the metadata of a table that holds its notes.
_NOTES = b"notes"
#: The bounds of a scale as they are known, in SQL; as in its key, those of a binary score are 0
#: and 1 if it has none.
_IS_PLAIN = "score_type = 'binary' AND min_score IS NULL AND max_score IS NULL"
LEAST, MOST = (
    f"CASE WHEN {_IS_PLAIN} THEN {bound} ELSE {name} END"
    for name, bound in (("min_score", 0), ("max_score", 1))
)
#: Whether a score can be ranked: a number within its bounds, as far as these are known.
IN_BOUNDS = (
    f"coalesce(isfinite(score) AND score >= coalesce({LEAST}, '-inf'::DOUBLE) "
    f"AND score <= coalesce({MOST}, 'inf'::DOUBLE), false)"
)
#: Whether a score says that the level is unknown, which is out of bounds and right.
UNKNOWN_LEVEL = "score = -1 AND contains(settings, '\"has_unknown_level\":true')"

#: Whether a score has a rank: it is a level or within its bounds, and it is known which are better.
IS_RANKED = f"{IN_BOUNDS} AND lower_is_better IS NOT NULL AND NOT coalesce({UNKNOWN_LEVEL}, false)"
#: The remark on a result wherever it is shown, in SQL.
HAS_ERRORS = "'its record has errors'"
REMARK = f"CASE WHEN verdict = 'error' THEN {HAS_ERRORS} END AS remark"


@contextmanager
def asking(store: Store) -> Iterator[Connection]:
    """A connection to a store that reads no other file; what fails becomes one sentence.

    Raises:
        UsageError: The folder is not a store, or its table is damaged.
    """
    connection = None
    try:
        connection = store.connect()
        _require_columns(store)
        yield connection
    except OSError as error:
        raise UsageError(f"{store.results} cannot be read: {error.strerror or error}") from error
    except Exception as error:
        if not is_of_duckdb(error):
            raise
        _require_columns(store)
        raise UsageError(f"{store.results} cannot be read: {sentence(error)}") from error
    finally:
        if connection is not None:
            connection.close()


def is_of_duckdb(error: Exception) -> bool:
    """True if DuckDB has raised an error."""
    return type(error).__module__.partition(".")[0].lstrip("_") == "duckdb"


def ask(connection: Connection, query: str, values: Sequence[Any] = ()) -> Table:
    """The answer of a query as a ``pyarrow.Table``."""
    return connection.sql(query, params=list(values)).to_arrow_table()


def rows_of(
    connection: Connection, query: str, values: Sequence[Any] = ()
) -> list[tuple[Any, ...]]:
    """The answer of a query, as tuples."""
    rows: list[tuple[Any, ...]] = connection.execute(query, list(values)).fetchall()
    return rows


def table_of(columns: Mapping[str, str], rows: Iterable[Sequence[Any]]) -> Table:
    """Rows as a ``pyarrow.Table``; types as ``pyarrow`` names them: string, double, int64, bool."""
    import pyarrow as pa

    schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in columns.items()])
    entries = list(zip(*rows, strict=True)) or [()] * len(columns)
    arrays = [pa.array(e, field.type) for e, field in zip(entries, schema, strict=True)]
    return pa.table(arrays, schema=schema)


def all_benchmark_names(connection: Connection) -> dict[str, str]:
    """Key of each benchmark of a store -> its name in words."""
    keys = rows_of(connection, "SELECT DISTINCT benchmark_key FROM own.benchmark_keys")
    return benchmark_names(str(key) for (key,) in keys)


def with_names(table: Table, names: Mapping[str, str]) -> Table:
    """A table with a column ``benchmark``, and another one with the names of these keys."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = [table.column("benchmark"), pa.array(names, pa.string())]
    places = pc.index_in(texts[0], value_set=texts[1])
    return table.append_column("benchmark_name", pa.array(names.values(), pa.string()).take(places))


def noted(table: Table, *notes: str) -> Table:
    """A table with notes, which ``notes_of`` returns and the commands print."""
    texts = [*notes_of(table), *filter(None, notes)]
    return table.replace_schema_metadata({_NOTES: json.dumps(texts).encode()} if texts else None)


def notes_of(table: Any) -> list[str]:
    """The notes of an answer, each a sentence."""
    metadata = table.schema.metadata or {}
    notes: list[str] = json.loads(metadata.get(_NOTES, b"[]"))
    return notes


def sentence(error: Exception) -> str:
    """An error of DuckDB in one line, without the drawing of the query."""
    lines = [line.strip() for line in str(error).partition("\n\nLINE ")[0].split("\n")]
    text = "; ".join(line.rstrip("!.") for line in lines if line)
    kind, colon, rest = text.partition(": ")
    return rest if colon and kind.endswith("Error") else text


def _require_columns(store: Store) -> None:
    """Check that a table has the columns of results.

    Raises:
        UsageError: It has not, or it is not a Parquet file.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with open_regular(store.results) as file:
            schema = parquet.read_schema(file)
    except (pa.ArrowException, ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno:  # nothing is wrong with its bytes
            raise UsageError(f"{store.results} cannot be read: {error.strerror}") from error
        reason = str(error).split("\n")[0].rstrip(".")
        raise UsageError(f"{store.results} is not a Parquet file: {reason}") from error
    for field in arrow_schema():
        if field.name not in schema.names:
            problem = f"it has no column {field.name}"
        elif not _are_alike(schema.field(field.name).type, field.type):
            problem = f"column {field.name} holds {schema.field(field.name).type}, not {field.type}"
        else:
            continue
        raise UsageError(
            f"{store.results} is not a table of results: {problem}; "
            "make the store again with `evalmark store add`"
        )


def _are_alike(actual: Any, expected: Any) -> bool:
    """True if a column has the expected type, in any size."""
    names = ("int", "double", "float", "bool", "string", "list")
    kinds = [
        next((name for name in names if name in str(type_)), "") for type_ in (actual, expected)
    ]
    return kinds[0] == kinds[1]


#: The folder of the queries that have names.
_NAMED = Path(__file__).with_name("named")
#: Statements that read; ``SHOW``, ``DESCRIBE`` and ``SUMMARIZE`` are ``SELECT`` to DuckDB.
_READING = "SELECT"
#: Errors of DuckDB that the file has caused, not the query.
_OF_FILES = ("IOException", "SerializationException", "InternalException", "Error")


def named_queries() -> dict[str, str]:
    """Name -> SQL of each query that comes with evalmark; its first line describes it."""
    return {path.stem: read_whole(path).decode() for path in sorted(_NAMED.glob("*.sql"))}


def sql(store: Store, query: str, *, before: Store | None = None) -> Any:
    """The answer of a query over the view ``results``, as a ``pyarrow.Table``.

    Only one statement that reads is run, and it can open no file but the store's.

    Columns of one name get numbers.

    Args:
        store: The store.
        query: The statement.
        before: Another store, whose view ``results`` the query sees as ``before``.

    Raises:
        UsageError: It is not such a statement, DuckDB refuses it, or a store cannot be read.
    """
    with asking(store) as connection:
        if before is not None:
            with asking(before) as other:
                connection.register("before", ask(other, "FROM results"))
        try:
            statements = connection.extract_statements(query)
            if len(statements) != 1:
                raise UsageError(f"expected one statement of SQL, found {len(statements)}")
            kind = statements[0].type.name
            if kind != _READING:
                raise UsageError(
                    f"{kind} is not a question: only SELECT, DESCRIBE and SUMMARIZE are"
                )
            return _told_apart(ask(connection, query))
        except Exception as error:
            if not is_of_duckdb(error) or type(error).__name__ in _OF_FILES:
                raise
            raise UsageError(sentence(error)) from error


def _told_apart(table: Table) -> Table:
    """The table with each name of a column once: ``score``, ``score_1``."""
    names: dict[str, None] = {}
    for name in table.column_names:
        unique, number = name, 0
        while unique in names or (number and unique in table.column_names):
            number += 1
            unique = f"{name}_{number}"
        names[unique] = None
    return table.rename_columns([*names])
