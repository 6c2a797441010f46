"""Scores of a task or group of the LM evaluation harness, as results."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from evalmark.converters.records.run import Dataset, Metric, Result
from evalmark.converters.sources.metric_names import named_metric
from evalmark.converters.sources.node import Node
from evalmark.converters.sources.supplied import finite, sampling, texts
from evalmark.converters.step import as_text

#: What the registry of metrics calls the harness.
PROGRAM = "lm-evaluation-harness"
#: Aggregations whose error the harness estimates by bootstrap; that of a mean is analytic.
_BOOTSTRAPPED = frozenset(
    {"median", "nanmean", "matthews_corrcoef", "f1_score", "perplexity", "bleu", "chrf", "ter"}
)
_ANALYTIC = frozenset({"mean", "acc_all"})
#: Members of the results of a task that are not scores.
_NO_SCORES = frozenset({"alias", "name", "samples", "sample_len", "sample_count", " "})
#: Data sets that are files.
_FILES = frozenset({"json", "csv", "text", "parquet", "arrow", "webdataset"})
_HUB = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?")


#: (metric, filter) -> result.
Results = dict[tuple[str, str], Result]


def numbers_of(scores: Node) -> dict[str, float]:
    """``metric,filter`` and value of each score that is a number."""
    names = (n for n in scores.names() if n not in _NO_SCORES and "_stderr" not in n)
    found = {name: finite(scores.value[name]) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def results_of(task: str, members: Mapping[str, Node], iterations: Any, time: int) -> Results:
    """The results of a task; what else the file says of it is in the settings of each.

    ``members`` are the parts of the file that have something for each task.
    """
    scores, config = members["results"].at(task), members["configs"].at(task, {})
    counts, higher = members["n-samples"].at(task, {}), members["higher_is_better"].at(task, {})
    values = numbers_of(scores)
    for name in values:
        scores.plain(name)
    errors = {name: scores.plain(_error_of(name)) for name in values}
    directions = {name: higher.plain(name.partition(",")[0]) for name in values}
    effective = counts.plain("effective")
    count = effective if type(effective) is int else scores.value.get("sample_len")
    dataset = _dataset(task, config, effective, counts.plain("original"))
    arguments = _arguments(config)
    listed = config.value.get("metric_list")
    entries = {e.get("metric"): e for e in listed or () if isinstance(e, dict)}
    settings = {
        **_settings(task, config, members),
        **scores.rest("results."),
        **counts.rest("n-samples."),
        **higher.rest("higher_is_better."),
    }
    results = {}
    for name, score in values.items():
        metric, _, chosen = name.partition(",")
        filtered = chosen if chosen not in ("", "none") else ""
        entry, error = entries.get(metric) or {}, errors[name]
        is_known = error is None or finite(error) is not None
        results[metric, chosen or "none"] = Result(
            name=f"{task}/{metric}" + (f",{filtered}" if filtered else ""),
            dataset=dataset,
            metric=_metric(metric, chosen, task, entry, directions[name]),
            score=score,
            uncertainty=_uncertainty(finite(error), entry.get("aggregation"), count, iterations),
            details={} if is_known else {"standard_error": as_text(error)},
            arguments=arguments,
            settings=settings,
            time=time,
            evaluation=f"{task}/{filtered}" if filtered else task,
            key=f"{metric}:{filtered}" if filtered else metric,
        )
    return results


def _error_of(name: str) -> str:
    metric, comma, chosen = name.partition(",")
    return f"{metric}_stderr{comma}{chosen}"


def _metric(name: str, chosen: str, task: str, entry: Mapping[str, Any], direction: Any) -> Metric:
    higher = direction if isinstance(direction, bool) else entry.get("higher_is_better")
    return named_metric(
        name,
        PROGRAM,
        f"{name} on {task}",
        stated=not higher if isinstance(higher, bool) else None,
        details=texts(filter=chosen or None, aggregation=entry.get("aggregation")),
    )


def _dataset(task: str, config: Node, effective: Any, original: Any) -> Dataset:
    place = config.plain("dataset_path")
    on_hub = isinstance(place, str) and _HUB.fullmatch(place) and place not in _FILES
    return Dataset(
        name=task,
        repo=place if on_hub else None,
        split=_text(config.value.get("test_split") or config.value.get("validation_split")),
        size=effective if type(effective) is int else None,
        details=texts(
            dataset_name=config.plain("dataset_name"),
            original_size=original,
            dataset_path=None if on_hub else place,
        ),
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _uncertainty(
    error: float | None, aggregation: Any, count: Any, iterations: Any
) -> dict[str, Any] | None:
    found: dict[str, Any] = {}
    if error is not None:
        found["standard_error"] = {"value": error}
        if aggregation in _BOOTSTRAPPED:
            found["standard_error"]["method"] = "bootstrap"
        elif aggregation in _ANALYTIC:
            found["standard_error"]["method"] = "analytic"
    if type(count) is int:
        found["num_samples"] = count
    if error is not None and aggregation in _BOOTSTRAPPED and type(iterations) is int:
        # The harness takes at most 100 for the slow ones.
        slow = aggregation in ("bleu", "chrf", "ter")
        found["num_bootstrap_samples"] = min(iterations, 100) if slow else iterations
    return found or None


def _arguments(config: Node) -> dict[str, Any]:
    given = config.at("generation_kwargs", {}).fields
    arguments = sampling(given)
    limit = given.get("max_gen_toks", given.get("max_tokens", given.get("max_new_tokens")))
    if type(limit) is int:
        arguments["max_tokens"] = limit
    if isinstance(config.value.get("doc_to_text"), str):
        arguments["prompt_template"] = config.plain("doc_to_text")
    return arguments


def _settings(task: str, config: Node, members: Mapping[str, Node]) -> dict[str, str]:
    """The whole configuration of a task, and what other members of the file say of it."""
    config.again("generation_kwargs")  # not all of them have a place of their own
    if config.value.get("task") == task:
        config.plain("task")
    shots = members["n-shot"].plain(task)
    own = config.value.get("num_fewshot")
    if shots is not None and own == shots:
        config.plain("num_fewshot")
    stated = {} if shots is None else {"num_fewshot": shots}
    if shots is not None and own is not None and own != shots:
        stated["num_fewshot_configured"] = config.plain("num_fewshot")
    return {
        **config.rest(),
        **texts(
            stated,
            task_version=members["versions"].plain(task),
            task_hash=members["task_hashes"].plain(task),
            subtasks=members["group_subtasks"].plain(task),
        ),
    }
