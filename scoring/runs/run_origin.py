"""Where the numbers of a run are from, and what they depend on, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path

from evalmark.converters.records.record_run import MALFORMED
from evalmark.converters.records.run import Run
from evalmark.schemas.errors import ContradictionError, ScoringError
from evalmark.scoring.models.checkpoints import step_of
from evalmark.scoring.score_settings import SCORE_SETTINGS, bos_token, unlisted
from evalmark.validator.batch.check_files import no_collection

#: Settings that tell runs of one model apart, in this order -> the words before their values.
MARKS = {
    "revision": "",
    "like": f"{SCORE_SETTINGS['like'].words} ",  # others follow from it
    "method": "",
    "dtype": "",
    **{
        name: f"{setting.words} "
        for name, setting in SCORE_SETTINGS.items()
        if setting.words and name not in ("like", "method")
    },
    "memory_span": "memory span ",
}
#: Suites that the label of a run names; of more, it names the first.
NAMED = 3


@dataclass(frozen=True, slots=True)
class RunOrigin:
    """The source of the numbers of a run; unknown parts are empty or None."""

    record: Path | None = None
    folder: str = ""  # the name of its folder
    data: str = ""  # what was evaluated
    date: str = ""  # ISO 8601, UTC
    version: str = ""  # of evalmark

    @property
    def written(self) -> str:
        """The date and the version of evalmark."""
        return ", ".join(filter(None, (self.date, self.version and f"evalmark {self.version}")))


@contextmanager
def viewing(run: Run) -> Iterator[None]:
    """Turn whatever reading a run of evalmark's raises into a ScoringError that names it."""
    name = run.path or run.id
    if run.lacks:
        raise ScoringError(f"{name} has no samples: {run.lacks}")
    try:
        with no_collection():
            yield
    except MALFORMED as error:
        kind = ContradictionError if isinstance(error, ContradictionError) else ScoringError
        raise kind(f"{name} is not a run as evalmark writes it: {_said(error)}") from error


def _said(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error}"
    return str(error) if isinstance(error, ScoringError) else "a value in it is of another kind"


def origin_of(run: Run, labels: Sequence[str], names: Sequence[str]) -> RunOrigin:
    """The source of a run; ``labels`` are its suites or UIDs as in results, ``names`` their own."""
    first = run.results[0]
    return RunOrigin(
        run.path,
        "" if run.path is None else folder_of(run.path).name,
        _data(run.collection, labels, names),
        _date(run.time),
        run.settings_of(first).get("evalmark", ""),
    )


def folder_of(record: Path) -> Path:
    """The folder of a run, given its record: above ``data/<collection>/<developer>/<model>``."""
    above = record.absolute().parents
    return above[4] if len(above) > 4 and above[3].name == "data" else above[0]


def _date(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, tz=UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):  # a record may state any number
        return ""


def facts_of(run: Run) -> dict[str, str]:
    """What the numbers of a run depend on, by name: its model, and the settings of its results."""
    engine = {"engine": " ".join(filter(None, run.model.engine))} if run.model.engine else {}
    settings = [run.settings_of(result) for result in run.results[:1]]
    model = {"id": run.model.id, "name": run.model.name, **run.model.details}
    return {**model, **engine, **{key: text for choice in settings for key, text in choice.items()}}


def named_after(suites: Sequence[str]) -> str:
    """The name of the evaluation of some suites in a record."""
    first, *others = suites
    return "+".join(suites) if len(suites) <= NAMED else f"{first}+{len(others)}"


def _data(collection: str, labels: Sequence[str], names: Sequence[str]) -> str:
    """The evaluated data. A collection that is named after its suites is put into words."""
    if not labels or collection != named_after(labels):
        return collection
    # A suite with several metrics is there once for each.
    distinct = list(dict.fromkeys(names))
    if len(distinct) > NAMED:
        return f"{distinct[0]} and {len(distinct) - 1} more"
    return ", ".join(distinct)


def series_of(run: Run) -> tuple[str, int | None]:
    """The series of checkpoints that a run is of, and its step; empty if it is of none."""
    label = run.model.details.get("revision")
    return (run.model.id, step_of(label)) if label else ("", None)


def run_names(runs: Sequence[Run]) -> list[str]:
    """The models of runs; what tells equal ones apart is in parentheses after them.

    That are the settings that differ, then the parts of their paths that do, then a number. A
    setting that a run lacks, as suites lack those of pairs, is no other setting.
    """
    facts = list(map(_told_apart_by, runs))
    labels = [(run.model.id, "") for run in runs]
    marked: list[tuple[str, Sequence[str | None]]] = [
        (key, [known.get(key) and words + known[key] for known in facts])
        for key, words in MARKS.items()
    ]
    marked += [("", marks) for marks in (*_places(runs), [*map(str, range(1, len(runs) + 1))])]
    for key, marks in marked:
        of_label = defaultdict(set)
        for label, mark in zip(labels, marks, strict=True):
            if mark or key not in SCORE_SETTINGS:
                of_label[label].add(mark)
        labels = [
            (name, ", ".join(filter(None, (before, mark))))
            if mark and len(of_label[name, before]) > 1
            else (name, before)
            for (name, before), mark in zip(labels, marks, strict=True)
        ]
    return [f"{name} ({mark})" if mark else name for name, mark in labels]


def _told_apart_by(run: Run) -> dict[str, str]:
    """The facts of a run, with settings that it does not list, and BOS as a comparison has it."""
    facts = facts_of(run)
    settings = run.settings_of(run.results[0]) if run.results else {}
    return unlisted(settings) | facts | bos_token(settings, run.model.details.get("bos"))


def _places(runs: Sequence[Run]) -> list[Sequence[str | None]]:
    """The parts of paths, level by level.

    Those of a model that has a run in memory as well begin with the names of folders: the run in
    memory has no path that could differ.
    """
    in_memory = {run.model.id for run in runs if run.path is None}
    folders = [
        folder_of(run.path).name if run.path and run.model.id in in_memory else None for run in runs
    ]
    paths = [run.path.absolute().parts if run.path else () for run in runs]
    return [folders, *zip_longest(*paths)]
