"""Differences of two stores, result by result."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from evalmark.leaderboard.benchmark_names import benchmark_names
from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.conflicts import differing, notes_of_keys, settings_of
from evalmark.leaderboard.questions.query import ask, asking, noted, rows_of, table_of, with_names

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from pyarrow import Table

#: What decides whether two results are the same. When and where they were written does not.
_COMPARED = (
    "model_key", "benchmark_key", "score", "standard_error", "lower", "upper", "samples",
    "settings", "harness", "source", "relationship",
)  # fmt: skip
#: What is shown of a result besides, or decides the order.
_SHOWN = ("lower_is_better", "record", "file", "line", "pointer")
#: How results that are not the same are paired, the surest way first.
_PAIRED = (
    _COMPARED,
    ("model_key", "benchmark_key", "record"),
    ("model_key", "benchmark_key", "settings", "source"),
    ("model_key", "benchmark_key"),
)
_COLUMNS = {
    "change": "string",
    "model": "string",
    "benchmark": "string",
    "before": "double",
    "after": "double",
    "difference": "double",
    "better": "bool",
    "differs": "string",
    "record": "string",
    "file": "string",
    "line": "int64",
}
_CHANGES = ("added", "removed", "changed")


def diff(first: Store, second: Store) -> Any:
    """Results that were added, removed or changed between two stores, as a ``pyarrow.Table``.

    Files with the same bytes are not looked at. Of the other results, those of the same model and
    benchmark are paired: by the id of their record, else by their settings and source, else in the
    order of their scores. A result without a partner was added or removed. A pair is changed if its
    score, interval, samples, settings, source or harness differ; times and places do not count.

    Raises:
        UsageError: A store cannot be read.
    """
    with asking(first) as left, asking(second) as right:
        left.register("others", ask(right, _DIGESTS))
        digests = [digest for (digest,) in rows_of(left, _OTHER_DIGESTS)]
        if not digests:
            return _changes_of([])
        parameters = [digests, None in digests]
        return changes(left, *(ask(side, _CHANGED_FILES, parameters) for side in (left, right)))


_DIGESTS = "SELECT digest, count(*) AS rows FROM own.rows GROUP BY digest"
_OTHER_DIGESTS = f"""
SELECT coalesce(own.digest, others.digest) FROM ({_DIGESTS}) AS own
FULL JOIN others ON own.digest IS NOT DISTINCT FROM others.digest
WHERE own.rows IS DISTINCT FROM others.rows
"""
_CHANGED_FILES = f"""
SELECT {", ".join((*_COMPARED, *_SHOWN))} FROM results
WHERE digest IN (SELECT unnest(?::VARCHAR[])) OR (? AND digest IS NULL)
"""


def changes(connection: DuckDBPyConnection, before: Table, after: Table) -> Table:
    """The differences between two tables of results, each with the three keys of a store.

    Args:
        connection: Of DuckDB, to any store or to none.
        before: The first table; what else it has does not matter.
        after: The second.
    """
    for name, table in (("before", before), ("after", after)):
        connection.register(f"{name}_table", table)
        connection.execute(_NUMBERED.format(name=name))
    connection.execute("CREATE TEMP TABLE pairs (one BIGINT, other BIGINT, way BIGINT)")
    left = min(before.num_rows, after.num_rows)
    for way, keys in enumerate(_PAIRED):
        if left:
            ((paired,),) = rows_of(connection, _pairing(keys), [way])
            left -= paired
    return _changes_of(ask(connection, _FOUND).to_pylist())


def _changes_of(pairs: list[dict[str, Any]]) -> Table:
    """The answer of pairs of a former and a later row, one of which may be missing."""
    rows = sorted((_change(row) for row in pairs), key=_order)
    kinds = Counter(row[0] for row in rows)
    note = ", ".join(f"{kinds[kind]:,} {kind}" for kind in _CHANGES)
    benchmarks = dict.fromkeys(row[2] for row in rows)
    table = with_names(table_of(_COLUMNS, rows), benchmark_names(benchmarks))
    return noted(table, note, *notes_of_keys(benchmarks))


_NUMBERED = """
CREATE TEMP TABLE {name} AS SELECT *, row_number() OVER (ORDER BY score, file, pointer) AS n
FROM {name}_table
"""
_FOUND = """
SELECT a, b FROM (
    SELECT before AS a, after AS b FROM pairs
    JOIN before ON before.n = one JOIN after ON after.n = other WHERE way > 0
    UNION ALL
    SELECT before, NULL FROM before WHERE n NOT IN (SELECT one FROM pairs)
    UNION ALL
    SELECT NULL, after FROM after WHERE n NOT IN (SELECT other FROM pairs))
"""


def _pairing(keys: tuple[str, ...]) -> str:
    """The query that pairs what has no partner yet and the same keys, in the order of scores."""
    names = ", ".join(keys)
    sides = (
        f"(SELECT {names}, n, row_number() OVER (PARTITION BY {names} ORDER BY n) AS place "
        f"FROM {table} WHERE n NOT IN (SELECT {side} FROM pairs))"
        for table, side in (("before", "one"), ("after", "other"))
    )
    alike = " AND ".join(f"a.{name} IS NOT DISTINCT FROM b.{name}" for name in (*keys, "place"))
    first, second = sides
    return f"INSERT INTO pairs SELECT a.n, b.n, ? FROM {first} a JOIN {second} b ON {alike}"


def _change(row: dict[str, Any]) -> tuple[Any, ...]:
    """A row of the answer."""
    before, after = row["a"], row["b"]
    kind = "changed" if before and after else "removed" if before else "added"
    about = after or before
    scores = [side and side["score"] for side in (before, after)]
    difference = scores[1] - scores[0] if None not in scores else None
    better = None
    if difference and about["lower_is_better"] is not None:
        better = (difference < 0) == about["lower_is_better"]
    differences = ""
    if before and after:
        sides = [_stated(side) for side in (before, after)]
        differences = ", ".join(
            f"{name}: {' → '.join(side.get(name, 'not stated') for side in sides)}"
            for name in differing(sides)
        )
    return (
        kind, about["model_key"], about["benchmark_key"], *scores, difference, better, differences,
        about["record"], about["file"], about["line"],
    )  # fmt: skip


def _stated(row: dict[str, Any]) -> dict[str, str]:
    """Settings and the other columns that are compared, as they are shown."""
    stated = settings_of({**row, "evaluated_at": None})
    for name in ("standard_error", "lower", "upper"):
        if row[name] is not None:
            stated[name] = f"{row[name]:.6g}"
    return stated


def _order(row: tuple[Any, ...]) -> tuple[Any, ...]:
    kind, model, benchmark, before, after, *_, record, file, line = row
    scores = [(x is not None, x or 0) for x in (before, after)]
    return model or "", benchmark, _CHANGES.index(kind), *scores, str(record), str(file), line or 0
