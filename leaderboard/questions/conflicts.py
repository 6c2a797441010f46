"""Conflicts: one model, one benchmark, different numbers, settings or directions.

The direction of a benchmark is what its records say, and it is a part of its key. So results that
say otherwise are of another benchmark, and are never ranked together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from decimal import Decimal
from itertools import combinations, groupby
from operator import itemgetter
from typing import Any, NamedTuple

from evalmark.leaderboard.identity import DIRECTIONS, PART, Connection
from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.query import (
    REMARK,
    all_benchmark_names,
    ask,
    asking,
    noted,
    rows_of,
    table_of,
    with_names,
)
from evalmark.leaderboard.questions.representative import (
    STATED,
    conditions_of,
    differing,
    settings_of,
    side,
)
from evalmark.schemas.metrics.known_metrics import known_metric

#: The word in a key -> whether lower scores are better.
_LOWER = {word: lower for lower, word in DIRECTIONS.items()}


class _Key(NamedTuple):
    """A key of a benchmark in parts: what is measured, the name of the metric, the direction."""

    measured: str
    metric: str
    direction: str


def direction_notes(connection: Connection, shown: Collection[str] | None = None) -> list[str]:
    """Notes about the directions of benchmarks of a store.

    Args:
        connection: To the store.
        shown: The keys of benchmarks that an answer is about; None for all.
    """
    query = "SELECT DISTINCT benchmark_key FROM own.benchmark_keys ORDER BY 1"
    parts = {key: _parts(str(key)) for (key,) in rows_of(connection, query)}
    shown_parts = parts if shown is None else {key: parts[key] for key in shown if key in parts}
    return [*_disagreeing(parts, shown_parts), *_contradicting(shown_parts)]


def _parts(key: str) -> _Key:
    above, metric, direction, _ = key.rsplit(PART, 3)
    name = metric.partition(" {")[0].replace(r"\|", "|")
    return _Key(f"{above}{PART}{metric}", name, direction)


def _disagreeing(parts: dict[str, _Key], shown: dict[str, _Key]) -> Iterator[str]:
    """A note on benchmarks that some records rank by lower scores, and some by higher ones."""
    directions: dict[str, set[str]] = {}
    for key in parts.values():
        if _LOWER[key.direction] is not None:
            directions.setdefault(key.measured, set()).add(key.direction)
    measures = dict.fromkeys(
        k.measured for k in shown.values() if len(directions.get(k.measured, ())) > 1
    )
    if measures:
        yield (
            f"records disagree on whether lower scores are better in {_listed(measures)}: those "
            "that say lower and those that say higher are ranked apart"
        )


def _contradicting(shown: dict[str, _Key]) -> Iterator[str]:
    """A note on benchmarks whose records contradict the table of metrics, by metric."""
    contradictions: dict[tuple[str, str, str], list[str]] = {}
    for key in shown.values():
        entry = known_metric(key.metric)
        lower = _LOWER[key.direction]
        if entry is None or lower is None or entry.lower_is_better in (None, lower):
            continue
        keys = contradictions.setdefault((key.metric, key.direction, entry.direction), [])
        keys.append(key.measured)
    for (metric, stated, actual), measured in contradictions.items():
        yield (
            f'records say that {stated} scores of "{metric}" are better, and the table of metrics '
            f"says {actual} (rule EE211): ranked as the records say, in {_listed(measured)}"
        )


def _listed(measured: Iterable[str]) -> str:
    names = list(measured)
    return f'"{names[0]}"' + (f" and {len(names) - 1:,} more" if len(names) > 1 else "")


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
    "remark": "string",
}
#: The kinds of conflicts: different numbers under the same settings, or under several.
CONTRADICTION, SEVERAL = "contradiction", "several settings"


def conflicts(store: Store) -> Any:
    """Results of one model and benchmark whose numbers differ, as a ``pyarrow.Table``.

    Every result of such a group has a row; rows of a group follow each other, worst score first.
    ``differs`` holds the settings that are not the same in the whole group, side by side in the
    same order; ``spread`` is the largest difference. ``kind`` is ``contradiction`` if two results
    disagree of which no stated setting differs, else ``several settings``: models are run with
    several precisions and efforts on purpose. Sources, dates, ranks and costs are not settings.
    Contradictions are first, and of each kind the largest spread of a scale.

    Two numbers agree if one is the other rounded: to its own number of decimals, but never more
    coarsely than 0.5 % of the scale, so that 1 does not agree with 0.6.

    Raises:
        UsageError: The store cannot be read.
    """
    with asking(store) as connection:
        connection.execute(_GROUPS)
        connection.execute(_DISAGREEING)
        ((groups,),) = rows_of(connection, "SELECT count(*) FROM disagreeing")
        results = ask(connection, _RESULTS).to_pylist()
        doubts = direction_notes(connection)
        names = all_benchmark_names(connection)
    kinds: dict[str, list[list[dict[str, Any]]]] = {CONTRADICTION: [], SEVERAL: []}
    for _, group in groupby(results, key=itemgetter("model", "benchmark")):
        entries = list(group)
        stated = [settings_of(row) for row in entries]
        kind = CONTRADICTION if _contradict(entries, stated) else SEVERAL
        kinds[kind].append(entries)
        differences = differing(stated)
        for row, settings in zip(entries, stated, strict=True):
            row.update(differs=side(settings, differences), kind=kind)
    groups_in_order = [entries for some in kinds.values() for entries in some]
    rows = [[row[name] for name in _COLUMNS] for entries in groups_in_order for row in entries]
    note = ""
    if groups:
        pairs = f"{groups:,} {'pair' if groups == 1 else 'pairs'} of a model and a benchmark"
        same, several = (f"{len(some):,}" for some in kinds.values())
        of = f"{same} under the same settings, {several} under several"
        note = f"{pairs} with different numbers: {of}"
    return noted(with_names(table_of(_COLUMNS, rows), names), note, *doubts)


def _contradict(rows: list[dict[str, Any]], stated: list[dict[str, str]]) -> bool:
    """True if two results disagree although no setting that both state differs."""
    fewest = rows[0]["fewest"]
    decimals = {score: _decimals(score, fewest) for score in {row["score"] for row in rows}}
    different = {
        (row["score"], *sorted(conditions.items())): (row["score"], conditions)
        for row, conditions in zip(rows, map(conditions_of, stated), strict=True)
    }
    return any(
        abs(left - right) > 0.5000001 * 10.0 ** -min(decimals[left], decimals[right])
        and all(theirs.get(name, value) == value for name, value in ours.items())
        for (left, ours), (right, theirs) in combinations(different.values(), 2)
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
    model AS model_id, record, file, line, {", ".join(STATED)}, {REMARK}
FROM own.numbered JOIN disagreeing ON m = model_key_number AND b = benchmark_key_number
WHERE isfinite(score)
ORDER BY place, CASE WHEN lower_is_better THEN -score ELSE score END, record, file, pointer
"""
