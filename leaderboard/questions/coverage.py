"""The matrix of models and benchmarks: how full it is, and which cells are empty."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.name_lookup import benchmarks_like, models_like
from evalmark.leaderboard.questions.query import (
    all_benchmark_names,
    ask,
    asking,
    noted,
    rows_of,
    with_names,
)
from evalmark.schemas.errors import UnknownNameError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

#: What a row of the answer is about -> its query.
COVERED = ("cell", "benchmark", "model")


def missing(
    store: Store,
    *,
    by: str = "cell",
    models: Collection[str] = (),
    benchmarks: Collection[str] = (),
    limit: int | None = None,
) -> Any:
    """The benchmarks that models lack, as a ``pyarrow.Table``.

    Args:
        store: The store.
        by: ``cell`` for a row for each empty cell, those of the fullest benchmarks and models
            first; ``benchmark`` or ``model`` for how many cells of each are filled.
        models: Names of models, with wildcards; all if there are none.
        benchmarks: Names of benchmarks, with wildcards; all if there are none.
        limit: The most rows; the matrix of a large store has millions of cells.

    Raises:
        UnknownNameError: A name means nothing in the store.
        UsageError: The store cannot be read.
    """
    if by not in COVERED:
        raise UnknownNameError("row", by, COVERED)
    with asking(store) as connection:
        rows = models_like(connection, models) if models else None
        columns = benchmarks_like(connection, benchmarks) if benchmarks else None
        named = [names for names in (rows, columns) if names is not None]
        connection.execute(_FILLED.format(where=_where(rows, columns)), named)
        _add_sides(connection, rows, columns)
        (model_count, benchmark_count, filled), *_ = rows_of(connection, _SIZES)
        if by == "cell":
            table = ask(connection, _CELLS, [limit, limit])
        else:
            across = COVERED[3 - COVERED.index(by)]
            table = ask(connection, _SUMS.format(by=by, other=across), [limit])
        if by != "model":
            table = with_names(table, all_benchmark_names(connection))
    cells = model_count * benchmark_count
    share = f" ({filled / cells:.1%})" if cells else ""
    return noted(
        table,
        f"{filled:,} of {cells:,} cells are filled{share}: {_counted(model_count, 'model')} and "
        f"{_counted(benchmark_count, 'benchmark')}",
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _where(rows: list[str] | None, columns: list[str] | None) -> str:
    conditions = ["score IS NOT NULL"]
    if rows is not None:
        conditions.append("model_key IN (SELECT unnest(?::VARCHAR[]))")
    if columns is not None:
        conditions.append("benchmark_key IN (SELECT unnest(?::VARCHAR[]))")
    return " AND ".join(conditions)


def _add_sides(
    connection: DuckDBPyConnection, rows: list[str] | None, columns: list[str] | None
) -> None:
    """The models and benchmarks of the matrix: those named, also if nothing of them is filled."""
    for entity, names in (("model", rows), ("benchmark", columns)):
        connection.execute(_SIDE.format(what=entity))
        if names is not None:
            connection.execute(_NAMED.format(what=entity), [names])


# Cells are pairs of numbers until they are shown: there are many.
_FILLED = """
CREATE TEMP TABLE filled AS
SELECT DISTINCT model_key_number AS model, benchmark_key_number AS benchmark
FROM own.numbered WHERE {where}
"""
_SIDE = """
CREATE TEMP TABLE {what}s AS
SELECT {what} AS number, {what}_key AS name, count(*) AS filled FROM filled
JOIN (SELECT DISTINCT {what}_key_number, {what}_key FROM own.{what}_keys)
    ON {what} = {what}_key_number
GROUP BY ALL
"""
_NAMED = """
INSERT INTO {what}s SELECT DISTINCT {what}_key_number, {what}_key, 0 FROM own.{what}_keys
WHERE {what}_key IN (SELECT unnest(?::VARCHAR[]))
    AND {what}_key_number NOT IN (SELECT number FROM {what}s)
"""
_SIZES = """
SELECT (SELECT count(*) FROM models), (SELECT count(*) FROM benchmarks),
    (SELECT count(*) FROM filled)
"""
# Of the benchmarks in order, only those are crossed with all models that the limit reaches.
_CELLS = """
WITH sides AS (
    SELECT number, name, filled, (SELECT count(*) FROM models) - filled AS empty,
        sum((SELECT count(*) FROM models) - filled) OVER (ORDER BY filled DESC, name) AS reached
    FROM benchmarks),
wanted AS (
    SELECT * FROM sides
    WHERE empty > 0 AND reached - empty < coalesce(?::BIGINT, 9223372036854775807))
SELECT m.name AS model, w.name AS benchmark, m.filled AS model_has, w.filled AS benchmark_has
FROM wanted w CROSS JOIN models m
ANTI JOIN filled f ON f.model = m.number AND f.benchmark = w.number
ORDER BY w.filled DESC, w.name, m.filled DESC, m.name LIMIT ?
"""
_SUMS = """
SELECT name AS {by}, filled, (SELECT count(*) FROM {other}s) - filled AS missing,
    filled / (SELECT count(*) FROM {other}s) AS coverage
FROM {by}s ORDER BY filled DESC, name LIMIT ?
"""
