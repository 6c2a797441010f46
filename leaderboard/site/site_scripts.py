"""Scripts of a site with its models, its benchmarks and all numbers.

``models.js`` and ``benchmarks.js`` list both; ``columns/SLUG.js`` has the numbers of a benchmark
and is loaded when its column is shown, ``cells/N.js`` those of ``CHUNK`` models, when one of them
is. Models, benchmarks and sources are given by their places in a list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from evalmark.leaderboard.site.site_contents import BenchmarkCell, SiteBenchmark, SiteContents, day
from evalmark.leaderboard.site.site_groups import BenchmarkGroup
from evalmark.validator.io.escaping import shown

#: Models whose numbers are in one file.
CHUNK = 64
#: Benchmarks that the first table shows, those with most models.
SHOWN = 6


def scripts(
    contents: SiteContents, groups: Mapping[str, Sequence[BenchmarkGroup]]
) -> Iterable[tuple[str, bytes]]:
    """Path in the site -> content, for every file of numbers.

    Args:
        contents: Models and benchmarks.
        groups: Folder -> groups of benchmarks that have pages there.
    """
    models = [
        [shown(m.key), shown(m.developer), m.slug, len(m.cells)] for m in contents.models.values()
    ]
    pages = [
        [shown(group.name), folder, group.slug] for folder in groups for group in groups[folder]
    ]
    yield "data/groups.js", _script("groups", pages)
    yield "data/models.js", _script("models", models)
    benchmarks = [
        [b.slug, shown(b.name), shown(b.detail), b.is_falling, len(b.cells)]
        for b in contents.benchmarks.values()
    ]
    yield "data/benchmarks.js", _script("benchmarks", benchmarks)
    places = {key: place for place, key in enumerate(contents.models)}
    for benchmark in contents.benchmarks.values():
        data = _column(benchmark, places)
        yield (
            f"data/columns/{benchmark.slug}.js",
            _script(f"columns[{_text(benchmark.slug)}]", data),
        )
    places = {key: place for place, key in enumerate(contents.benchmarks)}
    each = iter(contents.models.values())
    for number in range(0, len(contents.models), CHUNK):
        cells = [_cells(contents, m.key, m.cells, places) for m in islice(each, CHUNK)]
        yield f"data/cells/{number // CHUNK}.js", _script(f"cells[{number // CHUNK}]", cells)


def _cells(
    contents: SiteContents,
    model: str,
    cells: Mapping[str, BenchmarkCell],
    places: Mapping[str, int],
) -> list[list[Any]]:
    """Parallel lists for each benchmark: place, numbers, rank, and what marks the numbers."""
    rows = [
        (places[key], _numbers(cell), contents.benchmarks[key].ranks.get(model), _marks(cell))
        for key, cell in cells.items()
        if cell.scores
    ]
    return [list(column) for column in zip(*rows, strict=True)] or [[], [], [], []]


def _numbers(cell: BenchmarkCell) -> float | list[float]:
    return cell.scores[0] if len(cell.scores) == 1 else list(cell.scores)


def _marks(cell: BenchmarkCell) -> int:
    """1 for numbers that contradict each other, 2 for records with errors, or both."""
    return cell.contradicts + 2 * cell.has_errors


def _column(benchmark: SiteBenchmark, places: Mapping[str, int]) -> dict[str, Any]:
    """Parallel lists, a place for each model in the order of ranks."""
    sources: dict[str, int] = {}
    rows = []
    for key, cell in benchmark.listed:
        first = cell.first
        source = sources.setdefault(shown(", ".join(cell.sources)), len(sources))
        rows.append(
            (
                places[key],
                _numbers(cell),
                cell.ranked_by,
                first.lower,
                first.upper,
                first.samples,
                source,
                day(first.when),
                _marks(cell),
            )
        )
    names = ("models", "scores", "ranked_by", "lower", "upper", "samples", "source", "day", "same")
    lists = zip(*rows, strict=True) if rows else ([] for _ in names)
    return {"sources": list(sources), **dict(zip(names, map(list, lists), strict=True))}


def _script(name: str, data: Any) -> bytes:
    return f"evalmarkSite.{name} = {_text(data)};\n".encode()


def _text(data: Any) -> str:
    """JSON that is JavaScript too, which has Infinity."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", r"\u003c")
