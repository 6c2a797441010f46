"""Files of results of the LM evaluation harness: a run for each task, or one for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from evalmark.converters.importers.imported import Header, ImportSource, named_metric
from evalmark.converters.importers.lm_eval_samples import TaskSamples
from evalmark.converters.importers.model_names import maker_of
from evalmark.converters.records.run import UNKNOWN, Dataset, Metric, Model, Result, Run
from evalmark.converters.sources.placed_values import Account, Node, Piece
from evalmark.converters.sources.supplied import finite, sampling, supplied_text, texts
from evalmark.converters.step import Supplied, as_text
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.metrics.known_metrics import known_metric
from evalmark.validator.formats.shared.fields import text

#: The harness, as the registry of metrics calls it.
PROGRAM = "lm-evaluation-harness"
#: Aggregation -> how the harness estimates its error.
_METHODS = {
    "mean": "analytic", "acc_all": "analytic", "median": "bootstrap", "nanmean": "bootstrap",
    "matthews_corrcoef": "bootstrap", "f1_score": "bootstrap", "perplexity": "bootstrap",
    "bleu": "bootstrap", "chrf": "bootstrap", "ter": "bootstrap",
}  # fmt: skip
#: Members of the results of a task that are not scores.
_NO_SCORES = frozenset({"alias", "name", "samples", "sample_len", "sample_count", " "})
#: Data sets that are files.
_FILES = frozenset({"json", "csv", "text", "parquet", "arrow", "webdataset"})
_HUB = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?")
#: (metric, filter) -> result.
Results = dict[tuple[str, str], Result]
#: Backends that load the weights themselves, and the software that does it.
_ENGINES = {
    "hf": "transformers", "hf-auto": "transformers", "hf-multimodal": "transformers",
    "hf-causal": "transformers", "hf-causal-experimental": "transformers",
    "hf-seq2seq": "transformers", "gpt2": "transformers",
    "steered": "transformers", "vllm": "vllm", "sglang": "sglang", "gguf": "llama.cpp",
    "mamba_ssm": "mamba_ssm", "nemo_lm": "nemo",
}  # fmt: skip
#: Backends of services.
_PLATFORMS = {
    "gpt3": "openai", "openai-completions": "openai", "openai-chat-completions": "openai",
    "anthropic": "anthropic", "anthropic-chat": "anthropic",
    "anthropic-chat-completions": "anthropic", "together": "together",
}  # fmt: skip
#: Arguments that name the model, in the order in which the harness looks for them.
_NAMES = ("pretrained", "model", "engine", "path")
#: Members of ``config`` that are details of the model.
_DETAILS = {
    "model_revision": "revision", "model_sha": "sha", "model_dtype": "dtype",
    "model_num_parameters": "num_parameters",
}  # fmt: skip
#: Members that the numbers may depend on.
_ENVIRONMENT = (
    "git_hash", "transformers_version", "system_instruction", "system_instruction_sha",
    "fewshot_as_multiturn", "chat_template", "chat_template_sha", "max_length",
)  # fmt: skip
#: Members that say something of each task.
_BY_TASK = (
    "results", "configs", "versions", "n-shot", "n-samples", "higher_is_better", "task_hashes",
    "group_subtasks",
)  # fmt: skip


def read_lm_eval(source: ImportSource) -> Iterator[Run]:
    """A run for each task and group; times come from the file, names of samples from its own name.

    Versions 0.2 and 0.3 of the harness wrote neither a date nor ``configs``, and names of metrics
    without a filter; the first ones of 0.4 wrote no date either.
    """
    log = source.document()
    date = finite(log.plain("date"))
    time = None if date is None else int(date)
    config = log.at("config", {})
    members = {key: log.at(key, {}) for key in _BY_TASK}
    with_scores: list[TaskSamples] = []
    for task in members["results"].names():
        if numbers_of(members["results"].at(task)):
            results = results_of(task, members, config.fields.get("bootstrap_iters"), time)
            with_scores.append(TaskSamples(task, results, _file(source.path, task)))
    if not with_scores:
        raise ConversionError("the file has no result that is a number")
    model = model_of(log, config, source.supplied)
    settings = {**texts({key: log.plain(key) for key in _ENVIRONMENT}), **config.rest()}
    header = Header(
        PROGRAM,
        time,
        model,
        PROGRAM,
        "lm_eval",
        str(log.plain("lm_eval_version") or UNKNOWN),
        _details(log, members),
        settings,
        is_joined=True,
    )
    read = {_file(source.path, of_task.task) for of_task in with_scores}
    for path in sorted({*_files(source.path)} - read):
        piece = Piece(path.name, left_out=source.left_out)
        piece.holding(path.name).skip_all(why="its task has no score")
    for number, of_task in enumerate(with_scores):
        # What no task has is listed once.
        left_out = Account(source.left_out.pieces) if number else source.left_out
        yield source.run(
            replace(header, collection=of_task.task),
            of_task.results.values(),
            partial(of_task.read, left_out),
            left_out=left_out,
        )


def _files(path: Path) -> Iterator[Path]:
    """The files of samples beside results."""
    if path.name.startswith("results_"):
        yield from path.parent.glob(f"samples_*{path.stem.removeprefix('results')}.jsonl")


def _file(path: Path, task: str) -> Path | None:
    if not path.name.startswith("results_"):
        return None
    name = path.name.replace("results_", f"samples_{task}_", 1)
    file = path.with_name(name).with_suffix(".jsonl")
    return file if file.is_file() else None


def _details(log: Node, members: Mapping[str, Node]) -> dict[str, str]:
    log.skip("groups", why="the same scores as in /results")
    for member in members.values():
        unread = member.left()
        if unread:
            member.skip(*unread, why="it is about a group, or a task without a score")
    return log.rest()


def model_of(log: Node, config: Node, supplied: Supplied) -> Model:
    """The model, by the name that the harness has resolved or that its arguments give."""
    backend = str(config.fields.get("model") or "")
    argument = _argument(config.fields.get("model_args"))
    name = str(log.plain("model_name") or argument or backend or "unknown")
    is_path = name.startswith(("/", ".", "~")) or "\\" in name
    last = Path(name).name
    identity = supplied_text(supplied, "/model_info/id") or (f"local/{last}" if is_path else name)
    software, engine = _ENGINES.get(backend), None
    if software:
        version = log.fields.get("transformers_version") if software == "transformers" else ""
        engine = software, str(version or "")
    return Model(
        id=identity,
        name=last if is_path else name,
        engine=engine,
        developer=_developer(identity, is_path=is_path),
        platform=_PLATFORMS.get(backend),
        deployment="self_deployed" if software else UNKNOWN,
        details=texts(
            {new: config.plain(old) for old, new in _DETAILS.items()},
            source=log.plain("model_source"),
            stated_name=name if name != identity and not is_path else None,
            # It tells two models apart whose folders have one name; the path itself is nobody's.
            path_sha256=_sha256(name) if is_path else None,
        ),
    )


def _developer(identity: str, *, is_path: bool) -> str | None:
    has_owner = "/" in identity and not is_path
    return identity.partition("/")[0] if has_owner else maker_of(identity)


def _sha256(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _argument(arguments: object) -> str | None:
    """The name of the model among its arguments: an object, or ``pretrained=lab/model,…``."""
    if isinstance(arguments, str):
        pairs = (part.partition("=") for part in arguments.split(","))
        arguments = {key.strip(): value.strip("'\" ") for key, sign, value in pairs if sign}
    if not isinstance(arguments, dict):
        return None
    return next((str(arguments[name]) for name in _NAMES if arguments.get(name)), None)


def numbers_of(scores: Node) -> dict[str, float]:
    """``metric,filter`` and value of each score that is a number."""
    names = (n for n in scores.names() if n not in _NO_SCORES and "_stderr" not in n)
    values = {name: finite(scores.fields[name]) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def results_of(
    task: str, members: Mapping[str, Node], iterations: object, time: int | None
) -> Results:
    """The results of a task; what else the file says of it is in the settings of each.

    ``members`` are the parts of the file that have something for each task.
    """
    scores, config = members["results"].at(task), members["configs"].at(task, {})
    counts, higher = members["n-samples"].at(task, {}), members["higher_is_better"].at(task, {})
    values = numbers_of(scores)
    for name in values:
        scores.plain(name)
    parts = {name: name.partition(",") for name in values}
    errors = {
        name: scores.plain(f"{metric}_stderr{comma}{chosen}")
        for name, (metric, comma, chosen) in parts.items()
    }
    directions = {name: higher.plain(metric) for name, (metric, _, _) in parts.items()}
    effective = counts.plain("effective")
    count = effective if type(effective) is int else scores.fields.get("sample_len")
    dataset = _dataset(task, config, effective, counts.plain("original"))
    arguments = _arguments(config)
    entries = _metric_list(config)
    settings = {
        **_settings(task, config, members),
        **scores.rest("results."),
        **counts.rest("n-samples."),
        **higher.rest("higher_is_better."),
    }
    results = {}
    for name, score in values.items():
        metric, _, chosen = parts[name]
        filtered = "" if chosen == "none" else chosen
        entry, error = entries.get(metric) or {}, errors[name]
        is_known = error is None or finite(error) is not None
        results[metric, chosen or "none"] = Result(
            name=f"{task}/{metric}" + (f",{filtered}" if filtered else ""),
            dataset=dataset,
            metric=_metric(metric, chosen, task, entry, directions[name]),
            score=score,
            uncertainty=_uncertainty(
                finite(error), text(entry.get("aggregation")), count, iterations
            ),
            details={} if is_known else {"standard_error": as_text(error)},
            arguments=arguments,
            settings=settings,
            time=time,
            evaluation=f"{task}/{filtered}" if filtered else task,
            key=f"{metric}:{filtered}" if filtered else metric,
        )
    return results


def _metric_list(config: Node) -> dict[str | None, dict[str, Any]]:
    listed = config.seen("metric_list", [])
    entries = listed.entries() if listed.value else ()
    return {e.text("metric", None): e.fields for e in entries if isinstance(e.value, dict)}


def _metric(
    name: str, chosen: str, task: str, entry: Mapping[str, Any], direction: object
) -> Metric:
    higher = direction if isinstance(direction, bool) else entry.get("higher_is_better")
    metric = named_metric(
        name,
        PROGRAM,
        f"{name} on {task}",
        stated=not higher if isinstance(higher, bool) else None,
        details=texts(filter=chosen or None, aggregation=entry.get("aggregation")),
    )
    # Some tasks write percent where others write a share.
    of_task = known_metric(f"{task}_{name}", program=PROGRAM)
    if of_task is None:
        return metric
    return replace(metric, bounds=of_task.bounds(PROGRAM), unit=of_task.unit(PROGRAM))


def _dataset(task: str, config: Node, effective: object, original: object) -> Dataset:
    place = config.plain("dataset_path")
    on_hub = isinstance(place, str) and _HUB.fullmatch(place) and place not in _FILES
    return Dataset(
        name=task,
        repo=place if on_hub else None,
        split=text(config.fields.get("test_split") or config.fields.get("validation_split")),
        size=effective if type(effective) is int else None,
        details=texts(
            dataset_name=config.plain("dataset_name"),
            original_size=original,
            dataset_path=None if on_hub else place,
        ),
    )


def _uncertainty(
    error: float | None, aggregation: str | None, count: object, iterations: object
) -> dict[str, Any] | None:
    uncertainty: dict[str, Any] = {}
    method = _METHODS.get(aggregation or "")
    if error is not None:
        uncertainty["standard_error"] = {"value": error, **texts(method=method)}
    if type(count) is int:
        uncertainty["num_samples"] = count
    if error is not None and method == "bootstrap" and type(iterations) is int:
        # The harness takes at most 100 for the slow ones.
        slow = aggregation in ("bleu", "chrf", "ter")
        uncertainty["num_bootstrap_samples"] = min(iterations, 100) if slow else iterations
    return uncertainty or None


def _arguments(config: Node) -> dict[str, Any]:
    generation = config.at("generation_kwargs", {}).fields
    arguments = sampling(generation, "max_gen_toks", "max_tokens", "max_new_tokens")
    if isinstance(config.fields.get("doc_to_text"), str):
        arguments["prompt_template"] = config.plain("doc_to_text")
    return arguments


def _settings(task: str, config: Node, members: Mapping[str, Node]) -> dict[str, str]:
    """The whole configuration of a task, and what other members of the file say of it."""
    config.again("generation_kwargs")  # not all of them have a place of their own
    if config.fields.get("task") == task:
        config.plain("task")
    stated = {}
    if (shots := members["n-shot"].plain(task)) is not None:
        configured = config.plain("num_fewshot")
        stated = {
            "num_fewshot": shots,
            "num_fewshot_configured": None if configured == shots else configured,
        }
    return {
        **config.rest(),
        **texts(
            stated,
            task_version=members["versions"].plain(task),
            task_hash=members["task_hashes"].plain(task),
            subtasks=members["group_subtasks"].plain(task),
        ),
    }
