"""Merged names, and names that may be one: proposals, never merged by themselves."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from evalmark.leaderboard.identity import (
    DECIDES,
    KEYS_OF,
    NUMBERS,
    PART,
    TABLES,
    Aliases,
    Connection,
    Name,
    alias_line,
    rows_with_alias,
)
from evalmark.leaderboard.open_store import Store

#: The text between the name of an evaluation and that of its metric.
_METRIC = " - "
#: Parts of a name that may be written differently.
_SEPARATORS = re.compile(r"[-_.\s]+")


class Merged(NamedTuple):
    """An alias, the name that it stands for, and the rows that it changes.

    Attributes:
        table: ``models``, ``developers`` or ``benchmarks``.
        alias: The alias.
        target: The name that it stands for.
        rows: Rows of results that have the alias.
    """

    table: str
    alias: str
    target: str
    rows: int


class AliasCandidate(NamedTuple):
    """Names that may be one.

    Attributes:
        table: ``models``, ``developers`` or ``benchmarks``.
        why: The similarity of the two names.
        names: Each with the number of its rows; the first is the one to keep.
    """

    table: str
    why: str
    names: tuple[tuple[str, int], ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of ``aliases.toml`` that merge them, below the line of their table."""
        target = self.names[0][0]
        return tuple(alias_line(name, target) for name, _ in self.names[1:])


class AliasReport(NamedTuple):
    """The aliases of a store, and what may be further ones."""

    merged: tuple[Merged, ...]
    candidates: tuple[AliasCandidate, ...]


def alias_report(store: Store) -> AliasReport:
    """Names that the aliases of a store have merged, and names that may be one.

    Raises:
        ConfigError: The aliases cannot be used.
        UsageError: The folder is not a store.
    """
    aliases = store.read_aliases()
    with store.connect() as connection:
        models, benchmarks = (_names(connection, entity) for entity in DECIDES)
        same = tuple(_same_columns(connection, _rows_by_name(models, benchmarks)["subset"]))
    used = rows_with_alias(
        [(entry.name, entry.rows) for entry in models],
        [(entry.name, entry.rows) for entry in benchmarks],
        aliases,
    )
    merged = tuple(
        Merged(table, alias, target, used[table].get(alias, 0))
        for table in TABLES
        for alias, target in sorted(getattr(aliases, table).items())
    )
    return AliasReport(merged, tuple(_together((*_candidates(models, benchmarks), *same), aliases)))


class _Named(NamedTuple):
    """A name of a model or of a benchmark, its keys, and how many rows have it."""

    name: Name
    keys: tuple[str | None, ...]
    rows: int


def _names(connection: Connection, entity: str) -> list[_Named]:
    """The names of the models or of the benchmarks of all rows."""
    names, number = DECIDES[entity], NUMBERS[entity]
    rows = connection.execute(
        f"SELECT {', '.join((*names, *KEYS_OF[entity]))}, rows FROM own.{entity}_keys "  # noqa: S608
        f"JOIN (SELECT {number}, count(*) AS rows FROM own.rows GROUP BY 1) USING ({number}) "
        f"ORDER BY {number}"
    ).fetchall()
    end = len(names)
    return [_Named(row[:end], row[end:-1], row[-1]) for row in rows]


def _candidates(models: Sequence[_Named], benchmarks: Sequence[_Named]) -> Iterator[AliasCandidate]:
    spelling = "differ only in case or separators"
    rows = _rows_by_name(models, benchmarks)
    for entity, table, same in (
        ("model", "models", _plain),
        ("developer", "developers", _plain),
        ("benchmark", "benchmarks", _plain),
        ("subset", "benchmarks", _plain_subset),
    ):
        for group in _groups(rows[entity], same):
            yield AliasCandidate(table, spelling, group)
    for group in _groups(rows["model"], lambda name: _plain(name.rpartition("/")[2])):
        if len({_plain(name) for name, _ in group}) > 1:
            yield AliasCandidate("models", "one name under several developers", group)
    for group in _developers_of_one_model(models):
        yield AliasCandidate("developers", "developers of one model", group)


