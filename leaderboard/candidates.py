"""What aliases have merged, and names that may be one: proposals, never merged by themselves."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from evalmark.leaderboard.aliases import PART, TABLES, Aliases, alias_line
from evalmark.leaderboard.identity import rows_with_alias
from evalmark.leaderboard.open_store import Store

#: What may be written differently in one name.
_SEPARATORS = re.compile(r"[-_.\s]+")


class Merged(NamedTuple):
    """What an alias does.

    Attributes:
        table: ``models``, ``developers`` or ``benchmarks``.
        alias: The alias.
        target: What it stands for.
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
        why: What they have in common.
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
    """What the aliases of a store have merged, and names that may be one.

    Raises:
        ConfigError: The aliases cannot be used.
        UsageError: The folder is not a store.
    """
    aliases = store.read_aliases()
    with store.connect() as connection:
        merged = []
        for table in TABLES:
            used = rows_with_alias(connection, table)
            for alias, target in sorted(getattr(aliases, table).items()):
                merged.append(Merged(table, alias, target, used.get(alias, 0)))
        names = {
            column: connection.execute(
                f"SELECT {key}, count(*) FROM results WHERE {key} IS NOT NULL GROUP BY 1"  # noqa: S608
            ).fetchall()
            for column, key in _NAMES.items()
        }
        developers = connection.execute(
            "SELECT model_key, developer_key, count(*) FROM results "
            "WHERE model_key IS NOT NULL AND developer_key IS NOT NULL GROUP BY 1, 2"
        ).fetchall()
    return AliasReport(
        tuple(merged),
        tuple(_together(_candidates(names, developers), aliases)),
    )


#: What is compared -> where a connection has it.
_NAMES = {
    "models": "model_key",
    "developers": "developer_key",
    "benchmarks": f"split(benchmark_key, '{PART}')[1]",
    "subsets": f"array_to_string(split(benchmark_key, '{PART}')[:2], '{PART}')",
}


def _candidates(
    names: dict[str, list[tuple[str, int]]], developers: list[tuple[str, str, int]]
) -> Iterator[AliasCandidate]:
    spelling = "differ only in case or separators"
    for what, table, same in (
        ("models", "models", _plain),
        ("developers", "developers", _plain),
        ("benchmarks", "benchmarks", _plain),
        ("subsets", "benchmarks", _plain_subset),
    ):
        for group in _groups(names[what], same):
            yield AliasCandidate(table, spelling, group)
    for group in _groups(names["models"], lambda name: _plain(name.rpartition("/")[2])):
        if len({_plain(name) for name, _ in group}) > 1:
            yield AliasCandidate("models", "one name under several developers", group)
    of_model: dict[str, dict[str, int]] = defaultdict(dict)
    for model, developer, rows in developers:
        of_model[model][developer] = rows
    seen = set()
    for found in of_model.values():
        group = _by_rows(found.items())
        key = frozenset(found)
        if len(group) > 1 and key not in seen and len({_plain(name) for name in found}) > 1:
            seen.add(key)
            yield AliasCandidate("developers", "developers of one model", group)


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
        group = sorted(left.items(), key=lambda one: (one[0] not in targets, -one[1], one[0]))
        yield AliasCandidate(table, why, tuple(group))
        target = group[0][0]
        kept[table].add(target)
        ends.update({(table, name): target for name, _ in group[1:]})


def _groups(
    names: Iterable[tuple[str, int]], same: Callable[[str], str]
) -> Iterator[tuple[tuple[str, int], ...]]:
    """Names of which something is the same, in the order of that."""
    groups: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for name, rows in names:
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
