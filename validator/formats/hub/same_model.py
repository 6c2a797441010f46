"""Results of a model on the Hub, compared with the other files of a call.

These are other results in its repository, the ``eval.yaml`` of their benchmarks, and its records.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from evalmark.schemas.hub_benchmarks import Benchmark
from evalmark.validator.findings.finding import Action, At, Finding, Hit, locate
from evalmark.validator.findings.phrasing import quoted, shown, similar
from evalmark.validator.findings.report import CallFiles, Report
from evalmark.validator.format import as_document
from evalmark.validator.formats.hub.hub_entries import EntryKey, HubEntry
from evalmark.validator.formats.hub.repositories import likely_id, model_folder
from evalmark.validator.formats.hub.result_dates import read as read_date
from evalmark.validator.formats.records.record_view import RecordResult, RecordView, view_of
from evalmark.validator.formats.records.records_format import RECORD
from evalmark.validator.formats.shared.fields import timestamp
from evalmark.validator.io.opening import read_or_nothing
from evalmark.validator.reading.reading import read

#: The kind of files of results.
_RESULTS = "eval-results"
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class HubFile:
    """The content of a file that the other files of a call are compared with.

    Attributes:
        entries: The results of a model.
        tasks: The ids of the tasks of a benchmark; None in a file of results.
        framework: The framework of a benchmark.
    """

    entries: tuple[HubEntry, ...] = ()
    tasks: tuple[str, ...] | None = None
    framework: str | None = None

    def comparison(self) -> SameModel:
        """Compares files of community evals."""
        return SameModel()


@dataclass(slots=True)
class _Compared:
    """A file of results, and what was found in it."""

    path: str
    entries: tuple[HubEntry, ...]
    hits: list[tuple[str, Hit]] = field(default_factory=list)

    def say(self, name: str, message: str, at: str, *, helps: tuple[str, ...], fold: str) -> None:
        self.hits.append((name, Hit(message, At(at), helps=helps, fold=fold)))

    def report(self) -> Report:
        from evalmark.validator.formats.hub.hub_rule_table import CALL_RULES

        raw = read_or_nothing(self.path)
        source = read(raw, self.path).source if raw else None
        findings: list[Finding] = [
            locate(hit, CALL_RULES[name], self.path, source) for name, hit in self.hits
        ]
        findings.sort(key=lambda finding: finding.sort_key)
        return Report(self.path, _RESULTS, None, tuple(findings))


class SameModel:
    """The files of community evals of a call."""

    def __init__(self) -> None:
        self._files: dict[int, HubFile] = {}

    def add(self, number: int, file: HubFile) -> None:
        """Add a file with its number."""
        self._files[number] = file

    def reports(self, files: CallFiles) -> Iterator[Report]:
        """The findings of results that do not fit other files of the call."""
        paths = files.paths(set(self._files))
        benchmarks: dict[str, tuple[str, HubFile]] = {}
        results: list[_Compared] = []
        for number, file in sorted(self._files.items()):
            path = paths[number]
            if file.tasks is None:
                results.append(_Compared(path, file.entries))
            elif repository := likely_id(os.path.dirname(os.path.abspath(path)).replace("\\", "/")):
                benchmarks[repository.lower()] = (path, file)
        for compared in results:
            _with_benchmarks(compared, benchmarks)
        _with_each_other(results)
        _with_records(results, files.every())
        yield from (compared.report() for compared in results if compared.hits)


def _with_benchmarks(file: _Compared, benchmarks: dict[str, tuple[str, HubFile]]) -> None:
    for entry in file.entries:
        path, benchmark = benchmarks.get(entry.dataset.lower(), ("", HubFile()))
        if benchmark.tasks is None:
            continue
        if entry.task not in benchmark.tasks:
            right = (
                benchmark.tasks
                if len(benchmark.tasks) == 1
                else similar(entry.task, benchmark.tasks)
            )
            file.say(
                "task-not-in-benchmark",
                f"{path} has no task {shown(entry.task)}",
                f"{entry.at}/dataset/task_id",
                helps=tuple(Action.WRITE(quoted(name)) for name in right),
                fold="task",
            )
        if (
            None not in (entry.framework, benchmark.framework)
            and entry.framework != benchmark.framework
        ):
            file.say(
                "other-framework",
                f"the framework of {path} is {shown(benchmark.framework)}",
                f"{entry.at}/evaluation_framework",
                helps=(f"write {quoted(benchmark.framework)}, if that ran it",),
                fold="framework",
            )


def _with_each_other(results: list[_Compared]) -> None:
    """Compare the files in the repository of one model."""
    first: dict[tuple[str, EntryKey], tuple[str, HubEntry]] = {}
    for file in results:
        folder = model_folder(file.path)
        if folder is None:
            continue  # nobody knows whether they are of one model
        for entry in file.entries:
            path, earlier = first.setdefault((folder, entry.key), (file.path, entry))
            if path == file.path:
                continue
            task = f"task {shown(entry.task)} of {entry.dataset}"
            if earlier.value == entry.value:
                file.say(
                    "entry-in-another-file",
                    f"duplicate result for {task}: also in {path}",
                    entry.at,
                    helps=("remove one of them",),
                    fold="duplicate",
                )
            else:
                file.say(
                    "conflicts-with-another-file",
                    f"{entry.value:g} for {task}, which has the value {earlier.value:g} in {path}",
                    f"{entry.at}/value",
                    helps=("say which is right, or what was different: add `notes`",),
                    fold="conflict",
                )


def _with_records(results: list[_Compared], paths: Iterable[str]) -> None:
    """Compare values with those of records of the same model."""
    models: defaultdict[str, list[_Compared]] = defaultdict(list)
    for file in results:
        folder = model_folder(file.path)
        name = likely_id(folder) if folder else None
        if name and any(entry.benchmark and not entry.text("notes") for entry in file.entries):
            models[name.lower()].append(file)
    for path in paths if models else ():
        record = _record_with(models, path)
        if record is not None:
            for file in models.get(str(record.get("model_id")).lower(), ()):
                _with_record(file, record, path)


def _record_with(names: Iterable[str], path: str) -> RecordView | None:
    """The record in a file that contains one of the names; None in any other file."""
    if not path.endswith(".json"):
        return None
    raw = read_or_nothing(path)
    text = raw.lower()
    if not any(name.encode() in text for name in names):
        return None
    data = read(raw, path).data
    is_record = isinstance(data, dict) and RECORD.recognizes(data)
    return view_of(as_document(data, RECORD)) if is_record else None


def _with_record(file: _Compared, record: RecordView, path: str) -> None:
    by_dataset: defaultdict[str, list[RecordResult]] = defaultdict(list)
    for result in record.results:
        by_dataset[str(result.get("hf_repo")).lower()].append(result)
    for entry in file.entries:
        candidates = by_dataset.get(entry.dataset.lower(), ())
        # Of several results, such as those of subsets, nobody can say which is meant.
        if entry.benchmark is None or entry.text("notes") or len(candidates) != 1:
            continue
        value = _on_scale(candidates[0], entry.benchmark)
        if value is None or _is_rounded(value, entry.value) or _is_another_run(entry, record):
            continue
        file.say(
            "differs-from-record",
            f"{entry.value:g} is not the value of the record {path}: {value:g} on this scale",
            f"{entry.at}/value",
            helps=(f"write {quoted(value)}, if the record is right",),
            fold="record",
        )


def _on_scale(result: RecordResult, benchmark: Benchmark) -> float | None:
    """The score of a record on the scale of a benchmark, to six digits."""
    score, low, high = result.score, result.low, result.high
    if score is None or low is None or high is None or not low < high < float("inf"):
        return None
    share = (score - low) / (high - low)
    return float(f"{benchmark.low + share * (benchmark.high - benchmark.low):.6g}")


def _is_rounded(exact: float, written: float) -> bool:
    """True if ``written`` is the exact value with fewer digits."""
    exponent = Decimal(repr(written)).as_tuple().exponent
    digits = max(0, -exponent) if isinstance(exponent, int) else 0
    return abs(exact - written) <= 0.5 * 10.0**-digits + 1e-9


def _is_another_run(entry: HubEntry, record: RecordView) -> bool:
    """True if both state the time of their run, and the days differ."""
    date, ran = entry.text("date"), timestamp(record.get("evaluated"))
    time = read_date(date) if date else None
    return time is not None and ran is not None and abs(time.timestamp() - ran) > _DAY
