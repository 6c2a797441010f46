"""The numbers of a site as scripts, which a page can load from a server or from a disk.

``models.js`` and ``benchmarks.js`` list both; ``columns/SLUG.js`` has the numbers of a benchmark
and is loaded when its column is shown. Models and sources are given by their places in a list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from evalmark.pages.site.contents import SiteBenchmark, SiteContents, day
from evalmark.validator.edge.escaping import shown

#: Benchmarks that the first table shows, those with most models.
SHOWN = 6
#: Parts of the identity of a benchmark that are words, beside its name.
_WORDS = ("collection", "split", "metric", "metric_parameters")


def scripts(contents: SiteContents) -> Iterable[tuple[str, bytes]]:
    """Path in the site -> content, for every file of numbers."""
    models = [
        [shown(m.key), shown(m.developer), m.slug, len(m.cells)] for m in contents.models.values()
    ]
    yield "data/models.js", _script("models", models)
    benchmarks = [
        [b.slug, shown(b.name), shown(detail(b)), b.is_falling, len(b.cells)]
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


def detail(benchmark: SiteBenchmark) -> str:
    """What makes the numbers of a benchmark alike, beside its name."""
    identity = benchmark.identity
    parts = [identity[key] or "" for key in _WORDS]
    if identity["lower_is_better"] is not None:
        parts.append("lower is better" if benchmark.is_falling else "higher is better")
    low, high = identity["min_score"], identity["max_score"]
    if low is not None or high is not None:
        ends = ["…" if end is None else f"{end:g}" for end in (low, high)]
        parts.append(f"{ends[0]}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{ends[1]}")
    if identity["unit"]:
        parts.append(identity["unit"])
    return ", ".join(filter(None, parts))


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
                cell.scores[0] if len(cell.scores) == 1 else list(cell.scores),
                cell.ranked_by,
                first.lower,
                first.upper,
                first.samples,
                source,
                day(first.when),
            )
        )
    names = ("models", "scores", "ranked_by", "lower", "upper", "samples", "source", "day")
    lists = zip(*rows, strict=True) if rows else ([] for _ in names)
    return {"sources": list(sources), **dict(zip(names, map(list, lists), strict=True))}


def _script(name: str, data: Any) -> bytes:
    return f"evalmarkSite.{name} = {_text(data)};\n".encode()


def _text(data: Any) -> str:
    """JSON that is JavaScript too, which has Infinity."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", r"\u003c")
