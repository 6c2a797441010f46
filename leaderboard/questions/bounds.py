"""Scores outside of their bounds."""

from __future__ import annotations

from typing import Any

from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.asking import (
    IN_BOUNDS,
    LEAST,
    MOST,
    UNKNOWN_LEVEL,
    ask,
    asking,
)


def bounds(store: Store) -> Any:
    """Results whose score is not a number, or outside of its bounds, as a ``pyarrow.Table``.

    ``problem`` says what is wrong, and ``hint`` what it looks like: a percentage where the scale
    is 0 to 1, for example.

    Raises:
        UsageError: The store cannot be read.
    """
    with asking(store) as connection:
        return ask(connection, _BOUNDS)


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
