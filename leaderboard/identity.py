"""What is one model, one developer and one benchmark.

The table ``results`` holds names as records write them. The keys are computed when a question is
asked, with the aliases of that moment. Two results have the same ``benchmark_key`` only if the
collection and data set, the subset, the split, the metric with its parameters, the direction and
the scale are the same; aliases can merge names of data sets and subsets, never different metrics
or scales.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evalmark.leaderboard.aliases import PART, Aliases
from evalmark.leaderboard.names import DECIDES, NUMBERS

#: The columns that ``results`` has in a connection besides those of the file.
KEYS = {
    "model_key": "what the model is called here: its id, or what that is an alias of",
    "developer_key": "the same for its developer; of a model with an alias, the owner in that id",
    "benchmark_key": "collection/dataset | subset | split | metric | direction | scale",
}

#: Which keys decide of which.
_KEYS_OF = {"model": ("model_key", "developer_key"), "benchmark": ("benchmark_key",)}
_NAME, _DATA = (
    "coalesce(nullif(model, ''), nullif(model_name, ''))",
    "{collection} || '/' || {dataset}",
)


def _part(column: str) -> str:
    """A part of a key, in SQL: `-` where there is none; no name has the mark that separates."""
    escaped = rf"replace(replace({column}, '\', '\\'), '|', '\|')"
    return (
        f"CASE WHEN {column} IS NULL OR {column} = '' THEN '-' "
        rf"WHEN {column} = '-' THEN '\-' ELSE {escaped} END"
    )


def _number(column: str) -> str:
    """A bound of a scale, in SQL."""
    return rf"coalesce(regexp_replace({column}::VARCHAR, '\.0$', ''), 'open')"


_METRIC = (
    f"{_part('metric')} || CASE WHEN metric_parameters IS NULL OR metric_parameters = '{{}}' "
    f"THEN '' ELSE ' ' || {_part('metric_parameters')} END"
)
_DIRECTION = "CASE lower_is_better WHEN true THEN 'lower' WHEN false THEN 'higher' ELSE '-' END"
_SCALE = (
    "CASE WHEN score_type = 'binary' AND min_score IS NULL AND max_score IS NULL THEN '0 to 1' "
    f"ELSE {_number('min_score')} || ' to ' || {_number('max_score')} END"
)


def create_view(connection: Any, table: str, names: Mapping[str, Any], aliases: Aliases) -> None:
    """Create the view ``results`` with the keys.

    The keys of each model and of each benchmark are computed once, and are in ``own.model_keys``
    and ``own.benchmark_keys``; ``model_key_number`` and ``benchmark_key_number`` are numbers of
    them, which are compared faster than texts. Rows have the numbers of their names.

    Args:
        connection: Of DuckDB.
        table: What holds the rows, in SQL.
        names: What the numbers in the rows mean; see ``NumberedNames.tables``.
        aliases: The aliases that count.
    """
    connection.execute("CREATE SCHEMA own")
    for name, entries in aliases._asdict().items():
        table_name = f"own.alias_{name}"
        connection.execute(f"CREATE TABLE {table_name} (alias VARCHAR PRIMARY KEY, target VARCHAR)")
        if entries:
            connection.executemany(f"INSERT INTO {table_name} VALUES (?, ?)", [*entries.items()])  # noqa: S608
    for what, number in NUMBERS.items():
        own = f"own.{what}_names"
        connection.register("names", names[what])
        connection.execute(f"CREATE TABLE {own} AS FROM names")
        connection.unregister("names")
        columns = ", ".join((number, *DECIDES[what], *_KEYS_OF[what]))
        connection.execute(
            f"CREATE TABLE own.{what}_keys AS SELECT {columns}, (dense_rank() OVER "  # noqa: S608
            f"(ORDER BY {what}_key) - 1)::INTEGER AS {what}_key_number "
            f"FROM ({_keyed(_merged(own))})"
        )
    joins = " ".join(f"JOIN own.{what}_keys {what} USING ({NUMBERS[what]})" for what in NUMBERS)
    keys = ", ".join(KEYS)
    numbers = ", ".join(f"{what}_key_number" for what in NUMBERS)
    for view, columns in (("results", keys), ("own.numbered", f"{keys}, {numbers}")):
        connection.execute(
            f"CREATE VIEW {view} AS SELECT rows.*, {columns} FROM {table} rows {joins}"  # noqa: S608
        )


def _named(table: str) -> str:
    """The rows of a table with their names as records write them, in SQL."""
    data = _DATA.format(collection=_part("collection"), dataset=_part("dataset"))
    return f"""
        SELECT *, {_NAME} AS "own name", {data} AS "own data",
            {data} || '{PART}' || {_part("subset")} AS "own subset"
        FROM {table}
        """  # noqa: S608


def _merged(table: str) -> str:
    """The same with the aliases of models and data sets."""
    return f"""
        SELECT named.*, coalesce(m.target, "own name") AS model_key,
            CASE WHEN contains(m.target, '/') THEN split_part(m.target, '/', 1)
                ELSE developer END AS "own developer",
            coalesce(
                two.target, one.target || substr("own subset", length("own data") + 1), "own subset"
            ) AS "own benchmark"
        FROM ({_named(table)}) AS named
        LEFT JOIN own.alias_models m ON m.alias = "own name"
        LEFT JOIN own.alias_benchmarks two ON two.alias = "own subset"
        LEFT JOIN own.alias_benchmarks one ON one.alias = "own data"
        """  # noqa: S608


def _keyed(merged: str) -> str:
    """The same with all keys."""
    return f"""
        SELECT merged.* EXCLUDE ("own name", "own data", "own subset", model_key, "own developer",
                "own benchmark"),
            model_key,
            coalesce(d.target, "own developer") AS developer_key,
            concat_ws('{PART}', "own benchmark", {_part("split")}, {_METRIC}, {_DIRECTION},
                {_SCALE}) AS benchmark_key
        FROM ({merged}) AS merged
        LEFT JOIN own.alias_developers d ON d.alias = "own developer"
        """  # noqa: S608


def rows_with_alias(connection: Any, table: str) -> dict[str, int]:
    """Alias -> the number of rows that have it, of those that there are."""
    what, match = {
        "models": ("model", '"own name" = alias'),
        "developers": ("model", '"own developer" = alias'),
        "benchmarks": ("benchmark", 'alias IN ("own data", "own subset")'),
    }[table]
    found = connection.execute(f"""
        SELECT alias, sum(count)::BIGINT
        FROM (SELECT {what}_number, count(*) AS count FROM results GROUP BY 1)
        JOIN ({_merged(f"own.{what}_names")}) USING ({what}_number)
        JOIN own.alias_{table} ON {match} GROUP BY 1
        """)  # noqa: S608
    return dict(found.fetchall())
