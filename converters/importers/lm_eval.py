"""Results of the LM evaluation harness (EleutherAI), results and samples."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from evalmark.converters.importers.lm_eval_choices import (
    continuations,
    of_uid,
    outcome_of,
    pair_doc,
    requests,
    with_ties,
)
from evalmark.converters.records.run import (
    Answer,
    Dataset,
    Metric,
    Model,
    Result,
    Run,
    Sample,
)
from evalmark.converters.sources.supplied import (
    availability,
    deployment,
    finite,
    producer,
    said,
    sampling,
    texts,
)
from evalmark.converters.step import Supplied, spaced
from evalmark.schemas.errors import ConversionError
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.reading.reading import read

#: Metric → its bounds. What is not here has none that we know.
BOUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(
        ("acc", "acc_norm", "acc_bytes", "acc_mutual_info", "exact_match", "em", "f1", "contains",
         "likelihood_diff", "pass@1", "pass_at_1", "prompt_level_strict_acc",
         "prompt_level_loose_acc", "inst_level_strict_acc", "inst_level_loose_acc"),
        (0, 1),
    ),
    "mcc": (-1, 1),
    "brier_score": (0, 2),
    **dict.fromkeys(("bleu", "chrf"), (0, 100)),
    **dict.fromkeys(("perplexity", "word_perplexity", "byte_perplexity"), (1, math.inf)),
    **dict.fromkeys(("bits_per_byte", "ter"), (0, math.inf)),
}  # fmt: skip

#: Aggregations whose error the harness estimates by bootstrap; that of a mean is analytic.
_BOOTSTRAPPED = frozenset(
    {"median", "matthews_corrcoef", "f1_score", "perplexity", "bleu", "chrf", "ter"}
)
#: Members of the results of a task that are not scores.
_NO_SCORES = frozenset({"alias", "name", "samples", "sample_len"})
#: Backends that load the weights themselves.
_LOCAL = frozenset({"hf", "vllm", "sglang", "gguf", "mamba_ssm", "nemo_lm", "steered", "hf-auto"})
_HUB = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?")
_ENVIRONMENT = (
    "git_hash", "transformers_version", "system_instruction", "system_instruction_sha",
    "fewshot_as_multiturn", "chat_template", "chat_template_sha", "max_length",
)  # fmt: skip
_RUN = (
    "model", "model_args", "batch_size", "batch_sizes", "limit", "gen_kwargs", "random_seed",
    "numpy_seed", "torch_seed", "fewshot_seed", "device", "bootstrap_iters",
)  # fmt: skip


def read_lm_eval(path: Path, data: Mapping[str, Any], supplied: Supplied) -> Iterator[Run]:
    """The run of a results file; times come from the file, names of samples from its own name."""
    if finite(data.get("date")) is None:
        raise ConversionError("the results have no date")
    config = data.get("config") or {}
    results = []
    samples: list[Sample] = []
    for task in data["results"]:
        if task not in data["configs"]:
            continue  # a group: its score is made of those of its tasks
        found = dict(_results(task, data))
        file = path.with_name(path.name.replace("results_", f"samples_{task}_", 1)).with_suffix(
            ".jsonl"
        )
        if path.name.startswith("results_") and file.is_file():
            rows = _rows(file)
            docs = [pair_doc(row) for row in rows]
            found = {key: of_uid(result, docs, task) for key, result in found.items()}
            own = list(_samples(rows, task, found))
            samples += own
            results += with_ties(found.values(), own)
        else:
            results += found.values()
    if not results:
        raise ConversionError("the file has no result that is a number")
    yield Run(
        collection=said(supplied, "/collection") or "lm-evaluation-harness",
        time=int(data["date"]),
        model=_model(data, config, supplied),
        producer=producer(
            supplied,
            "LM evaluation harness",
            ("lm_eval", str(data.get("lm_eval_version") or "unknown")),
        ),
        results=tuple(results),
        samples=tuple(samples),
        settings=texts(
            {key: config.get(key) for key in _RUN}, **{key: data.get(key) for key in _ENVIRONMENT}
        ),
    )


def _model(data: Mapping[str, Any], config: Mapping[str, Any], supplied: Supplied) -> Model:
    name = str(data.get("model_name") or config.get("model") or "unknown")
    is_path = name.startswith(("/", ".", "~")) or "\\" in name
    stated = said(supplied, "/model_info/id")
    backend = str(config.get("model", ""))
    engine = None
    if backend.startswith("hf"):
        engine = ("transformers", str(data.get("transformers_version") or "unknown"))
    elif backend:
        engine = (backend, "unknown")
    known = "self_deployed" if backend in _LOCAL else "unknown"
    return Model(
        id=stated or (f"local/{Path(name).name}" if is_path else name),
        name=Path(name).name if is_path else name,
        engine=engine,
        developer=said(supplied, "/model_info/developer"),
        deployment=deployment(supplied, known),
        availability=availability(supplied),
        details=texts(
            revision=config.get("model_revision"),
            sha=config.get("model_sha"),
            dtype=config.get("model_dtype"),
            parameters=config.get("model_num_parameters"),
            source=data.get("model_source"),
        ),
    )


def _results(task: str, data: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Result]]:
    """(metric, filter) and result of each score of a task."""
    scores = data["results"][task]
    config = data["configs"][task]
    counts = (data.get("n-samples") or {}).get(task) or {}
    better = (data.get("higher_is_better") or {}).get(task) or {}
    stated = {entry.get("metric"): entry for entry in config.get("metric_list") or ()}
    for key, value in scores.items():
        metric, _, chosen = key.partition(",")
        score = finite(value)
        if score is None or metric.endswith("_stderr") or metric in _NO_SCORES:
            continue
        entry = stated.get(metric) or {}
        higher = better.get(metric, entry.get("higher_is_better"))
        name = f"{task}/{metric}" + (f",{chosen}" if chosen not in ("", "none") else "")
        error = finite(scores.get(f"{metric}_stderr,{chosen}"))
        yield (
            (metric, chosen or "none"),
            Result(
                name=name,
                dataset=_dataset(task, config, counts),
                metric=Metric(
                    description=f"{metric} on {task}",
                    name=metric,
                    lower_is_better=higher is False,
                    bounds=BOUNDS.get(metric),
                    details=texts(
                        filter=chosen or None,
                        aggregation=entry.get("aggregation"),
                        higher_is_better="not stated" if higher is None else None,
                        bounds=None if metric in BOUNDS else "unknown",
                    ),
                ),
                score=score,
                uncertainty=_uncertainty(error, entry, counts, data.get("config") or {}),
                arguments=_arguments(config),
                settings=_settings(task, config, data),
            ),
        )


def _dataset(task: str, config: Mapping[str, Any], counts: Mapping[str, Any]) -> Dataset:
    place = config.get("dataset_path")
    on_hub = isinstance(place, str) and _HUB.fullmatch(place) and place not in ("json", "csv")
    return Dataset(
        name=task,
        repo=place if on_hub else None,
        split=config.get("test_split") or config.get("validation_split"),
        size=counts.get("effective"),
        details=texts(
            dataset_name=config.get("dataset_name"), original_size=counts.get("original")
        ),
    )


def _uncertainty(
    error: float | None,
    entry: Mapping[str, Any],
    counts: Mapping[str, Any],
    config: Mapping[str, Any],
) -> dict[str, Any] | None:
    found: dict[str, Any] = {}
    aggregation = entry.get("aggregation")
    if error is not None:
        found["standard_error"] = {"value": error}
        if aggregation in _BOOTSTRAPPED:
            found["standard_error"]["method"] = "bootstrap"
        elif aggregation == "mean":
            found["standard_error"]["method"] = "analytic"
    if isinstance(counts.get("effective"), int):
        found["num_samples"] = counts["effective"]
    iterations = config.get("bootstrap_iters")
    if error is not None and aggregation in _BOOTSTRAPPED and isinstance(iterations, int):
        # The harness takes at most 100 for the slow ones.
        slow = aggregation in ("bleu", "chrf", "ter")
        found["num_bootstrap_samples"] = min(iterations, 100) if slow else iterations
    return found or None


def _arguments(config: Mapping[str, Any]) -> dict[str, Any]:
    given = config.get("generation_kwargs") or {}
    arguments = sampling(given)
    limit = given.get("max_gen_toks", given.get("max_tokens", given.get("max_new_tokens")))
    if isinstance(limit, int) and not isinstance(limit, bool):
        arguments["max_tokens"] = limit
    if isinstance(config.get("doc_to_text"), str):
        arguments["prompt_template"] = config["doc_to_text"]
    return arguments


def _settings(task: str, config: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, str]:
    keys = (
        "description", "doc_to_target", "doc_to_choice", "num_fewshot", "fewshot_split",
        "fewshot_delimiter", "target_delimiter", "output_type", "generation_kwargs", "repeats",
        "filter_list", "should_decontaminate",
    )  # fmt: skip
    return texts(
        {key: config.get(key) for key in keys},
        num_fewshot=(data.get("n-shot") or {}).get(task, config.get("num_fewshot")),
        task_version=(data.get("versions") or {}).get(task),
        task_hash=(data.get("task_hashes") or {}).get(task),
    )


def _rows(file: Path) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = []
    for number, line in enumerate(read_whole(file).split(b"\n"), 1):
        if not line.strip():
            continue
        reading = read(line, "x.json")
        if not reading.readable or not isinstance(reading.data, dict):
            raise ConversionError(f"{file.name}, line {number}: no JSON object")
        rows.append(reading.data)
    return rows


def _samples(
    rows: Iterable[Mapping[str, Any]], task: str, results: dict[tuple[str, str], Result]
) -> Iterator[Sample]:
    for row in rows:
        chosen = str(row.get("filter", "none"))
        for metric in row.get("metrics") or ():
            result = results.get((metric, chosen))
            score = finite(
                float(row[metric]) if isinstance(row.get(metric), bool) else row.get(metric)
            )
            if result is not None and score is not None:
                yield _sample(row, task, result, metric, chosen, score)


def _sample(
    row: Mapping[str, Any], task: str, result: Result, metric: str, chosen: str, score: float
) -> Sample:
    asked = requests(row)
    prompt = asked[0].get("arg_0", "") if asked else ""
    choices = tuple(continuations(row))
    answers = [spaced(answer) for answer in row.get("filtered_resps") or ()]
    best = (BOUNDS.get(metric) or (0, 1))[0 if result.metric.lower_is_better else 1]
    pair = pair_doc(row)
    return Sample(
        result=result.name,
        id=f"{result.name}/{pair.item.identity}" if pair else f"{task}/{row['doc_id']}",
        raw="\n".join(pair.texts) if pair else spaced(prompt),
        reference=pair.texts[:1] if pair else _references(row.get("target")),
        output=tuple(spaced(part) for resp in row.get("resps") or () for part in _parts(resp)),
        correct=score == best,
        score=score,
        choices=pair.texts if pair else choices,
        # Without a filter the answer is the whole output, and there is nothing to point at.
        answers=tuple(Answer(0, "output.raw", answer, chosen) for answer in answers[:1])
        if chosen != "none" and not choices
        else (),
        metadata=texts(
            {key: row.get(key) for key in ("doc_hash", "prompt_hash", "target_hash")},
            filter=chosen,
            filtered_resps=row.get("filtered_resps") if chosen != "none" else None,
            doc=row.get("doc"),
            arguments=None if choices else [request.get("arg_1") for request in asked],
            **outcome_of(row, metric),
        ),
    )


def _references(target: Any) -> tuple[str, ...]:
    return tuple(spaced(t) for t in target) if isinstance(target, list) else (spaced(target),)


def _parts(response: Any) -> list[Any]:
    """The texts of a response; a log-likelihood stays a pair."""
    if isinstance(response, list):
        if response and isinstance(response[0], list):
            return response
        if all(isinstance(part, str) for part in response):
            return response
    return [response]
