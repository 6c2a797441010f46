"""Benchmarks whose direction is in doubt: records contradict each other, or the table of metrics.

The direction of a benchmark is what its records say, and it is a part of its key. So results that
say otherwise are of another benchmark, and are never ranked together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

from evalmark.leaderboard.aliases import PART
from evalmark.leaderboard.identity import DIRECTIONS
from evalmark.leaderboard.questions.asking import rows_of
from evalmark.schemas.metrics import known_metric

#: The word in a key -> whether lower scores are better.
_LOWER = {word: lower for lower, word in DIRECTIONS.items()}


class _Key(NamedTuple):
    """A key of a benchmark in parts: what is measured, the name of the metric, the direction."""

    measured: str
    metric: str
    direction: str


def direction_notes(connection: Any, shown: Collection[str] | None = None) -> list[str]:
    """What has to be said about the directions of benchmarks of a store.

    Args:
        connection: To the store.
        shown: The keys of benchmarks that an answer is about; None for all.
    """
    query = "SELECT DISTINCT benchmark_key FROM own.benchmark_keys ORDER BY 1"
    keys = [str(key) for (key,) in rows_of(connection, query)]
    return notes_of_keys(keys, shown)


def notes_of_keys(keys: Iterable[str], shown: Collection[str] | None = None) -> list[str]:
    """The same, from the keys of all benchmarks."""
    parts = {key: _parts(key) for key in keys}
    wanted = parts if shown is None else {key: parts[key] for key in shown if key in parts}
    return [*_disagreeing(parts, wanted), *_contradicting(wanted)]


def _parts(key: str) -> _Key:
    above, metric, direction, _ = key.rsplit(PART, 3)
    name = metric.partition(" {")[0].replace(r"\|", "|")
    return _Key(f"{above}{PART}{metric}", name, direction)


def _disagreeing(parts: dict[str, _Key], wanted: dict[str, _Key]) -> Iterator[str]:
    """A note on benchmarks of which some records say lower, and some higher."""
    directions: dict[str, set[str]] = {}
    for key in parts.values():
        if _LOWER[key.direction] is not None:
            directions.setdefault(key.measured, set()).add(key.direction)
    found = dict.fromkeys(
        k.measured for k in wanted.values() if len(directions.get(k.measured, ())) > 1
    )
    if found:
        yield (
            f"records disagree on whether lower scores are better in {_listed(found)}: those that "
            "say lower and those that say higher are ranked apart"
        )


def _contradicting(wanted: dict[str, _Key]) -> Iterator[str]:
    """A note on benchmarks whose records contradict the table of metrics, by metric."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for key in wanted.values():
        entry = known_metric(key.metric)
        lower = _LOWER[key.direction]
        if entry is None or lower is None or entry.lower_is_better in (None, lower):
            continue
        own = found.setdefault((key.metric, key.direction, entry.direction), [])
        own.append(key.measured)
    for (metric, stated, known), measured in found.items():
        yield (
            f'records say that {stated} scores of "{metric}" are better, and the table of metrics '
            f"says {known} (rule EE211): ranked as the records say, in {_listed(measured)}"
        )


def _listed(measured: Iterable[str]) -> str:
    names = list(measured)
    return f'"{names[0]}"' + (f" and {len(names) - 1:,} more" if len(names) > 1 else "")
