"""The best models of one benchmark, and all results of one model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evalmark.leaderboard.identity import Connection
from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.conflicts import direction_notes
from evalmark.leaderboard.questions.name_lookup import numbers_of, the_key
from evalmark.leaderboard.questions.query import (
    HAS_ERRORS,
    IN_BOUNDS,
    IS_RANKED,
    LEAST,
    MOST,
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
    COMPARED,
    STATED,
    Representatives,
    conditions_of,
    differing,
    represent,
    sentence,
    settings_of,
    side,
)
from evalmark.stats.proportions import QUANTILE

if TYPE_CHECKING:
    from pyarrow import Table


def _end(end: str, cut: str) -> str:
    """An end of an interval from a standard error, in SQL; it ends where the scale does."""
    return f"CASE WHEN standard_error IS NULL THEN NULL WHEN {IN_BOUNDS} THEN {cut} ELSE {end} END"


_LOWER, _UPPER = (f"score {sign} {QUANTILE} * standard_error" for sign in "-+")
#: The ends of an interval: as the record has them, or from its standard error.
INTERVAL = f"""
    coalesce(lower, {_end(_LOWER, f"greatest({_LOWER}, {LEAST})")}) AS lower,
    coalesce(upper, {_end(_UPPER, f"least({_UPPER}, {MOST})")}) AS upper,
    CASE WHEN lower IS NOT NULL OR upper IS NOT NULL THEN 'recorded'
         WHEN standard_error IS NOT NULL THEN 'standard error' END AS interval,
    CASE WHEN lower IS NOT NULL OR upper IS NOT NULL THEN confidence_level
         WHEN standard_error IS NOT NULL THEN 0.95 END AS confidence_level"""
_ABOUT = """samples, source, source_type, relationship, harness, evaluated_at, settings,
    record, file, line"""


def top(store: Store, benchmark: str, *, every_result: bool = False) -> Any:
    """The models of a benchmark, best first, as a ``pyarrow.Table``.

    Every model has one row: the result that represents it (see ``represent``). ``results`` says
    how many it has, ``best`` and ``worst`` which are the best and the worst of them, and
    ``setting`` what sets the shown one apart from the others. Equal scores
    share a rank. Scores out of bounds and unknown levels are last, and have no rank. An interval is
    that of the record, or 95 % from its standard error, which ends where the scale does;
    ``confidence_level`` is null if the record does not say it.

    Args:
        store: The store.
        benchmark: A name that means one benchmark: its key, its data set, a part of these.
        every_result: Whether every result has a row.

    Raises:
        UnknownNameError: The store has no such benchmark.
        AmbiguousNameError: The name can mean several benchmarks.
        UsageError: The store cannot be read.
    """
    with asking(store) as connection:
        key = the_key(connection, "benchmark", benchmark)
        directions = rows_of(
            connection,
            "SELECT DISTINCT lower_is_better FROM own.benchmark_keys WHERE benchmark_key = ?",
            [key],
        )
        is_known = all(direction is not None for (direction,) in directions)
        where = numbers_of(connection, "benchmark", "benchmark_key = ?", [key])
        models = _results_by_model(connection, where)
        connection.register("places", _places(models))
        query = _TOP.format(where=where, first="true" if every_result else "place = 0")
        table = _with_settings(ask(connection, query), models)
        table = with_names(table, {key: all_benchmark_names(connection)[key]})
        doubts = direction_notes(connection, [key])
    note = ""
    if not is_known:
        note = "no record says whether a lower score is better: nothing is ranked"
    elif unranked := table.column("rank").null_count:
        note = (
            f"{unranked} {'score has' if unranked == 1 else 'scores have'} no rank: out of bounds "
            "(see `evalmark store sql --name bounds`) or of an unknown level"
        )
    several = _several_note(table, models, every_result=every_result)
    return noted(table, several, note, *doubts)


def _results_by_model(connection: Connection, where: str) -> Representatives:
    """The results of each model, that one first which represents it."""
    models: dict[str, list[dict[str, Any]]] = {}
    for row in ask(connection, _OF_MODELS.format(where=where)).to_pylist():
        models.setdefault(row["model"], []).append(row)
    return represent(models)


_OF_MODELS = f"""
SELECT model_key AS model, {", ".join(COMPARED)}, {IS_RANKED} AS is_ranked FROM results
WHERE {{where}} AND score IS NOT NULL ORDER BY record, file, pointer
"""


def _places(models: Representatives) -> Table:
    """The place of each result among those of its model."""
    places = [
        (row["file"], row["pointer"], place)
        for rows in models.ordered.values()
        for place, row in enumerate(rows)
    ]
    return table_of({"file": "string", "pointer": "string", "place": "int64"}, places)


def _several_note(table: Table, models: Representatives, *, every_result: bool) -> str:
    """A note if results are ranked, or if models have other numbers than the one that is shown."""
    if every_result:
        return "every result has a rank, so a model may have several ranks"
    ends = (table.column(name).to_pylist() for name in ("worst", "best"))
    several = sum(least != most for least, most in zip(*ends, strict=True))
    if not several:
        return ""
    have = "1 model has" if several == 1 else f"{several} models have"
    return f"{have} several numbers: {sentence(models.usual)}; --all shows every result"


def _with_settings(table: Table, models: Representatives) -> Table:
    """The table with a column ``setting``: what sets each result apart from others of its model."""
    import pyarrow as pa

    names = {
        model: differing([conditions_of(settings_of(row)) for row in rows])
        for model, rows in models.ordered.items()
        if len(rows) > 1
    }
    texts = []
    for row in table.select(("model", "settings", *STATED)).to_pylist():
        own = names.get(row["model"])
        texts.append(side(settings_of(row), own) if own else None)
    return table.append_column("setting", pa.array(texts, pa.string()))


_TOP = f"""
WITH own AS (
    SELECT *, {IS_RANKED} AS ranked,
        CASE WHEN lower_is_better THEN -score ELSE score END AS goodness
    FROM results WHERE {{where}} AND score IS NOT NULL),
