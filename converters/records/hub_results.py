"""Results in the repository of a model on the Hugging Face Hub, written from a record.

A result has no more than a value, a date and a link: what else the record states is listed. It
needs the ``hf_repo`` of a known benchmark and the id of a task: in ``additional_details`` of
``source_data``, in its name, or supplied. Its score is put on the scale of the benchmark; one
without finite bounds is refused, and so are several that could be meant. A time at midnight (UTC)
becomes a date.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, NoReturn

from evalmark.converters.overrides.places import generalized
from evalmark.converters.step import Data, Object, Step, Stepped, Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.hub_benchmarks import Benchmark, find
from evalmark.schemas.versions import RECORDS
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.formats.builtin import identify
from evalmark.validator.formats.hub import result_dates as dates
from evalmark.validator.formats.records.record_view import RecordResult, RecordView, view_of
from evalmark.validator.formats.shared.fields import mapping, timestamp
from evalmark.validator.reading.source import make_pointer

FORMAT = "eval-results"
_TASK = "/evaluation_results/{}/source_data/additional_details/task_id"
_URL = "/evaluation_results/{}/score_details/details/source.url"
#: Parts of a pointer that the note on what is not carried has, below results.
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A result of a record on a benchmark whose scale is known.

    Attributes:
        result: The result.
        benchmark: Its benchmark.
        dataset: The id of its data set.
        task: The id of its task; "" if nothing says which one it is.
        is_explicit: Whether the record or the caller names the task as such.
    """

    result: RecordResult
    benchmark: Benchmark
    dataset: str
    task: str
    is_explicit: bool

    @property
    def of_data(self) -> Mapping[str, Any]:
        """The record's details of the data."""
        return mapping(mapping(self.result.data.get("source_data")).get("additional_details"))

    @property
    def details(self) -> Mapping[str, Any]:
        return mapping(mapping(self.result.data.get("score_details")).get("details"))

    @property
    def notes(self) -> str:
        return str(self.details.get("notes", ""))

    @property
    def is_measured_so(self) -> bool:
        """True if its metric has the name of the benchmark's."""
        metric = mapping(self.result.data.get("metric_config"))
        names = {str(metric.get(f"metric_{key}")).lower() for key in ("id", "name", "kind")}
        return self.benchmark.metric.lower() in names


def _entries(record: Data, supplied: Supplied) -> Stepped:
    """The results of a record that the Hub has a leaderboard for."""
    view = view_of(identify(record))
    chosen = _chosen(_candidates(view, supplied), view)
    entries, used = [], {"/model_info/id"}
    notes = list(_left_out(view, chosen))
    for candidate in chosen:
        entry = _entry(candidate, view, supplied, used)
        entries.append(entry)
        if "source" not in entry:
            notes.append(f"no link to where it comes from: supply {_URL.format('*')}")
    notes.append(f"for .eval_results in the repository of {view.get('model_id')}")
    if lost := _lost(record, used):
        counts = (f"{place} ({n} values)" if n > 1 else place for place, n in lost.items())
        notes.append(f"not carried: {', '.join(counts)}")
    return Stepped(entries, tuple(dict.fromkeys(notes)))


def _left_out(view: RecordView, chosen: list[_Candidate]) -> Iterator[str]:
    """A note on the results that no entry is written for."""
    kept = {candidate.result.index for candidate in chosen}
    others = [f'"{result.name}"' for result in view.results if result.index not in kept]
    if others:
        yield f"left out: {listed(others)}: not the value of a known benchmark"


def _candidates(view: RecordView, supplied: Supplied) -> list[_Candidate]:
    benchmarks = supplied.benchmarks
    above = mapping(view.data.get("source_data")).get("hf_repo")  # of versions before 0.2.0
    candidates = []
    for result in view.results:
        dataset = result.get("hf_repo") or above
        benchmark = find(benchmarks, dataset) if isinstance(dataset, str) else None
        if benchmark is not None:
            stated = mapping(mapping(result.data.get("source_data")).get("additional_details"))
            task_name = supplied.value(_TASK.format(result.index), stated.get("task_id"))
            task = str(task_name or _task_in(str(result.name), benchmark))
            candidates.append(_Candidate(result, benchmark, str(dataset), task, bool(task_name)))
    return candidates


