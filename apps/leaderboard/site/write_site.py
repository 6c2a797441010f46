"""A site written to a folder: the same records give the same bytes.

Its scripts have all models, benchmarks and numbers: ``models.js`` and ``benchmarks.js`` list both;
``columns/SLUG.js`` has the numbers of a benchmark and is loaded when its column is shown,
``cells/N.js`` those of ``CHUNK`` models, when one of them is. Models, benchmarks and sources are
given by their places in a list.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from evalmark.leaderboard.result_columns import RESULTS, ResultRow
from evalmark.leaderboard.results import Results
from evalmark.leaderboard.site.site_contents import (
    MODELS,
    BenchmarkCell,
    BenchmarkGroup,
    SiteBenchmark,
    SiteContents,
    collections_of,
    contents_of,
    data_sets_of,
    day,
    score_text,
)
from evalmark.leaderboard.table_output import CSV, PARQUET, table_content
from evalmark.schemas.errors import NotInstalledError, UsageError
from evalmark.scoring.reports.render import HERE as REPORTS
from evalmark.scoring.reports.render import environment
from evalmark.validator.io.escaping import shown
from evalmark.validator.io.git import Repository, is_blob
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.paths import leads_out
from evalmark.validator.io.redaction import redacted
from evalmark.validator.io.site_folder import require_free, write_folder

HERE = Path(__file__).parent
#: The list of files of a site, by which it is known again.
MANIFEST = "evalmark-site.json"
#: Rows of a table without scripts, and of a page of it with them.
ROWS = 100
#: Conflicts that are listed.
CONFLICTS = 2000
#: Benchmarks of a collection whose best models the first page names.
FEW = 5
#: File of a site -> the files of ours that it is made of.
_SHARED = {
    "site.css": (REPORTS / "page.css", HERE / "site.css"),
    "site.js": (REPORTS / "page.js", HERE / "site.js"),
    **{
        name: (HERE / name,)
        for name in ("matrix.js", "ranking.js", "search.js", "compare.js", "conflicts.js")
    },
}
#: Browsers ask for ``favicon.ico``, which a host may have.
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)


@dataclass(frozen=True, slots=True)
class Published:
    """The contents of a site.

    Attributes:
        models: Its models.
        benchmarks: Its benchmarks.
        results: Results that are shown.
        conflicts: Cells with different numbers under the same settings.
        files: Files that were written.
        size: Their bytes.
        unnamed: Results that name no model, which are only in the tables for download.
        lost: Records that could not be copied: they are gone, or differ from the table.
    """

    models: int
    benchmarks: int
    results: int
    conflicts: int
    files: int
    size: int
    unnamed: int
    lost: tuple[str, ...]


def publish(
    results: Results, out: Path, *, title: str = "Leaderboard", record_url: str | None = None
) -> Published:
    """Write a site: models, benchmarks, and every number with its source.

    Args:
        results: See ``results_of``.
        out: A folder that is empty, does not exist, or has a site, which is replaced.
        title: What the site is called.
        record_url: URL of a record, with ``{file}`` for its path; if None, records are linked in
            the repository that they are in, as far as everybody can read it there, else copied.

    Raises:
        NotInstalledError: What a site needs is not installed.
        UsageError: The folder has other files.
        OSError: A file cannot be written.
    """
    for library in ("pyarrow", "jinja2"):
        if find_spec(library) is None:
            raise NotInstalledError(library, "table")
    if record_url is not None and "{file}" not in record_url:
        raise UsageError("the URL of records needs {file} in the place of the path of a record")
    if record_url is not None and urlsplit(record_url).scheme not in ("", "http", "https"):
        raise UsageError("the URL of records must begin with http:// or https://, or be a path")
    require_free(out, MANIFEST)
    rows = _rows_of(results)
    contents = contents_of(rows)
    lost: list[str] = []
    records = _sources(contents.records, results.is_of_table) if record_url is None else ()
    files = _files(rows, contents, title, _Links(record_url, {}), records, lost)
    written, size = write_folder(out, MANIFEST, files)
    return Published(
        len(contents.models),
        len(contents.benchmarks),
        contents.results,
        len(contents.conflicts),
        len(written) + 1,
        size,
        contents.unnamed,
        tuple(lost),
    )


def _rows_of(results: Results) -> list[ResultRow]:
    """All rows; texts, which repeat in many of them, are one object each."""
    texts: dict[str, str] = {}
    return [
        ResultRow._make(texts.setdefault(v, v) if isinstance(v, str) else v for v in row)
        for row in results
    ]


def _files(
    rows: Sequence[ResultRow],
    contents: SiteContents,
    title: str,
    links: _Links,
    records: Iterable[tuple[str, str, bytes | None]],
    lost: list[str],
) -> Iterator[tuple[str, bytes]]:
    """Path in the site -> content. Pages come last: what they link to is there by then."""
    for name, sources in _SHARED.items():
        yield name, b"".join(read_whole(source) for source in sources)
    for ending in (CSV, PARQUET):
        yield f"results{ending}", b"".join(table_content(ending, RESULTS, rows))
    for file, url, raw in records:
        if not url:
            lost.append(file)
            continue
        links.copies[file] = url
        if raw is not None:
            yield url, raw
    groups = {"collections": collections_of(contents), "datasets": data_sets_of(contents)}
    yield from _scripts(contents, groups)
    yield from _pages(contents, groups, title, links)


def _pages(
    contents: SiteContents,
    groups: Mapping[str, Sequence[BenchmarkGroup]],
    title: str,
    links: _Links,
) -> Iterator[tuple[str, bytes]]:
    page = _Pages(contents, groups, title, links)
    for model in contents.models.values():
        yield f"models/{model.slug}.html", page.filled("model", model=model)
    also = {benchmark.key: g for g in groups["datasets"] for benchmark in g.benchmarks}
    for key, benchmark in contents.benchmarks.items():
        text = page.filled("benchmark", benchmark=benchmark, data_set=also.get(key))
        yield f"benchmarks/{benchmark.slug}.html", text
    for folder, some in groups.items():
        for group in some:
            yield f"{folder}/{group.slug}.html", page.filled("group", group=group)
    yield "models/index.html", page.filled("models")
    for name in ("conflicts", "table", "compare", "index"):
        yield f"{name}.html", page.filled(name, root="")


@dataclass(frozen=True, slots=True)
class _Links:
    template: str | None
    copies: dict[str, str]  # file -> its copy in the site, or its URL

    def url(self, file: str, root: str) -> str:
        if self.template is not None:
            return self.template.replace("{file}", quote(file.replace("\\", "/")))
        place = self.copies.get(file, "")
        return place if place.startswith("https://") or not place else f"{root}{place}"


@dataclass(frozen=True, slots=True)
class _Pages:
    contents: SiteContents
    groups: Mapping[str, Sequence[BenchmarkGroup]]
    title: str
    links: _Links

    def filled(self, name: str, *, root: str = "../", **values: Any) -> bytes:
        """A page; ``root`` leads from it to the first one."""
        shared = {
            "policy": _POLICY,
            "site": self.title,
            "root": root,
            "contents": self.contents,
            "collections": self.groups["collections"],
            "score_text": score_text,
            "day": day,
            "record_link": self.links.url,
            "rows": ROWS,
            "columns": SHOWN,
            "most": CONFLICTS,
            "most_models": MODELS,
            "few": FEW,
        }
        text: str = _templates().get_template(f"{name}.html.j2").render(**shared, **values)
        return text.encode()


@cache
def _templates() -> Any:
    """The templates; names that turn the direction of the text around them show how they do it."""
    known = lru_cache(maxsize=1 << 14)(shown)  # names repeat in many cells
    import jinja2

    return environment().overlay(
        loader=jinja2.FileSystemLoader(HERE),
        finalize=lambda value: known(value) if type(value) is str else value,
    )


def _web_of(files: Iterable[str]) -> Callable[[str], str]:
    """Gives the URL of a record in its repository; empty where it is not there as it is here."""
    first = next(iter(sorted(files)), "")
    try:
        repository = Repository(os.path.dirname(first) or os.curdir)
        folder, blobs = repository.web_folder()
    except (OSError, UsageError):  # no git, or no repository
        return lambda _: ""

    def url(file: str) -> str:
        place = os.path.relpath(os.path.realpath(file), repository.root).replace(os.sep, "/")
        blob = blobs.get(place)
        return f"{folder}{quote(place)}" if blob and is_blob(file, blob) else ""

    return url


def _sources(
    records: Mapping[str, str], is_of_table: bool
) -> Iterator[tuple[str, str, bytes | None]]:
    """Each record with its URL, and what is to be there; the URL is empty if it is not to be had.

    A table may come from anyone: of the files that it names, only those in the current folder are
    read.
    """
    here = os.path.realpath(os.curdir)
    named = {file for file in records if not (is_of_table and leads_out(file, here))}
    web = _web_of(named)
    for file, digest in sorted(records.items()):
        raw = _record(file, digest) if file in named else None
        if raw is None:
            yield file, "", None
        elif url := web(file):
            yield file, url, None
        else:
            yield file, f"records/{digest[:16]}.json", raw


def _record(file: str, digest: str) -> bytes | None:
    """The bytes of a record without its secrets, if they are still those that were added."""
    try:
        raw = read_whole(file)
    except OSError:
        return None
    if hashlib.sha256(raw).hexdigest() != digest:
        return None
    text = raw.decode("utf-8", "surrogateescape")
    return redacted(text).encode("utf-8", "surrogateescape")


#: Models whose numbers are in one file.
CHUNK = 64
#: Benchmarks that the first table shows, those with most models.
SHOWN = 6


def _scripts(
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
    model_iterator = iter(contents.models.values())
    for number in range(0, len(contents.models), CHUNK):
        cells = [_cells(contents, m.key, m.cells, places) for m in islice(model_iterator, CHUNK)]
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
