"""Results of MTEB: a folder for each revision of a model, with a file for each task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from evalmark.converters.importers.imported import Header, ImportSource
from evalmark.converters.records.run import UNKNOWN, Dataset, Metric, Model, Result, Run
from evalmark.converters.sources.documents import document, parsed_lines
from evalmark.converters.sources.placed_values import Node
from evalmark.converters.sources.supplied import (
    texts,
)
from evalmark.schemas.errors import ConversionError

_META = "model_meta.json"
_SETTINGS = "run_settings.jsonl"
_MAIN = "main_score"
#: Main scores of a split without labels, as ``document`` reads them.
_UNSCORED = ("NaN", "Infinity", "-Infinity")


def read_mteb(source: ImportSource) -> Iterator[Run]:
    """The run of a model: the main score of each task, split and subset.

    Its time is that of the newest score.
    """
    folder, left_out = source.path, source.left_out
    meta = document(folder / _META, _META, left_out, infinite=True)
    path = folder / _SETTINGS
    settings = list(parsed_lines(path, _SETTINGS, left_out)) if path.is_file() else []
    tasks = [
        document(file, file.name, left_out, infinite=True)
        for file in sorted(folder.glob("*.json"))
        if file.name != _META
    ]
    results = [result for task in tasks for result in _results(task, settings)]
    if not results:
        raise ConversionError(f"no task has a score beside {_META}")
    times = [result.time for result in results if result.time is not None]
    versions = {result.settings.get("mteb_version", UNKNOWN) for result in results}
    unused = {f"{_SETTINGS}/{n}": entry.rest() for n, entry in enumerate(settings)}
    yield source.run(
        Header(
            "mteb",
            max(times, default=None),
            _model(meta),
            "MTEB",
            "mteb",
            versions.pop() if len(versions) == 1 else UNKNOWN,
            texts(unused),
        ),
        results,
    )


def _model(meta: Node) -> Model:
    name = meta.text("name")
    # What mteb calls it since 1.21, and before.
    weights = meta.flag("open_weights", meta.flag("open_source", None))
    return Model(
        id=name,
        name=name,
        availability={True: "open_weights", False: "closed_weights", None: UNKNOWN}[weights],
        details=texts(
            {f"model_meta.{key}": value for key, value in meta.left().items()},
            mteb_model=name,
            open_weights=weights,
        ),
    )


def _results(task: Node, settings: list[Node]) -> Iterator[Result]:
    name = task.text("task_name")
    date = task.number("date", None)
    scores = task.at("scores")
    version = task.text("mteb_version", None)
    revision = task.plain("dataset_revision")
    details = task.rest()
    for split, entries in scores.members():
        for entry in entries.entries():
            subset = entry.text("hf_subset", "default")
            if entry.fields.get(_MAIN) in _UNSCORED:
                entry.skip_all(why=f"its {_MAIN} is not a number")
                continue
            score = entry.number(_MAIN)
            languages = entry.plain("languages")
            yield Result(
                name="/".join((name, split, *([subset] if subset != "default" else []))),
                dataset=Dataset(
                    name,
                    details=texts(
                        split=split,
                        hf_subset=subset,
                        languages=languages,
                        dataset_revision=revision,
                    ),
                ),
                metric=_metric(name, score, entry),
                score=float(score),
                details={**details, **entry.rest()},
                settings=texts(mteb_version=version, **_settings_of(name, split, subset, settings)),
                time=None if date is None else int(date),
            )


def _metric(task: str, score: float, entry: Node) -> Metric:
    """The metric that the main score is: of the same entry and with the same value.

    MTEB takes it from there, and does not say which it is. Several may have this value; what is
    true of all of them is true of the main score.
    """
    same = [key for key, value in entry.fields.items() if key != _MAIN and value == score]
    about, stated = f"the main score of {task}", {_MAIN: ", ".join(same)}
    metrics = [Metric.of_table(about, key, program="mteb") for key in same]
    if (
        len(
            {
                (
                    entry_metric.lower_is_better,
                    entry_metric.bounds,
                    entry_metric.kind,
                    entry_metric.unit,
                )
                for entry_metric in metrics
            }
        )
        == 1
    ):
        metric = replace(metrics[0], name=_MAIN)
    else:
        directions = {entry_metric.lower_is_better for entry_metric in metrics}
        lower = directions.pop() if len(directions) == 1 else None
        metric = Metric(about, _MAIN, lower_is_better=lower, bounds=None)
    unknown = {} if metric.bounds else {"bounds": "unknown"}
    return metric.with_details({**(stated if same else {}), **unknown})


def _settings_of(task: str, split: str, subset: str, settings: list[Node]) -> dict[str, Any]:
    """The line of the settings that is about a result; the last one if there are several."""
    settings_of_task: dict[str, Any] = {}
    for entry in settings:
        splits = entry.fields.get("splits", [entry.fields.get("split")])
        subsets = entry.fields.get("subsets", [entry.fields.get("subset")])
        if entry.fields.get("task") == task and split in splits and subset in subsets:
            settings_of_task = {f"run_settings.{key}": value for key, value in entry.fields.items()}
            entry.left()
    return settings_of_task
