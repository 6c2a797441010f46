"""Groups of benchmarks: collections, and data sets with several ways of measuring."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evalmark.leaderboard.benchmark_names import benchmark_names
from evalmark.leaderboard.site.site_contents import SiteBenchmark, SiteContents, details, slugs

#: Steps of the shade of a cell.
SHADES = 4
#: Benchmarks that a group shows as columns, and models as rows.
COLUMNS, MODELS = 30, 100
_MARKS = re.compile(r"[^a-z0-9]+")
_NO_COLLECTION = "without a collection"


@dataclass(frozen=True)
class BenchmarkGroup:
    """Benchmarks that are shown side by side.

    Attributes:
        name: The name of their collection or data set.
        slug: The name of its page.
        benchmarks: Those with most models first.
        is_data_set: Whether it is a data set: models that are in most columns are first.
    """

    name: str
    slug: str
    benchmarks: tuple[SiteBenchmark, ...]
    is_data_set: bool = False

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
    """A name as others may write it."""
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
