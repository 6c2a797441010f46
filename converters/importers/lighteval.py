"""Results of lighteval: ``results_*.json``, with the details of samples in Parquet files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from evalmark.converters.importers.imported import Header, ImportSource, named_metric
from evalmark.converters.overrides.table_keys import UNKNOWN
from evalmark.converters.records.run import Dataset, Model, Result, Run, Sample
from evalmark.converters.sources.placed_values import Account, Node
from evalmark.converters.sources.run_facts import finite, sampling, texts
from evalmark.converters.sources.table_rows import parquet_rows
from evalmark.converters.step import as_list, as_text
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.package import requirement
from evalmark.validator.formats.shared.json_values import mapping

_DATE = re.compile(r"results_(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)(?:\.\d+)?\.json\Z")
#: Averages over tasks; their parts are there too.
_AVERAGE = "_average"
_FILES = "details_*.parquet"
_AVERAGED = "an average of the other results"


def read_lighteval(source: ImportSource) -> Iterator[Run]:
    """The run of a results file. Its time is that in the file's name, taken as UTC."""
    path, left_out, file = source.path, source.left_out, source.document()
    general = file.at("config_general")
    name = general.text("model_name")
    model = _model(name, general)
    time = None
    if date := _DATE.match(path.name):
        time = int(datetime.fromisoformat(f"{date[1]}:{date[2]}:{date[3]}Z").timestamp())
    scores = file.at("results")
    tables = {key: file.at(key, {}) for key in ("versions", "config_tasks", "summary_tasks")}
    generation = general.seen("model_config", {}).seen("generation_parameters", {}).fields
    arguments = sampling(generation, "max_new_tokens")
    results: list[tuple[str, Result]] = []
    for task in scores.names():
        if task == "all" or f"{_AVERAGE}|" in task or task.endswith(_AVERAGE):
            scores.skip(task, why=_AVERAGED)
            continue
        results += _results(task, scores.at(task), tables, arguments)
    if not results:
        raise ConversionError("the file has no result that is a number")
    main: dict[str, Result] = {}
    # By the first metric that will not be left out.
    for task, result in sorted(results, key=lambda pair: pair[1].metric.lower_is_better is None):
        main.setdefault(task, result)
    details = _details(path, name, main, left_out)
    about = {
        **general.rest("config_general."),
        **file.at("summary_general", {}).rest("summary_general."),
        **{k: v for key, table in tables.items() for k, v in table.rest(f"{key}.").items()},
        **file.rest(),
    }
    sha = about.get("config_general.lighteval_sha", "?")
    version = UNKNOWN if sha == "?" else sha  # lighteval's word for it
    yield source.run(
        Header("lighteval", time, model, "lighteval", "lighteval", version, about),
        (result for _, result in results),
        lambda: read_details(details, main, left_out),
    )


def _model(name: str, general: Node) -> Model:
    is_path = name.startswith(("/", ".", "~")) or "//" in name or "\\" in name
    last = re.split(r"[/\\]", name)[-1]
    owner = name.partition("/")[0] if "/" in name and not is_path else None
    config = general.at("model_config", {})
    generation = config.at("generation_parameters", {})
    for key in ("temperature", "top_p", "top_k", "max_new_tokens"):
        if finite(generation.fields.get(key)) is not None:
            generation.plain(key)
    stated = {
        **config.rest("model_config."),
        **generation.rest("generation_parameters."),
        **{key: general.plain(key) for key in ("model_sha", "model_dtype", "model_size")},
    }
    return Model(
        id=f"local/{last}" if is_path else name,
        name=name if not is_path else last,
        developer=owner,
        details=texts(stated, lighteval_model=name),
    )


def _results(
    task: str, scores: Node, tables: Mapping[str, Node], arguments: dict[str, Any]
) -> Iterator[tuple[str, Result]]:
    task_tables = {key: _task_entry(table, task) for key, table in tables.items()}
    config = mapping(task_tables["config_tasks"])
    dataset = _dataset(task, config)
    settings = _settings(task_tables)
    higher = _directions(config)
    for key, node in scores.members():
        is_error = key.endswith("_stderr") and key.removesuffix("_stderr") in scores.fields
        if node.value is None or is_error:
            continue
        value = finite(node.value)
        if value is None:
            node.wrong("a number")
        error = finite(scores.fields.get(f"{key}_stderr"))
        yield (
            task,
            Result(
                name=f"{task}/{key}",
                dataset=dataset,
                metric=named_metric(
                    key,
                    "lighteval",
                    f"{key} on {task}",
                    stated=not higher[key] if key in higher else None,
                ),
                score=value,
                uncertainty=None if error is None else {"standard_error": {"value": error}},
                arguments=arguments,
                settings=settings,
            ),
        )


