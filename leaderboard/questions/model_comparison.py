"""Comparison of two models on the benchmarks that both have, with their samples."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.leaderboard.identity import Connection
from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.conflicts import direction_notes
from evalmark.leaderboard.questions.name_lookup import numbers_of, the_key
from evalmark.leaderboard.questions.query import (
    IS_RANKED,
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
    NOT_STATED,
    Row,
    differing,
    represent,
    sentence,
    settings_of,
)
from evalmark.schemas.errors import UsageError
from evalmark.schemas.metrics.known_metrics import same_name
from evalmark.scoring.comparison.common_items import match
from evalmark.scoring.comparison.compared_run import (
    ComparedRun,
    ComparedSuite,
    ItemScore,
    ScoredItems,
    by_id,
)
from evalmark.scoring.comparison.paired_statistics import PairedComparison, paired


def files_with_samples(connection: Connection) -> frozenset[str]:
    """Files of the records whose samples the store has; ids may be there twice."""
    from duckdb import CatalogException

    try:
        rows = rows_of(connection, "SELECT DISTINCT file FROM samples")
    except CatalogException:  # there is no such view
        return frozenset()
    return frozenset(file for (file,) in rows if file)


def compared(
    connection: Connection, pairs: Mapping[str, tuple[Row, Row]]
) -> dict[str, PairedComparison]:
    """The paired comparison of each benchmark whose two results have samples in common.

    Args:
        connection: To the store.
        pairs: Benchmark -> a result of the first model, and one of the second.
    """
    if not pairs:
        return {}
    runs = [_run(connection, {key: both[side] for key, both in pairs.items()}) for side in (0, 1)]
    matched = match(*runs)
    return {row.suite: row for row in paired(matched.items).predictions}


def _run(connection: Connection, results: Mapping[str, Row]) -> ComparedRun:
    """The chosen results of one model with their samples; a benchmark is a suite."""
    suites = []
    for key, row in results.items():
        items, repeated = by_id(_items(connection, row))
        if not items:
            continue
        metric = str(row["metric"] or "")
        bounds = row["min_score"], row["max_score"]
        scored = ScoredItems(
            asks=same_name(metric),
            items=items,
            repeated=repeated,
            lower_is_better=row["lower_is_better"],
            bounds=None if None in bounds else bounds,
        )
        suites.append(ComparedSuite(key, key, None, {"": scored}, settings_of(row)))
    model = next((str(row["model_key"]) for row in results.values()), "")
    return ComparedRun(Path(model), model, {}, tuple(suites))


def _items(connection: Connection, row: Row) -> list[tuple[str, ItemScore]]:
    """The samples of one result: they name its id, or else its subset, if no other has that."""
    rows = rows_of(connection, _SAMPLES, [row["file"], row["result"], row["subset"]])
    return [(str(sample), ItemScore(float(score), text=text)) for sample, score, text in rows]


_SAMPLES = """
SELECT sample, coalesce(score, correct::DOUBLE), sample_hash FROM samples
WHERE file = $1 AND isfinite(coalesce(score, correct::DOUBLE))
    AND CASE WHEN result IS NOT NULL AND $2 IS NOT NULL THEN result = $2
        ELSE subset = $3 AND (SELECT count(DISTINCT pointer) FROM results
            WHERE file = $1 AND subset = $3) = 1 END
ORDER BY line
"""


#: The text in place of a test where there is none.
UNPAIRED = "none: no samples"
_COLUMNS = {
    "benchmark": "string",
    "first": "double",
    "second": "double",
    "difference": "double",
    "higher_is_better": "bool",
    "better": "string",
    "test": "string",
    "items": "int64",
    "only_first": "int64",
    "only_second": "int64",
    "lower": "double",
    "upper": "double",
    "p": "double",
    "p_holm": "double",
    "claim": "string",
    "differs": "string",
    "first_results": "int64",
    "second_results": "int64",
    "first_record": "string",
    "second_record": "string",
    "remark": "string",
}


class _Both(NamedTuple):
    """A result of either model on one benchmark, and how many results each has there."""

    first: Row
    second: Row
    counts: tuple[int, int]


def compare_models(store: Store, first: str, second: str) -> Any:
    """Two models on every benchmark that both have, as a ``pyarrow.Table``.

    Where the store has samples of both, the comparison is paired: means, interval, exact p value
    and claim are those of ``evalmark compare`` over the samples that both have, corrected by Holm
    for the number of these benchmarks. Elsewhere ``test`` says that there is none: two means that
    are not paired are given side by side, and nothing is claimed.

    Of several results of a model on a benchmark, the one is compared that represents it (see
    ``represent``); ``differs`` says in which settings the two differ.

    Raises:
        UnknownNameError: The store has no such model.
        AmbiguousNameError: Several models have a name.
        UsageError: The models have no benchmark in common, or the store cannot be read.
    """
    with asking(store) as connection:
        keys = the_key(connection, "model", first), the_key(connection, "model", second)
        if keys[0] == keys[1]:
            raise UsageError(f"{first!r} and {second!r} are one model, {keys[0]!r}")
        chosen, why = _chosen(connection, keys)
        if not chosen:
            raise UsageError(f"{keys[0]!r} and {keys[1]!r} have no benchmark in common")
        sampled = files_with_samples(connection)
        tests = compared(
            connection,
            {
                key: (both.first, both.second)
                for key, both in chosen.items()
                if {both.first["file"], both.second["file"]}.issubset(sampled)
            },
        )
        doubts = direction_notes(connection, chosen)
        names = all_benchmark_names(connection)
    rows = [_row(key, both, tests.get(key), keys) for key, both in chosen.items()]
    return noted(with_names(table_of(_COLUMNS, rows), names), *_notes(chosen, tests), *why, *doubts)


_RESULTS = f"""
SELECT model_key, benchmark_key, metric, lower_is_better, min_score, max_score, subset, result,
    {", ".join(COMPARED)}, {IS_RANKED} AS is_ranked, {REMARK}
