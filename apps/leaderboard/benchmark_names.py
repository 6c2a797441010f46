"""Names of benchmarks that a person reads: ``MMLU-Pro, accuracy`` for a key of six parts.

What several benchmarks share is not said; where two would have one name, the parts of their keys
in which they differ are added. No two benchmarks have one name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from evalmark.leaderboard.names import PART

#: A letter of a name that is escaped in a key.
_ESCAPED = re.compile(r"\\(.)")
_NO_SCALE = "scale not given"
#: The parts that are added, in this order, and what is said where a benchmark lacks one.
_FURTHER = {
    "collection": "no collection",
    "dataset": "data set not given",
    "subset": "whole",
    "split": "split not given",
    "parameters": "no parameters",
    "direction": "direction not given",
    "scale": _NO_SCALE,
}
#: The text before a part.
_BEFORE = {"dataset": "data set ", "split": "split "}


class BenchmarkParts(NamedTuple):
    """The parts of a key; empty where it has none."""

    collection: str
    dataset: str
    subset: str
    split: str
    metric: str
    parameters: str
    direction: str
    scale: str


def parts_of(key: str) -> BenchmarkParts:
    """The parts of the key of a benchmark."""
    data, subset, split, metric, direction, scale = key.split(PART)
    collection, _, dataset = data.partition("/")
    name, brace, parameters = metric.partition(" {")
    words = {"-": "", "lower": "lower is better", "higher": "higher is better"}
    return BenchmarkParts(
        _plain(collection),
        _plain(dataset),
        _plain(subset),
        _plain(split),
        _plain(name),
        _plain(brace.strip() + parameters),
        words[direction],
        scale.replace("open", "…"),
    )


def _plain(text: str) -> str:
    return "" if text == "-" else _ESCAPED.sub(r"\1", text)


def title_of(dataset: str | None, subset: str | None, metric: str | None = None) -> str:
    """The title of a benchmark: its data set, and its subset where that differs."""
    dataset, subset = dataset or "", subset or ""
    if metric and subset.endswith(f"/{metric}"):
        subset = subset.removesuffix(f"/{metric}")
    if not dataset or not subset or dataset.casefold() in subset.casefold():
        return subset or dataset or "unnamed"
    return f"{dataset}: {subset}"


def benchmark_names(keys: Iterable[str]) -> dict[str, str]:
    """Key of each benchmark -> its name among all of these."""
    parts = {key: parts_of(key) for key in sorted(set(keys))}
    groups: dict[str, list[str]] = {}
    for key, part in parts.items():
        groups.setdefault(_short(part).casefold(), []).append(key)
    further: dict[str, list[str]] = {key: [] for key in parts}
    for group in groups.values():
        _tell_apart(group, parts, further, tuple(_FURTHER))
    names = {
        key: f"{_short(part)} ({', '.join(further[key])})" if further[key] else _short(part)
        for key, part in parts.items()
    }
    return _unique(names)


def _tell_apart(
    group: Sequence[str],
    parts: Mapping[str, BenchmarkParts],
    further: Mapping[str, list[str]],
    names: Sequence[str],
) -> None:
    """Add what tells benchmarks of one name apart, to each no more than it needs."""
    if len(group) == 1 or not names:
        return
    by_text: dict[str, list[str]] = {}
    for key in group:
        by_text.setdefault(_further(parts[key], names[0]), []).append(key)
    for text, keys in by_text.items():
        if len(by_text) > 1:
            for key in keys:
                further[key].append(text)
        _tell_apart(keys, parts, further, names[1:])


def _short(part: BenchmarkParts) -> str:
    title = title_of(part.dataset, part.subset, part.metric)
    metric = part.metric.replace("_", " ")
    if not metric or metric.casefold() in title.replace("_", " ").casefold():
        return title
    return f"{title}, {metric}"


def _further(part: BenchmarkParts, name: str) -> str:
    text: str = getattr(part, name)
    if name == "scale":
        return _NO_SCALE if text == "… to …" else text
    return f"{_BEFORE.get(name, '')}{text}" if text else _FURTHER[name]


def _unique(names: Mapping[str, str]) -> dict[str, str]:
    counts: dict[str, int] = {}
    for name in names.values():
        counts[name.casefold()] = counts.get(name.casefold(), 0) + 1
    return {key: key if counts[name.casefold()] > 1 else name for key, name in names.items()}