def _task_entry(table: Node, task: str) -> Any:
    """The entry of a task in a table; keys may lack the number of few-shot examples."""
    whole, _, shots = task.rpartition("|")
    stated = table.plain(task)
    return table.plain(whole) if stated is None and shots.isdecimal() else stated


def _dataset(task: str, config: Mapping[str, Any]) -> Dataset:
    repo, splits = config.get("hf_repo"), config.get("evaluation_splits")
    on_hub = isinstance(repo, str) and repo.count("/") == 1
    size = config.get("effective_num_docs")
    return Dataset(
        name=str(repo) if on_hub else task.split("|")[0 if task.count("|") < 2 else 1],
        repo=repo if on_hub else None,
        split=str(splits[0]) if isinstance(splits, list) and len(splits) == 1 else None,
        size=size if type(size) is int and size > 0 else None,
    )


def _settings(task_tables: Mapping[str, Any]) -> dict[str, str]:
    settings: dict[str, str] = {}
    for table, value in task_tables.items():
        if isinstance(value, dict):
            settings |= texts({f"{table}.{key}": child for key, child in value.items()})
        elif value is not None:
            settings[table] = as_text(value)
    return settings


def _directions(config: Mapping[str, Any]) -> dict[str, bool]:
    """Name of a metric -> whether more is better, as the task's configuration says."""
    listed = config.get("metrics") or config.get("metric")
    directions: dict[str, bool] = {}
    for metric in map(mapping, listed if isinstance(listed, list) else ()):
        higher = metric.get("higher_is_better")
        for name in as_list(metric.get("metric_name")):
            direction = higher.get(name) if isinstance(higher, dict) else higher
            if isinstance(name, str) and isinstance(direction, bool):
                directions[name] = direction
    return directions


def _details(path: Path, model: str, tasks: Iterable[str], left_out: Account) -> dict[str, Path]:
    """Task -> the Parquet file with its samples, where lighteval puts it."""
    date = path.stem.removeprefix("results_")
    parts = [part for part in model.strip("/").split("/") if part]
    if len(path.parents) <= len(parts) + 1:
        return {}
    folder = path.parents[len(parts) + 1].joinpath("details", *parts, date)
    files = {task: folder / f"details_{task}_{date}.parquet" for task in tasks}
    present = {task: file for task, file in files.items() if file.is_file()}
    if present and find_spec("pyarrow") is None:
        cure = f"pip install '{requirement('parquet')}'"
        left_out[f"details_*.parquet : pyarrow is not installed: {cure}"] += len(present)
        return {}
    return present


def read_details(
    files: Mapping[str, Path], main: Mapping[str, Result], left_out: Account
) -> Iterator[Sample]:
    """A sample for each row; its score is that of its task's first metric.

    The other scores, and everything else in the row, are its metadata.
    """
    for task, path in files.items():
        result = main[task]
        for number, row in enumerate(parquet_rows(path, left_out, _FILES)):
            metrics = row.at("metric", {})
            value = metrics.plain(result.metric.name or "")
            score = float(value) if isinstance(value, bool) else finite(value)
            if score is None:
                row.skip_all(why="no number for the first metric of the task")
            else:
                yield _sample(row, number, result, score)


def _sample(row: Node, number: int, result: Result, score: float) -> Sample:
    doc, response = row.at("doc", {}), row.at("model_response", {})
    choices = [str(choice) for choice in doc.plain("choices") or ()]
    gold = doc.plain("gold_index")
    right = [choices[i] for i in as_list(gold) if type(i) is int and 0 <= i < len(choices)]
    is_choice = len(choices) > len(right)
    prompt = response.plain("input")
    is_text = isinstance(prompt, str)
    return Sample(
        result=result.name,
        id=str(doc.plain("id") or number),
        raw=prompt if is_text else doc.text("query", ""),
        reference=tuple(right),
        output=tuple(map(str, as_list(response.plain("text") or []))),
        correct=None,
        score=score,
        choices=tuple(choices) if is_choice else (),
        metadata=texts(
            {f"doc.{key}": value for key, value in doc.left().items()},
            **{f"response.{key}": value for key, value in response.left().items()},
            **{f"metric.{key}": value for key, value in row.at("metric", {}).fields.items()},
            query=doc.plain("query") if is_text else None,
            input=None if is_text else prompt,
            gold_index=gold,
            choices=None if is_choice else choices,
            **row.left(),
        ),
    )
