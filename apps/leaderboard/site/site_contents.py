"""Contents of a site: results by model and by benchmark, and groups of benchmarks.

A cell is what one model has on one benchmark. Numbers that contradict each other are kept beside
each other: nothing is averaged.
"""

from __future__ import annotations

import math
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from evalmark.leaderboard.benchmark_names import benchmark_names, title_of
from evalmark.leaderboard.competing_results import (
    CONTRADICTION,
    NOT_STATED,
    differing,
    represent,
    sentence,
    settings_of,
)
from evalmark.leaderboard.result_columns import ResultRow
from evalmark.validator.io.portable_names import portable_name

#: Columns that say what a benchmark is, of its first result: others may be merged into it.
_IDENTITY = (
    "collection", "dataset", "subset", "split", "metric", "metric_parameters", "unit",
    "lower_is_better", "min_score", "max_score",
)  # fmt: skip
#: Columns that pages show of every result, whether it differs or not.
_IN_OTHER_COLUMNS = ("source", "relationship", "evaluated_at")
#: Different numbers that a cell has side by side.
_SIDE_BY_SIDE = 2
#: Models that are named as the best.
_BEST = 3
#: Parts of the identity of a benchmark that are words, apart from its name.
_WORDS = ("collection", "split", "metric", "metric_parameters")
#: Name of the page that lists the models.
_LIST = "index"
#: Characters of the name of a page.
_LONGEST = 80


