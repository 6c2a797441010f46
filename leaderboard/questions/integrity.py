"""Duplicates in a store, and scores outside of their bounds."""

from __future__ import annotations

from typing import Any

from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.query import (
    IN_BOUNDS,
    LEAST,
    MOST,
    UNKNOWN_LEVEL,
    all_benchmark_names,
    ask,
    asking,
    with_names,
)


def duplicates(store: Store) -> Any:
    """Repeated files, records and results, as a ``pyarrow.Table``; rows of a group have its number.

    ``kind`` is ``content`` for files with the same bytes, ``record id`` for records of several
    files that have one id, and ``result`` for results of the same model and benchmark with the
    same score and settings. What one kind explains is not repeated under the next.

    Raises:
        UsageError: The store cannot be read.
    """
    with asking(store) as connection:
        connection.execute(_SAME)
        connection.execute(_ALIKE)
        names = all_benchmark_names(connection)
        return with_names(ask(connection, _DUPLICATES), names)


_SAME = """
CREATE TEMP TABLE same AS
SELECT model_key_number AS m, benchmark_key_number AS b, score
FROM own.numbered WHERE score IS NOT NULL GROUP BY ALL HAVING count(*) > 1
"""
_ALIKE = """
CREATE TEMP TABLE alike AS
SELECT model_key, benchmark_key, score, settings, source, record, file, line, digest, pointer, m, b
FROM own.numbered JOIN same USING (score) WHERE m = model_key_number AND b = benchmark_key_number
"""
# What is compared first is what is compared fast: codes of texts, numbers of keys, which are in the
# order of the keys.
_DUPLICATES = """
WITH codes AS (
    SELECT DISTINCT hash(record) AS r, hash(file) AS f, hash(digest) AS d FROM own.rows),
twice AS (
    SELECT r, d FROM codes
    WHERE d IN (SELECT d FROM codes GROUP BY d HAVING count(*) > 1)
        OR r IN (SELECT r FROM codes GROUP BY r HAVING count(*) > 1)),
files AS (
    SELECT DISTINCT record, file, digest FROM own.rows
    WHERE hash(record) IN (SELECT r FROM twice) OR hash(digest) IN (SELECT d FROM twice)),
found AS (
    SELECT 1 AS place, 'content' AS kind, digest AS what, record, file, digest
    FROM files WHERE digest IN (
        SELECT digest FROM files GROUP BY digest HAVING count(DISTINCT file) > 1)
    UNION ALL
    SELECT 2, 'record id', record, record, file, digest
    FROM files WHERE record IN (
        SELECT record FROM files GROUP BY record HAVING count(DISTINCT digest) > 1)),
named AS (
    SELECT *, dense_rank() OVER (ORDER BY place, what) AS "group" FROM found),
groups AS (
    SELECT m, b, score, settings, row_number() OVER (ORDER BY m, b, score, settings)
        + (SELECT coalesce(max("group"), 0) FROM named) AS "group"
    FROM alike GROUP BY m, b, score, settings
    HAVING count(DISTINCT coalesce(record, digest)) > 1 OR count(DISTINCT file) < count(*)),
members AS (
    SELECT kind, "group", NULL AS model, NULL AS benchmark, NULL AS score, NULL AS settings,
        NULL AS source, record, file, NULL AS line, digest, NULL AS pointer
    FROM named
    UNION ALL
    SELECT 'result', "group", model_key, benchmark_key, score, alike.settings, source, record, file,
        line, digest, pointer
    FROM alike JOIN groups USING (m, b, score)
    WHERE alike.settings IS NOT DISTINCT FROM groups.settings)
SELECT * EXCLUDE (pointer) FROM members ORDER BY "group", file, pointer, record
"""


def bounds(store: Store) -> Any:
    """Results whose score is not a number, or outside of its bounds, as a ``pyarrow.Table``.

    ``problem`` says what is wrong, and ``hint`` what it looks like: a percentage where the scale
    is 0 to 1, for example.

    Raises:
        UsageError: The store cannot be read.
    """
    with asking(store) as connection:
        return with_names(ask(connection, _BOUNDS), all_benchmark_names(connection))


_BOUNDS = f"""
WITH bounded AS (SELECT * REPLACE ({LEAST} AS min_score, {MOST} AS max_score) FROM results)
SELECT CASE WHEN isnan(score) THEN 'not a number'
            WHEN isinf(score) THEN 'infinite'
            WHEN min_score > max_score THEN 'min_score is above max_score'
            WHEN score > max_score THEN 'above max_score'
            ELSE 'below min_score' END AS problem,
    model_key AS model, benchmark_key AS benchmark, score, min_score, max_score,
    CASE WHEN min_score = 0 AND max_score = 1 AND score > 1 AND score <= 100
              THEN 'a percentage: the scale is 0 to 1'
         WHEN score = -1 THEN '-1 is not a score; did it mean that there is none?' END AS hint,
    verdict, record, file, line, pointer
FROM bounded WHERE score IS NOT NULL AND NOT {IN_BOUNDS}
    AND NOT coalesce({UNKNOWN_LEVEL}, false)
ORDER BY model, benchmark, record, file, pointer
"""
