"""The results in the repository of a model on the Hugging Face Hub: ``.eval_results/*.yaml``.

A result names neither its model, which is the repository, nor its scale and its metric, which are
those of the benchmark. The id of the model is supplied, unless the file is in the cache of the
Hub's client; so are scale and metric of a benchmark that is not known, and a time where a result
has no date. ``task_id``, revision, ``verifyToken``, date, source, framework and notes are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalmark.converters.importers.imported import Header, ImportSource, with_own_names
from evalmark.converters.records.run import UNKNOWN, Dataset, Metric, Model, Result, Run
from evalmark.converters.sources.documents import document
from evalmark.converters.sources.placed_values import Account, Node
from evalmark.converters.sources.supplied import EVALUATED, other_moment, supplied_text, texts
from evalmark.converters.step import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.hub_benchmarks import Benchmark, find
from evalmark.schemas.metrics.known_metrics import find_metric
from evalmark.validator.formats.hub import result_dates as dates
from evalmark.validator.formats.hub.repositories import cached_id, is_id, likely_id, model_folder

#: Statement about the metric of each result.
METRIC = "/evaluation_results/*/metric_config"
_KEYS = ("min_score", "max_score", "lower_is_better", "metric_name")
#: Who publishes what nobody else is named for.
_SOURCE = "Hugging Face community evals"


#: Other years are not dates of evaluations.
_FIRST_YEAR, _LAST_YEAR = 2001, 2999


def read_entries(source: ImportSource) -> Iterator[Run]:
    """A run for each file."""
    path = source.path
    if not path.exists():  # standard input
        yield _run(path, source.document(), source)
        return
    files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    pieces = source.left_out.pieces
    # All are read, with the places of their values, before the first record is written.
    yield from [_run(file, document(file, file.name, Account(pieces)), source) for file in files]


@dataclass(slots=True)
class _Missing:
    """Values that a file does not state: the caller is asked for all of them at once."""

    pointers: dict[str, None] = field(default_factory=dict)
    reasons: dict[str, None] = field(default_factory=dict)

    def ask(self, reason: str, *pointers: str) -> None:
        self.reasons[reason] = None
        self.pointers |= dict.fromkeys(pointers)

    def refuse(self, name: str) -> None:
        if self.pointers:
            raise ConversionError(
                f"{name}: {'; '.join(self.reasons)}",
                f"supply {', '.join(self.pointers)}",
                needs="values",
                subject="=VALUE --set ".join(self.pointers),
            )


def _run(path: Path, file: Node, source: ImportSource) -> Run:
    missing, supplied = _Missing(), source.supplied
    results = [
        _result(entry, index, supplied, missing) for index, entry in enumerate(file.entries())
    ]
    if not results:
        file.fail("no results")
    began, name = _time(results, source, missing), _model(path, supplied, missing)
    missing.refuse(path.name)
    frameworks = {result.details.get("evaluation_framework") for result in results}
    framework = frameworks.pop() if len(frameworks) == 1 else None
    header = Header(
        path.name.partition(".")[0],
        began,
        Model(name, name.rpartition("/")[2], developer=name.rpartition("/")[0] or None),
        _SOURCE,
        framework or UNKNOWN,
        is_run=False,
    )
    return source.run(header, with_own_names(results), left_out=file.origin.left_out)


def _time(results: list[Result], source: ImportSource, missing: _Missing) -> int | None:
    """The time of the first result, if all have one."""
    times = [result.time for result in results if result.time is not None]
    first = min(times) if len(times) == len(results) else None
    if first is None and other_moment(source.supplied, source.path) is None:
        missing.ask("a result has no date", EVALUATED)
    return first


def _model(path: Path, supplied: Supplied, missing: _Missing) -> str:
    """The id of the model, which only the repository says."""
    folder = model_folder(str(path if path.suffix else path / "x")) or ""
    identity = supplied_text(supplied, "/model_info/id") or cached_id(folder)
    if identity is None:
        likely = likely_id(folder) if folder else None
        hint = f" (the folder of its repository is {likely})" if likely else ""
        missing.ask(f"the results do not name their model{hint}", "/model_info/id")
    return identity or ""


def _result(entry: Node, index: int, supplied: Supplied, missing: _Missing) -> Result:
    about, source = entry.at("dataset"), entry.at("source", {})
    dataset, task = about.text("id"), about.text("task_id")
    value = entry.number("value")
    date = entry.text("date", None)
    time = None
    if date is not None:
        read = dates.read(date)
        if read is None:
            entry.at("date").wrong("an ISO 8601 date")
        if not _FIRST_YEAR <= read.year <= _LAST_YEAR:
            entry.at("date").wrong(f"a date from {_FIRST_YEAR} to {_LAST_YEAR}")
        time = int(read.timestamp())
    benchmark = find(supplied.benchmarks, dataset)
    above = METRIC.replace("*", str(index))
    stated = {key: supplied.value(f"{above}/{key}") for key in _KEYS}
    overrides = {key: value for key, value in stated.items() if value is not None}
    _ask_for_scale(dataset, benchmark, overrides, value, index, missing)
    metric = _metric(dataset, benchmark, overrides)
    name = dataset.rpartition("/")[2]
    of_dataset = {"task_id": task, **about.rest()}
    carried = {
        **texts(date=date if time is not None and dates.written(time) != date else None),
        **source.rest("source."),
        **entry.rest(),
    }
    return Result(
        name=f"{name}/{task}",
        dataset=Dataset(
            benchmark.name if benchmark else name,
            repo=dataset if is_id(dataset) else None,
            details=of_dataset if is_id(dataset) else {"id": dataset, **of_dataset},
        ),
        metric=metric,
        score=value,
        details=carried,
        time=time,
    )


def _ask_for_scale(
    dataset: str,
    benchmark: Benchmark | None,
    overrides: dict[str, Any],
    value: float,
    index: int,
    missing: _Missing,
) -> None:
    """Ask for what neither the table of benchmarks nor the caller says about a value."""
    pointers = [f"{METRIC}/{key}" for key in _KEYS if key not in overrides]
    if _direction(None, overrides) is not None and "lower_is_better" not in overrides:
        pointers.remove(f"{METRIC}/lower_is_better")
    if benchmark is None and pointers:
        missing.ask(
            f"the scale and the metric of {dataset} are not known (they can be added to "
            "[tool.evalmark.benchmarks])",
            *pointers,
        )
    elif benchmark and benchmark.is_percentage and 0 < value <= 1 and "max_score" not in overrides:
        missing.ask(
            f"{value:g} on the scale of {benchmark.name}, {benchmark.scale}, may be a share of 1: "
            "say whether the maximum is 100 or 1",
            f"{METRIC}/max_score".replace("*", str(index)),
        )


def _metric(dataset: str, benchmark: Benchmark | None, overrides: dict[str, Any]) -> Metric:
    low = overrides.get("min_score", benchmark.low if benchmark else 0)
    high = overrides.get("max_score", benchmark.high if benchmark else 0)
    bounds = float(low), float(high)
    is_own = benchmark is not None and bounds == (benchmark.low, benchmark.high)
    name = overrides.get("metric_name", benchmark.metric if benchmark else "")
    return Metric(
        f"{name} on {benchmark.name if benchmark else dataset}",
        name,
        kind=name if benchmark else None,
        unit=benchmark.unit if benchmark and is_own and benchmark.unit else None,
        lower_is_better=_direction(benchmark, overrides),
        bounds=(_plain(bounds[0]), _plain(bounds[1])),
        details={"scale": f"known from {benchmark.documented}"} if benchmark and is_own else {},
    )


def _direction(benchmark: Benchmark | None, overrides: dict[str, Any]) -> bool | None:
    """True if less is better, None if nothing says: overrides, benchmark, table of metrics."""
    stated = overrides.get("lower_is_better", benchmark.direction if benchmark else None)
    metric = find_metric(overrides.get("metric_name", "")) if stated is None else None
    return metric.lower_is_better if metric else stated


def _plain(bound: float) -> float:
    return int(bound) if bound.is_integer() else bound