#: The scores of a model that two names of a subset have, and how many of them are equal.
_COMPARED = """
WITH scores AS (SELECT model_key, score, starts_with(benchmark_key, $long) AS is_long FROM results
    WHERE starts_with(benchmark_key, $long) OR starts_with(benchmark_key, $short))
SELECT count(*), count(*) FILTER (a.score = b.score)
FROM scores a JOIN scores b USING (model_key) WHERE a.is_long AND NOT b.is_long
"""


def _same_columns(connection: Connection, rows: Mapping[str, int]) -> Iterator[AliasCandidate]:
    """Names such as ``X - EM`` beside ``X``, with the same score for each model."""
    for name in sorted(rows):
        short = name.rpartition(_METRIC)[0]
        if short in rows and PART in short:
            ends = {"long": name + PART, "short": short + PART}
            both, equal = connection.execute(_COMPARED, ends).fetchall()[0]
            if both and both == equal:
                group = ((short, rows[short]), (name, rows[name]))
                yield AliasCandidate("benchmarks", "one with its metric, and equal scores", group)


def _rows_by_name(
    models: Sequence[_Named], benchmarks: Sequence[_Named]
) -> dict[str, Counter[str]]:
    """Column -> its names, and the rows that have them."""
    rows = {column: Counter[str]() for column in ("model", "developer", "benchmark", "subset")}
    for _, names, count in models:
        for column, name in zip(("model", "developer"), names, strict=True):
            if name is not None:
                rows[column][name] += count
    for _, (benchmark,), count in benchmarks:
        parts = str(benchmark).split(PART)
        rows["benchmark"][parts[0]] += count
        rows["subset"][PART.join(parts[:2])] += count
    return rows


def _developers_of_one_model(models: Sequence[_Named]) -> Iterator[tuple[tuple[str, int], ...]]:
    """Groups of different developers that models have, each group once."""
    of_model: dict[str, Counter[str]] = defaultdict(Counter)
    for _, (model, developer), count in models:
        if model is not None and developer is not None:
            of_model[model][developer] += count
    seen = set()
    for spellings in of_model.values():
        group = _by_rows(spellings.items())
        key = frozenset(spellings)
        if len(group) > 1 and key not in seen and len({_plain(name) for name in spellings}) > 1:
            seen.add(key)
            yield group


def _together(candidates: Iterable[AliasCandidate], aliases: Aliases) -> Iterator[AliasCandidate]:
    """Candidates whose lines can all be pasted: no alias twice, and no alias of an alias.

    What cannot is proposed again once the others are merged.
    """
    ends: dict[tuple[str, str], str] = {}
    kept: dict[str, set[str]] = {table: set() for table in TABLES}
    merged = {table: {*getattr(aliases, table).values()} for table in TABLES}
    for table, why, names in candidates:
        left: dict[str, int] = {}
        for name, rows in names:
            end = ends.get((table, name), name)
            left[end] = left.get(end, 0) + rows
        targets = left.keys() & kept[table]
        if len(left) < 2 or len(targets) > 1:
            continue
        targets |= left.keys() & merged[table]
        group = sorted(
            left.items(), key=lambda entry: (entry[0] not in targets, -entry[1], entry[0])
        )
        yield AliasCandidate(table, why, tuple(group))
        target = group[0][0]
        kept[table].add(target)
        ends.update({(table, name): target for name, _ in group[1:]})


def _groups(
    names: Mapping[str, int], same: Callable[[str], str]
) -> Iterator[tuple[tuple[str, int], ...]]:
    """Names that share something, in the order of that."""
    groups: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for name, rows in names.items():
        groups[same(name)].append((name, rows))
    for _, group in sorted(groups.items()):
        if len(group) > 1:
            yield _by_rows(group)


def _by_rows(names: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(names, key=lambda name: (-name[1], name[0])))


def _plain(name: str) -> str:
    return _SEPARATORS.sub("", name.casefold())


def _plain_subset(name: str) -> str:
    data, mark, subset = name.partition(PART)
    return data + mark + _plain(subset)
