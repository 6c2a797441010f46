"""One model, one benchmark, different numbers."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations, groupby
from operator import itemgetter
from typing import Any

from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.asking import (
    ask,
    asking,
    noted,
    rows_of,
    table_of,
)
from evalmark.leaderboard.questions.directions import direction_notes
from evalmark.leaderboard.questions.settings import (
    STATED,
    conditions_of,
    differing,
    settings_of,
    side,
)

#: Decimals beyond which doubles are not told apart.
_MOST_DECIMALS = 12
#: How far apart two numbers are at most that agree, in SQL, by the decimals of the coarser one.
_APART = "0.5000001 * pow(10, -({}))"
_COLUMNS = {
    "model": "string",
    "benchmark": "string",
    "score": "double",
    "differs": "string",
    "spread": "double",
    "settings": "string",
    "source": "string",
    "harness": "string",
    "model_id": "string",
    "samples": "int64",
    "record": "string",
    "file": "string",
    "line": "int64",
    "kind": "string",
}
#: What different numbers of a model and benchmark are: under the same settings, or not.
CONTRADICTION, SEVERAL = "contradiction", "several settings"


def conflicts(store: Store, *, limit: int | None = None) -> Any:
    """Results of one model and benchmark whose numbers differ, as a ``pyarrow.Table``.

    Every result of such a group has a row; rows of a group follow each other, worst score first.
    ``differs`` holds the settings that are not the same in the whole group, side by side in the
    same order; ``spread`` is the largest difference. ``kind`` is ``contradiction`` if two results
    with the same settings disagree, else ``several settings``: models are run with several
    precisions and efforts on purpose. Sources, dates, ranks and costs are no settings.
    Contradictions are first, and of each kind the largest spread of a scale.

    Two numbers agree if one is the other rounded: to its own number of decimals, but never more
    coarsely than 0.5 % of the scale, so that 1 does not agree with 0.6.

    Args:
        store: The store.
        limit: The most groups.

    Raises:
        UsageError: The store cannot be read.
    """
    with asking(store) as connection:
        connection.execute(_GROUPS)
        connection.execute(_DISAGREEING)
        ((groups,),) = rows_of(connection, "SELECT count(*) FROM disagreeing")
        found = ask(connection, _RESULTS).to_pylist()
        doubts = direction_notes(connection)
    kinds: dict[str, list[list[dict[str, Any]]]] = {CONTRADICTION: [], SEVERAL: []}
    for _, group in groupby(found, key=itemgetter("model", "benchmark")):
        own = list(group)
        stated = [settings_of(row) for row in own]
        kind = CONTRADICTION if _contradict(own, stated) else SEVERAL
        kinds[kind].append(own)
        names = differing(stated)
        for row, said in zip(own, stated, strict=True):
            row.update(differs=side(said, names), kind=kind)
    chosen = [own for some in kinds.values() for own in some][:limit]
    rows = [[row[name] for name in _COLUMNS] for own in chosen for row in own]
    note = ""
    if groups:
        pairs = f"{groups:,} {'pair' if groups == 1 else 'pairs'} of a model and a benchmark"
        same, several = (f"{len(some):,}" for some in kinds.values())
        of = f"{same} under the same settings, {several} under several"
        note = f"{pairs} with different numbers: {of}"
    return noted(table_of(_COLUMNS, rows), note, *doubts)


def _contradict(rows: list[dict[str, Any]], stated: list[dict[str, str]]) -> bool:
    """Whether two results that state the same settings disagree."""
    scores: dict[frozenset[tuple[str, str]], list[float]] = {}
    for row, settings in zip(rows, stated, strict=True):
        scores.setdefault(conditions_of(settings), []).append(row["score"])
    fewest = rows[0]["fewest"]
    return any(
        abs(one - other)
        > 0.5000001 * 10.0 ** -min(_decimals(one, fewest), _decimals(other, fewest))
        for same in scores.values()
        for one, other in combinations(sorted(set(same)), 2)
    )


def _decimals(score: float, fewest: int) -> int:
    """The decimals to which a number is given, as far as they count."""
    exponent = Decimal(repr(score)).normalize().as_tuple().exponent
    return min(_MOST_DECIMALS, max(fewest, -int(exponent)))


# Scores that are further apart than the coarsest number may be disagree. Of each other group, the
# least and the greatest score by number of decimals are enough to find out if any two disagree: the
# coarser of two numbers decides how far they may be apart.
_GROUPS = """
CREATE TEMP TABLE groups AS
SELECT model_key_number AS m, benchmark_key_number AS b, min(score) AS least, max(score) AS most
FROM own.numbered WHERE isfinite(score) AND model_key IS NOT NULL
GROUP BY m, b HAVING least < most
"""
_DISAGREEING = f"""
CREATE TEMP TABLE disagreeing AS
WITH wide AS (
    SELECT groups.*, width FROM groups JOIN (
        SELECT benchmark_key_number AS b, any_value(max_score - min_score) AS width
        FROM own.benchmark_keys GROUP BY b) USING (b)),
scaled AS (
    SELECT *, CASE WHEN isfinite(width) AND width > 0 THEN width
        ELSE pow(10, ceil(log10(greatest(abs(least), abs(most))))) END AS scale,
        greatest(0, ceil(2 - log10(scale)))::BIGINT AS fewest,
        most - least > {_APART.format(f"least({_MOST_DECIMALS}, fewest)")} AS is_apart
    FROM wide),
own AS (
    SELECT m, b, score, fewest, split_part(lower(score::VARCHAR), 'e', 1) AS digits,
        coalesce(try_cast(split_part(lower(score::VARCHAR), 'e', 2) AS BIGINT), 0) AS exponent
    FROM own.numbered JOIN scaled ON m = model_key_number AND b = benchmark_key_number
    WHERE isfinite(score) AND NOT is_apart),
levels AS (
    SELECT m, b, least({_MOST_DECIMALS}, greatest(fewest,
            length(rtrim(split_part(digits, '.', 2), '0')) - exponent)) AS decimals,
        min(score) AS least, max(score) AS most
    FROM own GROUP BY ALL),
pairs AS (
    SELECT DISTINCT one.m, one.b FROM levels one JOIN levels other
        ON one.m = other.m AND one.b = other.b AND one.decimals <= other.decimals
    WHERE greatest(one.most - other.least, other.most - one.least)
        > {_APART.format("one.decimals")}
    UNION ALL
    SELECT m, b FROM scaled WHERE is_apart)
SELECT m, b, fewest, most - least AS spread,
    row_number() OVER (ORDER BY (most - least) / scale DESC, m, b) AS place
FROM scaled SEMI JOIN pairs USING (m, b)
"""
_RESULTS = f"""
SELECT model_key AS model, benchmark_key AS benchmark, score, spread, fewest, settings,
    model AS model_id, record, file, line, {", ".join(STATED)}
FROM own.numbered JOIN disagreeing ON m = model_key_number AND b = benchmark_key_number
WHERE isfinite(score)
ORDER BY place, CASE WHEN lower_is_better THEN -score ELSE score END, record, file, pointer
"""
