"""What is one model, one developer and one benchmark.

The table ``results`` holds names as records write them. The keys are made when a store is opened,
with the aliases of that moment. Two results have the same ``benchmark_key`` only if the
collection and data set, the subset, the split, the metric with its parameters, the direction and
the scale are the same; aliases can merge names of data sets and subsets, never different metrics
or scales.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from evalmark.leaderboard.aliases import PART, TABLES, Aliases
from evalmark.leaderboard.columns import arrow_schema
from evalmark.leaderboard.names import DECIDES, NUMBERS, Name

#: The columns that ``results`` has in a connection besides those of the file.
KEYS = {
    "model_key": "what the model is called here: its id, or what that is an alias of",
    "developer_key": "the same for its developer; of a model with an alias, the owner in that id",
    "benchmark_key": "collection/dataset | subset | split | metric | direction | scale",
}
#: Which of them are of a model, and which of a benchmark.
KEYS_OF = {"model": ("model_key", "developer_key"), "benchmark": ("benchmark_key",)}
#: Whether lower scores are better -> the word in a key.
DIRECTIONS = {True: "lower", False: "higher", None: "-"}


def model_keys(name: Name, aliases: Aliases) -> tuple[str | None, str | None]:
    """The keys of a model and of its developer, from the columns that ``DECIDES`` names."""
    own, developer = _called(name), _developer(name, aliases)
    return (
        aliases.models.get(own, own) or None,
        developer and aliases.developers.get(developer, developer),
    )


def benchmark_key(name: Name, aliases: Aliases) -> str:
    """The key of a benchmark, from the columns that ``DECIDES`` names."""
    *_, split, metric, parameters, lower_is_better, score_type, least, most = name
    data, subset = _data_and_subset(name)
    merged = aliases.benchmarks.get(subset)
    if merged is None and data in aliases.benchmarks:
        merged = aliases.benchmarks[data] + subset.removeprefix(data)
    scale = f"{_bound(least)} to {_bound(most)}"
    if score_type == "binary" and least is None and most is None:
        scale = "0 to 1"
    metric = _part(metric)
    if parameters is not None and parameters != "{}":
        metric += f" {_part(parameters)}"
    direction = DIRECTIONS[lower_is_better]
    return PART.join((merged or subset, _part(split), metric, direction, scale))


def _called(name: Name) -> str:
    """What a record calls its model: the id, else the display name."""
    model, model_name, _ = name
    return model or model_name or ""


def _developer(name: Name, aliases: Aliases) -> str | None:
    """The developer of a model, before its own alias counts."""
    owner, slash, _ = aliases.models.get(_called(name), "").partition("/")
    developer: str | None = owner if slash else name[2]
    return developer


def _data_and_subset(name: Name) -> tuple[str, str]:
    """The first part of the key of a benchmark, and its first two, without aliases."""
    collection, dataset, subset, *_ = name
    data = f"{_part(collection)}/{_part(dataset)}"
    return data, f"{data}{PART}{_part(subset)}"


def _part(text: str | None) -> str:
    """A part of a key: `-` where there is none; no name has the mark that separates."""
    if not text:
        return "-"
    return r"\-" if text == "-" else text.replace("\\", r"\\").replace("|", r"\|")


def _bound(bound: float | None) -> str:
    """A bound of a scale."""
    return "open" if bound is None else repr(float(bound)).removesuffix(".0")


def create_view(connection: Any, table: str, keys: Mapping[str, Any]) -> None:
    """Create the view ``results`` with the keys.

    The keys of each model and of each benchmark are made once, and are in ``own.model_keys`` and
    ``own.benchmark_keys``; ``model_key_number`` and ``benchmark_key_number`` are numbers of them
    in their order, which are compared faster than texts. Rows have the numbers of their names.

    Args:
        connection: Of DuckDB.
        table: What holds the rows, in SQL; it is there as ``own.rows`` too.
        keys: What the numbers in the rows mean; see ``tables_of_keys``.
    """
    connection.execute("CREATE SCHEMA own")
    connection.execute(f"CREATE VIEW own.rows AS FROM {table}")
    for what, own in keys.items():
        connection.register("keys", own)
        connection.execute(f"CREATE TABLE own.{what}_keys AS FROM keys")
        connection.unregister("keys")
    joins = " ".join(f"JOIN own.{what}_keys {what} USING ({NUMBERS[what]})" for what in NUMBERS)
    names = ", ".join(KEYS)
    numbers = ", ".join(f"{what}_key_number" for what in NUMBERS)
    for view, columns in (("results", names), ("own.numbered", f"{names}, {numbers}")):
        connection.execute(
            f"CREATE VIEW {view} AS SELECT rows.*, {columns} FROM own.rows rows {joins}"  # noqa: S608
        )


def tables_of_keys(listed: Mapping[str, Sequence[Name]], aliases: Aliases) -> dict[str, Any]:
    """The names of models and of benchmarks with their keys, each as a ``pyarrow.Table``."""
    return {what: _keys(what, names, aliases) for what, names in listed.items()}


def _keys(what: str, names: Sequence[Name], aliases: Aliases) -> Any:
    import pyarrow as pa

    schema = arrow_schema()
    columns = {
        column: pa.array([name[at] for name in names], schema.field(column).type)
        for at, column in enumerate(DECIDES[what])
    }
    columns[NUMBERS[what]] = pa.array(range(len(names)), schema.field(NUMBERS[what]).type)
    keys = [_KEYS[what](name, aliases) for name in names]
    for at, column in enumerate(KEYS_OF[what]):
        columns[column] = pa.array([each[at] for each in keys], pa.string())
    in_order = sorted({each[0] for each in keys}, key=lambda key: (key is None, key or ""))
    place = {key: at for at, key in enumerate(in_order)}
    columns[f"{what}_key_number"] = pa.array([place[each[0]] for each in keys], pa.int32())
    return pa.table(columns)


_KEYS: dict[str, Callable[[Name, Aliases], tuple[str | None, ...]]] = {
    "model": model_keys,
    "benchmark": lambda name, aliases: (benchmark_key(name, aliases),),
}


def rows_with_alias(
    models: Iterable[tuple[Name, int]], benchmarks: Iterable[tuple[Name, int]], aliases: Aliases
) -> Mapping[str, Mapping[str, int]]:
    """Table of aliases -> alias -> how many rows have it, from the rows that have each name."""
    found: dict[str, Counter[str]] = {table: Counter() for table in TABLES}
    for name, rows in models:
        found["models"][_called(name)] += rows
        found["developers"][_developer(name, aliases) or ""] += rows
    for name, rows in benchmarks:
        for text in _data_and_subset(name):
            found["benchmarks"][text] += rows
    return found