@dataclass(frozen=True)
class BenchmarkCell:
    """The results of a model on a benchmark."""

    entries: tuple[ResultRow, ...]  # its results, that one first which represents the model
    scores: tuple[float, ...]  # the different numbers among them: that one, then the best first
    #: That one if it can be ranked: out of bounds, or without a direction, a number has no rank.
    ranked_by: float | None
    contradicts: bool = False  # whether two of them are under the same settings

    @property
    def is_conflict(self) -> bool:
        """True if there are different numbers, under the same settings or under several."""
        return len(self.scores) > 1

    @cached_property
    def text(self) -> str:
        """Its numbers, as tables show them; ``scoresText`` in site.js is the same."""
        if not self.scores:
            return ""
        first, *others = map(score_text, self.scores)
        if len(others) >= _SIDE_BY_SIDE:
            ends = min(self.scores), max(self.scores)
            others = [f"{len(self.scores)} from {' to '.join(map(score_text, ends))}"]
        text = (" ≠ " if self.contradicts else ", ").join([first, *others])
        return f"{text} (errors)" if self.has_errors else text

    @property
    def has_errors(self) -> bool:
        """True if a record of its numbers has errors."""
        return any(entry.verdict == "error" for entry in self.entries)

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The sources of its numbers, each once."""
        return tuple(dict.fromkeys(e.source or "source not given" for e in self.entries))

    @property
    def first(self) -> ResultRow:
        """The result that represents the model."""
        return self.entries[0]

    @property
    def interval(self) -> str:
        """The interval of its only number; empty if there is none, or if there are several."""
        low, high = self.first.interval
        if self.is_conflict or low is None or high is None:
            return ""
        return f"{score_text(low)} to {score_text(high)}"

    @property
    def differing(self) -> tuple[list[str], list[tuple[ResultRow, list[str]]]]:
        """The settings in which the entries differ, and each entry with its values of them."""
        every = [settings_of(entry) for entry in self.entries]
        names = [name for name in differing(every) if name not in _IN_OTHER_COLUMNS]
        values = ([settings.get(name, NOT_STATED) for name in names] for settings in every)
        return names, list(zip(self.entries, values, strict=True))


@dataclass(frozen=True)
class SiteBenchmark:
    """One data set, subset, split, metric, direction and scale."""

    key: str
    slug: str
    name: str
    identity: Mapping[str, Any]
    usual: Mapping[str, str]  # see ``represent``
    cells: dict[str, BenchmarkCell] = field(default_factory=dict)  # model key -> cell

    @cached_property
    def detail(self) -> str:
        """The properties that its numbers share, beside its name."""
        return ", ".join(details(self))

    @property
    def represented(self) -> str:
        """The number that represents a model."""
        return sentence(self.usual)

    @property
    def is_falling(self) -> bool:
        """True if lower is better."""
        return bool(self.identity["lower_is_better"])

    @cached_property
    def listed(self) -> list[tuple[str, BenchmarkCell]]:
        """Models with their cells, the best first, and at the end those without a rank."""
        sign = 1 if self.is_falling else -1

        def place(item: tuple[str, BenchmarkCell]) -> tuple[bool, float, str]:
            key, cell = item
            number = cell.scores[0] if cell.ranked_by is None else cell.ranked_by
            return cell.ranked_by is None, sign * number, key

        return sorted((item for item in self.cells.items() if item[1].scores), key=place)

    @cached_property
    def ranks(self) -> dict[str, int]:
        """Model -> its rank, from 1; models with the same number share one."""
        numbers = [(key, cell.ranked_by) for key, cell in self.listed if cell.ranked_by is not None]
        first: dict[float, int] = {}
        for rank, (_, number) in enumerate(numbers, 1):
            first.setdefault(number, rank)
        return {key: first[number] for key, number in numbers}

    @property
    def best(self) -> list[tuple[str, BenchmarkCell]]:
        """The three models that are first, if any has a rank."""
        return [(key, cell) for key, cell in self.listed[:_BEST] if key in self.ranks]

    @property
    def ties(self) -> int:
        """The number of further models with the rank of the last of these."""
        last = self.ranks[self.best[-1][0]] if self.best else None
        return sum(rank == last for rank in self.ranks.values()) - sum(
            self.ranks[key] == last for key, _ in self.best
        )

    @cached_property
    def source(self) -> str:
        """The source of all its numbers; empty if there are several."""
        sources = {cell.sources for cell in self.cells.values()}
        return next(iter(sources))[0] if len(sources) == 1 and len(next(iter(sources))) == 1 else ""


@dataclass(frozen=True)
class SiteModel:
    """A model, by whatever names records call it."""

    key: str
    slug: str
    developer: str
    names: tuple[str, ...]
    cells: dict[str, BenchmarkCell] = field(default_factory=dict)  # benchmark key -> cell

    @cached_property
    def source(self) -> str:
        """The source and relationship of all its numbers; empty if there are several."""
        entries = (entry for cell in self.cells.values() for entry in cell.entries)
        sources = {(entry.source, entry.relationship) for entry in entries}
        name, relationship = next(iter(sources), (None, None))
        if len(sources) != 1 or not name:
            return ""
        return f"{name} ({relationship.replace('_', ' ')})" if relationship else name


@dataclass(frozen=True)
class SiteContents:
    """The contents of a site, in the order in which it shows them."""

    models: dict[str, SiteModel]
    benchmarks: dict[str, SiteBenchmark]
    unnamed: int  # results that name no model

    @property
    def cells(self) -> Iterator[tuple[SiteModel, SiteBenchmark, BenchmarkCell]]:
        """Every cell that is not empty."""
        for benchmark in self.benchmarks.values():
            for key, cell in benchmark.cells.items():
                yield self.models[key], benchmark, cell

    def models_on(self, benchmarks: Sequence[SiteBenchmark]) -> list[SiteModel]:
        """Models, those first that have numbers on most of these benchmarks."""
        return sorted(
            self.models.values(), key=lambda model: -sum(model.key in b.cells for b in benchmarks)
        )

    @cached_property
    def conflicts(self) -> list[tuple[SiteModel, SiteBenchmark, BenchmarkCell]]:
        """Cells with different numbers under the same settings."""
        return [cell for cell in self.cells if cell[2].contradicts]

    @cached_property
    def several(self) -> list[tuple[SiteModel, SiteBenchmark, BenchmarkCell]]:
        """Cells with different numbers, each under its own settings."""
        return [f for f in self.cells if f[2].is_conflict and not f[2].contradicts]

    @cached_property
    def results(self) -> int:
        """The number of results."""
        return sum(len(cell.entries) for _, _, cell in self.cells)

    @cached_property
    def newest(self) -> str:
        """The day of the latest result."""
        return max((day(e.when) for _, _, cell in self.cells for e in cell.entries), default="")

    @cached_property
    def records(self) -> dict[str, str]:
        """File of each record -> the digest of its bytes."""
        entries = (entry for _, _, cell in self.cells for entry in cell.entries)
        return {entry.file: entry.digest for entry in entries if entry.digest}


def contents_of(results: Iterable[ResultRow]) -> SiteContents:
    """Arrange results; the order in which they come does not matter."""
    groups: dict[str, dict[str, list[ResultRow]]] = {}
    unnamed = 0
    for result in results:
        if result.model_key is None:
            unnamed += 1
            continue
        models = groups.setdefault(result.benchmark_key, {})
        models.setdefault(result.model_key, []).append(result)
    for key, models in groups.items():
        groups[key] = dict(sorted(models.items()))
        for rows in models.values():
            rows.sort(key=lambda row: (-(row.when or -math.inf), row.file, row.pointer))
    return _arranged(groups, unnamed)


def _arranged(groups: Mapping[str, Mapping[str, list[ResultRow]]], unnamed: int) -> SiteContents:
    """Benchmarks with most models first, models with most benchmarks first."""
    keys = sorted(groups)
    identities = {key: _identity(groups[key]) for key in keys}
    titles = [(identities[key]["dataset"], identities[key]["subset"]) for key in keys]
    names = [
        f"{title_of(*title)} {identities[key]['metric'] or ''}"
        for key, title in zip(keys, titles, strict=True)
    ]
    words = benchmark_names(keys)
    by_key = dict(zip(keys, slugs(names), strict=True))
    keys.sort(key=lambda key: -len(groups[key]))
    benchmarks = {}
    by_model: dict[str, dict[str, BenchmarkCell]] = {}
    for key in keys:
        ordered, usual = _represented(groups[key])
        benchmark = SiteBenchmark(key, by_key[key], words[key], identities[key], usual)
        benchmarks[key] = benchmark
        for model, entries in ordered.items():
            cell = _cell(entries, falling=benchmark.is_falling)
            benchmark.cells[model] = cell
            by_model.setdefault(model, {})[key] = cell
    keys = sorted(by_model)
    by_key = dict(zip(keys, slugs(keys), strict=True))
    models = {}
    for key in sorted(keys, key=lambda key: (-len(by_model[key]), key.casefold(), key)):
        entries = [entry for cell in by_model[key].values() for entry in cell.entries]
        developer = next((e.developer_key for e in entries if e.developer_key), "")
        written = tuple(sorted({entry.model for entry in entries if entry.model}))
        models[key] = SiteModel(key, by_key[key], developer, written, by_model[key])
    return SiteContents(models, benchmarks, unnamed)


def _identity(models: Mapping[str, Sequence[ResultRow]]) -> dict[str, Any]:
    """What a benchmark is, as its first result says: a file of names may merge others."""
    first = next(iter(models.values()))[0]
    ends = (None if math.isinf(end) else end for end in first.bounds)
    bounds = dict(zip(("min_score", "max_score"), ends, strict=True))
    return {name: bounds.get(name, getattr(first, name)) for name in _IDENTITY}


def _represented(
    models: Mapping[str, list[ResultRow]],
) -> tuple[Mapping[str, list[ResultRow]], dict[str, str]]:
    if all(len(entries) == 1 for entries in models.values()):
        return models, {}
    return represent(models)


def _cell(entries: Sequence[ResultRow], *, falling: bool) -> BenchmarkCell:
    first = entries[0]
    numbers = {e.score for e in entries if e.score is not None and not math.isnan(e.score)}
    scores = sorted(numbers, key=lambda score: (score != first.score, score if falling else -score))
    if first.conflict is None:  # the same number, rounded differently
        scores = scores[:1]
    ranked_by = first.score if first.is_ranked else None
    return BenchmarkCell(tuple(entries), tuple(scores), ranked_by, first.conflict == CONTRADICTION)


def score_text(score: float | None) -> str:
    """A score as tables show it, with about four digits; ``scoreText`` in site.js is the same."""
    if score is None:
        return "–"
    size = abs(score)
    if math.isinf(score):
        return "∞" if score > 0 else "−∞"
    if size >= 1e6 or 0 < size < 1e-3:
        return f"{score:.2e}".replace("-", "−")
    digits = 4 if size < 1 else 3 if size < 10 else 2 if size < 100 else 1 if size < 1000 else 0
    return f"{score:.{digits}f}".replace("-", "−")


@lru_cache(maxsize=1 << 14)
def day(seconds: float | None) -> str:
    """The day of a Unix timestamp, in UTC; empty if it is not known or not a day."""
    try:
        return "" if seconds is None else time.strftime("%Y-%m-%d", time.gmtime(seconds))
    except (OverflowError, ValueError, OSError):
        return ""


def details(benchmark: SiteBenchmark) -> list[str]:
    """The properties that numbers of a benchmark share, beside its name."""
    identity = benchmark.identity
    parts: list[str] = [identity[key] for key in _WORDS if identity[key]]
    if identity["lower_is_better"] is not None:
        parts.append("lower is better" if benchmark.is_falling else "higher is better")
    low, high = identity["min_score"], identity["max_score"]
    if low is not None or high is not None:
        ends = ["…" if end is None else f"{end:g}" for end in (low, high)]
        parts.append(f"{ends[0]}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{ends[1]}")
    return [*parts, *filter(None, [identity["unit"]])]


def slugs(names: Iterable[str]) -> list[str]:
    """A file name for each name, the same in the same order, and different on every system."""
    taken: set[str] = set()
    numbered_names = []
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        slug = re.sub(r"[^a-z0-9.]+", "-", plain).strip("-.")[:_LONGEST].rstrip("-.") or "x"
        slug = f"{slug}-" if slug == _LIST else portable_name(slug)
        number = 1
        while (numbered := slug if number == 1 else f"{slug}-{number}") in taken:
            number += 1
        taken.add(numbered)
        numbered_names.append(numbered)
    return numbered_names


#: Steps of the shade of a cell.
SHADES = 4
#: Benchmarks that a group shows as columns, and models as rows.
COLUMNS, MODELS = 30, 100
_MARKS = re.compile(r"[^a-z0-9]+")
_NO_COLLECTION = "without a collection"


@dataclass(frozen=True)
class BenchmarkGroup:
    """Benchmarks that are shown side by side."""

    name: str  # the name of their collection or data set
    slug: str  # the name of its page
    benchmarks: tuple[SiteBenchmark, ...]  # those with most models first
    is_data_set: bool = False  # whether it is a data set: models that are in most columns are first

    @property
    def columns(self) -> tuple[SiteBenchmark, ...]:
        """The benchmarks that its table shows."""
        return self.benchmarks[:COLUMNS]

    @cached_property
    def headings(self) -> dict[str, str]:
        """Benchmark -> its name among those of the group, without a metric that all share."""
        names = benchmark_names(benchmark.key for benchmark in self.benchmarks)
        metrics = {benchmark.identity["metric"] for benchmark in self.benchmarks}
        if len(metrics) > 1:
            return names
        shared = f", {str(*metrics).replace('_', ' ')}"
        short = {key: name.removesuffix(shared) for key, name in names.items()}
        return short if len(set(short.values())) == len(names) else names

    @cached_property
    def shared(self) -> str:
        """The details that all benchmarks of the group share, besides its name."""
        return ", ".join(part for part in self._shared if part != self.name)

    def own_detail(self, benchmark: SiteBenchmark) -> str:
        """The details of a benchmark that not all of the group share."""
        return ", ".join(part for part in details(benchmark) if part not in self._shared)

    @cached_property
    def _shared(self) -> list[str]:
        every = [details(benchmark) for benchmark in self.benchmarks]
        return [part for part in every[0] if all(part in parts for parts in every)]

    @cached_property
    def models(self) -> list[str]:
        """Keys of its models, in the order of the first column, then of what others they have."""
        order = [key for key, _ in self.columns[0].listed]
        counts = Counter(key for benchmark in self.columns for key in benchmark.cells)
        rest = sorted(counts.keys() - set(order), key=lambda key: (-counts[key], key))
        models = [*order, *rest]
        return sorted(models, key=lambda key: -counts[key]) if self.is_data_set else models

    @property
    def has_details(self) -> bool:
        """True if there is something to say of a benchmark that is not said of every one."""
        return any(map(self.own_detail, self.benchmarks))

    @cached_property
    def sources(self) -> list[str]:
        """The sources of all numbers, each once."""
        cells = (cell for benchmark in self.benchmarks for cell in benchmark.cells.values())
        return [*dict.fromkeys(source for cell in cells for source in cell.sources)]

    def cells_of(self, model: str) -> Iterator[tuple[str, str, bool]]:
        """The text of each cell of a row, the class of its shade, and whether it is the best."""
        for benchmark in self.columns:
            cell = benchmark.cells.get(model)
            if cell is None or not cell.scores:
                yield "", "", False
                continue
            shade = self.shades[benchmark.key].get(model)
            name = "number" if shade is None else f"number s{shade}"
            yield cell.text, name, benchmark.ranks.get(model) == 1

    @cached_property
    def shades(self) -> dict[str, dict[str, int]]:
        """Benchmark -> model -> the shade of its cell, from 0 for the worst to ``SHADES`` - 1."""
        return {benchmark.key: _shades(benchmark) for benchmark in self.columns}


def _shades(benchmark: SiteBenchmark) -> dict[str, int]:
    ranked = {k: cell.ranked_by for k, cell in benchmark.listed if cell.ranked_by is not None}
    numbers = [number for number in ranked.values() if number is not None]
    if not numbers or min(numbers) == max(numbers):
        return {}
    worst, best = (max, min) if benchmark.is_falling else (min, max)
    # Halves, since the difference of two numbers can be too large for one.
    low, width = worst(numbers) / 2, best(numbers) / 2 - worst(numbers) / 2
    return {
        key: min(SHADES - 1, int(SHADES * ((number / 2 - low) / width)))
        for key, number in ranked.items()
        if number is not None
    }


def collections_of(contents: SiteContents) -> list[BenchmarkGroup]:
    """The collections, those with most numbers first."""
    groups: dict[str, list[SiteBenchmark]] = {}
    for benchmark in contents.benchmarks.values():
        name = benchmark.identity["collection"] or _NO_COLLECTION
        groups.setdefault(name, []).append(benchmark)
    return _groups(groups)


def data_sets_of(contents: SiteContents) -> list[BenchmarkGroup]:
    """Data sets that are measured in several ways, in whatever collection."""
    groups: dict[str, list[SiteBenchmark]] = {}
    names: dict[str, str] = {}
    for benchmark in contents.benchmarks.values():
        identity = benchmark.identity
        # The name of a data set without one; its owner is left out.
        title = identity["dataset"] or (identity["subset"] or "").partition(" - ")[0]
        name = title.rpartition("/")[2]
        names.setdefault(_plain(name), name)
        groups.setdefault(_plain(name), []).append(benchmark)
    several = {names[key]: some for key, some in groups.items() if key and len(some) > 1}
    return _groups(several, are_data_sets=True)


def _plain(name: str) -> str:
    return _MARKS.sub("", name.casefold())


def _groups(
    groups: Mapping[str, Sequence[SiteBenchmark]], *, are_data_sets: bool = False
) -> list[BenchmarkGroup]:
    names = sorted(groups)
    by_name = dict(zip(names, slugs(names), strict=True))
    names.sort(key=lambda name: -sum(len(benchmark.cells) for benchmark in groups[name]))
    return [
        BenchmarkGroup(name, by_name[name], tuple(groups[name]), are_data_sets) for name in names
    ]