placed AS (
    SELECT *, count(*) OVER (PARTITION BY model_key) AS results,
        min(goodness) FILTER (WHERE ranked) OVER (PARTITION BY model_key) AS least,
        max(goodness) FILTER (WHERE ranked) OVER (PARTITION BY model_key) AS most,
        bool_or(verdict = 'error') OVER (PARTITION BY model_key) AS has_errors
    FROM own JOIN places USING (file, pointer))
SELECT CASE WHEN ranked THEN rank() OVER (ORDER BY ranked DESC, goodness DESC) END AS rank,
    model_key AS model, score,{INTERVAL}, results,
    CASE WHEN lower_is_better THEN -least ELSE least END AS worst,
    CASE WHEN lower_is_better THEN -most ELSE most END AS best,
    benchmark_key AS benchmark, lower_is_better, min_score, max_score, {_ABOUT},
    CASE WHEN verdict = 'error' THEN {HAS_ERRORS}
         WHEN has_errors THEN 'the record of another number has errors' END AS remark
FROM placed WHERE {{first}}
ORDER BY ranked DESC, goodness DESC, model, record, file, pointer
"""


def show(store: Store, model: str) -> Any:
    """All results of one model, by benchmark, as a ``pyarrow.Table``.

    Args:
        store: The store.
        model: Its key, its id in any record, its display name, or a part that only one model has.

    Raises:
        UnknownNameError: The store has no such model.
        AmbiguousNameError: Several models have this name.
        UsageError: The store cannot be read.
    """
    with asking(store) as connection:
        key = the_key(connection, "model", model)
        where = numbers_of(connection, "model", "model_key = ?", [key])
        table = ask(connection, _SHOW.format(where=where))
        return with_names(table, all_benchmark_names(connection))


_SHOW = f"""
SELECT benchmark_key AS benchmark, score,{INTERVAL}, lower_is_better, min_score, max_score,
    collection, dataset, subset, split, metric, model_key AS model, model AS model_id, {_ABOUT},
    {REMARK}
FROM results WHERE {{where}}
ORDER BY benchmark_key, record, file, pointer
"""
