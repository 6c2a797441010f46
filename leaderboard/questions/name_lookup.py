"""Lookup of models and benchmarks of a store by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from evalmark.leaderboard.identity import Connection
from evalmark.leaderboard.questions.query import all_benchmark_names, rows_of
from evalmark.schemas.errors import AmbiguousNameError, UnknownNameError

#: Columns that name a benchmark, from the whole to the part; a name may be some in a row.
_PARTS = ("collection", "dataset", "subset", "split", "metric")
#: Names that mean the same in a shell without quotes: records of others name models and benchmarks.
_PLAIN = re.compile(r"\w[\w./@+-]*")


def the_key(connection: Connection, entity: str, name: str) -> str:
    """The key of the ``model`` or ``benchmark`` that a name means.

    A model is named by its key, an id or a display name; a benchmark by its key, its name, or a
    part such as its data set.

    Raises:
        UnknownNameError: Nothing in the store has this name.
        AmbiguousNameError: Several have it.
    """
    query = f"SELECT 1 FROM own.{entity}_keys WHERE {entity}_key = ? LIMIT 1"
    if rows_of(connection, query, [name]):
        return name
    entries = _NAMES[entity](connection)
    meant = _meant(name, entries)
    is_model = entity == "model"
    if len(meant) > 1:
        words = {key: key if is_model else words for key, words, *_ in entries}
        raise AmbiguousNameError(entity, name, [words[key] for key in meant])
    if not meant:  # an unknown name is compared with every other one, keys first
        others = () if is_model else (other for _, *names in entries for other in names)
        raise UnknownNameError(
            entity, name, dict.fromkeys([*(key for key, *_ in entries), *others])
        )
    return meant[0]


def completable_names(connection: Connection, entity: str) -> list[str]:
    """The names that mean one thing only, and that a shell takes as they are.

    Args:
        connection: To the store.
        entity: ``model`` or ``benchmark``.
    """
    owners: dict[str, set[str]] = {}
    for key, *names in _NAMES[entity](connection):
        for name in (key, *names):
            owners.setdefault(name, set()).add(key)
    return [name for name, keys in owners.items() if len(keys) == 1 and _PLAIN.fullmatch(name)]


def _models(connection: Connection) -> list[tuple[str, ...]]:
    """Key, id and display name of each model, as often as they differ."""
    query = "SELECT DISTINCT model_key, model, model_name FROM own.model_keys ORDER BY ALL"
    return [tuple(str(x or "") for x in row) for row in rows_of(connection, query)]


def _benchmarks(connection: Connection) -> list[tuple[str, ...]]:
    """Key, name in words and other names of each benchmark: its parts that follow each other."""
    parts = ", ".join(_PARTS)
    query = f"SELECT DISTINCT benchmark_key, {parts} FROM own.benchmark_keys ORDER BY ALL"
    benchmarks = []
    words = all_benchmark_names(connection)
    for key, *columns in rows_of(connection, query):
        texts = [str(text) for text in columns if text]
        names = (
            "/".join(texts[a:b]) for a in range(len(texts)) for b in range(a + 1, len(texts) + 1)
        )
        benchmarks.append((str(key), words[key], *names))
    return benchmarks


#: ``model`` or ``benchmark`` -> the key and names of each in a store.
_NAMES = {"model": _models, "benchmark": _benchmarks}


def _meant(name: str, entries: Sequence[tuple[str, ...]]) -> list[str]:
    """Keys of what has this name; else has it in other letters; else contains it.

    A key is found before other names.
    """
    lower = name.casefold()
    for fits in (
        lambda names: name == names[0],
        lambda names: name == names[1],
        lambda names: name in names,
        lambda names: lower in map(str.casefold, names),
        lambda names: any(lower in text.casefold() for text in names),
    ):
        if keys := [names[0] for names in entries if fits(names)]:
            return list(dict.fromkeys(keys))
    return []


def numbers_of(connection: Connection, entity: str, where: str, values: Sequence[Any] = ()) -> str:
    """A condition of SQL that a result is of some models or benchmarks.

    A table is searched for its own numbers faster than for keys.

    Args:
        connection: To the store.
        entity: ``model`` or ``benchmark``.
        where: Which keys, as a condition on ``model_key`` or ``benchmark_key``.
        values: The values of the question marks in it.
    """
    query = f"SELECT {entity}_number FROM own.{entity}_keys WHERE {where} ORDER BY 1"
    listed = ", ".join(str(number) for (number,) in rows_of(connection, query, values))
    return f"{entity}_number IN ({listed})" if listed else "false"