def _task_in(name: str, benchmark: Benchmark) -> str:
    """The task that the name of an evaluation names; "" if it names none."""
    words = name.lower().replace("-", "_").split("/")
    return next((task for task in benchmark.tasks if task.lower() in words), "")


def _chosen(candidates: list[_Candidate], view: RecordView) -> list[_Candidate]:
    """One result for each task.

    Raises:
        ConversionError: There is none, or nobody can say which one is meant.
    """
    by_dataset: defaultdict[str, list[_Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_dataset[candidate.dataset.lower()].append(candidate)
    chosen: list[_Candidate] = []
    for group in by_dataset.values():
        by_task: defaultdict[tuple[str, str], list[_Candidate]] = defaultdict(list)
        for candidate in group:
            if candidate.task:
                by_task[candidate.task, candidate.notes].append(candidate)
        if not by_task:
            by_task["", ""] = group
        chosen += (_only(task_results) for task_results in by_task.values())
    if not chosen:
        repos = listed(
            dict.fromkeys(str(r.get("hf_repo")) for r in view.results if r.has("hf_repo"))
        )
        raise ConversionError(
            "no result is on a data set whose scale is known"
            + (f" (they are on {repos})" if repos else " and that names its `hf_repo`"),
            "add it to [tool.evalmark.benchmarks] in pyproject.toml",
        )
    return sorted(chosen, key=lambda candidate: candidate.result.index)


def _only(candidates: list[_Candidate]) -> _Candidate:
    """The one that is meant: of its own accord, or by its metric."""
    explicit = [candidate for candidate in candidates if candidate.is_explicit] or candidates
    measured = [candidate for candidate in explicit if candidate.is_measured_so]
    kept = measured if len(measured) == 1 else explicit
    best = kept[0]
    if len(kept) > 1:
        names = listed(f'"{candidate.result.name}"' for candidate in kept)
        _ask(
            f"{len(kept)} results could be that of {best.dataset}: {names}; "
            "name the task of the one that is meant",
            _TASK.format("N"),
        )
    if best.task:
        return best
    if len(best.benchmark.tasks) != 1:
        tasks = listed(best.benchmark.tasks) or "see its eval.yaml"
        _ask(
            f"the record does not name the task of {best.dataset} ({tasks})",
            _TASK.format(best.result.index),
        )
    return _Candidate(best.result, best.benchmark, best.dataset, best.benchmark.tasks[0], False)


def _ask(reason: str, subject: str) -> NoReturn:
    raise ConversionError(reason, f"supply {subject}", needs="values", subject=subject)


def _entry(candidate: _Candidate, view: RecordView, supplied: Supplied, used: set[str]) -> Object:
    """The entry of a result; what it has of the record is added to the used pointers."""
    result, details = candidate.result, candidate.details
    at = result.pointer

    def take(of: Mapping[str, Any], key: str, pointer: str) -> Any:
        value = of.get(key)
        if value is not None:
            used.add(f"{at}{pointer}{make_pointer((key,))}")
        return value

    used |= {
        f"{at}/{place}"
        for place in (
            "source_data/hf_repo", "source_data/source_type", "score_details/score",
            "metric_config/min_score", "metric_config/max_score", "metric_config/lower_is_better",
        )
    }  # fmt: skip
    above = "/source_data/additional_details"
    take(candidate.of_data, "task_id", above)
    revision = take(candidate.of_data, "revision", above)
    url = supplied.value(_URL.format(result.index)) or details.get("source.url")
    link = {
        key: take(details, f"source.{key}", "/score_details/details")
        for key in ("url", "name", "user", "org")
        if url
    }
    rest = {
        key: take(details, key, "/score_details/details")
        for key in ("verifyToken", "evaluation_framework", "notes")
    }
    entry = {
        "dataset": {"id": candidate.dataset, "task_id": candidate.task, "revision": revision},
        "value": _value(candidate, supplied),
        "verifyToken": rest["verifyToken"],
        "date": _date(candidate, view, used),
        "source": _stated({**link, "url": url}) if url else None,
        "evaluation_framework": rest["evaluation_framework"],
        "notes": rest["notes"],
    }
    entry["dataset"] = _stated(entry["dataset"])
    return _stated(entry)


def _stated(values: Mapping[str, Any]) -> Object:
    return {key: value for key, value in values.items() if value is not None}


def _date(candidate: _Candidate, view: RecordView, used: set[str]) -> str | None:
    """The date of a result, as ISO 8601; as it was written, if the record kept that."""
    kept = candidate.details.get("date")
    result_time, whole = timestamp(candidate.result.evaluated), timestamp(view.get("evaluated"))
    time = result_time if result_time is not None else whole
    used.add(f"{candidate.result.pointer}/evaluation_timestamp" if result_time is not None else "")
    if result_time is None or result_time == whole:
        used.add("/evaluation_timestamp")
    read = dates.read(kept) if isinstance(kept, str) else None
    if read is not None and (time is None or int(read.timestamp()) == int(time)):
        used.add(f"{candidate.result.pointer}/score_details/details/date")
        return str(kept)
    return None if time is None else dates.written(int(time))


def _value(candidate: _Candidate, supplied: Supplied) -> float:
    """The score on the scale of the benchmark, to the last digit of a number.

    Raises:
        ConversionError: The record has no scale, or one in the other direction.
    """
    result, benchmark = candidate.result, candidate.benchmark
    if result.score is None:
        raise ConversionError(f'the score of "{result.name}" is not a number')
    above = f"/evaluation_results/{result.index}/metric_config"
    bounds = {}
    for key, stated_bound in (("min_score", result.low), ("max_score", result.high)):
        bound = stated_bound if stated_bound is not None else supplied.value(f"{above}/{key}")
        if not isinstance(bound, int | float) or not isfinite(bound):
            _ask(
                f'the scale of "{result.name}" is open: it cannot be that of {benchmark.name}',
                generalized(f"{above}/{key}"),
            )
        bounds[key] = _exact(bound)
    low, high = bounds["min_score"], bounds["max_score"]
    if low >= high:
        raise ConversionError(f'the least score of "{result.name}" is not less than the greatest')
    stated = mapping(result.data.get("metric_config")).get("lower_is_better")
    if benchmark.direction is not None and bool(stated) != benchmark.direction:
        better = "smaller" if benchmark.direction else "greater"
        raise ConversionError(
            f'{benchmark.name} has {better} values for better models, and "{result.name}" does not'
        )
    factor = (_exact(benchmark.high) - _exact(benchmark.low)) / (high - low)
    value = float(_exact(benchmark.low) + (_exact(result.score) - low) * factor)
    return int(value) if value.is_integer() else value


def _exact(number: float) -> Fraction:
    """The number that a text of it states."""
    return Fraction(repr(number))


def _lost(record: Data, used: set[str]) -> Counter[str]:
    """Places of the record with how many of their values no entry has."""
    lost: Counter[str] = Counter()
    for path in _leaves(record, ()):
        if make_pointer(path) not in used:
            below = _DEPTH if path[0] == "evaluation_results" else 1
            lost[generalized(make_pointer(path[:below]))] += 1
    return lost


def _leaves(value: object, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _leaves(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _leaves(child, (*path, index))
    elif value is not None:
        yield path


#: From each version of records, whatever else the next one would ask for.
HUB_STEPS = tuple(
    Step(
        version.schema,
        FORMAT,
        _entries,
        needs="a benchmark whose scale is known",
        loses="all but values, dates and links: a note lists it",
    )
    for version in RECORDS
)