FROM results
WHERE {{where}} AND isfinite(score) AND model_key IS NOT NULL
ORDER BY benchmark_key, record, file, pointer
"""


def _by_benchmark(connection: Connection, where: str) -> dict[str, dict[str, list[Row]]]:
    benchmarks: dict[str, dict[str, list[Row]]] = {}
    for row in ask(connection, _RESULTS.format(where=where)).to_pylist():
        models = benchmarks.setdefault(row["benchmark_key"], {})
        models.setdefault(row["model_key"], []).append(row)
    return benchmarks


def _chosen(connection: Connection, keys: tuple[str, str]) -> tuple[dict[str, _Both], list[str]]:
    """Benchmark that both have -> the results that represent them, and why these."""
    where = numbers_of(connection, "model", "model_key IN (?, ?)", keys)
    common = {
        key: models
        for key, models in _by_benchmark(connection, where).items()
        if all(model in models for model in keys)
    }
    several = [key for key, both in common.items() if any(len(rows) > 1 for rows in both.values())]
    why: set[str] = set()
    if several:  # all models of a benchmark say which settings are usual
        marks = ", ".join("?" * len(several))
        where = numbers_of(connection, "benchmark", f"benchmark_key IN ({marks})", several)
        for key, models in _by_benchmark(connection, where).items():
            representatives = represent(models)
            common[key] = representatives.ordered
            why.add(sentence(representatives.usual))
    chosen = {}
    for key in sorted(common):
        first, second = (common[key][name] for name in keys)
        chosen[key] = _Both(first[0], second[0], (len(first), len(second)))
    return chosen, [sentence({})] if len(why) > 1 else [*why]  # settings are those of a benchmark


def _row(
    key: str, both: _Both, test: PairedComparison | None, models: tuple[str, str]
) -> list[Any]:
    first, second, counts = both
    sides = [settings_of({**row, "evaluated_at": None}) for row in (first, second)]
    lower = first["lower_is_better"]
    numbers: dict[str, Any] = {
        "benchmark": key,
        "first": first["score"],
        "second": second["score"],
        "difference": second["score"] - first["score"],
        "test": UNPAIRED,
        "higher_is_better": None if lower is None else not lower,
        "differs": ", ".join(
            f"{name}: {' / '.join(side.get(name, NOT_STATED) for side in sides)}"
            for name in differing(sides)
        ),
        "first_results": counts[0],
        "second_results": counts[1],
        "first_record": first["record"],
        "second_record": second["record"],
        "remark": first["remark"] or second["remark"],
    }
    if test is not None:
        numbers |= {
            "first": test.recorded.first,
            "second": test.recorded.second,
            "difference": test.difference,
            "better": {"first": models[0], "second": models[1]}.get(test.better or ""),
            "test": test.test,
            "items": test.items,
            "only_first": test.recorded.only_first,
            "only_second": test.recorded.only_second,
            "lower": test.interval and test.interval[0],
            "upper": test.interval and test.interval[1],
            "p": test.recorded.p_value,
            "p_holm": test.recorded.p_holm,
            "claim": test.claim,
        }
    return [numbers.get(name) for name in _COLUMNS]


def _notes(chosen: Mapping[str, _Both], tests: Collection[str]) -> list[str]:
    unpaired = len(chosen) - len(tests)
    unknown = sum(both.first["lower_is_better"] is None for both in chosen.values())
    several = sum(max(both.counts) > 1 for both in chosen.values())
    notes = (
        (unpaired, f"{_counted(unpaired)} without samples of both models: these numbers are not "
         "paired, and no test can say whether they differ by more than chance"),
        (unknown, f"no record says whether a lower score is better in {_counted(unknown)}: no "
         "model is called better"),
        (several, f"{_counted(several)} {'has' if several == 1 else 'have'} several results of a "
         "model: see `evalmark store conflicts`"),
    )  # fmt: skip
    return [note for count, note in notes if count]


def _counted(benchmarks: int) -> str:
    return f"{benchmarks} benchmark{'' if benchmarks == 1 else 's'}"
